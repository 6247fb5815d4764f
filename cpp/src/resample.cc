#include "photic/resample.h"

#include "photic/cpu.h"

namespace photic {

void Resampler::begin(const Geometry& geometry, const RowTarget& target) {
    const Filter filter = target.plan->filter;
    if (horizontal_.build(geometry.x, filter, lane_taps, lane_pixels)) {
        fixed_.build(horizontal_);
        bytes_.build(horizontal_, fixed_);
    }
    vertical_.build(geometry.y, filter, 1, 1);
    writer_.begin(target, geometry.x.size);
    stride_ = static_cast<std::size_t>(horizontal_.size());
    ring_rows_ = vertical_.taps();
    ring_.reserve(static_cast<std::size_t>(ring_rows_) * 3 * stride_);
    rows_.resize(static_cast<std::size_t>(ring_rows_));
    first_.resize(stride_);
    kernels_ = &active_kernels();
    next_row_ = vertical_.begin();
    next_output_ = 0;
    outputs_ = geometry.y.size;
    width_ = geometry.x.size;
    const Plan& plan = *target.plan;
    const auto content = static_cast<std::size_t>(width_) * static_cast<std::size_t>(outputs_);
    if (content * 3 != plan.elements()) writer_.fill();
}

void Resampler::set_columns(int begin, int end) {
    for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = horizontal_.first()[i] - begin;
    columns_ = end - begin + horizontal_.taps();
    scratch_.reserve(static_cast<std::size_t>(columns_) * 4);
}

void Resampler::push_row(const std::uint8_t* row) noexcept {
    const RowFilter filter = {first_.data(),      fixed_.weights(), horizontal_.taps(),
                              horizontal_.size(), columns_,         scratch_.data(),
                              bytes_.weights(),   bytes_.order()};
    kernels_->filter_row(row, filter, ring_row(next_row_ % ring_rows_), stride_);
    ++next_row_;
    while (next_output_ < outputs_ && vertical_.end(next_output_) <= next_row_) {
        emit(next_output_);
        ++next_output_;
    }
}

float* Resampler::ring_row(int place) noexcept {
    return ring_.data() + static_cast<std::size_t>(place) * 3 * stride_;
}

void Resampler::emit(int output_row) noexcept {
    const int first = vertical_.first()[output_row];
    const int count = vertical_.end(output_row) - first;
    int place = first % ring_rows_;
    for (int k = 0; k < count; ++k) {
        rows_[static_cast<std::size_t>(k)] = ring_row(place);
        place = place + 1 == ring_rows_ ? 0 : place + 1;
    }
    const FilteredRows rows = {rows_.data(), vertical_.weights(output_row), count, stride_,
                               static_cast<float>(fixed_.one())};
    writer_.write(*kernels_, rows, output_row, width_);
}

}  // namespace photic

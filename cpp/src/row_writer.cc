#include "photic/row_writer.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace photic {
namespace {

// The value of a level that is already clamped to 0 to 255.
template <typename Value>
Value convert(float value) noexcept {
    if constexpr (std::is_same_v<Value, float>) {
        return value;
    } else {
        return static_cast<Value>(value + 0.5F);
    }
}

std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }

}  // namespace

void RowWriter::begin(const RowTarget& target, int width) {
    values_.reserve(at(width));
    target_ = target;
}

void RowWriter::fill() noexcept {
    const Plan& plan = *target_.plan;
    if (plan.element == Element::uint8) {
        std::fill_n(static_cast<std::uint8_t*>(target_.out), plan.elements(),
                    static_cast<std::uint8_t>(plan.pad));
        return;
    }
    auto* out = static_cast<float*>(target_.out);
    const std::size_t pixels = plan.elements() / 3;
    for (std::size_t c = 0; c < 3; ++c) {
        const float value = static_cast<float>(plan.pad) * plan.scale[c] + plan.shift[c];
        for (std::size_t i = 0; i < pixels; ++i) {
            out[plan.nhwc ? i * 3 + c : c * pixels + i] = value;
        }
    }
}

void RowWriter::write(const Kernels& kernels, const FilteredRows& source, int row,
                      int width) noexcept {
    const Plan& plan = *target_.plan;
    const OutputMap& map = target_.map;
    const bool levels = plan.element == Element::uint8;
    for (int c = 0; c < 3; ++c) {
        const std::ptrdiff_t first = map.base + row * map.step_y + c * map.step_channel;
        const RowSum sum = {source.rows,
                            at(plan.bgr ? 2 - c : c) * source.stride,
                            source.weights,
                            source.count,
                            255.0F * source.unit,
                            (levels ? 1.0F : plan.scale[at(c)]) / source.unit,
                            levels ? 0.0F : plan.shift[at(c)]};
        if (!levels && map.step_x == 1) {
            kernels.sum_rows(sum, width, static_cast<float*>(target_.out) + first);
            continue;
        }
        kernels.sum_rows(sum, width, values_.data());
        if (levels) {
            scatter<std::uint8_t>(first, width);
        } else {
            scatter<float>(first, width);
        }
    }
}

template <typename Value>
void RowWriter::scatter(std::ptrdiff_t first, int width) noexcept {
    const float* values = values_.data();
    Value* out = static_cast<Value*>(target_.out) + first;
    const std::ptrdiff_t step = target_.map.step_x;
    for (int i = 0; i < width; ++i) out[i * step] = convert<Value>(values[i]);
}

}  // namespace photic

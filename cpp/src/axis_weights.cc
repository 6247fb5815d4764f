#include "photic/axis_weights.h"

#include <algorithm>
#include <cmath>

namespace photic {
namespace {

// Half the filter's width, in output pixels.
double radius(Filter filter) noexcept { return filter == Filter::bicubic ? 2.0 : 1.0; }

// Keys' cubic with a = -0.5, and the triangle, at distance x >= 0.
double value(Filter filter, double x) noexcept {
    if (filter == Filter::bilinear) return std::max(0.0, 1.0 - x);
    constexpr double a = -0.5;
    if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    if (x < 2.0) return (((x - 5.0) * x + 8.0) * x - 4.0) * a;
    return 0.0;
}

int round_up(int number, int multiple) noexcept {
    return (number + multiple - 1) / multiple * multiple;
}

bool same(const Axis& a, const Axis& b) noexcept {
    return a.begin == b.begin && a.end == b.end && a.clip_begin == b.clip_begin &&
           a.clip_end == b.clip_end && a.size == b.size;
}

}  // namespace

bool AxisWeights::build(const Axis& axis, Filter filter, int tap_multiple, int size_multiple) {
    if (taps_ != 0 && filter == filter_ && same(axis, axis_)) return false;
    const double support = radius(filter) * std::max(1.0, axis.scale());
    // An interval of length 2 * support contains no more pixel centres than this.
    const int most =
        std::min(static_cast<int>(std::ceil(2.0 * support)), axis.clip_end - axis.clip_begin);
    taps_ = 0;  // not valid until all is done
    const int taps = round_up(most, tap_multiple);
    const auto size = static_cast<std::size_t>(round_up(axis.size, size_multiple));
    first_.resize(size);
    ends_.resize(size);
    exact_.resize(static_cast<std::size_t>(taps));
    weights_.reserve(size * static_cast<std::size_t>(taps));
    taps_ = taps;
    begin_ = axis.clip_end;
    end_ = axis.clip_begin;
    const Stretched stretched = {filter, support, axis.scale(), radius(filter) / support};
    for (int i = 0; i < static_cast<int>(size); ++i) build_pixel(axis, stretched, i);
    axis_ = axis;
    filter_ = filter;
    return true;
}

void AxisWeights::build_pixel(const Axis& axis, const Stretched& stretched, int index) {
    const int pixel = std::min(index, axis.size - 1);
    const double centre = axis.begin + (pixel + 0.5) * stretched.scale;
    // Below zero the cast rounds upwards, but what is below zero is clipped.
    const int begin = std::clamp(static_cast<int>(centre - stretched.support + 0.5),
                                 axis.clip_begin, axis.clip_end - 1);
    const int end = std::clamp(static_cast<int>(centre + stretched.support + 0.5), begin + 1,
                               std::min(axis.clip_end, begin + taps_));
    double sum = 0.0;
    for (int k = 0; k < end - begin; ++k) {
        const double distance = std::abs(begin + k - centre + 0.5) * stretched.shrink;
        const double weight = value(stretched.filter, distance);
        exact_[static_cast<std::size_t>(k)] = weight;
        sum += weight;
    }
    const auto i = static_cast<std::size_t>(index);
    float* weights = weights_.data() + i * static_cast<std::size_t>(taps_);
    std::fill_n(weights, taps_, 0.0F);
    const double norm = 1.0 / sum;
    for (int k = 0; k < end - begin; ++k) {
        weights[k] = static_cast<float>(exact_[static_cast<std::size_t>(k)] * norm);
    }
    first_[i] = begin;
    ends_[i] = end;
    begin_ = std::min(begin_, begin);
    end_ = std::max(end_, end);
}

}  // namespace photic

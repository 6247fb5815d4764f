// The filter's weights for each output pixel of one axis.
#pragma once

#include <vector>

#include "photic/aligned_buffer.h"
#include "photic/geometry.h"

namespace photic {

// Computed as Pillow's precompute_coeffs does (src/libImaging/Resample.c), in double, then float:
// the filter is stretched by the scale when shrinking, and each pixel's weights sum up to 1.
class AxisWeights {
  public:
    // Makes the weights for `axis`, or returns false when they are those of the last call.
    // `tap_multiple` and `size_multiple` say to what taps() and size() are padded. Throws
    // std::bad_alloc.
    bool build(const Axis& axis, Filter filter, int tap_multiple, int size_multiple);

    // Weights per output pixel, padded with zeros.
    [[nodiscard]] int taps() const noexcept { return taps_; }
    // Output pixels, padded with copies of the last.
    [[nodiscard]] int size() const noexcept { return static_cast<int>(first_.size()); }
    // The first source pixel of each output pixel.
    [[nodiscard]] const int* first() const noexcept { return first_.data(); }
    // One beyond the last source pixel that output pixel `i` really has.
    [[nodiscard]] int end(int i) const noexcept { return ends_[static_cast<std::size_t>(i)]; }
    [[nodiscard]] const float* weights(int i) const noexcept {
        return weights_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(taps_);
    }

    // The source pixels [begin, end) that all output pixels together need.
    [[nodiscard]] int begin() const noexcept { return begin_; }
    [[nodiscard]] int end() const noexcept { return end_; }

  private:
    // The filter, stretched by the scale when shrinking.
    struct Stretched {
        Filter filter;
        double support;  // half its width, in source pixels
        double scale;    // source pixels per output pixel
        double shrink;   // from distances in source pixels to the filter's own
    };

    void build_pixel(const Axis& axis, const Stretched& stretched, int index);

    Axis axis_ = {};
    Filter filter_ = {};
    std::vector<int> first_;
    std::vector<int> ends_;
    std::vector<double> exact_;
    AlignedBuffer<float> weights_;
    int taps_ = 0;
    int begin_ = 0;
    int end_ = 0;
};

}  // namespace photic

// An axis's weights in 16 bits, for integer arithmetic.
#pragma once

#include <cstdint>

#include "photic/aligned_buffer.h"
#include "photic/axis_weights.h"

namespace photic {

// The weights times one(), rounded so that those of each output pixel sum up to exactly one(): a
// flat area keeps its level. The error of a pixel is below 0.02 levels.
class FixedWeights {
  public:
    // Throws std::bad_alloc.
    void build(const AxisWeights& exact);

    // [size][taps] as in the exact weights.
    [[nodiscard]] const std::int16_t* weights() const noexcept { return weights_.data(); }

    // What a weight of 1 is: the largest power of two that the weights and 32-bit sums allow.
    [[nodiscard]] std::int32_t one() const noexcept { return one_; }

  private:
    AlignedBuffer<std::int16_t> weights_;
    std::int32_t one_ = 1;
};

}  // namespace photic

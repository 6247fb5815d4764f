// A short filter's weights in bytes, for instructions that multiply bytes.
#pragma once

#include <cstdint>

#include "photic/aligned_buffer.h"
#include "photic/axis_weights.h"
#include "photic/fixed_weights.h"

namespace photic {

// For filters of at most byte_taps taps of which any four neighbouring output pixels together reach
// no further than one vector of source pixels.
class ByteWeights {
  public:
    static constexpr int byte_taps = 8;
    static constexpr int vector_pixels = 16;

    // Throws std::bad_alloc.
    void build(const AxisWeights& exact, const FixedWeights& fixed);

    // [size][16]: a weight is low + 256 * high; the low bytes of eight taps, then the high ones.
    // Null when the filter does not fit.
    [[nodiscard]] const std::int8_t* weights() const noexcept {
        return fits_ ? weights_.data() : nullptr;
    }

    // [size][16]: where in the vector of RGBX pixels that begins with the first of four output
    // pixels' first tap the bytes R0 R1 R2 R3 G0 ... X3 of an output pixel's first four taps are.
    [[nodiscard]] const std::uint8_t* order() const noexcept { return order_.data(); }

  private:
    AlignedBuffer<std::int8_t> weights_;
    AlignedBuffer<std::uint8_t> order_;
    bool fits_ = false;
};

}  // namespace photic

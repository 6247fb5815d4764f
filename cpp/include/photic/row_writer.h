// From filtered rows to the output's values, type and layout.
#pragma once

#include "photic/aligned_buffer.h"
#include "photic/geometry.h"
#include "photic/kernels.h"
#include "photic/plan.h"

namespace photic {

// Where and how the rows of one image are written.
struct RowTarget {
    const Plan* plan;
    OutputMap map;
    void* out;
};

class RowWriter {
  public:
    // Begins an image whose rows have up to `width` pixels. Throws std::bad_alloc.
    void begin(const RowTarget& target, int width);

    // Fills the whole output with the plan's pad level.
    void fill() noexcept;

    // Writes row `row` of `width` pixels from filtered rows, whose three planes lie `stride` floats
    // apart. Scale and shift are the plan's.
    void write(const Kernels& kernels, RowSum sum, std::size_t stride, int row, int width) noexcept;

  private:
    template <typename Value>
    void scatter(std::ptrdiff_t first, int width) noexcept;

    RowTarget target_ = {};
    AlignedBuffer<float> values_;
};

}  // namespace photic

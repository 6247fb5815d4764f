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

// What an output row is the weighted sum of.
struct FilteredRows {
    const float* const* rows;
    const float* weights;
    int count;
    std::size_t stride;  // from plane to plane
    float unit;          // what one level is in them
};

class RowWriter {
  public:
    // Begins an image whose rows have up to `width` pixels. Throws std::bad_alloc.
    void begin(const RowTarget& target, int width);

    // Fills the whole output with the plan's pad level.
    void fill() noexcept;

    // Writes row `row` of `width` pixels.
    void write(const Kernels& kernels, const FilteredRows& source, int row, int width) noexcept;

  private:
    template <typename Value>
    void scatter(std::ptrdiff_t first, int width) noexcept;

    RowTarget target_ = {};
    AlignedBuffer<float> values_;
};

}  // namespace photic

// Rows of pixels in, rows of the model's input out, in one streaming pass.
#pragma once

#include <cstdint>
#include <vector>

#include "photic/aligned_buffer.h"
#include "photic/axis_weights.h"
#include "photic/byte_weights.h"
#include "photic/fixed_weights.h"
#include "photic/kernels.h"
#include "photic/row_writer.h"

namespace photic {

// Filters each source row horizontally as it comes, keeps the few filtered rows that the vertical
// filter still needs, and writes an output row as soon as its last source row is there.
class Resampler {
  public:
    // Begins an image on whose (scaled) pixels `geometry` is. Throws std::bad_alloc.
    void begin(const Geometry& geometry, const RowTarget& target);

    // The source columns and rows [begin, end) that are needed, valid after begin().
    [[nodiscard]] int x_begin() const noexcept { return horizontal_.begin(); }
    [[nodiscard]] int x_end() const noexcept { return horizontal_.end(); }
    [[nodiscard]] int y_begin() const noexcept { return vertical_.begin(); }
    [[nodiscard]] int y_end() const noexcept { return vertical_.end(); }

    // Pixels that a source row's memory must have beyond the last.
    [[nodiscard]] int row_padding() const noexcept { return horizontal_.taps() + overread_pixels; }

    // Tells which source columns the rows have. Throws std::bad_alloc.
    void set_columns(int begin, int end);

    // Takes the next of the rows y_begin() to y_end(), RGBX.
    void push_row(const std::uint8_t* row) noexcept;

  private:
    [[nodiscard]] float* ring_row(int place) noexcept;
    void emit(int output_row) noexcept;

    AxisWeights horizontal_;
    FixedWeights fixed_;  // horizontal_ in the arithmetic of the kernels
    ByteWeights bytes_;
    AxisWeights vertical_;
    std::vector<int> first_;  // horizontal_.first(), counted from the rows' first column
    std::vector<const float*> rows_;
    AlignedBuffer<float> ring_;
    AlignedBuffer<float> scratch_;  // for the kernels
    RowWriter writer_;
    const Kernels* kernels_ = nullptr;
    std::size_t stride_ = 0;  // floats from plane to plane of a filtered row
    int columns_ = 0;         // of the source rows, with their padding
    int ring_rows_ = 0;
    int next_row_ = 0;  // the source row that comes next
    int next_output_ = 0;
    int outputs_ = 0;  // output rows
    int width_ = 0;    // output pixels in a row
};

}  // namespace photic

// The hot loops, once for each target they are compiled for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace photic {

// Pixels that a kernel handles at once; rows of floats are padded to a multiple of it.
inline constexpr int lane_pixels = 8;

// Taps per output pixel are padded to a multiple of this, with weights of zero.
inline constexpr int lane_taps = 2;

// Kernels may read (not use) so many weights beyond the last, and pixels beyond a row's columns.
inline constexpr int overread_weights = 6;
inline constexpr int overread_pixels = 16;

// So many terms are summed up in floats before their sum goes into a wider type: thousands, where a
// huge image becomes tiny, would lose a hundredth of a level.
inline constexpr int float_terms = 64;

// A horizontal filter in fixed point: output pixel i is the sum of
// weights[i * taps + k] * source[first[i] + k], and the weights of a pixel sum up to the same power
// of two.
struct RowFilter {
    const int* first;
    const std::int16_t* weights;
    int taps;                         // a multiple of lane_taps
    int size;                         // output pixels, a multiple of lane_pixels
    int columns;                      // first[i] + taps is never larger
    float* scratch;                   // columns x 4, for targets that need it
    const std::int8_t* byte_weights;  // see ByteWeights; null for a filter that does not fit
    const std::uint8_t* byte_order;
};

// One plane of an output row: the weighted sum of rows, clamped to 0 to `white`, then scaled.
struct RowSum {
    const float* const* rows;
    std::size_t offset;  // of the plane in each row, a multiple of lane_pixels
    const float* weights;
    int count;
    float white;
    float scale;
    float shift;
};

struct Kernels {
    const char* name;

    // Filters a row of 4-byte RGBX pixels into three planes of whole numbers, `stride` floats
    // apart. `filter.first` counts from `pixels`.
    void (*filter_row)(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                       std::size_t stride) noexcept;

    // Writes exactly `size` floats to `out`; reads rows up to a multiple of lane_pixels.
    void (*sum_rows)(const RowSum& sum, int size, float* out) noexcept;
};

extern const Kernels baseline_kernels;
#if defined(__x86_64__)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

}  // namespace photic

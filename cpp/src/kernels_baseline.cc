// Portable C++, in the shape that compilers turn into SSE2 or NEON.
#include <algorithm>
#include <cstring>

#include "photic/kernels.h"

namespace photic {
namespace {

// Vector registers of any CPU; an extension that GCC and Clang share.
using Lanes = float __attribute__((vector_size(16)));
using Sums = std::int32_t __attribute__((vector_size(16)));
using WideLanes = double __attribute__((vector_size(32)));

inline Lanes load(const float* values) noexcept {
    Lanes lanes;
    std::memcpy(&lanes, values, sizeof lanes);
    return lanes;
}

inline Lanes clamp(Lanes values, float white) noexcept {
    const Lanes low = {};
    const Lanes high = low + white;
    values = values > low ? values : low;
    return values < high ? values : high;
}

// [R G B X] of one output pixel.
inline Sums filter_pixel(const float* source, const std::int16_t* weights, int taps) noexcept {
    Sums sum = {};
    for (int begin = 0; begin < taps; begin += float_terms) {
        Lanes even = {};
        Lanes odd = {};
        const int end = std::min(taps, begin + float_terms);
        for (int k = begin; k < end; k += 2) {
            even += static_cast<float>(weights[k]) * load(source + 4 * k);
            odd += static_cast<float>(weights[k + 1]) * load(source + 4 * k + 4);
        }
        sum += __builtin_convertvector(even + odd, Sums);
    }
    return sum;
}

// The row is widened to floats first, since compilers do not vectorise the conversion where it
// stands between the taps. Weights and products are whole numbers that floats hold exactly.
void filter_row(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                std::size_t stride) noexcept {
    float* wide = filter.scratch;
    for (int i = 0; i < 4 * filter.columns; ++i) wide[i] = static_cast<float>(pixels[i]);
    for (int i = 0; i < filter.size; ++i) {
        const Sums sum =
            filter_pixel(wide + std::ptrdiff_t{4} * filter.first[i],
                         filter.weights + std::ptrdiff_t{i} * filter.taps, filter.taps);
        float* plane = planes + i;
        for (int c = 0; c < 3; ++c, plane += stride) *plane = static_cast<float>(sum[c]);
    }
}

struct Columns {
    Lanes low;
    Lanes high;
};

// Eight columns of the sum over rows [begin, end).
inline Columns sum_columns(const RowSum& sum, int column, int begin, int end) noexcept {
    Columns total = {};
    for (int k = begin; k < end; ++k) {
        const float* row = sum.rows[k] + sum.offset + column;
        total.low += sum.weights[k] * load(row);
        total.high += sum.weights[k] * load(row + 4);
    }
    return total;
}

// The same over all of so many rows that floats would lose too much.
Columns sum_many(const RowSum& sum, int column) noexcept {
    WideLanes low = {};
    WideLanes high = {};
    for (int begin = 0; begin < sum.count; begin += float_terms) {
        const int end = std::min(sum.count, begin + float_terms);
        const Columns part = sum_columns(sum, column, begin, end);
        low += __builtin_convertvector(part.low, WideLanes);
        high += __builtin_convertvector(part.high, WideLanes);
    }
    return {__builtin_convertvector(low, Lanes), __builtin_convertvector(high, Lanes)};
}

void sum_rows(const RowSum& sum, int size, float* out) noexcept {
    for (int begin = 0; begin < size; begin += lane_pixels) {
        const Columns total =
            sum.count <= float_terms ? sum_columns(sum, begin, 0, sum.count) : sum_many(sum, begin);
        const Lanes low = clamp(total.low, sum.white) * sum.scale + sum.shift;
        const Lanes high = clamp(total.high, sum.white) * sum.scale + sum.shift;
        float values[lane_pixels];
        std::memcpy(values, &low, sizeof low);
        std::memcpy(values + 4, &high, sizeof high);
        std::copy_n(values, std::min(lane_pixels, size - begin), out + begin);
    }
}

}  // namespace

const Kernels baseline_kernels = {"baseline", filter_row, sum_rows};

}  // namespace photic

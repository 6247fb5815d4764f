// Portable C++, in the shape that compilers turn into SSE2 or NEON.
#include <algorithm>
#include <cstring>

#include "photic/kernels.h"

namespace photic {
namespace {

// One vector register of any CPU; an extension that GCC and Clang share.
using Lanes = float __attribute__((vector_size(16)));

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

// The row is widened to floats first, since compilers do not vectorise the conversion where it
// stands between the taps. Weights and sums are whole numbers that floats hold to 24 bits.
void filter_row(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                std::size_t stride) noexcept {
    float* wide = filter.scratch;
    for (int i = 0; i < 4 * filter.columns; ++i) wide[i] = static_cast<float>(pixels[i]);
    const std::int16_t* weights = filter.weights;
    for (int i = 0; i < filter.size; ++i, weights += filter.taps) {
        const float* source = wide + std::ptrdiff_t{4} * filter.first[i];
        Lanes even = {};
        Lanes odd = {};
        for (int k = 0; k < filter.taps; k += 2, source += 8) {
            even += static_cast<float>(weights[k]) * load(source);
            odd += static_cast<float>(weights[k + 1]) * load(source + 4);
        }
        const Lanes sum = even + odd;
        for (int c = 0; c < 3; ++c) planes[static_cast<std::size_t>(c) * stride] = sum[c];
        ++planes;
    }
}

void sum_rows(const RowSum& sum, int size, float* out) noexcept {
    for (int begin = 0; begin < size; begin += lane_pixels) {
        Lanes low = {};
        Lanes high = {};
        for (int k = 0; k < sum.count; ++k) {
            const float* row = sum.rows[k] + sum.offset + begin;
            low += sum.weights[k] * load(row);
            high += sum.weights[k] * load(row + 4);
        }
        low = clamp(low, sum.white) * sum.scale + sum.shift;
        high = clamp(high, sum.white) * sum.scale + sum.shift;
        float values[lane_pixels];
        std::memcpy(values, &low, sizeof low);
        std::memcpy(values + 4, &high, sizeof high);
        std::copy_n(values, std::min(lane_pixels, size - begin), out + begin);
    }
}

}  // namespace

const Kernels baseline_kernels = {"baseline", filter_row, sum_rows};

}  // namespace photic

// Plain C++, in the shape that compilers turn into SSE2 or NEON.
#include <algorithm>

#include "photic/kernels.h"

namespace photic {
namespace {

void filter_row(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                std::size_t stride) noexcept {
    const std::int16_t* weights = filter.weights;
    for (int i = 0; i < filter.size; ++i, weights += filter.taps) {
        const std::uint8_t* source = pixels + std::ptrdiff_t{4} * filter.first[i];
        std::int32_t sum[4] = {};
        for (int k = 0; k < filter.taps; ++k, source += 4) {
            for (int c = 0; c < 4; ++c) sum[c] += weights[k] * source[c];
        }
        for (std::size_t c = 0; c < 3; ++c) {
            planes[c * stride + static_cast<std::size_t>(i)] = static_cast<float>(sum[c]);
        }
    }
}

void sum_rows(const RowSum& sum, int size, float* out) noexcept {
    for (int begin = 0; begin < size; begin += lane_pixels) {
        float total[lane_pixels] = {};
        for (int k = 0; k < sum.count; ++k) {
            const float* row = sum.rows[k] + sum.offset + begin;
            for (int i = 0; i < lane_pixels; ++i) total[i] += sum.weights[k] * row[i];
        }
        for (float& value : total) {
            value = std::min(std::max(value, 0.0F), sum.white) * sum.scale + sum.shift;
        }
        std::copy_n(total, std::min(lane_pixels, size - begin), out + begin);
    }
}

}  // namespace

const Kernels baseline_kernels = {"baseline", filter_row, sum_rows};

}  // namespace photic

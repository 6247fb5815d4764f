// AVX2 and FMA. Each function carries its target, so that nothing else here is compiled for it.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

#include "photic/kernels.h"

#define PHOTIC_AVX2 __attribute__((target("avx2,fma")))

namespace photic {
namespace {

// One output pixel: [R G B X] as floats.
PHOTIC_AVX2 inline __m128 filter_pixel(const std::uint8_t* source, const float* weights,
                                       int taps) noexcept {
    // Lane 0 multiplies by the first weight of a pair, lane 1 by the second.
    const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    __m256 even = _mm256_setzero_ps();
    __m256 odd = _mm256_setzero_ps();
    for (int k = 0; k < taps; k += 4, source += 16) {
        const __m256i low = _mm256_cvtepu8_epi32(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(source)));
        const __m256i high = _mm256_cvtepu8_epi32(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(source + 8)));
        const __m256 pair = _mm256_castpd_ps(
            _mm256_broadcast_sd(reinterpret_cast<const double*>(weights + k)));
        const __m256 next = _mm256_castpd_ps(
            _mm256_broadcast_sd(reinterpret_cast<const double*>(weights + k + 2)));
        even = _mm256_fmadd_ps(_mm256_cvtepi32_ps(low), _mm256_permutevar_ps(pair, spread), even);
        odd = _mm256_fmadd_ps(_mm256_cvtepi32_ps(high), _mm256_permutevar_ps(next, spread), odd);
    }
    const __m256 sum = _mm256_add_ps(even, odd);
    return _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
}

PHOTIC_AVX2 void filter_row(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                            std::size_t stride) noexcept {
    const float* weights = filter.weights;
    for (int i = 0; i < filter.size; i += 4) {
        __m128 pixel[4];
        for (int j = 0; j < 4; ++j, weights += filter.taps) {
            pixel[j] = filter_pixel(pixels + std::ptrdiff_t{4} * filter.first[i + j], weights,
                                    filter.taps);
        }
        _MM_TRANSPOSE4_PS(pixel[0], pixel[1], pixel[2], pixel[3]);
        for (std::size_t c = 0; c < 3; ++c) {
            _mm_store_ps(planes + c * stride + static_cast<std::size_t>(i), pixel[c]);
        }
    }
}

// 8 x vectors floats of the sum, clamped and scaled.
template <int vectors>
PHOTIC_AVX2 inline void sum_columns(const RowSum& sum, int begin, __m256* total) noexcept {
    for (int v = 0; v < vectors; ++v) total[v] = _mm256_setzero_ps();
    for (int k = 0; k < sum.count; ++k) {
        const __m256 weight = _mm256_broadcast_ss(sum.weights + k);
        const float* row = sum.rows[k] + sum.offset + begin;
        for (int v = 0; v < vectors; ++v) {
            total[v] = _mm256_fmadd_ps(weight, _mm256_load_ps(row + 8 * v), total[v]);
        }
    }
    const __m256 white = _mm256_set1_ps(255.0F);
    for (int v = 0; v < vectors; ++v) {
        const __m256 level = _mm256_min_ps(_mm256_max_ps(total[v], _mm256_setzero_ps()), white);
        total[v] = _mm256_fmadd_ps(level, _mm256_set1_ps(sum.scale), _mm256_set1_ps(sum.shift));
    }
}

PHOTIC_AVX2 void sum_rows(const RowSum& sum, int size, float* out) noexcept {
    constexpr int vectors = 4;
    int begin = 0;
    for (; begin + 8 * vectors <= size; begin += 8 * vectors) {
        __m256 total[vectors];
        sum_columns<vectors>(sum, begin, total);
        for (int v = 0; v < vectors; ++v) _mm256_storeu_ps(out + begin + 8 * v, total[v]);
    }
    for (; begin < size; begin += 8) {
        __m256 total[1];
        sum_columns<1>(sum, begin, total);
        alignas(32) float values[8];
        _mm256_store_ps(values, total[0]);
        std::copy_n(values, std::min(8, size - begin), out + begin);
    }
}

}  // namespace

const Kernels avx2_kernels = {"avx2", filter_row, sum_rows};

}  // namespace photic

#endif

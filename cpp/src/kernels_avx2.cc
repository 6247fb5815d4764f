// AVX2 and FMA. Each function carries its target, so that nothing else here is compiled for it.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "photic/kernels.h"

#define PHOTIC_AVX2 __attribute__((target("avx2,fma")))

namespace photic {
namespace {

// One output pixel as 32-bit sums: [R G B X] of the taps 0 and 1 of each four, then of 2 and 3.
// `groups` is taps / 4, where it is known at compile time, or 0.
template <int groups>
PHOTIC_AVX2 inline __m256i filter_pixel(const std::uint8_t* source, const std::int16_t* weights,
                                        int taps) noexcept {
    // From four pixels: R0 R1 G0 G1 B0 B1 X0 X1 as 16-bit values in the low half, those of the
    // pixels 2 and 3 in the high one; -1 is a zero byte. From four weights: w0 w1 to match.
    const __m256i pairs =
        _mm256_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1,  //
                         8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    const __m256i spread = _mm256_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,  //
                                            4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7);
    const int count = groups != 0 ? groups : taps / 4;
    __m256i sum = _mm256_setzero_si256();
    for (int g = 0; g < count; ++g) {
        const __m256i four = _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + 16 * g)));
        long long packed;
        std::memcpy(&packed, weights + 4 * g, sizeof packed);
        const __m256i weight = _mm256_shuffle_epi8(_mm256_set1_epi64x(packed), spread);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_shuffle_epi8(four, pairs), weight));
    }
    return sum;
}

// Pixel a in the low half, pixel b in the high half.
PHOTIC_AVX2 inline __m256 join(__m256i a, __m256i b) noexcept {
    return _mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20),
                                               _mm256_permute2x128_si256(a, b, 0x31)));
}

PHOTIC_AVX2 inline __m256 halves_in_order(__m256 pixels) noexcept {
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(pixels), 0xD8));
}

template <int groups>
PHOTIC_AVX2 void filter_groups(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                               std::size_t stride) noexcept {
    const std::int16_t* weights = filter.weights;
    const int taps = groups != 0 ? 4 * groups : filter.taps;
    for (int i = 0; i < filter.size; i += 4, weights += 4 * taps) {
        __m256i pixel[4];
        for (int j = 0; j < 4; ++j) {
            pixel[j] = filter_pixel<groups>(pixels + std::ptrdiff_t{4} * filter.first[i + j],
                                            weights + j * taps, taps);
        }
        const __m256 even = join(pixel[0], pixel[2]);
        const __m256 odd = join(pixel[1], pixel[3]);
        const __m256 red_green = halves_in_order(_mm256_unpacklo_ps(even, odd));
        const __m256 blue = halves_in_order(_mm256_unpackhi_ps(even, odd));
        _mm_store_ps(planes, _mm256_castps256_ps128(red_green));
        _mm_store_ps(planes + stride, _mm256_extractf128_ps(red_green, 1));
        _mm_store_ps(planes + 2 * stride, _mm256_castps256_ps128(blue));
        planes += 4;
    }
}

PHOTIC_AVX2 void filter_row(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                            std::size_t stride) noexcept {
    switch (filter.taps) {
        case 4:
            return filter_groups<1>(pixels, filter, planes, stride);
        case 8:
            return filter_groups<2>(pixels, filter, planes, stride);
        case 12:
            return filter_groups<3>(pixels, filter, planes, stride);
        default:
            return filter_groups<0>(pixels, filter, planes, stride);
    }
}

// 8 x vectors columns of the sum over rows [begin, end).
template <int vectors>
PHOTIC_AVX2 inline void sum_columns(const RowSum& sum, int column, int begin, int end,
                                    __m256* total) noexcept {
    for (int v = 0; v < vectors; ++v) total[v] = _mm256_setzero_ps();
    for (int k = begin; k < end; ++k) {
        const __m256 weight = _mm256_broadcast_ss(sum.weights + k);
        const float* row = sum.rows[k] + sum.offset + column;
        for (int v = 0; v < vectors; ++v) {
            total[v] = _mm256_fmadd_ps(weight, _mm256_load_ps(row + 8 * v), total[v]);
        }
    }
}

// Eight columns of the sum over all of so many rows that floats would lose too much.
PHOTIC_AVX2 __m256 sum_many(const RowSum& sum, int column) noexcept {
    __m256d low = _mm256_setzero_pd();
    __m256d high = _mm256_setzero_pd();
    for (int begin = 0; begin < sum.count; begin += float_terms) {
        __m256 part;
        sum_columns<1>(sum, column, begin, std::min(sum.count, begin + float_terms), &part);
        low = _mm256_add_pd(low, _mm256_cvtps_pd(_mm256_castps256_ps128(part)));
        high = _mm256_add_pd(high, _mm256_cvtps_pd(_mm256_extractf128_ps(part, 1)));
    }
    return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

PHOTIC_AVX2 inline __m256 to_value(const RowSum& sum, __m256 total) noexcept {
    const __m256 positive = _mm256_max_ps(total, _mm256_setzero_ps());
    const __m256 level = _mm256_min_ps(positive, _mm256_set1_ps(sum.white));
    return _mm256_fmadd_ps(level, _mm256_set1_ps(sum.scale), _mm256_set1_ps(sum.shift));
}

PHOTIC_AVX2 void sum_rows(const RowSum& sum, int size, float* out) noexcept {
    constexpr int vectors = 4;
    const bool few = sum.count <= float_terms;
    int column = 0;
    for (; few && column + 8 * vectors <= size; column += 8 * vectors) {
        __m256 total[vectors];
        sum_columns<vectors>(sum, column, 0, sum.count, total);
        for (int v = 0; v < vectors; ++v) {
            _mm256_storeu_ps(out + column + 8 * v, to_value(sum, total[v]));
        }
    }
    for (; column < size; column += 8) {
        __m256 total;
        if (few) {
            sum_columns<1>(sum, column, 0, sum.count, &total);
        } else {
            total = sum_many(sum, column);
        }
        alignas(32) float values[8];
        _mm256_store_ps(values, to_value(sum, total));
        std::copy_n(values, std::min(8, size - column), out + column);
    }
}

}  // namespace

const Kernels avx2_kernels = {"avx2", filter_row, sum_rows};

}  // namespace photic

#endif

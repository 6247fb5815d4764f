// AVX2 and FMA. Each function carries its target, so that nothing else here is compiled for it.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "photic/kernels.h"

#define PHOTIC_AVX2 __attribute__((target("avx2,fma")))

namespace photic {
namespace {

// What two output pixels are made of. Their vectors hold what belongs to `a` in the low half and
// what belongs to `b` in the high one, so that the halves never meet.
struct Couple {
    const std::uint8_t* source_a;
    const std::uint8_t* source_b;
    const std::int16_t* weights_a;
    const std::int16_t* weights_b;
};

PHOTIC_AVX2 inline __m256i load_halves(const void* a, const void* b) noexcept {
    const __m128i low = _mm_loadu_si128(static_cast<const __m128i*>(a));
    const __m128i high = _mm_loadu_si128(static_cast<const __m128i*>(b));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

// Adds the products of two taps: from four pixels, `order` makes R0 R1 G0 G1 B0 B1 X0 X1 as 16-bit
// values, to meet the weights w0 w1 w0 w1 ...
PHOTIC_AVX2 inline __m256i add_pair(__m256i sum, __m256i four, __m256i order,
                                    __m256i weights) noexcept {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_shuffle_epi8(four, order), weights));
}

// Adds `pairs` pairs of taps, at most four, from the tap `at` on.
template <int pairs>
PHOTIC_AVX2 inline __m256i add_pairs(__m256i sum, const Couple& couple, int at) noexcept {
    // -1 is a zero byte. The pixels 0 and 1 of four, the pixels 2 and 3.
    const __m256i first =
        _mm256_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1,  //
                         0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1);
    const __m256i second =
        _mm256_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1,  //
                         8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    const std::uint8_t* a = couple.source_a + std::ptrdiff_t{4} * at;
    const std::uint8_t* b = couple.source_b + std::ptrdiff_t{4} * at;
    const __m256i weights = load_halves(couple.weights_a + at, couple.weights_b + at);
    const __m256i low = load_halves(a, b);
    sum = add_pair(sum, low, first, _mm256_shuffle_epi32(weights, 0x00));
    if constexpr (pairs > 1) {
        sum = add_pair(sum, low, second, _mm256_shuffle_epi32(weights, 0x55));
    }
    if constexpr (pairs > 2) {
        const __m256i high = load_halves(a + 16, b + 16);
        sum = add_pair(sum, high, first, _mm256_shuffle_epi32(weights, 0xAA));
        if constexpr (pairs > 3) {
            sum = add_pair(sum, high, second, _mm256_shuffle_epi32(weights, 0xFF));
        }
    }
    return sum;
}

// R G B X of both pixels. `rest` pairs of taps remain after the multiple of eight.
template <int rest>
PHOTIC_AVX2 inline __m256 filter_couple(const Couple& couple, int taps) noexcept {
    __m256i sum = _mm256_setzero_si256();
    int at = 0;
    for (; at + 8 <= taps; at += 8) sum = add_pairs<4>(sum, couple, at);
    if constexpr (rest != 0) sum = add_pairs<rest>(sum, couple, at);
    return _mm256_cvtepi32_ps(sum);
}

PHOTIC_AVX2 inline __m256 halves_in_order(__m256 pixels) noexcept {
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(pixels), 0xD8));
}

// `known` is the number of taps, where it is common enough for code of its own.
template <int rest, int known = 0>
PHOTIC_AVX2 void filter_all(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                            std::size_t stride) noexcept {
    const int taps = known != 0 ? known : filter.taps;
    const auto couple = [&](int i) noexcept {
        const std::int16_t* weights = filter.weights + std::ptrdiff_t{i} * taps;
        return Couple{pixels + std::ptrdiff_t{4} * filter.first[i],
                      pixels + std::ptrdiff_t{4} * filter.first[i + 2], weights,
                      weights + std::ptrdiff_t{2} * taps};
    };
    for (int i = 0; i < filter.size; i += 4, planes += 4) {
        const __m256 even = filter_couple<rest>(couple(i), taps);
        const __m256 odd = filter_couple<rest>(couple(i + 1), taps);
        const __m256 red_green = halves_in_order(_mm256_unpacklo_ps(even, odd));
        const __m256 blue = halves_in_order(_mm256_unpackhi_ps(even, odd));
        _mm_store_ps(planes, _mm256_castps256_ps128(red_green));
        _mm_store_ps(planes + stride, _mm256_extractf128_ps(red_green, 1));
        _mm_store_ps(planes + 2 * stride, _mm256_castps256_ps128(blue));
    }
}

PHOTIC_AVX2 void filter_row(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                            std::size_t stride) noexcept {
    if (filter.taps == 6) return filter_all<3, 6>(pixels, filter, planes, stride);
    if (filter.taps == 8) return filter_all<0, 8>(pixels, filter, planes, stride);
    switch (filter.taps % 8) {
        case 2:
            return filter_all<1>(pixels, filter, planes, stride);
        case 4:
            return filter_all<2>(pixels, filter, planes, stride);
        case 6:
            return filter_all<3>(pixels, filter, planes, stride);
        default:
            return filter_all<0>(pixels, filter, planes, stride);
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
    constexpr int vectors = 7;  // 224 columns are four times 7 x 8
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

// AVX-512 with the instructions that multiply bytes (VNNI) and move them anywhere (VBMI): Intel
// since Ice Lake, AMD since Zen 4. Long filters are left to AVX2, which is as fast there.
#if defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of its own _mm512_undefined_epi32() (its bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <immintrin.h>

#include <cstddef>

#include "photic/kernels.h"

#define PHOTIC_AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx512vbmi")))

namespace photic {
namespace {

// Four output pixels, R G B X of each: all their taps stand within 16 pixels of the source. `order`
// brings four taps of a channel together, to meet four weights; the next four are 16 bytes further.
PHOTIC_AVX512 inline __m512 filter_four(const std::uint8_t* source, const std::int8_t* weights,
                                        const std::uint8_t* order) noexcept {
    const __m512i pixels = _mm512_loadu_si512(source);
    const __m512i at = _mm512_load_si512(order);
    const __m512i bytes = _mm512_load_si512(weights);
    const __m512i early = _mm512_permutexvar_epi8(at, pixels);
    const __m512i late = _mm512_permutexvar_epi8(_mm512_add_epi8(at, _mm512_set1_epi8(16)), pixels);
    __m512i low = _mm512_setzero_si512();
    __m512i high = _mm512_setzero_si512();
    low = _mm512_dpbusd_epi32(low, early, _mm512_shuffle_epi32(bytes, _MM_PERM_AAAA));
    high = _mm512_dpbusd_epi32(high, early, _mm512_shuffle_epi32(bytes, _MM_PERM_CCCC));
    low = _mm512_dpbusd_epi32(low, late, _mm512_shuffle_epi32(bytes, _MM_PERM_BBBB));
    high = _mm512_dpbusd_epi32(high, late, _mm512_shuffle_epi32(bytes, _MM_PERM_DDDD));
    return _mm512_cvtepi32_ps(_mm512_add_epi32(low, _mm512_slli_epi32(high, 8)));
}

PHOTIC_AVX512 void filter_bytes(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                                std::size_t stride) noexcept {
    const __m512i red_green =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const __m512i blue = _mm512_setr_epi32(2, 6, 10, 14, 18, 22, 26, 30, 0, 0, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < filter.size; i += lane_pixels, planes += lane_pixels) {
        const std::int8_t* weights = filter.byte_weights + std::ptrdiff_t{16} * i;
        const std::uint8_t* order = filter.byte_order + std::ptrdiff_t{16} * i;
        const __m512 a = filter_four(pixels + std::ptrdiff_t{4} * filter.first[i], weights, order);
        const __m512 b =
            filter_four(pixels + std::ptrdiff_t{4} * filter.first[i + 4], weights + 64, order + 64);
        const __m512 both = _mm512_permutex2var_ps(a, red_green, b);
        _mm256_store_ps(planes, _mm512_castps512_ps256(both));
        _mm256_store_ps(planes + stride, _mm512_extractf32x8_ps(both, 1));
        _mm256_store_ps(planes + 2 * stride,
                        _mm512_castps512_ps256(_mm512_permutex2var_ps(a, blue, b)));
    }
}

void filter_row(const std::uint8_t* pixels, const RowFilter& filter, float* planes,
                std::size_t stride) noexcept {
    const bool in_bytes = filter.byte_weights != nullptr;
    (in_bytes ? filter_bytes : avx2_kernels.filter_row)(pixels, filter, planes, stride);
}

PHOTIC_AVX512 inline __m512 to_value(const RowSum& sum, __m512 total) noexcept {
    const __m512 positive = _mm512_max_ps(total, _mm512_setzero_ps());
    const __m512 level = _mm512_min_ps(positive, _mm512_set1_ps(sum.white));
    return _mm512_fmadd_ps(level, _mm512_set1_ps(sum.scale), _mm512_set1_ps(sum.shift));
}

// Sums of 16 columns each. (GCC keeps an array of them in memory, which takes a fifth longer.)
template <int vectors>
struct Sums {
    __m512 head;
    Sums<vectors - 1> tail;
};

template <>
struct Sums<0> {};

template <int vectors>
PHOTIC_AVX512 inline void add(Sums<vectors>& sums, const float* row, __m512 weight) noexcept {
    if constexpr (vectors > 0) {
        sums.head = _mm512_fmadd_ps(weight, _mm512_loadu_ps(row), sums.head);
        add(sums.tail, row + 16, weight);
    }
}

template <int vectors>
PHOTIC_AVX512 inline void store(const RowSum& sum, const Sums<vectors>& sums, float* out) noexcept {
    if constexpr (vectors > 0) {
        _mm512_storeu_ps(out, to_value(sum, sums.head));
        store(sum, sums.tail, out + 16);
    }
}

// 16 x vectors columns of the sum.
template <int vectors>
PHOTIC_AVX512 inline void sum_columns(const RowSum& sum, int column, float* out) noexcept {
    Sums<vectors> sums = {};
    for (int k = 0; k < sum.count; ++k) {
        add(sums, sum.rows[k] + sum.offset + column, _mm512_set1_ps(sum.weights[k]));
    }
    store(sum, sums, out + column);
}

// What is left over, and long sums, are AVX2's: stores under a mask cost more than all the rest.
PHOTIC_AVX512 void sum_rows(const RowSum& sum, int size, float* out) noexcept {
    constexpr int columns = 16 * 7;  // 224 is twice that
    int column = 0;
    if (sum.count <= float_terms) {
        for (; column + columns <= size; column += columns) sum_columns<7>(sum, column, out);
    }
    if (column == size) return;
    RowSum rest = sum;
    rest.offset += static_cast<std::size_t>(column);
    avx2_kernels.sum_rows(rest, size - column, out + column);
}

}  // namespace

const Kernels avx512_kernels = {"avx512", filter_row, sum_rows};

}  // namespace photic

#endif

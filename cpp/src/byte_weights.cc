#include "photic/byte_weights.h"

#include <algorithm>
#include <cstddef>

namespace photic {
namespace {

constexpr int row_bytes = 2 * ByteWeights::byte_taps;

void split(const std::int16_t* weights, int taps, std::int8_t* bytes) noexcept {
    std::fill_n(bytes, row_bytes, std::int8_t{0});
    for (int k = 0; k < taps; ++k) {
        const auto low = static_cast<std::int8_t>(weights[k] & 0xFF);
        bytes[k] = low;
        bytes[ByteWeights::byte_taps + k] = static_cast<std::int8_t>((weights[k] - low) >> 8);
    }
}

void write_order(int offset, std::uint8_t* order) noexcept {
    for (int channel = 0; channel < 4; ++channel) {
        for (int tap = 0; tap < 4; ++tap) {
            order[4 * channel + tap] = static_cast<std::uint8_t>(4 * (offset + tap) + channel);
        }
    }
}

}  // namespace

void ByteWeights::build(const AxisWeights& exact, const FixedWeights& fixed) {
    const int taps = exact.taps();
    const int size = exact.size();
    const int* first = exact.first();
    fits_ = taps <= byte_taps;
    for (int i = 0; fits_ && i < size; i += 4) {
        fits_ = first[std::min(i + 3, size - 1)] - first[i] + byte_taps <= vector_pixels;
    }
    if (!fits_) return;
    const auto bytes = static_cast<std::size_t>(size * row_bytes);
    weights_.reserve(bytes);
    order_.reserve(bytes);
    for (int i = 0; i < size; ++i) {
        split(fixed.weights() + std::ptrdiff_t{i} * taps, taps, weights_.data() + i * row_bytes);
        write_order(first[i] - first[i / 4 * 4], order_.data() + i * row_bytes);
    }
}

}  // namespace photic

#include "photic/fixed_weights.h"

#include <algorithm>
#include <cmath>

#include "photic/kernels.h"

namespace photic {
namespace {

// Sums stay below 2^31: the absolute weights of a pixel sum up to at most 1.5, levels are below
// 256.
constexpr std::int32_t largest_one = 1 << 22;

// The largest that a low byte and a high byte, both with a sign, make.
constexpr std::size_t largest_weight = 127 * 256 + 127;

std::int32_t choose_one(const float* weights, std::size_t size, std::size_t taps) noexcept {
    float largest = 0.0F;
    for (std::size_t i = 0; i < size * taps; ++i) {
        largest = std::max(largest, std::abs(weights[i]));
    }
    // The largest weight of a pixel also gets the rounding errors of the others, half a unit each.
    const std::size_t room = largest_weight - std::min<std::size_t>(taps, 8192);
    const auto limit = static_cast<float>(room);
    std::int32_t one = 1;
    while (one < largest_one && largest * static_cast<float>(one * 2) <= limit) one *= 2;
    return one;
}

// std::lround is a call for each weight.
std::int32_t round(float value) noexcept {
    return static_cast<std::int32_t>(value + (value < 0.0F ? -0.5F : 0.5F));
}

void round_pixel(const float* exact, std::size_t taps, std::int32_t one,
                 std::int16_t* weights) noexcept {
    std::int32_t missing = one;
    std::size_t largest = 0;
    for (std::size_t k = 0; k < taps; ++k) {
        const std::int32_t rounded = round(exact[k] * static_cast<float>(one));
        weights[k] = static_cast<std::int16_t>(rounded);
        missing -= rounded;
        if (exact[k] > exact[largest]) largest = k;
    }
    weights[largest] = static_cast<std::int16_t>(weights[largest] + missing);
}

}  // namespace

void FixedWeights::build(const AxisWeights& exact) {
    const auto taps = static_cast<std::size_t>(exact.taps());
    const auto size = static_cast<std::size_t>(exact.size());
    weights_.reserve(size * taps + overread_weights);
    one_ = choose_one(exact.weights(0), size, taps);
    for (std::size_t i = 0; i < size; ++i) {
        round_pixel(exact.weights(static_cast<int>(i)), taps, one_, weights_.data() + i * taps);
    }
}

}  // namespace photic

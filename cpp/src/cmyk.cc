#include "photic/cmyk.h"

namespace photic {
namespace {

// a * b / 255, rounded, for a and b up to 255.
unsigned multiply_255(unsigned a, unsigned b) noexcept {
    const unsigned product = a * b + 128;
    return (product + (product >> 8)) >> 8;
}

}  // namespace

void cmyk_to_rgbx(std::uint8_t* row, int pixels) noexcept {
    for (int i = 0; i < pixels; ++i, row += 4) {
        const unsigned black = row[3];
        for (int c = 0; c < 3; ++c) {
            row[c] = static_cast<std::uint8_t>(black - multiply_255(255U - row[c], black));
        }
    }
}

}  // namespace photic

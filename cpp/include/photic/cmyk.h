// CMYK as JPEG files hold it, to RGB.
#pragma once

#include <cstdint>

namespace photic {

// Converts a row in place, 4 bytes a pixel. The file's samples are inverted (255 is no ink), as
// Adobe writes them and Pillow takes all of them. Formula and rounding are Pillow's:
// R = K - (255 - C) * K / 255 in the file's terms. No colour profile is applied.
void cmyk_to_rgbx(std::uint8_t* row, int pixels) noexcept;

}  // namespace photic

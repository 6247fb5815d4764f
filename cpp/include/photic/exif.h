// The one EXIF value that changes how an image is shown.
#pragma once

#include <cstdint>
#include <span>

namespace photic {

// True when the content of an APP1 segment is EXIF.
[[nodiscard]] bool is_exif(std::span<const std::uint8_t> segment) noexcept;

// The orientation, 1 to 8, of an APP1 segment that is_exif. 1 when it has none or an invalid one.
// Accepts tag 0x0112 of any integer type, in both byte orders, anywhere in the first IFD.
[[nodiscard]] int exif_orientation(std::span<const std::uint8_t> segment) noexcept;

}  // namespace photic

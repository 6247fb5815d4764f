// What a JPEG file declares, and what of it may be decoded: questions to libjpeg's view of a file.
#pragma once

#include <cstdint>
#include <span>

#include "photic/libjpeg.h"
#include "photic/limits.h"
#include "photic/status.h"

namespace photic {

[[nodiscard]] std::int64_t pixels(const jpeg_decompress_struct& frame) noexcept;

// Pixels of the file behind one row of the output.
[[nodiscard]] std::int64_t row_pixels(const jpeg_decompress_struct& frame) noexcept;

// Whether the frame's size, components and colours are within the limits. After the header.
[[nodiscard]] Status check_frame(const jpeg_decompress_struct& frame,
                                 const Limits& limits) noexcept;

// Whether a number of scans is within the limits.
[[nodiscard]] Status check_scans(std::int64_t scans, const Limits& limits) noexcept;

// Whether all scans of a file of several are within the limits, by their number and by their
// pixels; a bomb of scans is one at any size. `rest` is the file from its first scan's data on.
[[nodiscard]] Status check_all_scans(const jpeg_decompress_struct& frame,
                                     std::span<const std::uint8_t> rest,
                                     const Limits& limits) noexcept;

// Memory that the decode will take, at most: with several scans, the coefficients of the image.
[[nodiscard]] std::int64_t decode_bytes(const jpeg_decompress_struct& frame,
                                        bool several_scans) noexcept;

// Bit i for each component i of the current scan.
[[nodiscard]] unsigned components_in_scan(const jpeg_decompress_struct& frame) noexcept;

// The bits of all components.
[[nodiscard]] unsigned all_components(const jpeg_decompress_struct& frame) noexcept;

// Whether all coefficients of a progressive file arrived, to the last bit. After all its scans.
[[nodiscard]] bool has_all_coefficients(const jpeg_decompress_struct& frame) noexcept;

// Whether jpeg_crop_scanline gives the pixels that a full decode gives. After all its scans.
[[nodiscard]] bool can_crop(const jpeg_decompress_struct& frame) noexcept;

}  // namespace photic

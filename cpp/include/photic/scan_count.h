// How many scans a JPEG file holds, told by its markers, before any scan is decoded.
#pragma once

#include <cstdint>
#include <span>

namespace photic {

// Counts the scan that `rest` begins in, and those that begin in it, up to the end-of-image marker;
// stops at `most`. `rest` is a file from the first byte of its first scan's data.
[[nodiscard]] std::int64_t count_scans(std::span<const std::uint8_t> rest,
                                       std::int64_t most) noexcept;

}  // namespace photic

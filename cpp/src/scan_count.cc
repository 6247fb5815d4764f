#include "photic/scan_count.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace photic {
namespace {

constexpr std::uint8_t start_of_scan = 0xDA;
constexpr std::uint8_t end_of_image = 0xD9;

// Stuffed bytes, fill bytes, TEM, RST0 to RST7 and SOI: no segment follows them.
bool stands_alone(std::uint8_t marker) noexcept {
    return marker == 0x00 || marker == 0xFF || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
}

}  // namespace

std::int64_t count_scans(std::span<const std::uint8_t> rest, std::int64_t most) noexcept {
    std::int64_t scans = 1;
    while (scans < most) {
        const void* found = rest.empty() ? nullptr : std::memchr(rest.data(), 0xFF, rest.size());
        if (found == nullptr) break;
        rest = rest.subspan(
            static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - rest.data()) + 1);
        if (rest.empty() || rest[0] == end_of_image) break;
        if (stands_alone(rest[0])) continue;
        if (rest[0] == start_of_scan) ++scans;
        if (rest.size() < 3) break;
        const std::size_t length = static_cast<std::size_t>(rest[1]) << 8 | rest[2];
        rest = rest.subspan(std::min(rest.size(), 1 + std::max<std::size_t>(length, 2)));
    }
    return scans;
}

}  // namespace photic

// Pixels in somebody else's memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace photic {

// [height, width, 3] bytes, RGB, rows one after the other.
struct ImageView {
    const std::uint8_t* pixels;
    int width;
    int height;

    [[nodiscard]] const std::uint8_t* row(int y) const noexcept {
        return pixels + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 3;
    }
};

}  // namespace photic

// What to make of an image: the recipe of a model's input, in the core's terms.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace photic {

enum class Fit : std::uint8_t { crop, stretch, letterbox };
enum class Filter : std::uint8_t { bilinear, bicubic };
enum class DecodeMode : std::uint8_t { exact, balanced, fast };
enum class Element : std::uint8_t { float32, uint8 };

struct Plan {
    int height;  // of the row that is made, in pixels
    int width;
    Fit fit;
    int resize;            // Fit::crop: the short side before the centre crop; 0: crop_fraction
    double crop_fraction;  // Fit::crop: cut this out of the middle, then resize; 0: resize
    int pad;               // Fit::letterbox: the level around the image
    Filter filter;
    std::array<float, 3> scale;  // value = level * scale + shift, per channel of the output
    std::array<float, 3> shift;
    bool bgr;
    bool nhwc;
    Element element;  // uint8: levels, rounded; scale and shift are not applied
    bool apply_orientation;
    DecodeMode decode;
    bool crop_decode;  // decode only the rows and columns that are needed

    [[nodiscard]] std::size_t elements() const noexcept {
        return std::size_t{3} * static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    }
    [[nodiscard]] std::size_t element_bytes() const noexcept {
        return element == Element::float32 ? sizeof(float) : 1;
    }
};

// Null when the plan makes sense, else why not.
[[nodiscard]] const char* problem(const Plan& plan) noexcept;

}  // namespace photic

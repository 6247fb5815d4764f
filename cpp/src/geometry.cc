#include "photic/geometry.h"

#include <algorithm>
#include <cmath>

namespace photic {
namespace {

// Rounds half to even, as Python does; libm follows the rounding mode, which nobody changes.
int round_even(double value) noexcept { return static_cast<int>(std::nearbyint(value)); }

// torchvision's CenterCrop to `crop` pixels out of `source` pixels that were resized to `resized`.
// The filter reads beyond the crop, as a resize of the whole image does.
Axis centre_crop_after_resize(int source, int resized, int crop) noexcept {
    const int offset = round_even((resized - crop) / 2.0);
    const double scale = static_cast<double>(source) / resized;
    return {offset * scale, (offset + crop) * scale, 0, source, crop, 0};
}

// EfficientNet's central crop of `crop` pixels, which the filter does not leave.
Axis resize_after_centre_crop(int source, int crop, int size) noexcept {
    const int begin = (source - crop + 1) / 2;
    return {static_cast<double>(begin),
            static_cast<double>(begin + crop),
            begin,
            begin + crop,
            size,
            0};
}

Geometry crop_to_short_side(const Plan& plan, int width, int height) noexcept {
    const int shorter = std::min(width, height);
    const auto resized = [&](int side) {
        // torchvision: int(size * long / short), and the short side is `size` itself.
        return static_cast<int>(static_cast<double>(plan.resize) * side / shorter);
    };
    return {centre_crop_after_resize(width, resized(width), plan.width),
            centre_crop_after_resize(height, resized(height), plan.height)};
}

Geometry crop_fraction(const Plan& plan, int width, int height) noexcept {
    // The largest rectangle of the output's shape, times the fraction. For a square output it is
    // int(fraction * short side); the tiny addend undoes a product just below an integer.
    const double unit = plan.crop_fraction * std::min(static_cast<double>(width) / plan.width,
                                                      static_cast<double>(height) / plan.height);
    const auto side = [&](int size) { return std::max(1, static_cast<int>(unit * size + 1e-6)); };
    return {resize_after_centre_crop(width, side(plan.width), plan.width),
            resize_after_centre_crop(height, side(plan.height), plan.height)};
}

Axis whole(int source, int size, int offset) noexcept {
    return {0.0, static_cast<double>(source), 0, source, size, offset};
}

Geometry letterbox(const Plan& plan, int width, int height) noexcept {
    const double ratio = std::min(static_cast<double>(plan.width) / width,
                                  static_cast<double>(plan.height) / height);
    const auto content = [&](int side, int available) {
        return std::clamp(round_even(side * ratio), 1, available);
    };
    const int content_width = content(width, plan.width);
    const int content_height = content(height, plan.height);
    return {whole(width, content_width, (plan.width - content_width) / 2),
            whole(height, content_height, (plan.height - content_height) / 2)};
}

Axis mirrored(const Axis& axis, int length) noexcept {
    Axis result = axis;
    result.begin = length - axis.end;
    result.end = length - axis.begin;
    result.clip_begin = length - axis.clip_end;
    result.clip_end = length - axis.clip_begin;
    return result;
}

// Whether the upright image's x (or y) axis runs against the file's axis that it comes from.
bool flips_x(int orientation) noexcept {
    return orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
}
bool flips_y(int orientation) noexcept {
    return orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
}

Axis scaled(const Axis& axis, int denominator) noexcept {
    Axis result = axis;
    result.begin = axis.begin / denominator;
    result.end = axis.end / denominator;
    result.clip_begin = axis.clip_begin / denominator;
    result.clip_end = (axis.clip_end + denominator - 1) / denominator;
    return result;
}

}  // namespace

Geometry plan_geometry(const Plan& plan, int width, int height) noexcept {
    switch (plan.fit) {
        case Fit::crop:
            return plan.resize != 0 ? crop_to_short_side(plan, width, height)
                                    : crop_fraction(plan, width, height);
        case Fit::stretch:
            break;
        case Fit::letterbox:
            return letterbox(plan, width, height);
    }
    return {whole(width, plan.width, 0), whole(height, plan.height, 0)};
}

Geometry to_file_axes(const Geometry& upright, int orientation, int width, int height) noexcept {
    const bool swap = transposes(orientation);
    const Axis x = flips_x(orientation) ? mirrored(upright.x, swap ? height : width) : upright.x;
    const Axis y = flips_y(orientation) ? mirrored(upright.y, swap ? width : height) : upright.y;
    return swap ? Geometry{y, x} : Geometry{x, y};
}

OutputMap output_map(const Plan& plan, const Geometry& upright, int orientation) noexcept {
    const std::ptrdiff_t pixel = plan.nhwc ? 3 : 1;
    const std::ptrdiff_t row = pixel * plan.width;
    const std::ptrdiff_t channel = plan.nhwc ? 1 : row * plan.height;
    const bool flip_x = flips_x(orientation);
    const bool flip_y = flips_y(orientation);
    const std::ptrdiff_t base = (upright.x.offset + (flip_x ? upright.x.size - 1 : 0)) * pixel +
                                (upright.y.offset + (flip_y ? upright.y.size - 1 : 0)) * row;
    const std::ptrdiff_t step_x = flip_x ? -pixel : pixel;
    const std::ptrdiff_t step_y = flip_y ? -row : row;
    return transposes(orientation) ? OutputMap{base, step_y, step_x, channel}
                                   : OutputMap{base, step_x, step_y, channel};
}

int scale_denominator(DecodeMode mode, const Geometry& geometry) noexcept {
    if (mode == DecodeMode::exact) return 1;
    const double needed = mode == DecodeMode::balanced ? 2.0 : 1.0;
    const double factor = std::min(geometry.x.scale(), geometry.y.scale());
    for (const int denominator : {8, 4, 2}) {
        if (factor >= needed * denominator) return denominator;
    }
    return 1;
}

Geometry scaled(const Geometry& geometry, int denominator) noexcept {
    return {scaled(geometry.x, denominator), scaled(geometry.y, denominator)};
}

}  // namespace photic

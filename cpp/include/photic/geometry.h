// Where each pixel of the output comes from, as one independent resample per axis.
#pragma once

#include <cstddef>

#include "photic/plan.h"

namespace photic {

// One axis: the source interval [begin, end), in pixels and fractions of them, becomes `size`
// pixels; the filter may read source pixels [clip_begin, clip_end).
struct Axis {
    double begin;
    double end;
    int clip_begin;
    int clip_end;
    int size;
    int offset;  // where these pixels begin on the output's axis (letterbox)

    // Source pixels per output pixel.
    [[nodiscard]] double scale() const noexcept { return (end - begin) / size; }
};

struct Geometry {
    Axis x;
    Axis y;
};

// How pixel (i, j) of a geometry's content, i along x, lies in the output's memory, in elements.
struct OutputMap {
    std::ptrdiff_t base;
    std::ptrdiff_t step_x;
    std::ptrdiff_t step_y;
    std::ptrdiff_t step_channel;
};

// The geometry of an upright image of width x height pixels. The caller has checked the plan.
[[nodiscard]] Geometry plan_geometry(const Plan& plan, int width, int height) noexcept;

// True for orientations that exchange width and height.
[[nodiscard]] constexpr bool transposes(int orientation) noexcept { return orientation >= 5; }

// The same geometry on the axes of the file, whose pixels are turned upright by `orientation`;
// `width` and `height` are the file's.
[[nodiscard]] Geometry to_file_axes(const Geometry& upright, int orientation, int width,
                                    int height) noexcept;

// Where the file geometry's content lies in the plan's output.
[[nodiscard]] OutputMap output_map(const Plan& plan, const Geometry& upright,
                                   int orientation) noexcept;

// The largest of 1, 2, 4, 8 by which the decoder may shrink the image so that the filter still has
// at least the factor to work on that the mode asks for.
[[nodiscard]] int scale_denominator(DecodeMode mode, const Geometry& geometry) noexcept;

// The same geometry on a grid of pixels `denominator` times as large. A pixel of a DCT-scaled image
// covers exactly `denominator` source pixels, whatever libjpeg rounds the image's size to.
[[nodiscard]] Geometry scaled(const Geometry& geometry, int denominator) noexcept;

}  // namespace photic

#include "photic/jpeg_frame.h"

#include <algorithm>

#include "photic/scan_count.h"

namespace photic {
namespace {

constexpr int max_components = 4;

bool has_known_colours(const jpeg_decompress_struct& frame) noexcept {
    switch (frame.jpeg_color_space) {
        case JCS_GRAYSCALE:
        case JCS_RGB:
        case JCS_YCbCr:
        case JCS_CMYK:
        case JCS_YCCK:
            return true;
        default:
            return false;
    }
}

Status check_size(const jpeg_decompress_struct& frame, const Limits& limits) noexcept {
    const auto width = static_cast<long long>(frame.image_width);
    const auto height = static_cast<long long>(frame.image_height);
    if (std::max(width, height) > limits.max_side) {
        return Status::error(ErrorCode::too_many_pixels,
                             "the image is %lld x %lld pixels; the limit is %lld a side", width,
                             height, static_cast<long long>(limits.max_side));
    }
    if (width * height > limits.max_pixels) {
        return Status::error(ErrorCode::too_many_pixels,
                             "the image is %lld x %lld = %lld pixels; the limit is %lld", width,
                             height, width * height, static_cast<long long>(limits.max_pixels));
    }
    return {};
}

std::int64_t padded(JDIMENSION blocks, int factor) noexcept {
    return (std::int64_t{blocks} + factor - 1) / factor * factor;
}

}  // namespace

std::int64_t pixels(const jpeg_decompress_struct& frame) noexcept {
    return std::int64_t{frame.image_width} * frame.image_height;
}

std::int64_t row_pixels(const jpeg_decompress_struct& frame) noexcept {
    return std::int64_t{frame.image_width} * frame.scale_denom;
}

Status check_frame(const jpeg_decompress_struct& frame, const Limits& limits) noexcept {
    if (const Status status = check_size(frame, limits); !status.ok()) return status;
    if (frame.num_components > max_components) {
        return Status::error(ErrorCode::too_many_components,
                             "the image has %d colour components; the limit is %d",
                             frame.num_components, max_components);
    }
    if (has_known_colours(frame)) return {};
    return Status::error(ErrorCode::unsupported_process,
                         "the image has %d colour components; 1, 3 or 4 have a known meaning",
                         frame.num_components);
}

Status check_scans(std::int64_t scans, const Limits& limits) noexcept {
    if (scans <= limits.max_scans) return {};
    return Status::error(ErrorCode::too_many_scans, "the image has more than %lld scans, the limit",
                         static_cast<long long>(limits.max_scans));
}

Status check_all_scans(const jpeg_decompress_struct& frame, std::span<const std::uint8_t> rest,
                       const Limits& limits) noexcept {
    const std::int64_t scans = count_scans(rest, limits.max_scans + 1);
    if (const Status status = check_scans(scans, limits); !status.ok()) return status;
    if (const Status status = check_size(frame, limits); !status.ok()) return status;
    if (pixels(frame) * scans <= limits.max_scan_pixels) return {};
    return Status::error(
        ErrorCode::too_many_scans,
        "the image has %lld scans of %lld pixels; the limit is %lld pixels in all scans together",
        static_cast<long long>(scans), static_cast<long long>(pixels(frame)),
        static_cast<long long>(limits.max_scan_pixels));
}

std::int64_t decode_bytes(const jpeg_decompress_struct& frame, bool several_scans) noexcept {
    // Rows of samples and pixels: a row of MCUs at full size, its context, and the row's copies.
    constexpr std::int64_t rows = 64;
    std::int64_t bytes = rows * frame.num_components * frame.image_width;
    if (!several_scans) return bytes;
    for (int i = 0; i < frame.num_components; ++i) {
        const jpeg_component_info& component = frame.comp_info[i];
        bytes += padded(component.width_in_blocks, component.h_samp_factor) *
                 padded(component.height_in_blocks, component.v_samp_factor) *
                 static_cast<std::int64_t>(sizeof(JBLOCK));
    }
    return bytes;
}

unsigned components_in_scan(const jpeg_decompress_struct& frame) noexcept {
    unsigned bits = 0;
    for (int i = 0; i < frame.comps_in_scan; ++i) {
        bits |= 1U << frame.cur_comp_info[i]->component_index;
    }
    return bits;
}

unsigned all_components(const jpeg_decompress_struct& frame) noexcept {
    return (1U << frame.num_components) - 1;
}

bool has_all_coefficients(const jpeg_decompress_struct& frame) noexcept {
    for (int i = 0; i < frame.num_components; ++i) {
        // The number of low bits that each coefficient still lacks; -1 when nothing came.
        const int* missing = frame.coef_bits[i];
        if (std::any_of(missing, missing + DCTSIZE2, [](int bits) { return bits != 0; })) {
            return false;
        }
    }
    return true;
}

bool can_crop(const jpeg_decompress_struct& frame) noexcept {
    // libjpeg-turbo 2.1.5 returns wrong pixels at the edges for other samplings.
    for (int i = 1; i < frame.num_components; ++i) {
        const jpeg_component_info& component = frame.comp_info[i];
        if (component.h_samp_factor != 1 || component.v_samp_factor != 1) return false;
    }
    if (frame.max_h_samp_factor > 2 || frame.max_v_samp_factor > 2) return false;
    // Its smoothing of incomplete progressive files looks at the neighbourhood.
    return !frame.progressive_mode || has_all_coefficients(frame);
}

}  // namespace photic

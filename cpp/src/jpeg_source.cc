#include "photic/jpeg_source.h"

#include <type_traits>

namespace photic {
namespace {
constexpr JOCTET end_of_image[] = {0xFF, JPEG_EOI};
}  // namespace

static_assert(std::is_standard_layout_v<JpegSource>);

void JpegSource::attach(jpeg_decompress_struct& decompressor,
                        std::span<const std::uint8_t> bytes) noexcept {
    manager_.init_source = init;
    manager_.fill_input_buffer = fill;
    manager_.skip_input_data = skip;
    manager_.resync_to_restart = jpeg_resync_to_restart;
    manager_.term_source = init;
    manager_.next_input_byte = bytes.data();
    manager_.bytes_in_buffer = bytes.size();
    exhausted_ = false;
    decompressor.src = &manager_;
}

JpegSource& JpegSource::of(j_decompress_ptr decompressor) noexcept {
    return *reinterpret_cast<JpegSource*>(decompressor->src);
}

void JpegSource::init(j_decompress_ptr /*decompressor*/) noexcept {}

boolean JpegSource::fill(j_decompress_ptr decompressor) noexcept {
    JpegSource& source = of(decompressor);
    if (!source.exhausted_) source.exhausted_row_ = decompressor->input_iMCU_row;
    source.exhausted_ = true;
    source.manager_.next_input_byte = end_of_image;
    source.manager_.bytes_in_buffer = sizeof end_of_image;
    return TRUE;
}

void JpegSource::skip(j_decompress_ptr decompressor, long bytes) noexcept {
    if (bytes <= 0) return;
    jpeg_source_mgr& manager = of(decompressor).manager_;
    if (static_cast<std::size_t>(bytes) > manager.bytes_in_buffer) {
        fill(decompressor);
        return;
    }
    manager.next_input_byte += bytes;
    manager.bytes_in_buffer -= static_cast<std::size_t>(bytes);
}

}  // namespace photic

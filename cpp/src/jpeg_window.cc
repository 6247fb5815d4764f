// Which columns and rows libjpeg transforms. Runs inside JpegDecoder::guarded().
#include <algorithm>

#include "photic/jpeg_decoder.h"
#include "photic/jpeg_frame.h"

namespace photic {
namespace {

// Pixels of the output on each side of a block. (libjpeg's own field for it has a name that depends
// on the version of the API that the library was built for.)
int block_side(const jpeg_decompress_struct& decompressor) noexcept {
    return DCTSIZE / static_cast<int>(decompressor.scale_denom);
}

}  // namespace

void JpegDecoder::crop_columns(Window& window) noexcept {
    const int mcu = decompressor_.max_h_samp_factor * block_side(decompressor_);
    const int width = static_cast<int>(decompressor_.output_width);
    // A filter that upsamples chroma looks across the edge: one more MCU on each side.
    const int margin = decompressor_.max_h_samp_factor > 1 ? mcu : 0;
    const int begin = std::max(0, window.x_begin - margin);
    const int end = std::min(width, window.x_end + margin);
    auto x = static_cast<JDIMENSION>(begin);
    auto columns = static_cast<JDIMENSION>(end - begin);
    if (columns < decompressor_.output_width) jpeg_crop_scanline(&decompressor_, &x, &columns);
    window.x_begin = static_cast<int>(x);
    window.x_end = static_cast<int>(x + columns);
}

void JpegDecoder::speed_up(const Window& window) noexcept {
    // The MCUs of a single component are single blocks, whatever its sampling factors are.
    const int factor = decompressor_.num_components == 1 ? 1 : decompressor_.max_h_samp_factor;
    const int mcu = factor * block_side(decompressor_);
    huffman_.install(&decompressor_, on_mcu, window.x_begin / mcu, (window.x_end + mcu - 1) / mcu);
}

// In pieces, because of the clock. libjpeg-turbo 2.1.5 loses its place when two skips meet within a
// row of MCUs, so each piece but the last ends at the end of one.
void JpegDecoder::skip_rows(int rows) noexcept {
    const int mcu = decompressor_.max_v_samp_factor * block_side(decompressor_);
    const int chunk = mcu + static_cast<int>(DecodeClock::interval / row_pixels(decompressor_));
    int at = static_cast<int>(decompressor_.output_scanline);
    const int end = at + rows;
    while (at < end) {
        const int stop = at + chunk < end ? (at + chunk) / mcu * mcu : end;
        jpeg_skip_scanlines(&decompressor_, static_cast<JDIMENSION>(stop - at));
        spend((stop - at) * row_pixels(decompressor_));
        at = stop;
    }
}

}  // namespace photic

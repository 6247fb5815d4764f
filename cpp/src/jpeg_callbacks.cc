// What libjpeg calls while it decodes. All of it runs inside JpegDecoder::guarded().
#include <algorithm>

#include "photic/exif.h"
#include "photic/jpeg_decoder.h"
#include "photic/jpeg_frame.h"

namespace photic {

Status JpegDecoder::with_message(ErrorCode code) noexcept {
    char text[JMSG_LENGTH_MAX];
    errors_.format_message(reinterpret_cast<j_common_ptr>(&decompressor_), text);
    return Status::error(code, "%s", text);
}

void JpegDecoder::on_error(j_common_ptr common) noexcept {
    JpegDecoder& self = of(common);
    const ErrorCode code = classify_error(self.errors_.msg_code, self.context());
    if (code == ErrorCode::too_many_pixels || code == ErrorCode::too_many_components) {
        // libjpeg's own limits are wider than ours: say ours.
        self.require(check_frame(self.decompressor_, self.limits_));
    }
    self.fail(self.with_message(code));
}

void JpegDecoder::on_message(j_common_ptr common, int level) noexcept {
    JpegDecoder& self = of(common);
    if (level >= 0 || !self.limits_.reject_truncated) return;
    if (!self.damage_.ok()) return;
    const ErrorCode code = classify_warning(self.errors_.msg_code, self.context());
    if (code == ErrorCode::truncated) self.fail_truncated();
    // Not at once: libjpeg may still find an error, which says more than its first warning.
    if (code != ErrorCode::ok) self.damage_ = self.with_message(code);
}

void JpegDecoder::on_progress(j_common_ptr common) noexcept {
    JpegDecoder& self = of(common);
    const jpeg_decompress_struct& decompressor = self.decompressor_;
    // Called for each row that is read, and before that for each MCU row of each of several scans.
    const bool output = decompressor.output_scanline > 0 || !self.several_scans_;
    self.spend(output ? row_pixels(decompressor)
                      : std::int64_t{DCTSIZE} * decompressor.image_width);
    if (self.several_scans_) self.check_scan();
}

boolean JpegDecoder::on_mcu(j_decompress_ptr decompressor, JBLOCKROW* blocks) noexcept {
    return of(reinterpret_cast<j_common_ptr>(decompressor)).huffman_.decode(decompressor, blocks);
}

boolean JpegDecoder::on_app1(j_decompress_ptr decompressor) noexcept {
    JpegDecoder& self = of(reinterpret_cast<j_common_ptr>(decompressor));
    jpeg_source_mgr& source = *decompressor->src;
    if (source.bytes_in_buffer < 2) return source.fill_input_buffer(decompressor);
    const std::size_t length =
        static_cast<std::size_t>(source.next_input_byte[0]) << 8 | source.next_input_byte[1];
    if (length >= 2 && length <= source.bytes_in_buffer && self.orientation_ == 0) {
        const std::span<const std::uint8_t> segment(source.next_input_byte + 2, length - 2);
        if (is_exif(segment)) self.orientation_ = exif_orientation(segment);
    }
    source.skip_input_data(decompressor, static_cast<long>(std::max<std::size_t>(length, 2)));
    return TRUE;
}

JpegContext JpegDecoder::context() const noexcept {
    constexpr JDIMENSION many_rows = 16;
    const JDIMENSION rows = decompressor_.total_iMCU_rows;
    const bool last_row = rows >= many_rows && decompressor_.input_iMCU_row + 1 == rows;
    return {in_header_, source_.exhausted(),        !damage_.ok(), file_bytes_ <= 2,
            last_row,   decompressor_.unread_marker};
}

}  // namespace photic

#include "photic/jpeg_decoder.h"

#include <algorithm>

#include "photic/cmyk.h"
#include "photic/jpeg_frame.h"

// libjpeg leaves by longjmp. Only guarded() calls setjmp, and what it runs holds no object with a
// destructor: functions below that may fail() are called inside guarded() and use plain values.

namespace photic {
namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;
}  // namespace

JpegDecoder::JpegDecoder() noexcept {
    decompressor_.err = jpeg_std_error(&errors_);
    decompressor_.client_data = this;
    errors_.error_exit = on_error;
    errors_.emit_message = on_message;
    progress_.progress_monitor = on_progress;
}

JpegDecoder::~JpegDecoder() { close(); }

template <typename Body>
Status JpegDecoder::guarded(Body body) noexcept {
    if (setjmp(jump_) != 0) return status_;
    body();
    return {};
}

Status JpegDecoder::open(std::span<const std::uint8_t> file, const Limits& limits,
                         ImageHeader& header) noexcept {
    close();
    if (file.empty()) return Status::error(ErrorCode::empty, "the file is empty");
    limits_ = limits;
    file_bytes_ = static_cast<std::int64_t>(file.size());
    orientation_ = 0;
    components_seen_ = 0;
    in_header_ = true;
    damage_ = {};
    clock_.start(limits.max_time_ns);
    return guarded([&]() {
        create();
        source_.attach(decompressor_, file);
        jpeg_read_header(&decompressor_, TRUE);
        several_scans_ = jpeg_has_multiple_scans(&decompressor_) != FALSE;
        if (several_scans_) require(check_all_scans(decompressor_, source_.rest(), limits_));
        require(check_frame(decompressor_, limits_));
        in_header_ = false;
        // Several scans: all coefficients go to memory and come back.
        const int passes = several_scans_ ? 2 : 1;
        clock_.set_limit(limits_.time_ns(file.size(), passes * pixels(decompressor_)));
        header = {static_cast<int>(decompressor_.image_width),
                  static_cast<int>(decompressor_.image_height), decompressor_.num_components,
                  std::max(orientation_, 1), decompressor_.progressive_mode != FALSE};
    });
}

Status JpegDecoder::start(int denominator, bool crop, Window& window, WhenFull when_full) noexcept {
    return guarded([&]() {
        configure(denominator);
        reserve_memory(when_full);
        jpeg_start_decompress(&decompressor_);
        check_complete();
        if (crop && can_crop(decompressor_)) {
            crop_columns(window);
        } else {
            window.x_begin = 0;
            window.x_end = static_cast<int>(decompressor_.output_width);
        }
        if (!several_scans_) speed_up(window);
        if (!crop) window.y_begin = 0;
        skip_rows(window.y_begin);
    });
}

Status JpegDecoder::read_row(std::uint8_t* row) noexcept {
    return guarded([&]() {
        JSAMPROW rows[] = {row};
        jpeg_read_scanlines(&decompressor_, rows, 1);
        if (decompressor_.out_color_space == JCS_CMYK) {
            cmyk_to_rgbx(row, static_cast<int>(decompressor_.output_width));
        }
    });
}

Status JpegDecoder::finish(std::uint8_t* scratch) noexcept {
    // Files of several scans were read to their end by start().
    if (!limits_.reject_truncated || several_scans_) return {};
    return guarded([&]() {
        const auto left = [&] {
            return static_cast<int>(decompressor_.output_height - decompressor_.output_scanline);
        };
        // A skip to the very end would not read the data: the last row is read.
        skip_rows(left() - 1);
        JSAMPROW rows[] = {scratch};
        while (left() > 0) jpeg_read_scanlines(&decompressor_, rows, 1);
        if (!damage_.ok()) {
            // What stands after damaged data often says what is wrong.
            jpeg_finish_decompress(&decompressor_);
            fail(damage_);
        }
        if (arithmetic_data_missing()) fail_truncated();
    });
}

void JpegDecoder::close() noexcept {
    if (created_) jpeg_destroy_decompress(&decompressor_);
    created_ = false;
    memory_.release();
}

JpegDecoder& JpegDecoder::of(j_common_ptr common) noexcept {
    return *static_cast<JpegDecoder*>(common->client_data);
}

void JpegDecoder::fail(const Status& status) noexcept {
    status_ = status;
    std::longjmp(jump_, 1);
}

void JpegDecoder::fail_truncated() noexcept {
    fail(Status::error(ErrorCode::truncated, "the image data ends early, after %lld bytes",
                       static_cast<long long>(file_bytes_)));
}

// A new decompressor for each file costs microseconds; an old one would lend its quantisation and
// Huffman tables to a file that lacks them, and so one client's image to another's.
void JpegDecoder::create() noexcept {
    created_ = true;  // before: an error in the middle leaves memory to destroy
    jpeg_create_decompress(&decompressor_);
    decompressor_.progress = &progress_;
    // The constructor of libjpeg's memory manager also reads JPEGMEM: the limits win.
    decompressor_.mem->max_memory_to_use = static_cast<long>(limits_.max_memory_bytes);
    jpeg_set_marker_processor(&decompressor_, JPEG_APP0 + 1, on_app1);
}

void JpegDecoder::require(const Status& status) noexcept {
    if (!status.ok()) fail(status);
}

void JpegDecoder::check_scan() noexcept {
    components_seen_ |= components_in_scan(decompressor_);
    // Counted before; again, should libjpeg take for a scan what the count did not.
    require(check_scans(decompressor_.input_scan_number, limits_));
}

void JpegDecoder::spend(std::int64_t pixels) noexcept {
    if (!clock_.spend(pixels)) return;
    fail(Status::error(ErrorCode::decode_time,
                       "decoding takes more than %lld ms of CPU time, the limit for this file",
                       static_cast<long long>(clock_.limit_ns() / ns_per_ms)));
}

void JpegDecoder::reserve_memory(WhenFull when_full) noexcept {
    wanted_bytes_ =
        decode_bytes(decompressor_, several_scans_) + static_cast<std::int64_t>(sizeof huffman_);
    const std::int64_t limit = std::min(limits_.max_memory_bytes, limits_.max_total_memory_bytes);
    if (wanted_bytes_ > limit) {
        fail(Status::error(ErrorCode::decoder_memory,
                           "decoding would take %lld bytes of memory; the limit is %lld",
                           static_cast<long long>(wanted_bytes_), static_cast<long long>(limit)));
    }
    const bool wait = when_full == WhenFull::wait;
    const std::int64_t timeout_ns = wait ? clock_.limit_ns() : 0;
    const std::int64_t total = limits_.max_total_memory_bytes;
    if (MemoryBudget::process().reserve(wanted_bytes_, total, timeout_ns, memory_)) return;
    fail(Status::error(wait ? ErrorCode::decoder_memory : ErrorCode::no_room,
                       "%lld bytes of memory did not become free within %lld ms; the limit of all "
                       "decoders together is %lld",
                       static_cast<long long>(wanted_bytes_),
                       static_cast<long long>(timeout_ns / ns_per_ms),
                       static_cast<long long>(total)));
}

void JpegDecoder::configure(int denominator) noexcept {
    const bool inks = decompressor_.num_components == 4;
    decompressor_.out_color_space = inks ? JCS_CMYK : JCS_EXT_RGBX;
    decompressor_.scale_num = 1;
    decompressor_.scale_denom = static_cast<unsigned>(denominator);
}

// A file of several scans that ends without an end-of-image marker is whole only if every
// coefficient arrived; with the marker, whoever wrote it may have left some out, but no component.
void JpegDecoder::check_complete() noexcept {
    if (!limits_.reject_truncated || !several_scans_) return;
    require(damage_);
    const bool all_seen = components_seen_ == all_components(decompressor_);
    const bool all_arrived = !source_.exhausted() || !decompressor_.progressive_mode ||
                             has_all_coefficients(decompressor_);
    if (!all_seen || !all_arrived || arithmetic_data_missing()) fail_truncated();
}

// An arithmetic decoder cannot tell: it reads zeros for what the encoder left out at a scan's end.
bool JpegDecoder::arithmetic_data_missing() const noexcept {
    return decompressor_.arith_code && source_.exhausted() &&
           source_.exhausted_row() + 1 < decompressor_.total_iMCU_rows;
}

}  // namespace photic

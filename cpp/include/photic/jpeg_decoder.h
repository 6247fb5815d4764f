// JPEG bytes to rows of pixels, with libjpeg-turbo's errors as Status and its costs bounded.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <span>

#include "photic/decode_clock.h"
#include "photic/huffman_fast_path.h"
#include "photic/jpeg_errors.h"
#include "photic/jpeg_source.h"
#include "photic/limits.h"
#include "photic/memory_budget.h"
#include "photic/status.h"

namespace photic {

// What the file says before its image data.
struct ImageHeader {
    int width;  // of the file, before orientation
    int height;
    int components;
    int orientation;  // EXIF, 1 to 8
    bool progressive;
};

// A rectangle of pixels of the decoder's (scaled) output.
struct Window {
    int x_begin;
    int x_end;
    int y_begin;
    int y_end;
};

// What to do when other decoders hold the memory that this one needs.
enum class WhenFull : std::uint8_t {
    wait,    // until it is free, for as long as the decode may take
    give_up  // with ErrorCode::no_room
};

// Bytes of one pixel of a decoded row: R, G, B and one that means nothing.
inline constexpr int pixel_bytes = 4;

// One libjpeg decompressor, reused from file to file; for one thread at a time. The order of calls
// is open, start, read_row for each row of the window, finish; close after any of them, on all
// paths.
class JpegDecoder {
  public:
    JpegDecoder() noexcept;
    ~JpegDecoder();
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;

    // Reads the header and applies the limits that it allows to apply. `file` must live until
    // close.
    Status open(std::span<const std::uint8_t> file, const Limits& limits,
                ImageHeader& header) noexcept;

    // Begins to decode at 1/denominator of the size. `window` holds the pixels that are needed, and
    // gets those that the rows will have: with `crop` not many more, where libjpeg can do that.
    Status start(int denominator, bool crop, Window& window,
                 WhenFull when_full = WhenFull::wait) noexcept;

    // The memory that start() asked for.
    [[nodiscard]] std::int64_t wanted_bytes() const noexcept { return wanted_bytes_; }

    // The next row of the window, (x_end - x_begin) x pixel_bytes.
    Status read_row(std::uint8_t* row) noexcept;

    // Reads on to the end of the image data if the limits reject truncated files. `scratch` has
    // room for one row.
    Status finish(std::uint8_t* scratch) noexcept;

    // Gives back the memory of the file's decode.
    void close() noexcept;

  private:
    template <typename Body>
    Status guarded(Body body) noexcept;
    static JpegDecoder& of(j_common_ptr common) noexcept;
    static void on_error(j_common_ptr common) noexcept;
    static void on_message(j_common_ptr common, int level) noexcept;
    static void on_progress(j_common_ptr common) noexcept;
    static boolean on_mcu(j_decompress_ptr decompressor, JBLOCKROW* blocks) noexcept;
    static boolean on_app1(j_decompress_ptr decompressor) noexcept;

    [[noreturn]] void fail(const Status& status) noexcept;
    [[noreturn]] void fail_truncated() noexcept;
    Status with_message(ErrorCode code) noexcept;
    void require(const Status& status) noexcept;
    void create() noexcept;
    void check_scan() noexcept;
    void check_complete() noexcept;
    void spend(std::int64_t pixels) noexcept;
    void reserve_memory(WhenFull when_full) noexcept;
    void configure(int denominator) noexcept;
    void crop_columns(Window& window) noexcept;
    void speed_up(const Window& window) noexcept;
    void skip_rows(int rows) noexcept;
    [[nodiscard]] bool arithmetic_data_missing() const noexcept;
    [[nodiscard]] JpegContext context() const noexcept;

    jpeg_decompress_struct decompressor_ = {};
    jpeg_error_mgr errors_ = {};
    jpeg_progress_mgr progress_ = {};
    std::jmp_buf jump_ = {};
    JpegSource source_;
    HuffmanFastPath huffman_;
    DecodeClock clock_;
    MemoryBudget::Share memory_;
    Limits limits_ = {};
    Status status_;  // what fail() was called with
    Status damage_;  // the first data warning
    std::int64_t file_bytes_ = 0;
    std::int64_t wanted_bytes_ = 0;
    int orientation_ = 0;           // 0 until an EXIF segment was seen
    unsigned components_seen_ = 0;  // bit i: a scan of component i began
    bool created_ = false;
    bool in_header_ = false;
    bool several_scans_ = false;
};

}  // namespace photic

// The result of an operation of the core: a stable code, and a sentence for people.
#pragma once

#include <cstdint>

namespace photic {

// Why an image was refused. The names are part of the HTTP API (errors.IMAGE_STATUS in Python), but
// for no_room: the image is not refused, there is no memory for it right now.
enum class ErrorCode : std::uint8_t {
    ok,
    empty,
    not_jpeg,
    unsupported_precision,
    unsupported_process,
    too_many_components,
    no_image,
    truncated_header,
    truncated,
    bad_structure,
    bad_tables,
    bad_dimensions,
    corrupt_data,
    too_many_pixels,
    too_many_scans,
    decode_time,
    decoder_memory,
    no_room,
};

// The code's name, such as "too_many_pixels".
[[nodiscard]] const char* name(ErrorCode code) noexcept;

// Trivially copyable and without a destructor, since libjpeg's error exit jumps over frames.
class [[nodiscard]] Status {
  public:
    Status() noexcept { detail_[0] = '\0'; }

    // `format` is printf's; longer text is cut.
    [[gnu::format(printf, 2, 3)]] static Status error(ErrorCode code, const char* format,
                                                      ...) noexcept;

    [[nodiscard]] bool ok() const noexcept { return code_ == ErrorCode::ok; }
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }
    [[nodiscard]] const char* detail() const noexcept { return detail_; }

  private:
    ErrorCode code_ = ErrorCode::ok;
    char detail_[239];
};

}  // namespace photic

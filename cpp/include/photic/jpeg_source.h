// libjpeg's input from bytes that are in memory: no copy, and it tells when they ran out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "photic/libjpeg.h"

namespace photic {

// After the last byte libjpeg is given end-of-image markers, so that it always comes to an end.
class JpegSource {
  public:
    // Makes `decompressor` read `bytes`, which must outlive the decode. This object must not move.
    void attach(jpeg_decompress_struct& decompressor, std::span<const std::uint8_t> bytes) noexcept;

    // Whether libjpeg asked for more than there is.
    [[nodiscard]] bool exhausted() const noexcept { return exhausted_; }

    // Which row of MCUs libjpeg was decoding, or had finished, when the bytes ran out.
    [[nodiscard]] JDIMENSION exhausted_row() const noexcept { return exhausted_row_; }

    // What libjpeg has not read yet.
    [[nodiscard]] std::span<const std::uint8_t> rest() const noexcept {
        return {manager_.next_input_byte, manager_.bytes_in_buffer};
    }

  private:
    static JpegSource& of(j_decompress_ptr decompressor) noexcept;
    static void init(j_decompress_ptr decompressor) noexcept;
    static boolean fill(j_decompress_ptr decompressor) noexcept;
    static void skip(j_decompress_ptr decompressor, long bytes) noexcept;

    jpeg_source_mgr manager_ = {};  // first member: libjpeg's pointer to it is a pointer to this
    bool exhausted_ = false;
    JDIMENSION exhausted_row_ = 0;
};

}  // namespace photic

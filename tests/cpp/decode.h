// What the decoder says of a file, and files that are changed byte by byte.
#pragma once

#include <cstddef>
#include <string_view>

#include "photic/jpeg_decoder.h"
#include "sample.h"

namespace photic::testing {

// Decodes all of a file; the rows are thrown away.
Status decode(JpegDecoder& decoder, const Bytes& file, const Limits& limits);

// The name of the code with which a fresh decoder ends; the limits are wide ones unless given.
std::string_view verdict(const Bytes& file, const Limits& limits);
std::string_view verdict(const Bytes& file);

Bytes first_bytes(const Bytes& bytes, std::size_t count);

// The offset of the `number`th marker with this code, counted from 0.
std::size_t find_marker(const Bytes& bytes, int code, int number = 0);

// Writes another size to the frame header that begins with the marker `frame`.
void set_size(Bytes& bytes, int frame, int width, int height);

inline constexpr int sof0 = 0xC0;
inline constexpr int sof2 = 0xC2;
inline constexpr int dqt = 0xDB;
inline constexpr int sos = 0xDA;
inline constexpr int dht = 0xC4;

}  // namespace photic::testing

#include "decode.h"

namespace photic::testing {

Status decode(JpegDecoder& decoder, const Bytes& file, const Limits& limits) {
    ImageHeader header = {};
    Status status = decoder.open(file, limits, header);
    if (!status.ok()) return status;
    Window window = {0, header.width, 0, header.height};
    status = decoder.start(1, true, window);
    Bytes row(static_cast<std::size_t>(header.width * pixel_bytes));
    for (int y = window.y_begin; status.ok() && y < window.y_end; ++y) {
        status = decoder.read_row(row.data());
    }
    if (status.ok()) status = decoder.finish(row.data());
    decoder.close();
    return status;
}

std::string_view verdict(const Bytes& file, const Limits& limits) {
    JpegDecoder decoder;
    return name(decode(decoder, file, limits).code());
}

std::string_view verdict(const Bytes& file) { return verdict(file, wide_limits()); }

Bytes first_bytes(const Bytes& bytes, std::size_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::size_t find_marker(const Bytes& bytes, int code, int number) {
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        if (bytes[i] == 0xFF && bytes[i + 1] == code && number-- == 0) return i;
    }
    return bytes.size();
}

void set_size(Bytes& bytes, int frame, int width, int height) {
    const std::size_t at = find_marker(bytes, frame) + 5;
    bytes[at] = static_cast<std::uint8_t>(height >> 8);
    bytes[at + 1] = static_cast<std::uint8_t>(height);
    bytes[at + 2] = static_cast<std::uint8_t>(width >> 8);
    bytes[at + 3] = static_cast<std::uint8_t>(width);
}

}  // namespace photic::testing

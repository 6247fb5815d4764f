#include "both_ways.h"

#include <iostream>
#include <string>

#include "photic/jpeg_decoder.h"

namespace photic::testing {
namespace {

struct Outcome {
    ErrorCode code = ErrorCode::ok;
    std::string detail;
    Bytes pixels;  // of all rows until an error
    bool operator==(const Outcome&) const = default;
};

Outcome with_status(Outcome outcome, const Status& status) {
    outcome.code = status.code();
    outcome.detail = status.detail();
    return outcome;
}

Outcome decode(std::span<const std::uint8_t> file, const DecodeOptions& options) {
    // Reused from file to file, as its tables are in earnest.
    static JpegDecoder decoder;
    Outcome outcome;
    Limits limits = wide_limits();
    limits.reject_truncated = options.reject_truncated;
    ImageHeader header = {};
    Status status = decoder.open(file, limits, header);
    if (!status.ok()) return with_status(outcome, status);
    const int width = (header.width + options.denominator - 1) / options.denominator;
    const int height = (header.height + options.denominator - 1) / options.denominator;
    Window window = {0, width, 0, height};
    if (options.crop) window = {width / 3, width - width / 3, height / 3, height - height / 3};
    status = decoder.start(options.denominator, options.crop, window);
    Bytes row(static_cast<std::size_t>(width * pixel_bytes));
    for (int y = window.y_begin; status.ok() && y < window.y_end; ++y) {
        status = decoder.read_row(row.data());
        if (!status.ok()) break;
        outcome.pixels.insert(outcome.pixels.end(), row.begin(),
                              row.begin() + (window.x_end - window.x_begin) * pixel_bytes);
    }
    if (status.ok()) status = decoder.finish(row.data());
    decoder.close();
    return with_status(outcome, status);
}

}  // namespace

bool same_both_ways(std::span<const std::uint8_t> file, const DecodeOptions& options,
                    std::string_view name) {
    use_huffman_fast_path(false);
    const Outcome expected = decode(file, options);
    use_huffman_fast_path(true);
    const Outcome found = decode(file, options);
    if (found == expected) return true;
    std::cerr << name << " at 1/" << options.denominator << (options.crop ? ", cropped" : "")
              << ": " << photic::name(found.code) << " (" << found.detail << ") instead of "
              << photic::name(expected.code) << " (" << expected.detail << "), pixels "
              << (found.pixels == expected.pixels ? "equal\n" : "differ\n");
    return false;
}

bool same_in_all_ways(std::span<const std::uint8_t> file, std::string_view name) {
    bool same = true;
    for (const int denominator : {1, 2, 4, 8}) {
        for (const bool crop : {false, true}) {
            for (const bool reject : {true, false}) {
                same = same_both_ways(file, {denominator, crop, reject}, name) && same;
            }
        }
    }
    return same;
}

}  // namespace photic::testing

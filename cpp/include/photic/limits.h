// What one decode may cost. Every limit holds before the memory or the time is spent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace photic {

struct Limits {
    std::int64_t max_pixels;       // width x height
    std::int64_t max_side;         // width or height, in pixels
    std::int64_t max_scans;        // of a progressive or non-interleaved file
    std::int64_t max_scan_pixels;  // pixels x scans
    // CPU time of the decoding thread: the sum of the first three, but never more than the last.
    std::int64_t time_base_ns;
    std::int64_t time_per_megabyte_ns;   // for each 10^6 bytes of the file
    std::int64_t time_per_megapixel_ns;  // for each 10^6 pixels; twice that for several scans
    std::int64_t max_time_ns;
    std::int64_t max_memory_bytes;        // of one decoder
    std::int64_t max_total_memory_bytes;  // of all decoders of the process
    bool reject_truncated;  // refuse truncated and corrupt data, instead of libjpeg's repair

    [[nodiscard]] std::int64_t time_ns(std::size_t bytes, std::int64_t pixels) const noexcept {
        const double cost =
            static_cast<double>(time_base_ns) +
            static_cast<double>(time_per_megabyte_ns) * static_cast<double>(bytes) / 1e6 +
            static_cast<double>(time_per_megapixel_ns) * static_cast<double>(pixels) / 1e6;
        return static_cast<std::int64_t>(std::min(cost, static_cast<double>(max_time_ns)));
    }
};

}  // namespace photic

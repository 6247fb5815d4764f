// What the programs for measuring share: files, the clock, and EfficientNet-Lite0's recipe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "photic/limits.h"
#include "photic/plan.h"

namespace photic::driver {

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] inline void stop(const char* problem, std::string_view about) {
    std::fprintf(stderr, "%s: %.*s\n", problem, static_cast<int>(about.size()), about.data());
    std::exit(1);
}

inline Bytes read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) stop("cannot be read", path);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline double cpu_ms() {
    std::timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The upper one of an even number.
inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The defaults of DecodeSettings, but with a minute of time: under a profiler everything is slow.
// The plan is EfficientNet-Lite0's.
inline Limits limits() {
    constexpr std::int64_t minute_ns = 60'000'000'000;
    return {50'000'000, 65'500,    100,         500'000'000, minute_ns, 0,
            0,          minute_ns, 300'000'000, 600'000'000, true};
}

inline Plan plan(DecodeMode decode) {
    constexpr float scale = 1.0F / 128.0F;
    constexpr float shift = -127.0F / 128.0F;
    return {224,
            224,
            Fit::crop,
            256,
            0,
            0,
            Filter::bicubic,
            {scale, scale, scale},
            {shift, shift, shift},
            false,
            false,
            Element::float32,
            true,
            decode,
            true};
}

}  // namespace photic::driver

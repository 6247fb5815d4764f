// Preprocesses JPEG files through the whole native path without Python, for callgrind and perf:
//     preprocess_files [--rounds N] [--target NAME] [--decode exact|balanced|fast] FILE...
// Each round takes every file once, with one decoder, as a worker thread does. Prints the median of
// the rounds in CPU milliseconds for all files. Profilers begin at the symbol `preprocess_round`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "photic/cpu.h"
#include "photic/preprocess.h"

namespace {

using namespace photic;
using Bytes = std::vector<std::uint8_t>;

struct Options {
    int rounds = 1;
    DecodeMode decode = DecodeMode::balanced;
    std::vector<Bytes> files;
};

[[noreturn]] void stop(const char* problem, std::string_view about) {
    std::fprintf(stderr, "%s: %.*s\n", problem, static_cast<int>(about.size()), about.data());
    std::exit(1);
}

// The defaults of DecodeSettings, but with a minute of time: under a profiler everything is slow.
// The plan is EfficientNet-Lite0's.
Limits limits() {
    constexpr std::int64_t minute_ns = 60'000'000'000;
    return {50'000'000, 65'500,    100,         500'000'000, minute_ns, 0,
            0,          minute_ns, 300'000'000, 600'000'000, true};
}

Plan plan(DecodeMode decode) {
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

Bytes read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) stop("cannot be read", path);
    return {std::istreambuf_iterator<char>(file), {}};
}

DecodeMode decode_mode(std::string_view name) {
    if (name == "exact") return DecodeMode::exact;
    if (name == "balanced") return DecodeMode::balanced;
    if (name == "fast") return DecodeMode::fast;
    stop("no such decode mode", name);
}

Options parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (!argument.starts_with("--")) {
            options.files.push_back(read(arguments[i]));
            continue;
        }
        if (++i == count) stop("needs a value", argument);
        if (argument == "--rounds") {
            options.rounds = std::max(1, std::atoi(arguments[i]));
        } else if (argument == "--decode") {
            options.decode = decode_mode(arguments[i]);
        } else if (argument != "--target") {
            stop("no such option", argument);
        } else if (!force_kernels(arguments[i])) {
            stop("no such target on this CPU", arguments[i]);
        }
    }
    if (options.files.empty()) stop("usage", "preprocess_files [--rounds N] FILE...");
    return options;
}

double cpu_ms() {
    std::timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

extern "C" __attribute__((noinline)) void preprocess_round(Preprocess& preprocess,
                                                           const std::vector<Bytes>& files,
                                                           std::vector<float>& row) {
    for (const Bytes& file : files) {
        ImageInfo info = {};
        const Status status = preprocess.decode(file, row.data(), info);
        if (!status.ok()) stop("cannot be preprocessed", status.detail());
    }
}

int main(int count, char** arguments) {
    const Options options = parse(count, arguments);
    Preprocess preprocess(plan(options.decode), limits());
    std::vector<float> row(preprocess.plan().elements());
    std::vector<double> times;
    for (int round = 0; round < options.rounds; ++round) {
        const double start = cpu_ms();
        preprocess_round(preprocess, options.files, row);
        times.push_back(cpu_ms() - start);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    std::printf("%s: %zu files, %d rounds, %.3f CPU-ms a round\n", active_kernels().name,
                options.files.size(), options.rounds, *middle);
}

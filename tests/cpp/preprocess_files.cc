// Preprocesses JPEG files through the whole native path without Python, for callgrind and perf:
//     preprocess_files [--rounds N] [--target NAME] [--decode exact|balanced|fast] FILE...
// Each round takes every file once, with one decoder, as a worker thread does. Prints the median of
// the rounds in CPU milliseconds for all files. Profilers begin at the symbol `preprocess_round`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "driver.h"
#include "photic/cpu.h"
#include "photic/preprocess.h"

namespace {

using namespace photic;
using namespace photic::driver;

struct Options {
    int rounds = 1;
    DecodeMode decode = DecodeMode::balanced;
    std::vector<Bytes> files;
};

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
    std::printf("%s: %zu files, %d rounds, %.3f CPU-ms a round\n", active_kernels().name,
                options.files.size(), options.rounds, median(times));
}

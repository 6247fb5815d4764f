// A fuzz target, in libFuzzer's form: no input may crash, and the answer may depend on the input
// and the plan only, not on the dispatch target, on whose Huffman decoder decodes, on cropping, or
// on what was decoded before.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <vector>

#include "photic/cpu.h"
#include "photic/huffman_fast_path.h"
#include "photic/preprocess.h"

namespace {

using namespace photic;

// Time is left out of the limits, since it is the one that need not give the same answer twice.
Limits limits(bool reject_truncated) {
    constexpr std::int64_t minute_ns = 60'000'000'000;
    return {50'000'000, 65'500,    100,         500'000'000, minute_ns,       0,
            0,          minute_ns, 300'000'000, 600'000'000, reject_truncated};
}

constexpr std::array<float, 3> one = {1, 1, 1};
constexpr std::array<float, 3> zero = {0, 0, 0};

constexpr Plan plans[] = {
    {224, 224, Fit::crop, 256, 0, 0, Filter::bicubic, one, zero, false, false, Element::float32,
     true, DecodeMode::balanced, true},
    {30, 50, Fit::crop, 0, 0.875, 0, Filter::bilinear, one, zero, true, true, Element::float32,
     true, DecodeMode::fast, true},
    {33, 17, Fit::stretch, 0, 0, 0, Filter::bicubic, one, zero, false, true, Element::float32,
     false, DecodeMode::fast, true},
    {64, 64, Fit::letterbox, 0, 0, 114, Filter::bilinear, one, zero, false, false, Element::float32,
     true, DecodeMode::exact, true},
};

struct Outcome {
    ErrorCode code;
    std::vector<float> row;
};

Outcome decode(Preprocess& preprocess, std::span<const std::uint8_t> file) {
    Outcome outcome = {ErrorCode::ok, std::vector<float>(preprocess.plan().elements(), NAN)};
    ImageInfo info = {};
    outcome.code = preprocess.decode(file, outcome.row.data(), info).code();
    return outcome;
}

void require(bool condition, const char* what, std::size_t plan) {
    if (condition) return;
    std::fprintf(stderr, "plan %zu: %s\n", plan, what);
    std::abort();
}

void require_equal(const Outcome& a, const Outcome& b, float tolerance, const char* what,
                   std::size_t plan) {
    require(a.code == b.code, what, plan);
    if (a.code != ErrorCode::ok) return;
    for (std::size_t i = 0; i < a.row.size(); ++i) {
        require(std::abs(a.row[i] - b.row[i]) <= tolerance, what, plan);
        require(a.row[i] >= 0.0F && a.row[i] <= 255.001F, "a level is out of range", plan);
    }
}

void check(std::span<const std::uint8_t> file, std::size_t index, bool reject_truncated) {
    static Preprocess* reused[std::size(plans)][2] = {};
    Preprocess*& kept = reused[index][reject_truncated];
    if (kept == nullptr) kept = new Preprocess(plans[index], limits(reject_truncated));
    const Outcome first = decode(*kept, file);
    for (const Kernels* kernels : available_kernels()) {
        require(force_kernels(kernels->name), "no such target", index);
        Preprocess fresh(plans[index], limits(reject_truncated));
        require_equal(first, decode(fresh, file), 1e-3F, "targets differ", index);
    }
    require(force_kernels(nullptr), "no default target", index);
    use_huffman_fast_path(false);
    require_equal(first, decode(*kept, file), 0.0F, "libjpeg alone differs", index);
    use_huffman_fast_path(true);
    Plan full = plans[index];
    full.crop_decode = false;
    Preprocess uncropped(full, limits(reject_truncated));
    require_equal(first, decode(uncropped, file), 0.0F, "cropped differs from full", index);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (std::size_t i = 0; i < std::size(plans); ++i) check({data, size}, i, true);
    check({data, size}, 0, false);
    return 0;
}

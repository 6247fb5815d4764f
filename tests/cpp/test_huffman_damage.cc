// Files with random damage: the fast Huffman decoder must leave all of it to libjpeg. A number of
// mutants in the environment's PHOTIC_MUTANTS makes more than the few that take no time.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>

#include "both_ways.h"
#include "check.h"
#include "decode.h"
#include "photic/cpu.h"

namespace photic::testing {
namespace {

constexpr SampleOptions samples[] = {
    {.width = 96, .height = 64, .h_factor = 1, .v_factor = 1, .quality = 85},
    {.width = 128, .height = 80, .quality = 90},
    {.width = 120, .height = 72, .h_factor = 2, .v_factor = 1, .quality = 97},
    {.width = 160, .height = 96, .components = 1, .quality = 80, .optimized = true},
    {.width = 96, .height = 64, .quality = 95, .restart_mcus = 3},
    {.width = 112, .height = 64, .h_factor = 1, .v_factor = 1, .quality = 92, .restart_rows = 1},
    {.width = 64, .height = 48, .components = 4, .h_factor = 1, .v_factor = 1, .quality = 90},
    {.width = 128, .height = 64, .h_factor = 4, .v_factor = 1, .quality = 75, .optimized = true},
};

using Random = std::mt19937;

int below(Random& random, std::size_t limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
}

// One change between `begin` and the end of the file.
void damage(Bytes& file, std::size_t begin, Random& random) {
    const auto at =
        file.begin() + static_cast<std::ptrdiff_t>(begin) + below(random, file.size() - begin);
    const auto left = static_cast<std::size_t>(file.end() - at);
    const auto some = static_cast<std::ptrdiff_t>(std::min(left, std::size_t{1} + random() % 40));
    const auto byte = static_cast<std::uint8_t>(random());
    switch (random() % 8) {
        case 0:
            file.erase(at, file.end());
            break;
        case 1:
            file.erase(at, at + some);
            break;
        case 2:
            file.insert(at, {0xFF, static_cast<std::uint8_t>(0xD0 + random() % 10)});
            break;
        case 3:
            file.insert(at, static_cast<std::size_t>(some), 0xFF);
            break;
        case 4:
            std::fill(at, at + some, byte);
            break;
        case 5:
            *at = 0xFF;
            break;
        default:
            *at = byte;
            break;
    }
}

int mutants() {
    const char* wanted = std::getenv("PHOTIC_MUTANTS");
    return wanted != nullptr ? std::atoi(wanted) : 1000;
}

TEST(damage_is_libjpegs) {
    Random random(20'261'130);
    std::size_t accepted = 0;
    for (int i = 0; i < mutants(); ++i) {
        Bytes file = sample_jpeg(samples[static_cast<std::size_t>(i) % std::size(samples)]);
        // Some of them in the tables of the Huffman codes.
        const std::size_t begin = find_marker(file, i % 5 == 4 ? dht : sos);
        for (auto changes = 1 + random() % 3; changes > 0 && file.size() > begin; --changes) {
            damage(file, begin, random);
        }
        const DecodeOptions options = {1 << random() % 4, random() % 2 == 0, random() % 2 == 0};
        const std::string name = "mutant " + std::to_string(i);
        CHECK(force_kernels(random() % 4 == 0 ? "baseline" : nullptr));
        CHECK(same_both_ways(file, options, name));
        accepted += verdict(file) == "ok" ? 1 : 0;
    }
    CHECK(force_kernels(nullptr));
    std::cout << accepted << " of " << mutants() << " mutants decode\n";
}

// Where the fast decoder hands over to libjpeg, byte by byte.
TEST(cuts_are_libjpegs) {
    for (const SampleOptions& options : samples) {
        const Bytes file = sample_jpeg(options);
        for (std::size_t size = file.size() - 1'100; size < file.size(); size += 3) {
            CHECK(same_both_ways(first_bytes(file, size), {}, "cut at " + std::to_string(size)));
        }
    }
}

}  // namespace
}  // namespace photic::testing

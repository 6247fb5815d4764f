#include "check.h"
#include "photic/scan_count.h"
#include "sample.h"

namespace photic {
namespace {

using testing::Bytes;

constexpr std::int64_t many = 1'000;

TEST(counts_the_scan_it_begins_in) {
    CHECK_EQUAL(count_scans(Bytes{}, many), 1);
    CHECK_EQUAL(count_scans(Bytes{1, 2, 0xFF, 0xD9}, many), 1);
}

TEST(counts_scans_and_nothing_else) {
    const Bytes scan = {0xFF, 0xDA, 0, 3, 1};
    Bytes rest = {7, 0xFF, 0x00, 0xDA, 0xFF, 0xD3, 8};                    // stuffed byte, restart
    rest.insert(rest.end(), {0xFF, 0xC4, 0, 6, 0xFF, 0xDA, 0xFF, 0xDA});  // inside a DHT segment
    rest.insert(rest.end(), scan.begin(), scan.end());
    rest.insert(rest.end(), {9, 0xFF, 0xFF, 0xFF});  // fill bytes
    rest.insert(rest.end(), scan.begin(), scan.end());
    rest.insert(rest.end(), {0xFF, 0xD9});  // the end of the image
    rest.insert(rest.end(), scan.begin(), scan.end());
    CHECK_EQUAL(count_scans(rest, many), 3);
    CHECK_EQUAL(count_scans(rest, 2), 2);
}

TEST(ends_within_the_bytes_wherever_they_are_cut) {
    Bytes rest;
    for (int i = 0; i < 4; ++i) rest.insert(rest.end(), {5, 0xFF, 0xDA, 0, 4, 1, 1, 0xFF, 0});
    for (std::size_t size = 0; size <= rest.size(); ++size) {
        const Bytes cut(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
        const std::int64_t scans = count_scans(cut, many);
        CHECK(scans >= 1 && scans <= 5);
    }
    CHECK_EQUAL(count_scans(rest, many), 5);
}

}  // namespace
}  // namespace photic

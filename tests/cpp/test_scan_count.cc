#include <span>

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
    const Bytes rest = {
        7,    0xFF, 0x00, 0xDA, 0xFF, 0xD3, 8,           // a stuffed byte, a restart marker
        0xFF, 0xC4, 0,    6,    0xFF, 0xDA, 0xFF, 0xDA,  // inside a DHT segment
        0xFF, 0xDA, 0,    3,    1,    9,                 // the second scan
        0xFF, 0xFF, 0xFF, 0xDA, 0,    3,    1,           // the third, after fill bytes
        0xFF, 0xD9,                                      // the end of the image
        0xFF, 0xDA, 0,    3,    1,
    };
    CHECK_EQUAL(count_scans(rest, many), 3);
    CHECK_EQUAL(count_scans(rest, 2), 2);
}

TEST(ends_within_the_bytes_wherever_they_are_cut) {
    const Bytes rest = {5, 0xFF, 0xDA, 0, 4, 1, 1, 0xFF, 0, 0xFF, 0xDA, 0, 4, 1, 1, 0xFF, 0};
    for (std::size_t size = 0; size <= rest.size(); ++size) {
        const std::int64_t scans = count_scans(std::span(rest).first(size), many);
        CHECK(scans >= 1 && scans <= 3);
    }
    CHECK_EQUAL(count_scans(rest, many), 3);
}

}  // namespace
}  // namespace photic

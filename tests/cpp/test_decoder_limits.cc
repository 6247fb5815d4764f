#include <string_view>

#include "check.h"
#include "decode.h"
#include "photic/jpeg_decoder.h"
#include "sample.h"

namespace photic {
namespace {

using namespace testing;

TEST(pixel_limits_name_the_numbers) {
    Limits limits = wide_limits();
    limits.max_pixels = 64 * 48 - 1;
    const Bytes file = sample_jpeg({});
    JpegDecoder decoder;
    const Status status = decode(decoder, file, limits);
    CHECK_EQUAL(std::string_view(name(status.code())), "too_many_pixels");
    CHECK_EQUAL(std::string_view(status.detail()),
                "the image is 64 x 48 = 3072 pixels; the limit is 3071");
    limits = wide_limits();
    limits.max_side = 63;
    CHECK_EQUAL(verdict(file, limits), "too_many_pixels");
    Bytes huge = file;
    set_size(huge, sof0, 65'535, 65'535);
    CHECK_EQUAL(verdict(huge), "too_many_pixels");
}

TEST(scan_limits_hold) {
    SampleOptions options;
    options.progressive = true;
    const Bytes file = sample_jpeg(options);
    Limits limits = wide_limits();
    limits.max_scans = 9;  // jpeg_simple_progression writes 10 for colour
    CHECK_EQUAL(verdict(file, limits), "too_many_scans");
    limits.max_scans = 10;
    CHECK_EQUAL(verdict(file, limits), "ok");
    limits.max_scan_pixels = 64 * 48 * 10 - 1;
    CHECK_EQUAL(verdict(file, limits), "too_many_scans");
    limits.max_scan_pixels = 64 * 48 * 10;
    CHECK_EQUAL(verdict(file, limits), "ok");
}

TEST(memory_limits_hold_before_the_memory_is_taken) {
    SampleOptions options;
    options.progressive = true;
    Bytes file = sample_jpeg(options);
    set_size(file, sof2, 10'000, 10'000);  // 300 MB of coefficients for a few hundred bytes
    Limits limits = wide_limits();
    limits.max_memory_bytes = 250'000'000;
    CHECK_EQUAL(verdict(file, limits), "decoder_memory");
    limits = wide_limits();
    limits.max_total_memory_bytes = 250'000'000;
    CHECK_EQUAL(verdict(file, limits), "decoder_memory");
}

TEST(a_decode_that_gives_up_does_not_wait_for_memory) {
    const Bytes file = sample_jpeg({});
    Limits limits = wide_limits();
    limits.time_base_ns = limits.max_time_ns = 3'600'000'000'000;  // a wait would last an hour
    MemoryBudget::Share others;
    CHECK(MemoryBudget::process().reserve(limits.max_total_memory_bytes,
                                          limits.max_total_memory_bytes, 0, others));
    JpegDecoder decoder;
    ImageHeader header = {};
    Window window = {0, 64, 0, 48};
    CHECK(decoder.open(file, limits, header).ok());
    CHECK(decoder.start(1, true, window, WhenFull::give_up).code() == ErrorCode::no_room);
    CHECK(decoder.wanted_bytes() > 0);
    CHECK(!MemoryBudget::process().has_room(decoder.wanted_bytes(), limits.max_total_memory_bytes));
    others.release();
    CHECK(MemoryBudget::process().has_room(decoder.wanted_bytes(), limits.max_total_memory_bytes));
    CHECK(decoder.open(file, limits, header).ok());
    CHECK(decoder.start(1, true, window, WhenFull::give_up).ok());
}

TEST(the_time_limit_holds_in_every_phase) {
    for (const bool progressive : {false, true}) {
        SampleOptions options;
        options.width = 4000;
        options.height = 2000;
        options.progressive = progressive;
        Limits limits = wide_limits();
        limits.max_time_ns = 1'000'000;
        CHECK_EQUAL(verdict(sample_jpeg(options), limits), "decode_time");
    }
}

TEST(the_time_limit_grows_with_the_file_up_to_its_maximum) {
    Limits limits = wide_limits();
    limits.time_base_ns = 100;
    limits.time_per_megabyte_ns = 40;
    limits.time_per_megapixel_ns = 10;
    limits.max_time_ns = 1000;
    CHECK_EQUAL(limits.time_ns(2'000'000, 3'000'000), 100 + 80 + 30);
    CHECK_EQUAL(limits.time_ns(200'000'000, 0), 1000);
}

}  // namespace
}  // namespace photic

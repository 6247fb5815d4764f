#include <string_view>

#include "check.h"
#include "photic/jpeg_decoder.h"
#include "sample.h"

namespace photic {
namespace {

using testing::Bytes;
using testing::sample_jpeg;
using testing::SampleOptions;
using testing::wide_limits;

// Decodes all of a file; the rows are thrown away.
Status decode(JpegDecoder& decoder, const Bytes& file, const Limits& limits) {
    ImageHeader header = {};
    Status status = decoder.open(file, limits, header);
    if (!status.ok()) return status;
    Window window = {0, header.width, 0, header.height};
    status = decoder.start(1, true, window);
    Bytes row(static_cast<std::size_t>(header.width * pixel_bytes));
    for (int y = window.y_begin; status.ok() && y < window.y_end; ++y) {
        status = decoder.read_row(row.data());
    }
    if (status.ok()) status = decoder.finish(row.data());
    decoder.close();
    return status;
}

std::string_view verdict(const Bytes& file, const Limits& limits) {
    JpegDecoder decoder;
    return name(decode(decoder, file, limits).code());
}

std::string_view verdict(const Bytes& file) { return verdict(file, wide_limits()); }

Bytes first_bytes(const Bytes& bytes, std::size_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

// The offset of the `number`th marker with this code, counted from 0.
std::size_t find_marker(const Bytes& bytes, int code, int number = 0) {
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        if (bytes[i] == 0xFF && bytes[i + 1] == code && number-- == 0) return i;
    }
    return bytes.size();
}

void set_size(Bytes& bytes, int frame, int width, int height) {
    const std::size_t at = find_marker(bytes, frame) + 5;
    bytes[at] = static_cast<std::uint8_t>(height >> 8);
    bytes[at + 1] = static_cast<std::uint8_t>(height);
    bytes[at + 2] = static_cast<std::uint8_t>(width >> 8);
    bytes[at + 3] = static_cast<std::uint8_t>(width);
}

constexpr int sof0 = 0xC0;
constexpr int sof2 = 0xC2;
constexpr int dqt = 0xDB;
constexpr int sos = 0xDA;
constexpr int dht = 0xC4;

TEST(decodes_every_kind_of_file) {
    for (const int components : {1, 3, 4}) {
        for (const bool progressive : {false, true}) {
            for (const bool arithmetic : {false, true}) {
                for (const int restart_rows : {0, 1}) {
                    SampleOptions options;
                    options.components = components;
                    options.progressive = progressive;
                    options.arithmetic = arithmetic;
                    options.restart_rows = restart_rows;
                    CHECK_EQUAL(verdict(sample_jpeg(options)), "ok");
                }
            }
        }
    }
}

TEST(reports_the_header) {
    SampleOptions options;
    options.width = 33;
    options.height = 17;
    options.progressive = true;
    options.orientation = 7;
    const Bytes file = sample_jpeg(options);
    JpegDecoder decoder;
    ImageHeader header = {};
    CHECK(decoder.open(file, wide_limits(), header).ok());
    CHECK_EQUAL(header.width, 33);
    CHECK_EQUAL(header.height, 17);
    CHECK_EQUAL(header.components, 3);
    CHECK_EQUAL(header.orientation, 7);
    CHECK(header.progressive);
}

TEST(the_first_exif_segment_wins_wherever_it_is) {
    SampleOptions options;
    options.orientation = 6;
    Bytes file = sample_jpeg(options);
    Bytes segment = {0xFF, 0xE1, 0, 34};
    const Bytes exif = testing::exif_segment(3);
    segment.insert(segment.end(), exif.begin(), exif.end());
    const auto at = static_cast<std::ptrdiff_t>(find_marker(file, sos));
    file.insert(file.begin() + at, segment.begin(), segment.end());
    JpegDecoder decoder;
    ImageHeader header = {};
    CHECK(decoder.open(file, wide_limits(), header).ok());
    CHECK_EQUAL(header.orientation, 6);

    options.orientation = 0;
    file = sample_jpeg(options);
    const auto late = static_cast<std::ptrdiff_t>(find_marker(file, sos));
    file.insert(file.begin() + late, segment.begin(), segment.end());
    CHECK(decoder.open(file, wide_limits(), header).ok());
    CHECK_EQUAL(header.orientation, 3);
}

// Cuts a file at every byte: no cut may pass unless only the end-of-image marker is missing.
void check_every_cut(const SampleOptions& options, std::size_t tail) {
    const Bytes file = sample_jpeg(options);
    CHECK_EQUAL(verdict(file), "ok");
    const std::size_t scan = find_marker(file, sos);
    for (std::size_t size = 1; size < file.size(); ++size) {
        const std::string_view code = verdict(first_bytes(file, size));
        if (size + tail >= file.size()) {
            CHECK(code == "ok" || code == "truncated");
        } else if (size > scan + 16) {
            CHECK_EQUAL(code, "truncated");
        } else {
            CHECK(code != "ok");
        }
        if (size + 2 >= file.size()) CHECK_EQUAL(code, "ok");
    }
}

TEST(every_cut_is_seen) {
    SampleOptions options;
    check_every_cut(options, 3);
    options.restart_rows = 1;
    check_every_cut(options, 3);
    options.progressive = true;
    check_every_cut(options, 3);
    options.components = 1;
    check_every_cut(options, 3);
}

TEST(every_cut_of_separate_scans_is_seen) {
    SampleOptions options;
    options.interleaved = false;
    check_every_cut(options, 3);
}

TEST(cuts_of_arithmetic_files_are_seen_but_in_the_last_mcu_row) {
    for (const bool progressive : {false, true}) {
        SampleOptions options;
        options.height = 160;
        options.arithmetic = true;
        options.progressive = progressive;
        const Bytes file = sample_jpeg(options);
        for (const double part : {0.3, 0.5, 0.7, 0.8}) {
            const auto size = static_cast<std::size_t>(part * static_cast<double>(file.size()));
            CHECK_EQUAL(verdict(first_bytes(file, size)), "truncated");
        }
        CHECK_EQUAL(verdict(first_bytes(file, file.size() - 2)), "ok");
    }
}

TEST(an_end_marker_after_a_cut_does_not_hide_it) {
    for (const bool progressive : {false, true}) {
        SampleOptions options;
        options.height = 480;
        options.progressive = progressive;
        const Bytes file = sample_jpeg(options);
        // In the middle of the first scan, which is the only one of a baseline file.
        const std::size_t end = progressive ? find_marker(file, sos, 1) : find_marker(file, 0xD9);
        Bytes cut = first_bytes(file, (find_marker(file, sos) + end) / 2);
        cut.insert(cut.end(), {0xFF, 0xD9});
        CHECK_EQUAL(verdict(cut), "truncated");
    }
}

TEST(a_shortfall_in_the_last_of_many_mcu_rows_is_taken_for_a_flipped_bit) {
    SampleOptions options;
    options.height = 480;
    const auto without_last_bytes = [](Bytes file) {
        file.erase(file.end() - 6, file.end() - 2);
        return file;
    };
    CHECK_EQUAL(verdict(without_last_bytes(sample_jpeg(options))), "ok");
    options.height = 200;  // 13 rows of MCUs: the last one is too much to lose
    CHECK_EQUAL(verdict(without_last_bytes(sample_jpeg(options))), "truncated");
}

TEST(an_incomplete_progression_is_valid_when_its_writer_ended_it) {
    SampleOptions options;
    options.progressive = true;
    const Bytes file = sample_jpeg(options);
    // The first scan holds the DC coefficients of all components.
    Bytes dc_only = first_bytes(file, find_marker(file, dht, 2));
    CHECK_EQUAL(verdict(dc_only), "truncated");
    dc_only.insert(dc_only.end(), {0xFF, 0xD9});
    CHECK_EQUAL(verdict(dc_only), "ok");
}

TEST(truncated_files_are_repaired_when_that_is_asked_for) {
    Limits limits = wide_limits();
    limits.reject_truncated = false;
    for (const bool progressive : {false, true}) {
        SampleOptions options;
        options.progressive = progressive;
        const Bytes file = sample_jpeg(options);
        CHECK_EQUAL(verdict(first_bytes(file, file.size() / 2 + 200), limits), "ok");
    }
}

TEST(harmless_faults_are_accepted) {
    const Bytes file = sample_jpeg({});
    Bytes trailing = file;
    trailing.insert(trailing.end(), 1000, 0x55);
    CHECK_EQUAL(verdict(trailing), "ok");
    Bytes extraneous = file;
    extraneous.insert(extraneous.begin() + static_cast<std::ptrdiff_t>(find_marker(file, dqt)), 5,
                      0x55);
    CHECK_EQUAL(verdict(extraneous), "ok");
}

TEST(says_what_is_wrong_with_a_header) {
    CHECK_EQUAL(verdict({}), "empty");
    CHECK_EQUAL(verdict({0x89, 'P', 'N', 'G'}), "not_jpeg");
    CHECK_EQUAL(verdict({0xFF, 0xD8}), "truncated_header");
    CHECK_EQUAL(verdict({0xFF, 0xD8, 0xFF, 0xD9}), "no_image");
    const Bytes good = sample_jpeg({});
    const auto with = [&](std::size_t at, std::uint8_t value) {
        Bytes bad = good;
        bad[at] = value;
        return bad;
    };
    const std::size_t frame = find_marker(good, sof0);
    CHECK_EQUAL(verdict(with(frame + 4, 12)), "unsupported_precision");
    CHECK_EQUAL(verdict(with(frame + 1, 0xC3)), "unsupported_process");
    CHECK_EQUAL(verdict(with(frame + 11, 0x55)), "bad_structure");
    CHECK_EQUAL(verdict(with(find_marker(good, dqt) + 4, 15)), "bad_tables");
    CHECK_EQUAL(verdict(with(find_marker(good, dht) + 4, 9)), "bad_tables");
    Bytes flat = good;
    set_size(flat, sof0, 64, 0);
    CHECK_EQUAL(verdict(flat), "bad_dimensions");
}

TEST(tables_are_not_lent_to_the_next_file) {
    const Bytes good = sample_jpeg({});
    Bytes bare = good;
    while (find_marker(bare, dqt) < bare.size()) {
        const auto at = static_cast<std::ptrdiff_t>(find_marker(bare, dqt));
        bare.erase(bare.begin() + at, bare.begin() + at + 2 + 67);
    }
    JpegDecoder decoder;
    CHECK(decode(decoder, good, wide_limits()).ok());
    CHECK_EQUAL(std::string_view(name(decode(decoder, bare, wide_limits()).code())),
                "bad_structure");
    CHECK(decode(decoder, good, wide_limits()).ok());
}

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

TEST(a_decoder_can_be_used_after_every_error) {
    JpegDecoder decoder;
    SampleOptions options;
    options.progressive = true;
    const Bytes good = sample_jpeg(options);
    for (std::size_t size = 0; size < good.size(); size += 97) {
        const Bytes cut = first_bytes(good, size);
        CHECK(!decode(decoder, cut, wide_limits()).ok());
        CHECK(decode(decoder, good, wide_limits()).ok());
    }
}

}  // namespace
}  // namespace photic

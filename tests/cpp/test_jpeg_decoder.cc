#include <string_view>

#include "check.h"
#include "decode.h"
#include "photic/jpeg_decoder.h"
#include "sample.h"

namespace photic {
namespace {

using namespace testing;

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

#include <string>
#include <utility>

#include "both_ways.h"
#include "check.h"
#include "decode.h"
#include "photic/cpu.h"

namespace photic::testing {
namespace {

std::string describe(const SampleOptions& options) {
    return std::to_string(options.width) + "x" + std::to_string(options.height) + ", " +
           std::to_string(options.components) + " components, " + std::to_string(options.h_factor) +
           "x" + std::to_string(options.v_factor) + ", quality " + std::to_string(options.quality) +
           ", restarts " + std::to_string(options.restart_mcus) +
           (options.optimized ? ", optimized" : "");
}

void check_sample(const SampleOptions& options) {
    CHECK(same_in_all_ways(sample_jpeg(options), describe(options)));
}

TEST(samplings_and_components_do_not_matter) {
    for (const int components : {1, 3, 4}) {
        for (const auto& [h, v] : {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {4, 2}}) {
            if (components == 4 && h * v > 4) continue;  // an MCU has ten blocks at most
            for (const int restarts : {0, 1, 7}) {
                check_sample({.width = 203,
                              .height = 77,
                              .components = components,
                              .h_factor = h,
                              .v_factor = v,
                              .restart_mcus = restarts});
            }
        }
    }
}

TEST(qualities_and_tables_do_not_matter) {
    for (int quality = 1; quality <= 100; quality += 3) {
        for (const bool optimized : {false, true}) {
            check_sample({.width = 150, .height = 40, .quality = quality, .optimized = optimized});
        }
    }
}

TEST(the_portable_decoder_does_the_same) {
    CHECK(force_kernels("baseline"));
    for (int quality = 10; quality <= 100; quality += 15) {
        check_sample({.width = 150, .height = 60, .quality = quality});
        check_sample({.width = 150, .height = 60, .quality = quality, .restart_mcus = 4});
    }
    CHECK(force_kernels(nullptr));
}

TEST(other_processes_are_left_alone) {
    check_sample({.progressive = true});
    check_sample({.arithmetic = true});
    check_sample({.interleaved = false});
}

// Calls of libjpeg's own function while one file is decoded.
int own_calls = 0;
DecodeMcu own = nullptr;
HuffmanFastPath* installed = nullptr;

boolean count_own(j_decompress_ptr decompressor, JBLOCKROW* blocks) {
    ++own_calls;
    return own(decompressor, blocks);
}

boolean decode_fast(j_decompress_ptr decompressor, JBLOCKROW* blocks) {
    return installed->decode(decompressor, blocks);
}

// How many MCUs of a file libjpeg decodes itself.
int count_own_calls(const Bytes& file) {
    static HuffmanFastPath fast;
    installed = &fast;
    own_calls = 0;
    jpeg_decompress_struct decompressor = {};
    jpeg_error_mgr errors = {};
    decompressor.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&decompressor);
    jpeg_mem_src(&decompressor, file.data(), file.size());
    jpeg_read_header(&decompressor, TRUE);
    jpeg_start_decompress(&decompressor);
    CHECK(matches(decompressor));
    own = huffman_of(&decompressor).decode_mcu;
    huffman_of(&decompressor).decode_mcu = count_own;
    fast.install(&decompressor, decode_fast, 0, static_cast<int>(decompressor.MCUs_per_row));
    CHECK(huffman_of(&decompressor).decode_mcu == decode_fast);
    Bytes row(static_cast<std::size_t>(decompressor.output_width) * 3);
    JSAMPROW rows[] = {row.data()};
    while (decompressor.output_scanline < decompressor.output_height) {
        jpeg_read_scanlines(&decompressor, rows, 1);
    }
    jpeg_destroy_decompress(&decompressor);
    return own_calls;
}

TEST(usual_data_needs_libjpeg_for_restarts_and_the_end_only) {
    const SampleOptions plain = {.width = 320, .height = 320, .quality = 95};  // 400 MCUs
    const int end = count_own_calls(sample_jpeg(plain));
    CHECK(end > 0);
    CHECK(end < 12);
    SampleOptions restarts = plain;
    restarts.restart_mcus = 20;  // 19 markers
    const int with_markers = count_own_calls(sample_jpeg(restarts));
    CHECK(with_markers >= 19);
    CHECK(with_markers <= 19 + end + 2);
}

}  // namespace
}  // namespace photic::testing

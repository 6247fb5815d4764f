#include "sample.h"

#include <cmath>
#include <cstdlib>

#include "photic/libjpeg.h"

namespace photic::testing {
namespace {

std::uint8_t sample(int x, int y, int c) {
    const double wave = std::sin(x * 0.31 + c) * std::cos(y * 0.23 - c) * 60;
    const int edge = (x / 9 + y / 7) % 2 * 70;
    const int noise = (x * 7919 + y * 104'729 + c * 31) % 23;
    return static_cast<std::uint8_t>(40 + edge + noise + 60 + wave);
}

J_COLOR_SPACE colour_space(int components) {
    return components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
}

void one_scan_a_component(jpeg_compress_struct& compressor) {
    // libjpeg copies the script only as a pointer, so it has to outlive the call.
    static jpeg_scan_info scans[4];
    for (int i = 0; i < compressor.num_components; ++i) scans[i] = {1, {i}, 0, 63, 0, 0};
    compressor.scan_info = scans;
    compressor.num_scans = compressor.num_components;
}

void configure(jpeg_compress_struct& compressor, const SampleOptions& options) {
    compressor.image_width = static_cast<JDIMENSION>(options.width);
    compressor.image_height = static_cast<JDIMENSION>(options.height);
    compressor.input_components = options.components;
    compressor.in_color_space = colour_space(options.components);
    jpeg_set_defaults(&compressor);
    jpeg_set_quality(&compressor, options.quality, TRUE);
    compressor.comp_info[0].h_samp_factor = options.h_factor;
    compressor.comp_info[0].v_samp_factor = options.v_factor;
    compressor.restart_in_rows = options.restart_rows;
    compressor.restart_interval = static_cast<unsigned>(options.restart_mcus);
    compressor.optimize_coding = options.optimized ? TRUE : FALSE;
    compressor.arith_code = options.arithmetic ? TRUE : FALSE;
    if (options.progressive) jpeg_simple_progression(&compressor);
    if (!options.interleaved) one_scan_a_component(compressor);
}

void write_rows(jpeg_compress_struct& compressor, const SampleOptions& options) {
    Bytes row(static_cast<std::size_t>(options.width * options.components));
    for (int y = 0; y < options.height; ++y) {
        for (int i = 0; i < options.width * options.components; ++i) {
            row[static_cast<std::size_t>(i)] =
                sample(i / options.components, y, i % options.components);
        }
        JSAMPROW rows[] = {row.data()};
        jpeg_write_scanlines(&compressor, rows, 1);
    }
}

}  // namespace

Bytes exif_segment(int orientation) {
    const auto value = static_cast<std::uint8_t>(orientation);
    return {'E',  'x', 'i', 'f', 0, 0, 'I', 'I', 42,    0, 8, 0, 0, 0, 1, 0,
            0x12, 1,   3,   0,   1, 0, 0,   0,   value, 0, 0, 0, 0, 0, 0, 0};
}

Bytes sample_jpeg(const SampleOptions& options) {
    jpeg_compress_struct compressor = {};
    jpeg_error_mgr errors = {};
    compressor.err = jpeg_std_error(&errors);
    jpeg_create_compress(&compressor);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&compressor, &memory, &size);
    configure(compressor, options);
    jpeg_start_compress(&compressor, TRUE);
    if (options.orientation != 0) {
        const Bytes exif = exif_segment(options.orientation);
        jpeg_write_marker(&compressor, JPEG_APP0 + 1, exif.data(),
                          static_cast<unsigned>(exif.size()));
    }
    write_rows(compressor, options);
    jpeg_finish_compress(&compressor);
    jpeg_destroy_compress(&compressor);
    Bytes bytes(memory, memory + size);
    std::free(memory);
    return bytes;
}

Limits wide_limits() {
    constexpr std::int64_t second_ns = 1'000'000'000;
    return {100'000'000,    65'500,        1'000,         1'000'000'000, 60 * second_ns, 0, 0,
            60 * second_ns, 1'000'000'000, 1'000'000'000, true};
}

Plan crop_plan(int size, int resize) {
    return {size,
            size,
            Fit::crop,
            resize,
            0.0,
            0,
            Filter::bicubic,
            {1, 1, 1},
            {0, 0, 0},
            false,
            true,
            Element::float32,
            true,
            DecodeMode::balanced,
            true};
}

}  // namespace photic::testing

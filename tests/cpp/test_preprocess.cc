#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "photic/cpu.h"
#include "photic/preprocess.h"
#include "sample.h"

namespace photic {
namespace {

using testing::Bytes;
using testing::crop_plan;
using testing::sample_jpeg;
using testing::SampleOptions;
using testing::wide_limits;

std::vector<float> decode(const Plan& plan, const Bytes& file) {
    Preprocess preprocess(plan, wide_limits());
    std::vector<float> out(plan.elements());
    ImageInfo info = {};
    const Status status = preprocess.decode(file, out.data(), info);
    CHECK_EQUAL(std::string(status.detail()), "");
    return out;
}

TEST(cropped_decodes_equal_full_ones) {
    const int factors[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {2, 4}};
    for (const auto& [h, v] : factors) {
        for (const bool progressive : {false, true}) {
            SampleOptions options;
            options.width = 613;
            options.height = 301;
            options.h_factor = h;
            options.v_factor = v;
            options.progressive = progressive;
            const Bytes file = sample_jpeg(options);
            for (const int resize : {8, 16, 40, 90, 250}) {
                Plan plan = crop_plan(resize / 2, resize);
                plan.decode = DecodeMode::fast;
                Plan full = plan;
                full.crop_decode = false;
                CHECK(decode(plan, file) == decode(full, file));
            }
        }
    }
}

TEST(layouts_and_types_hold_the_same_levels) {
    SampleOptions options;
    options.width = 150;
    options.height = 100;
    const Bytes file = sample_jpeg(options);
    Plan plan = crop_plan(24, 32);
    plan.scale = {2.0F, 3.0F, 4.0F};
    plan.shift = {-1.0F, -2.0F, -3.0F};
    Plan levels = plan;
    levels.scale = {1.0F, 1.0F, 1.0F};
    levels.shift = {0.0F, 0.0F, 0.0F};
    const std::vector<float> reference = decode(levels, file);

    Plan planar = plan;
    planar.nhwc = false;
    planar.bgr = true;
    const std::vector<float> out = decode(planar, file);
    const std::vector<float> interleaved = decode(plan, file);
    Plan bytes = levels;
    bytes.element = Element::uint8;
    Preprocess preprocess(bytes, wide_limits());
    std::vector<std::uint8_t> rounded(bytes.elements());
    ImageInfo info = {};
    CHECK(preprocess.decode(file, rounded.data(), info).ok());
    constexpr std::size_t pixels = 24 * 24;
    for (std::size_t i = 0; i < pixels; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            const double level = reference[i * 3 + c];
            const auto value = [&](std::size_t channel) {
                return level * plan.scale[channel] + plan.shift[channel];
            };
            CHECK_NEAR(interleaved[i * 3 + c], value(c), 1e-3);
            CHECK_NEAR(out[(2 - c) * pixels + i], value(2 - c), 1e-3);
            CHECK_NEAR(rounded[i * 3 + c], level, 0.5001);
        }
    }
}

TEST(flat_images_keep_their_level) {
    const std::vector<std::uint8_t> white(33 * 71 * 3, 255);
    for (const int size : {1, 5, 33, 200}) {
        Plan plan = crop_plan(size, 0);
        plan.fit = Fit::stretch;
        Preprocess preprocess(plan, wide_limits());
        std::vector<float> out(plan.elements());
        ImageInfo info = {};
        CHECK(preprocess.resample({white.data(), 33, 71}, 1, out.data(), info).ok());
        for (const float value : out) CHECK_NEAR(value, 255.0, 1e-3);
    }
}

TEST(letterbox_pads_what_the_content_leaves) {
    const std::vector<std::uint8_t> black(40 * 20 * 3, 0);
    Plan plan = crop_plan(20, 0);
    plan.fit = Fit::letterbox;
    plan.pad = 114;
    plan.scale = {1.0F, 2.0F, 3.0F};
    for (const bool nhwc : {true, false}) {
        plan.nhwc = nhwc;
        Preprocess preprocess(plan, wide_limits());
        std::vector<float> out(plan.elements());
        ImageInfo info = {};
        CHECK(preprocess.resample({black.data(), 40, 20}, 1, out.data(), info).ok());
        for (int y = 0; y < 20; ++y) {
            for (int c = 0; c < 3; ++c) {
                const int at = nhwc ? (y * 20 + 7) * 3 + c : (c * 20 + y) * 20 + 7;
                const bool content = y >= 5 && y < 15;
                CHECK_NEAR(out[static_cast<std::size_t>(at)], content ? 0.0 : 114.0 * (c + 1),
                           1e-3);
            }
        }
    }
}

TEST(targets_agree) {
    SampleOptions options;
    options.width = 1000;
    options.height = 700;
    const Bytes file = sample_jpeg(options);
    for (const Filter filter : {Filter::bilinear, Filter::bicubic}) {
        for (const int resize : {7, 64, 224, 900}) {
            Plan plan = crop_plan(resize, resize);
            plan.filter = filter;
            std::vector<float> first;
            for (const Kernels* kernels : available_kernels()) {
                CHECK(force_kernels(kernels->name));
                const std::vector<float> out = decode(plan, file);
                if (first.empty()) first = out;
                for (std::size_t i = 0; i < out.size(); ++i) CHECK_NEAR(out[i], first[i], 1e-3);
            }
            CHECK(force_kernels(nullptr));
        }
    }
}

TEST(targets_agree_where_thousands_of_pixels_become_one) {
    // Flat, so that rounding errors do not cancel.
    const std::vector<std::uint8_t> level(60'000 * 3, 201);
    for (const bool tall : {false, true}) {
        Plan plan = crop_plan(3, 0);
        plan.fit = Fit::stretch;
        Preprocess preprocess(plan, wide_limits());
        const ImageView image = {level.data(), tall ? 1 : 60'000, tall ? 60'000 : 1};
        for (const Kernels* kernels : available_kernels()) {
            CHECK(force_kernels(kernels->name));
            std::vector<float> out(plan.elements());
            ImageInfo info = {};
            CHECK(preprocess.resample(image, 1, out.data(), info).ok());
            for (const float value : out) CHECK_NEAR(value, 201.0, 5e-4);
        }
        CHECK(force_kernels(nullptr));
    }
}

TEST(the_scale_follows_the_mode) {
    SampleOptions options;
    options.width = 1000;
    options.height = 1000;
    const Bytes file = sample_jpeg(options);
    const auto denominator = [&](DecodeMode mode) {
        Plan plan = crop_plan(100, 120);
        plan.decode = mode;
        Preprocess preprocess(plan, wide_limits());
        std::vector<float> out(plan.elements());
        ImageInfo info = {};
        CHECK(preprocess.decode(file, out.data(), info).ok());
        return info.scale_denominator;
    };
    CHECK_EQUAL(denominator(DecodeMode::exact), 1);
    CHECK_EQUAL(denominator(DecodeMode::balanced), 4);
    CHECK_EQUAL(denominator(DecodeMode::fast), 8);
}

TEST(plans_without_sense_are_explained) {
    const auto why = [](const Plan& plan) {
        const char* text = problem(plan);
        return std::string(text != nullptr ? text : "");
    };
    CHECK_EQUAL(why(crop_plan(224, 256)), "");
    CHECK_EQUAL(why(crop_plan(224, 223)), "resize is smaller than the crop");
    CHECK_EQUAL(why(crop_plan(224, 0)), "fit \"crop\" needs either resize or crop_fraction");
    Plan plan = crop_plan(0, 256);
    CHECK_EQUAL(why(plan), "width and height must be in 1 to 4096");
    plan = crop_plan(224, 0);
    plan.crop_fraction = 1.5;
    CHECK_EQUAL(why(plan), "crop_fraction is not in (0, 1]");
    plan = crop_plan(224, 256);
    plan.pad = 256;
    CHECK_EQUAL(why(plan), "pad is not in 0 to 255");
}

}  // namespace
}  // namespace photic

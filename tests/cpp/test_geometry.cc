#include "check.h"
#include "photic/geometry.h"
#include "sample.h"

namespace photic {
namespace {

using testing::crop_plan;

TEST(crop_follows_torchvision) {
    // Resize(256) of 500 x 375: int(256 * 500 / 375) = 341; offsets round(58.5) = 58, round(16)
    // = 16.
    const Geometry geometry = plan_geometry(crop_plan(224, 256), 500, 375);
    CHECK_NEAR(geometry.x.begin, 58 * 500.0 / 341, 1e-9);
    CHECK_NEAR(geometry.x.end, (58 + 224) * 500.0 / 341, 1e-9);
    CHECK_NEAR(geometry.y.begin, 16 * 375.0 / 256, 1e-9);
    CHECK_EQUAL(geometry.x.clip_begin, 0);
    CHECK_EQUAL(geometry.x.clip_end, 500);
    CHECK_EQUAL(geometry.y.size, 224);
}

TEST(crop_offsets_round_half_to_even) {
    // (343 - 224) / 2 = 59.5 is 60, (341 - 224) / 2 = 58.5 is 58.
    const Geometry even = plan_geometry(crop_plan(224, 256), 343, 256);
    CHECK_NEAR(even.x.begin, 60.0, 1e-9);
    const Geometry odd = plan_geometry(crop_plan(224, 256), 341, 256);
    CHECK_NEAR(odd.x.begin, 58.0, 1e-9);
}

TEST(crop_survives_extreme_shapes) {
    const Geometry tall = plan_geometry(crop_plan(224, 256), 1, 65'500);
    CHECK_EQUAL(tall.x.size, 224);
    CHECK(tall.y.begin >= 0.0 && tall.y.end <= 65'500.0);
    CHECK_NEAR(tall.y.end - tall.y.begin, 224.0 / 256, 1e-9);
}

TEST(crop_fraction_follows_efficientnet) {
    Plan plan = crop_plan(224, 0);
    plan.crop_fraction = 0.875;
    // int(0.875 * 375) = 328; offsets (375 - 328 + 1) / 2 = 24 and (500 - 328 + 1) / 2 = 86.
    const Geometry geometry = plan_geometry(plan, 500, 375);
    CHECK_EQUAL(geometry.y.clip_begin, 24);
    CHECK_EQUAL(geometry.y.clip_end, 24 + 328);
    CHECK_EQUAL(geometry.x.clip_begin, 86);
    CHECK_NEAR(geometry.x.begin, 86.0, 1e-9);
    CHECK_NEAR(geometry.x.scale(), 328.0 / 224, 1e-9);
    CHECK_EQUAL(plan_geometry(plan, 1, 1).x.clip_end, 1);
}

TEST(letterbox_centres_the_whole_image) {
    Plan plan = crop_plan(192, 0);
    plan.fit = Fit::letterbox;
    // 100 x 50 becomes 192 x 96, with (192 - 96) / 2 = 48 rows above.
    const Geometry geometry = plan_geometry(plan, 100, 50);
    CHECK_EQUAL(geometry.x.size, 192);
    CHECK_EQUAL(geometry.y.size, 96);
    CHECK_EQUAL(geometry.y.offset, 48);
    CHECK_EQUAL(plan_geometry(plan, 65'500, 1).y.size, 1);
}

// Where the upright pixel (x, y) is in a file of width x height, by the EXIF standard.
struct Point {
    int x;
    int y;
};
Point in_file(int orientation, int x, int y, int width, int height) {
    const int right = width - 1;
    const int bottom = height - 1;
    switch (orientation) {
        case 2:
            return {right - x, y};
        case 3:
            return {right - x, bottom - y};
        case 4:
            return {x, bottom - y};
        case 5:
            return {y, x};
        case 6:
            return {y, bottom - x};
        case 7:
            return {right - y, bottom - x};
        case 8:
            return {right - y, x};
        default:
            return {x, y};
    }
}

TEST(orientations_map_each_pixel_to_its_place) {
    constexpr int width = 5;
    constexpr int height = 3;
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const bool swap = transposes(orientation);
        const int w = swap ? height : width;
        const int h = swap ? width : height;
        Plan plan = crop_plan(1, 0);
        plan.fit = Fit::stretch;
        plan.width = w;
        plan.height = h;
        plan.nhwc = false;
        const Geometry upright = plan_geometry(plan, w, h);
        const Geometry file = to_file_axes(upright, orientation, width, height);
        CHECK_EQUAL(file.x.size, width);
        CHECK_EQUAL(file.y.size, height);
        const OutputMap map = output_map(plan, upright, orientation);
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                const Point p = in_file(orientation, x, y, width, height);
                CHECK_EQUAL(map.base + p.x * map.step_x + p.y * map.step_y, y * w + x);
            }
        }
    }
}

TEST(asymmetric_crops_are_mirrored) {
    // 341 wide: the crop is 58..282, so the file turned around has it at 59..283.
    const Geometry upright = plan_geometry(crop_plan(224, 256), 341, 256);
    const Geometry file = to_file_axes(upright, 3, 341, 256);
    CHECK_NEAR(file.x.begin, 341 - 282.0, 1e-9);
    CHECK_NEAR(file.x.end, 341 - 58.0, 1e-9);
}

TEST(denominators_leave_what_the_mode_asks_for) {
    const auto denominator = [](DecodeMode mode, double factor) {
        Geometry geometry = {};
        geometry.x = {0, factor * 100, 0, 1, 100, 0};
        geometry.y = {0, factor * 110, 0, 1, 100, 0};
        return scale_denominator(mode, geometry);
    };
    CHECK_EQUAL(denominator(DecodeMode::exact, 40), 1);
    CHECK_EQUAL(denominator(DecodeMode::fast, 0.5), 1);
    CHECK_EQUAL(denominator(DecodeMode::fast, 1.99), 1);
    CHECK_EQUAL(denominator(DecodeMode::fast, 2.0), 2);
    CHECK_EQUAL(denominator(DecodeMode::fast, 7.9), 4);
    CHECK_EQUAL(denominator(DecodeMode::fast, 40), 8);
    CHECK_EQUAL(denominator(DecodeMode::balanced, 3.99), 1);
    CHECK_EQUAL(denominator(DecodeMode::balanced, 4.0), 2);
    CHECK_EQUAL(denominator(DecodeMode::balanced, 15.9), 4);
    CHECK_EQUAL(denominator(DecodeMode::balanced, 16.0), 8);
}

TEST(scaled_grids_keep_exact_coordinates) {
    // Bug B05: 399 / 4 is 99.75 pixels on a grid of 100, never a ratio of rounded sizes.
    const Geometry geometry = plan_geometry(crop_plan(224, 256), 399, 399);
    const Geometry quarter = scaled(geometry, 4);
    CHECK_NEAR(quarter.x.begin, geometry.x.begin / 4, 1e-12);
    CHECK_NEAR(quarter.x.end, geometry.x.end / 4, 1e-12);
    CHECK_EQUAL(quarter.x.clip_end, 100);
}

}  // namespace
}  // namespace photic

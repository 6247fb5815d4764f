#include <algorithm>
#include <numeric>

#include "check.h"
#include "photic/axis_weights.h"
#include "photic/byte_weights.h"
#include "photic/fixed_weights.h"
#include "photic/kernels.h"

namespace photic {
namespace {

Axis whole(int source, int size) { return {0.0, static_cast<double>(source), 0, source, size, 0}; }

TEST(weights_are_those_of_pillow_by_hand) {
    // 4 pixels to 2 with the triangle: radius 2, centres 1 and 3. Distances of pixel centres from
    // 1: 0.5, 0.5, 1.5, (2.5 is out), so 0.75, 0.75, 0.25 over their sum 1.75.
    AxisWeights weights;
    CHECK(weights.build(whole(4, 2), Filter::bilinear, 1, 1));
    CHECK_EQUAL(weights.first()[0], 0);
    CHECK_NEAR(weights.weights(0)[0], 0.75 / 1.75, 1e-6);
    CHECK_NEAR(weights.weights(0)[2], 0.25 / 1.75, 1e-6);
    CHECK_EQUAL(weights.first()[1], 1);
    CHECK_NEAR(weights.weights(1)[0], 0.25 / 1.75, 1e-6);
}

TEST(cubic_weights_by_hand) {
    // 8 pixels to 16: output 6 has its centre at 3.25. Keys with a = -0.5 at the distances 1.75,
    // 0.75, 0.25 and 1.25 of the pixels 1 to 4.
    AxisWeights weights;
    CHECK(weights.build(whole(8, 16), Filter::bicubic, 1, 1));
    CHECK_EQUAL(weights.first()[6], 1);
    constexpr double expected[] = {-0.0234375, 0.2265625, 0.8671875, -0.0703125};
    for (int k = 0; k < 4; ++k) CHECK_NEAR(weights.weights(6)[k], expected[k], 1e-6);
}

TEST(weights_sum_up_to_one_and_stay_inside) {
    for (const Filter filter : {Filter::bilinear, Filter::bicubic}) {
        for (const int source : {1, 2, 3, 7, 64, 375, 5000}) {
            for (const int size : {1, 2, 5, 224}) {
                AxisWeights weights;
                CHECK(weights.build(whole(source, size), filter, 4, 8));
                CHECK_EQUAL(weights.size() % 8, 0);
                CHECK_EQUAL(weights.taps() % 4, 0);
                for (int i = 0; i < weights.size(); ++i) {
                    const float* values = weights.weights(i);
                    CHECK_NEAR(std::accumulate(values, values + weights.taps(), 0.0), 1.0, 1e-5);
                    CHECK(weights.first()[i] >= 0 && weights.end(i) <= source);
                    CHECK(weights.end(i) - weights.first()[i] <= weights.taps());
                }
            }
        }
    }
}

TEST(the_clip_interval_bounds_what_is_read) {
    AxisWeights weights;
    const Axis axis = {10.0, 30.0, 10, 30, 5, 0};
    CHECK(weights.build(axis, Filter::bicubic, 4, 8));
    CHECK_EQUAL(weights.begin(), 10);
    CHECK_EQUAL(weights.end(), 30);
}

TEST(unchanged_weights_are_kept) {
    AxisWeights weights;
    CHECK(weights.build(whole(100, 50), Filter::bicubic, 4, 8));
    CHECK(!weights.build(whole(100, 50), Filter::bicubic, 4, 8));
    CHECK(weights.build(whole(100, 50), Filter::bilinear, 4, 8));
    CHECK(weights.build(whole(101, 50), Filter::bilinear, 4, 8));
}

TEST(fixed_weights_sum_up_exactly_and_are_close) {
    for (const int source : {1, 3, 50, 375, 5000, 60'000}) {
        AxisWeights exact;
        CHECK(exact.build(whole(source, 224), Filter::bicubic, 4, 8));
        FixedWeights fixed;
        fixed.build(exact);
        CHECK_EQUAL(fixed.one() & (fixed.one() - 1), 0);
        double worst = 0.0;
        for (int i = 0; i < exact.size(); ++i) {
            const std::int16_t* values = fixed.weights() + i * exact.taps();
            CHECK_EQUAL(std::accumulate(values, values + exact.taps(), 0), fixed.one());
            double error = 0.0;
            for (int k = 0; k < exact.taps(); ++k) {
                error += std::abs(values[k] / static_cast<double>(fixed.one()) -
                                  static_cast<double>(exact.weights(i)[k]));
            }
            worst = std::max(worst, error);
        }
        // In levels, were each pixel white where its weight errs upwards and black elsewhere.
        CHECK(worst / 2 * 255 < 0.02);
    }
}

TEST(byte_weights_are_the_fixed_ones_in_two_bytes) {
    for (const int source : {40, 224, 330, 440}) {
        AxisWeights exact;
        CHECK(exact.build(whole(source, 224), Filter::bicubic, lane_taps, lane_pixels));
        FixedWeights fixed;
        fixed.build(exact);
        ByteWeights bytes;
        bytes.build(exact, fixed);
        CHECK(bytes.weights() != nullptr);
        for (int i = 0; i < exact.size(); ++i) {
            const std::int8_t* split = bytes.weights() + 16 * i;
            for (int k = 0; k < exact.taps(); ++k) {
                CHECK_EQUAL(split[k] + 256 * split[8 + k], fixed.weights()[i * exact.taps() + k]);
            }
            for (int k = exact.taps(); k < 8; ++k) CHECK_EQUAL(split[k] | split[8 + k], 0);
        }
    }
}

TEST(byte_order_points_at_the_pixels_of_the_taps) {
    AxisWeights exact;
    CHECK(exact.build(whole(330, 224), Filter::bicubic, lane_taps, lane_pixels));
    FixedWeights fixed;
    fixed.build(exact);
    ByteWeights bytes;
    bytes.build(exact, fixed);
    for (int i = 0; i < exact.size(); ++i) {
        for (int byte = 0; byte < 16; ++byte) {
            const int pixel = exact.first()[i / 4 * 4] + bytes.order()[16 * i + byte] / 4;
            CHECK_EQUAL(pixel, exact.first()[i] + byte % 4);
            CHECK_EQUAL(bytes.order()[16 * i + byte] % 4, byte / 4);
        }
    }
}

TEST(long_filters_have_no_byte_weights) {
    for (const int source : {500, 1200}) {
        AxisWeights exact;
        CHECK(exact.build(whole(source, 224), Filter::bicubic, lane_taps, lane_pixels));
        FixedWeights fixed;
        fixed.build(exact);
        ByteWeights bytes;
        bytes.build(exact, fixed);
        CHECK(bytes.weights() == nullptr);
    }
}

}  // namespace
}  // namespace photic

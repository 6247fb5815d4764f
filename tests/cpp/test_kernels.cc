#include <algorithm>
#include <random>
#include <vector>

#include "check.h"
#include "photic/aligned_buffer.h"
#include "photic/axis_weights.h"
#include "photic/byte_weights.h"
#include "photic/cpu.h"
#include "photic/fixed_weights.h"

namespace photic {
namespace {

constexpr std::size_t plane = 256;

std::vector<std::uint8_t> random_pixels(std::size_t count) {
    std::mt19937 random(7);
    std::vector<std::uint8_t> pixels(count * 4);
    for (std::uint8_t& byte : pixels) byte = static_cast<std::uint8_t>(random());
    return pixels;
}

TEST(filter_row_is_the_sum_by_definition) {
    for (const int source : {1, 5, 40, 300, 330, 440, 500, 580, 700, 3000}) {
        AxisWeights weights;
        CHECK(weights.build({0.0, static_cast<double>(source), 0, source, 224, 0}, Filter::bicubic,
                            lane_taps, lane_pixels));
        FixedWeights fixed;
        fixed.build(weights);
        const auto pixels =
            random_pixels(static_cast<std::size_t>(source + weights.taps() + overread_pixels));
        AlignedBuffer<float> scratch;
        scratch.reserve(pixels.size());
        ByteWeights bytes;
        bytes.build(weights, fixed);
        const RowFilter filter = {
            weights.first(),         fixed.weights(), weights.taps(),  weights.size(),
            source + weights.taps(), scratch.data(),  bytes.weights(), bytes.order()};
        for (const Kernels* kernels : available_kernels()) {
            AlignedBuffer<float> planes;
            planes.reserve(3 * plane);
            kernels->filter_row(pixels.data(), filter, planes.data(), plane);
            for (int i = 0; i < 224; ++i) {
                for (int c = 0; c < 3; ++c) {
                    std::int64_t sum = 0;
                    for (int k = 0; k < filter.taps; ++k) {
                        sum += fixed.weights()[i * filter.taps + k] *
                               pixels[static_cast<std::size_t>((filter.first[i] + k) * 4 + c)];
                    }
                    const float value = planes.data()[static_cast<std::size_t>(c) * plane +
                                                      static_cast<std::size_t>(i)];
                    // 1e-3 of a level, in the filter's units.
                    CHECK_NEAR(value, static_cast<double>(sum), 1e-3 * fixed.one());
                }
            }
        }
    }
}

TEST(sum_rows_clamps_scales_and_writes_no_further) {
    constexpr int count = 7;
    std::mt19937 random(3);
    std::uniform_real_distribution<float> level(-40.0F, 300.0F);
    AlignedBuffer<float> rows[count];
    const float* pointers[count];
    float weights[count];
    for (int k = 0; k < count; ++k) {
        rows[k].reserve(plane);
        for (std::size_t i = 0; i < plane; ++i) rows[k].data()[i] = level(random);
        pointers[k] = rows[k].data();
        weights[k] = k == 0 ? -0.2F : 0.2F;
    }
    const RowSum sum = {pointers, 8, weights, count, 255.0F, 2.0F, -3.0F};
    for (const Kernels* kernels : available_kernels()) {
        for (int size = 1; size <= 100; ++size) {
            std::vector<float> out(static_cast<std::size_t>(size) + 1, -1000.0F);
            kernels->sum_rows(sum, size, out.data());
            for (int i = 0; i < size; ++i) {
                double total = 0.0;
                for (int k = 0; k < count; ++k) total += double{weights[k]} * pointers[k][8 + i];
                const double expected = std::min(std::max(total, 0.0), 255.0) * 2 - 3;
                CHECK_NEAR(out[static_cast<std::size_t>(i)], expected, 1e-3);
            }
            CHECK_EQUAL(out.back(), -1000.0F);
        }
    }
}

TEST(targets_can_be_forced_by_name) {
    for (const Kernels* kernels : available_kernels()) {
        CHECK(force_kernels(kernels->name));
        CHECK_EQUAL(&active_kernels(), kernels);
    }
    CHECK(!force_kernels("sse9"));
    CHECK_EQUAL(&active_kernels(), available_kernels().back());
    CHECK(force_kernels(nullptr));
    CHECK_EQUAL(&active_kernels(), available_kernels().front());
}

}  // namespace
}  // namespace photic

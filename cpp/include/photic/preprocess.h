// The whole pass: JPEG bytes, or pixels, to one row of the model's input.
#pragma once

#include <cstdint>
#include <span>

#include "photic/image_view.h"
#include "photic/jpeg_decoder.h"
#include "photic/limits.h"
#include "photic/plan.h"
#include "photic/resample.h"
#include "photic/status.h"

namespace photic {

// What the header said, and what was made of it.
struct ImageInfo {
    ImageHeader header;     // `orientation` is the one that was applied
    int scale_denominator;  // 1, 2, 4 or 8
};

// Makes rows after one plan; keeps its scratch memory from image to image. For one thread at a
// time.
class Preprocess {
  public:
    // problem(plan) must be null.
    Preprocess(const Plan& plan, const Limits& limits) noexcept : plan_(plan), limits_(limits) {}

    [[nodiscard]] const Plan& plan() const noexcept { return plan_; }

    // JPEG bytes to plan().elements() values at `out`, which is left undefined on an error.
    Status decode(std::span<const std::uint8_t> file, void* out, ImageInfo& info,
                  WhenFull when_full = WhenFull::wait) noexcept;

    // The memory that the last decode() asked for.
    [[nodiscard]] std::int64_t wanted_bytes() const noexcept { return decoder_.wanted_bytes(); }

    // The same from pixels whose upright view is `orientation`, 1 to 8.
    Status resample(const ImageView& image, int orientation, void* out, ImageInfo& info) noexcept;

  private:
    Status decode_rows(std::span<const std::uint8_t> file, void* out, ImageInfo& info,
                       WhenFull when_full);
    void resample_rows(const ImageView& image, int orientation, void* out);

    Plan plan_;
    Limits limits_;
    JpegDecoder decoder_;
    Resampler resampler_;
    AlignedBuffer<std::uint8_t> row_;
};

}  // namespace photic

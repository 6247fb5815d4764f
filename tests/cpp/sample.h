// JPEG files and plans for tests, made on the spot.
#pragma once

#include <cstdint>
#include <vector>

#include "photic/limits.h"
#include "photic/plan.h"

namespace photic::testing {

using Bytes = std::vector<std::uint8_t>;

struct SampleOptions {
    int width = 64;
    int height = 48;
    int components = 3;  // 1 gray, 3 colour, 4 CMYK
    int h_factor = 2;    // of the first component; the others have 1
    int v_factor = 2;
    int quality = 90;
    int restart_rows = 0;
    int restart_mcus = 0;
    bool optimized = false;  // Huffman tables of its own
    bool progressive = false;
    bool arithmetic = false;
    bool interleaved = true;
    int orientation = 0;  // 0 writes no EXIF
};

// A picture with edges and texture, encoded.
Bytes sample_jpeg(const SampleOptions& options);

// A segment's content: an EXIF block with the orientation as a SHORT.
Bytes exif_segment(int orientation);

// Limits that nothing reasonable meets.
Limits wide_limits();

// Crop to `size` after resizing the short side to `resize`; levels as they are, float32 NHWC.
Plan crop_plan(int size, int resize);

}  // namespace photic::testing

// One decode with the fast Huffman decoder and one without: nothing may differ.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sample.h"

namespace photic::testing {

struct DecodeOptions {
    int denominator = 1;
    bool crop = false;  // the middle, of a ninth of the area
    bool reject_truncated = true;
};

// Whether both give the same pixels, and the same code and words when they refuse; else says what
// differs and of which file.
bool same_both_ways(std::span<const std::uint8_t> file, const DecodeOptions& options,
                    std::string_view name);

// The same for all sizes, whole and cropped, with damage refused and repaired.
bool same_in_all_ways(std::span<const std::uint8_t> file, std::string_view name);

}  // namespace photic::testing

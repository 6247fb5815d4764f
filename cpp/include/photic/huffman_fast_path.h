// A faster Huffman decoder inside libjpeg, for data in which nothing is unusual.
#pragma once

#include <array>

#include "photic/huffman_mcu.h"

namespace photic {

// Takes the place of libjpeg's function that decodes an MCU. Whatever is not plain good data, such
// as restart markers, the end of the data, and every kind of damage, is left to that function, MCU
// by MCU: the same pixels and the same warnings come out, only sooner.
class HuffmanFastPath {
  public:
    // Installs `decode_mcu`, which must call decode(), where this decompressor has a decoder of the
    // known kind; else changes nothing. After jpeg_start_decompress() of a file of a single scan,
    // before its first row. Only columns of MCUs [first, end) will be wanted.
    void install(j_decompress_ptr decompressor, DecodeMcu decode_mcu, int first, int end) noexcept;

    // What libjpeg asks of its decode_mcu.
    boolean decode(j_decompress_ptr decompressor, JBLOCKROW* blocks) noexcept;

  private:
    void build_layout(const jpeg_decompress_struct& frame) noexcept;

    std::array<HuffmanTable, NUM_HUFF_TBLS> dc_;
    std::array<HuffmanTable, NUM_HUFF_TBLS> ac_;
    McuLayout layout_ = {};
    DecodeMcu original_ = nullptr;
    DecodeUsualMcu decode_usual_ = nullptr;
    int column_ = 0;  // of the next MCU
    int columns_ = 0;
    int first_ = 0;
    int end_ = 0;
};

// Whether files that are opened from now on use it, in all decoders of the process; they do unless
// told otherwise. For tests: no result may depend on it.
void use_huffman_fast_path(bool use) noexcept;

}  // namespace photic

// The decoding of one MCU of a sequential JPEG: the hot loop of huffman_fast_path.h.
#pragma once

#include <array>
#include <cstdint>

#include "photic/huffman_table.h"
#include "photic/libjpeg_private.h"

namespace photic {

// What the MCUs of a scan consist of.
struct McuLayout {
    struct Block {
        const HuffmanTable* dc;
        const HuffmanTable* ac;
        int component;  // in the scan
        bool dc_only;
    };
    std::array<Block, D_MAX_BLOCKS_IN_MCU> blocks;
    int count;
};

// Decodes the MCU that stands at `huffman` and `source` into blocks of zeros, which may be null
// when nobody wants them, and moves both to the next MCU. False, with nothing changed but the
// blocks, when the data are not entirely usual or end soon.
using DecodeUsualMcu = bool (*)(const McuLayout& layout, LibjpegHuffman& huffman,
                                jpeg_source_mgr& source, JBLOCKROW* blocks) noexcept;

// The fastest for this CPU; the portable one where the kernels in use are.
[[nodiscard]] DecodeUsualMcu usual_mcu_decoder() noexcept;

}  // namespace photic

// What libjpeg-turbo's sequential Huffman decoder remembers, which its headers do not tell.
// Mirrors huff_entropy_decoder of jdhuff.c, read in 2.1.5 and in the 3.1 line, where it is the
// same. Nobody relies on it before matches() has compared it with what libjpeg must have written.
#pragma once

#include <cstdint>

#include "photic/libjpeg.h"

#if defined(__LP64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
    LIBJPEG_TURBO_VERSION_NUMBER >= 2001000 && LIBJPEG_TURBO_VERSION_NUMBER < 3002000
#define PHOTIC_KNOWS_LIBJPEG_HUFFMAN 1
#else
#define PHOTIC_KNOWS_LIBJPEG_HUFFMAN 0
#endif

namespace photic {

using DecodeMcu = boolean (*)(j_decompress_ptr decompressor, JBLOCKROW* blocks);

struct LibjpegHuffman {
    void (*start_pass)(j_decompress_ptr decompressor);
    DecodeMcu decode_mcu;
    boolean insufficient_data;  // the data ended, and a warning said so

    // Of the next MCU.
    struct {
        std::uint64_t bits;  // read, not used; the lowest `bits_left` of it
        int bits_left;
    } reader;
    int last_dc[MAX_COMPS_IN_SCAN];
    unsigned restarts_to_go;  // MCUs until the next restart marker

    const void* dc_tables[NUM_HUFF_TBLS];
    const void* ac_tables[NUM_HUFF_TBLS];
    const void* block_dc_tables[D_MAX_BLOCKS_IN_MCU];
    const void* block_ac_tables[D_MAX_BLOCKS_IN_MCU];
    boolean dc_needed[D_MAX_BLOCKS_IN_MCU];
    boolean ac_needed[D_MAX_BLOCKS_IN_MCU];
};

// Whether a decompressor before its first MCU has such a decoder: every field has its first value,
// and each pointer to a table stands where it must.
[[nodiscard]] bool matches(const jpeg_decompress_struct& decompressor) noexcept;

// The decoder of a decompressor that matches().
[[nodiscard]] inline LibjpegHuffman& huffman_of(j_decompress_ptr decompressor) noexcept {
    return *reinterpret_cast<LibjpegHuffman*>(decompressor->entropy);
}

}  // namespace photic

#include "photic/libjpeg_private.h"

namespace photic {
namespace {

int scaled_size(const jpeg_component_info& component) noexcept {
#if JPEG_LIB_VERSION >= 70
    return component.DCT_h_scaled_size;
#else
    return component.DCT_scaled_size;
#endif
}

bool is_at_start(const LibjpegHuffman& huffman, const jpeg_decompress_struct& frame) noexcept {
    if (huffman.insufficient_data || huffman.reader.bits != 0 || huffman.reader.bits_left != 0)
        return false;
    for (int i = 0; i < frame.comps_in_scan; ++i) {
        if (huffman.last_dc[i] != 0) return false;
    }
    return huffman.restarts_to_go == frame.restart_interval;
}

bool has_tables(const LibjpegHuffman& huffman, const jpeg_decompress_struct& frame) noexcept {
    for (int i = 0; i < frame.blocks_in_MCU; ++i) {
        const jpeg_component_info& component = *frame.cur_comp_info[frame.MCU_membership[i]];
        const void* dc = huffman.dc_tables[component.dc_tbl_no];
        const void* ac = huffman.ac_tables[component.ac_tbl_no];
        const bool whole = scaled_size(component) > 1;
        if (dc == nullptr || ac == nullptr || dc == ac) return false;
        if (huffman.block_dc_tables[i] != dc || huffman.block_ac_tables[i] != ac) return false;
        if (huffman.dc_needed[i] != TRUE || huffman.ac_needed[i] != (whole ? TRUE : FALSE)) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool matches(const jpeg_decompress_struct& decompressor) noexcept {
    const auto& huffman = *reinterpret_cast<const LibjpegHuffman*>(decompressor.entropy);
    return is_at_start(huffman, decompressor) && has_tables(huffman, decompressor);
}

}  // namespace photic

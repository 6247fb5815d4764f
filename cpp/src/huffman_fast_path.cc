#include "photic/huffman_fast_path.h"

#include <atomic>
#include <cstring>

namespace photic {
namespace {

std::atomic<bool> in_use = true;

// A vector register of any CPU; an extension that GCC and Clang share.
using Lanes = std::int8_t __attribute__((vector_size(16)));

Lanes load(const std::uint8_t* bytes) noexcept {
    Lanes lanes;
    std::memcpy(&lanes, bytes, sizeof lanes);
    return lanes;
}

constexpr int scan_bytes = 256;

// Whether FF stands before anything but 00 in so many bytes, and one more.
bool has_marker(const std::uint8_t* bytes) noexcept {
    Lanes found = {};
    for (int i = 0; i < scan_bytes; i += 16) {
        const Lanes escaped = load(bytes + i) == -1;
        found |= escaped & load(bytes + i + 1);
    }
    std::uint64_t halves[2];
    std::memcpy(halves, &found, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

// FF FF 00 in the data is against the standard, but libjpeg takes it for one byte FF. What it makes
// of the MCU around it depends on how far it happened to read ahead, so it has such files alone.
// (With restart markers it has not.) What stands behind a marker is not decoded.
bool has_fill_bytes(const jpeg_decompress_struct& frame) noexcept {
    if (frame.restart_interval != 0) return false;
    const std::uint8_t* at = frame.src->next_input_byte;
    const std::uint8_t* const end = at + frame.src->bytes_in_buffer;
    while (end - at > scan_bytes && !has_marker(at)) at += scan_bytes;
    for (; end - at > 1; ++at) {
        if (at[0] == 0xFF && at[1] != 0) return at[1] == 0xFF;
    }
    return false;
}

bool is_known(const jpeg_decompress_struct& frame) noexcept {
#if PHOTIC_KNOWS_LIBJPEG_HUFFMAN
    return !frame.progressive_mode && !frame.arith_code && frame.data_precision == 8 &&
           matches(frame);
#else
    static_cast<void>(frame);
    return false;
#endif
}

}  // namespace

void use_huffman_fast_path(bool use) noexcept { in_use = use; }

void HuffmanFastPath::install(j_decompress_ptr decompressor, DecodeMcu decode_mcu, int first,
                              int end) noexcept {
    if (!in_use.load(std::memory_order_relaxed) || !is_known(*decompressor)) return;
    if (has_fill_bytes(*decompressor)) return;
    build_layout(*decompressor);
    decode_usual_ = usual_mcu_decoder();
    column_ = 0;
    columns_ = static_cast<int>(decompressor->MCUs_per_row);
    first_ = first;
    end_ = end;
    LibjpegHuffman& huffman = huffman_of(decompressor);
    original_ = huffman.decode_mcu;
    huffman.decode_mcu = decode_mcu;
}

void HuffmanFastPath::build_layout(const jpeg_decompress_struct& frame) noexcept {
    const LibjpegHuffman& huffman = *reinterpret_cast<const LibjpegHuffman*>(frame.entropy);
    layout_.count = frame.blocks_in_MCU;
    for (int i = 0; i < frame.blocks_in_MCU; ++i) {
        const int in_scan = frame.MCU_membership[i];
        const jpeg_component_info& component = *frame.cur_comp_info[in_scan];
        HuffmanTable& dc = dc_[static_cast<std::size_t>(component.dc_tbl_no)];
        HuffmanTable& ac = ac_[static_cast<std::size_t>(component.ac_tbl_no)];
        dc.build(*frame.dc_huff_tbl_ptrs[component.dc_tbl_no], false);
        ac.build(*frame.ac_huff_tbl_ptrs[component.ac_tbl_no], true);
        layout_.blocks[static_cast<std::size_t>(i)] = {&dc, &ac, in_scan, !huffman.ac_needed[i]};
    }
}

boolean HuffmanFastPath::decode(j_decompress_ptr decompressor, JBLOCKROW* blocks) noexcept {
    const int column = column_;
    column_ = column + 1 == columns_ ? 0 : column + 1;
    LibjpegHuffman& huffman = huffman_of(decompressor);
    const bool restarts = decompressor->restart_interval != 0;
    const bool usual = !huffman.insufficient_data && decompressor->unread_marker == 0 &&
                       !(restarts && huffman.restarts_to_go == 0);
    if (usual) {
        const bool wanted = column >= first_ && column < end_;
        if (decode_usual_(layout_, huffman, *decompressor->src, wanted ? blocks : nullptr)) {
            if (restarts) --huffman.restarts_to_go;
            return TRUE;
        }
        for (int i = 0; wanted && blocks != nullptr && i < layout_.count; ++i) {
            std::memset(blocks[i], 0, sizeof(JBLOCK));
        }
    }
    return original_(decompressor, blocks);
}

}  // namespace photic

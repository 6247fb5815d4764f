#include "photic/huffman_mcu.h"

#include <cstring>

#include "photic/cpu.h"

#define PHOTIC_INLINE [[gnu::always_inline]] inline

namespace photic {
namespace {

using Table = HuffmanTable;
using Entry = HuffmanTable::Entry;

// Bits of the longest code, so that it can be looked up; its value's are asked for when it is
// known.
constexpr int code_bits = 16;

// So near to the end of the data, libjpeg decodes: it knows what to make of missing bytes.
constexpr std::size_t tail_bytes = 512;

// Where the k-th coefficient of the file stands in a block; some more, which overflow() refuses.
constexpr std::uint8_t natural_order[80] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33,
    40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36,
    29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63};
constexpr int last = DCTSIZE2 - 1;

// The bits to come, from the highest. Beyond the `count` that are there, some more may stand
// already, which the next refill will find again.
struct Reader {
    std::uint64_t bits;
    int count;
    int missing;  // how many of them, at the end, are made up: a marker stands there
    const std::uint8_t* next;
    const std::uint8_t* end;

    PHOTIC_INLINE void drop(int number) noexcept {
        bits <<= number;
        count -= number;
    }
};

Reader open(const LibjpegHuffman& huffman, const jpeg_source_mgr& source) noexcept {
    const int count = huffman.reader.bits_left;
    return {count == 0 ? 0 : huffman.reader.bits << (64 - count), count, 0, source.next_input_byte,
            source.next_input_byte + source.bytes_in_buffer};
}

// Byte by byte: FF 00 is a byte FF, and FF before anything else the end of the data.
[[gnu::noinline]] Reader refill_bytes(Reader reader) noexcept {
    while (reader.count <= 55) {
        const std::ptrdiff_t left = reader.end - reader.next;
        const bool escape = left > 0 && *reader.next == 0xFF;
        if (left == 0 || (escape && (left == 1 || reader.next[1] != 0))) {
            reader.missing += 8;
        } else {
            reader.bits |= std::uint64_t{*reader.next} << (56 - reader.count);
            reader.next += escape ? 2 : 1;
        }
        reader.count += 8;
    }
    return reader;
}

// Makes sure of `bits`, at most 56, bits.
PHOTIC_INLINE void require(Reader& reader, int bits) noexcept {
    if (reader.count >= bits) return;
    if (reader.end - reader.next >= 8) [[likely]] {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, reader.next, sizeof bytes);
        constexpr std::uint64_t ones = 0x0101010101010101;
        // No byte is FF.
        if (((~bytes - ones) & bytes & (ones << 7)) == 0) [[likely]] {
            reader.bits |= __builtin_bswap64(bytes) >> reader.count;
            reader.next += (63 - reader.count) >> 3;
            reader.count |= 56;
            return;
        }
    }
    reader = refill_bytes(reader);
}

// The value behind a code: `size` bits, whose first tells the sign. 0 for no bits.
PHOTIC_INLINE int value(std::uint64_t bits, Entry entry) noexcept {
    const std::uint64_t behind = bits << Table::code_bits(entry);
    const auto negative = static_cast<std::uint64_t>(static_cast<std::int64_t>(~behind) >> 63);
    const int magnitude = static_cast<int>((behind ^ negative) >> 1 >> (63 - Table::size(entry)));
    const auto sign = static_cast<int>(negative);
    return (magnitude ^ sign) - sign;
}

// The symbol that comes; 0 for none.
PHOTIC_INLINE Entry find(const Table& table, Reader& reader) noexcept {
    require(reader, code_bits);
    const Entry entry = table.find(reader.bits);
    return entry != 0 ? entry : table.find_long(reader.bits);
}

PHOTIC_INLINE bool decode_dc(const Table& table, Reader& reader, int& dc) noexcept {
    const Entry entry = find(table, reader);
    if (entry == 0) return false;
    require(reader, Table::bits(entry));
    const int difference = value(reader.bits, entry);
    reader.drop(Table::bits(entry));
    return !__builtin_add_overflow(dc, difference, &dc);
}

PHOTIC_INLINE bool decode_ac(const Table& table, Reader& reader, JCOEF* block) noexcept {
    int k = 0;
    while (k < last) {
        require(reader, code_bits);
        Entry entry = table.find(reader.bits);
        if (Table::is_zero(entry)) {
            if (entry == 0) {
                entry = table.find_long(reader.bits);
                if (entry == 0) return false;
            }
            if (Table::is_zero(entry)) {
                reader.drop(Table::bits(entry));
                if (Table::step(entry) == 0) return true;
                k += Table::step(entry);
                continue;
            }
        }
        k += Table::step(entry);
        require(reader, Table::bits(entry));
        block[natural_order[k]] = static_cast<JCOEF>(value(reader.bits, entry));
        reader.drop(Table::bits(entry));
    }
    return k == last;
}

PHOTIC_INLINE bool skip_ac(const Table& table, Reader& reader) noexcept {
    int k = 0;
    while (k < last) {
        require(reader, code_bits);
        const Table::Leap leap = table.leap(reader.bits);
        if (leap != 0 && k + Table::leap_steps(leap) < last) [[likely]] {
            require(reader, Table::leap_bits(leap));
            reader.drop(Table::leap_bits(leap));
            k += Table::leap_steps(leap);
            if (Table::leap_ends(leap)) return true;
            continue;
        }
        const Entry entry = find(table, reader);
        if (entry == 0) return false;
        require(reader, Table::bits(entry));
        reader.drop(Table::bits(entry));
        if (Table::step(entry) == 0) return true;
        k += Table::step(entry);
    }
    return k == last;
}

PHOTIC_INLINE bool decode_blocks(const McuLayout& layout, Reader& reader, int* dc,
                                 JBLOCKROW* blocks) noexcept {
    for (int i = 0; i < layout.count; ++i) {
        const McuLayout::Block& block = layout.blocks[static_cast<std::size_t>(i)];
        int& predicted = dc[block.component];
        if (!decode_dc(*block.dc, reader, predicted)) return false;
        if (blocks != nullptr) blocks[i][0][0] = static_cast<JCOEF>(predicted);
        const bool whole = blocks != nullptr && !block.dc_only;
        if (!(whole ? decode_ac(*block.ac, reader, blocks[i][0]) : skip_ac(*block.ac, reader))) {
            return false;
        }
    }
    return reader.count >= reader.missing;
}

PHOTIC_INLINE bool decode_mcu(const McuLayout& layout, LibjpegHuffman& huffman,
                              jpeg_source_mgr& source, JBLOCKROW* blocks) noexcept {
    if (source.bytes_in_buffer < tail_bytes) return false;
    Reader reader = open(huffman, source);
    int dc[MAX_COMPS_IN_SCAN];
    std::memcpy(dc, huffman.last_dc, sizeof dc);
    if (!decode_blocks(layout, reader, dc, blocks)) return false;
    std::memcpy(huffman.last_dc, dc, sizeof dc);
    const int count = reader.count - reader.missing;
    huffman.reader.bits = count == 0 ? 0 : reader.bits >> (64 - count);
    huffman.reader.bits_left = count;
    source.bytes_in_buffer = static_cast<std::size_t>(reader.end - reader.next);
    source.next_input_byte = reader.next;
    return true;
}

bool decode_portably(const McuLayout& layout, LibjpegHuffman& huffman, jpeg_source_mgr& source,
                     JBLOCKROW* blocks) noexcept {
    return decode_mcu(layout, huffman, source, blocks);
}

#if defined(__x86_64__)
// Shifts by any register, and without flags.
__attribute__((target("bmi,bmi2"))) bool decode_with_bmi2(const McuLayout& layout,
                                                          LibjpegHuffman& huffman,
                                                          jpeg_source_mgr& source,
                                                          JBLOCKROW* blocks) noexcept {
    return decode_mcu(layout, huffman, source, blocks);
}
#endif

}  // namespace

DecodeUsualMcu usual_mcu_decoder() noexcept {
#if defined(__x86_64__)
    const bool has_bmi2 = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (has_bmi2 && &active_kernels() != &baseline_kernels) return decode_with_bmi2;
#endif
    return decode_portably;
}

}  // namespace photic

#include <algorithm>
#include <cstring>
#include <vector>

#include "check.h"
#include "photic/huffman_table.h"

namespace photic {
namespace {

// Codes of every length: one each, but two of the last, as many symbols as that makes.
JHUFF_TBL long_code() {
    JHUFF_TBL definition = {};
    for (int length = 1; length <= 16; ++length) definition.bits[length] = 1;
    definition.bits[16] = 2;
    constexpr std::uint8_t symbols[] = {0x01, 0x00, 0x02, 0xF0, 0x11, 0x03, 0x21, 0x04, 0x31,
                                        0x05, 0x41, 0x06, 0x51, 0x0A, 0x61, 0xA3, 0xFA};
    std::copy(std::begin(symbols), std::end(symbols), definition.huffval);
    return definition;
}

struct Symbol {
    int length;
    int symbol;
};

// By definition (T.81, F.2.2.3): bit after bit, until the number is a code of its length.
Symbol decode(const JHUFF_TBL& definition, std::uint64_t bits) {
    unsigned code = 0;
    unsigned first = 0;
    int index = 0;
    for (int length = 1; length <= 16; ++length) {
        code = code << 1 | static_cast<unsigned>(bits >> (64 - length) & 1);
        first <<= 1;
        const unsigned count = definition.bits[length];
        if (code - first < count) return {length, definition.huffval[index + int(code - first)]};
        index += static_cast<int>(count);
        first += count;
    }
    return {0, 0};
}

void check_entry(HuffmanTable::Entry entry, Symbol expected) {
    const int size = expected.symbol & 15;
    CHECK_EQUAL(HuffmanTable::code_bits(entry), expected.length);
    CHECK_EQUAL(HuffmanTable::bits(entry), expected.length + size);
    CHECK_EQUAL(HuffmanTable::size(entry), size);
    const bool ends = size == 0 && expected.symbol != 0xF0;
    CHECK_EQUAL(HuffmanTable::step(entry), ends ? 0 : (expected.symbol >> 4) + 1);
}

TEST(every_code_is_found_as_by_definition) {
    const JHUFF_TBL definition = long_code();
    HuffmanTable table;
    table.build(definition, true);
    for (std::uint64_t head = 0; head < 1 << 16; ++head) {
        const std::uint64_t bits = head << 48;
        const Symbol expected = decode(definition, bits);
        if (expected.length <= HuffmanTable::look && expected.length > 0) {
            check_entry(table.find(bits), expected);
        } else {
            CHECK_EQUAL(table.find(bits), 0U);
            const HuffmanTable::Entry entry = table.find_long(bits);
            if (expected.length == 0) CHECK_EQUAL(entry, 0U);
            if (expected.length != 0) check_entry(entry, expected);
        }
    }
}

TEST(a_leap_is_the_codes_that_begin_in_its_bits) {
    const JHUFF_TBL definition = long_code();
    HuffmanTable table;
    table.build(definition, true);
    for (std::uint64_t head = 0; head < 1 << HuffmanTable::look; ++head) {
        const std::uint64_t bits = head << (64 - HuffmanTable::look);
        const HuffmanTable::Leap leap = table.leap(bits);
        int used = 0;
        int steps = 0;
        bool ends = false;
        while (!ends && used < HuffmanTable::look) {
            const Symbol next = decode(definition, bits << used);
            if (next.length == 0 || used + next.length > HuffmanTable::look) break;
            used += next.length + (next.symbol & 15);
            ends = next.symbol == 0;
            steps += ends ? 0 : (next.symbol >> 4) + 1;
        }
        CHECK_EQUAL(HuffmanTable::leap_bits(leap), used);
        CHECK_EQUAL(HuffmanTable::leap_steps(leap), steps);
        CHECK_EQUAL(HuffmanTable::leap_ends(leap), ends);
    }
}

TEST(a_code_without_symbols_finds_nothing) {
    const JHUFF_TBL definition = {};
    HuffmanTable table;
    table.build(definition, true);
    CHECK_EQUAL(table.find(0), 0U);
    CHECK_EQUAL(table.find_long(0), 0U);
    CHECK_EQUAL(table.leap(0), 0U);
    table.build(long_code(), true);
    table.build(definition, true);
    CHECK_EQUAL(table.find(0), 0U);
    CHECK_EQUAL(table.find_long(0), 0U);
    CHECK_EQUAL(table.leap(0), 0U);
}

}  // namespace
}  // namespace photic

#include "photic/huffman_table.h"

#include <algorithm>
#include <iterator>

namespace photic {
namespace {

constexpr int longest = 16;
constexpr int zero_run = 0xF0;  // 16 zeros; every other symbol without a value ends the block

HuffmanTable::Entry entry_of(int symbol, int length) noexcept {
    const int size = symbol & 15;
    const int step = size != 0 || symbol == zero_run ? (symbol >> 4) + 1 : 0;
    return static_cast<HuffmanTable::Entry>((length + size) | length << 8 | size << 16 |
                                            step << 24);
}

}  // namespace

bool HuffmanTable::is_made_of(const JHUFF_TBL& definition) const noexcept {
    return std::equal(counts_.begin() + 1, counts_.end(), definition.bits + 1) &&
           std::equal(symbols_.begin(), symbols_.end(), definition.huffval);
}

void HuffmanTable::build(const JHUFF_TBL& definition, bool leaps) noexcept {
    if (is_made_of(definition)) return;
    std::copy(std::begin(definition.bits), std::end(definition.bits), counts_.begin());
    std::copy(std::begin(definition.huffval), std::end(definition.huffval), symbols_.begin());
    short_.fill(0);
    std::uint32_t code = 0;
    int symbol = 0;
    for (int length = 1; length <= longest; ++length) {
        const auto at = static_cast<std::size_t>(length);
        first_symbol_[at] = symbol - static_cast<int>(code);
        for (int left = counts_[at]; left > 0; --left, ++symbol, ++code) {
            if (length > look) continue;
            const Entry entry = entry_of(symbols_[static_cast<std::size_t>(symbol)], length);
            std::fill_n(short_.begin() + (code << (look - length)), 1 << (look - length), entry);
        }
        limits_[at] = code << (longest - length);
        code <<= 1;
    }
    if (leaps) build_leaps();
}

void HuffmanTable::build_leaps() noexcept {
    for (std::uint32_t head = 0; head < leaps_.size(); ++head) {
        int used = 0;
        int steps = 0;
        bool ends = false;
        while (used < look && !ends) {
            const Entry entry = short_[head << used & (leaps_.size() - 1)];
            // A code is known when all its bits are.
            if (entry == 0 || used + code_bits(entry) > look) break;
            used += bits(entry);
            steps += step(entry);
            ends = step(entry) == 0;
        }
        leaps_[head] = static_cast<Leap>(used | (ends ? 0x100 : 0) | steps << 16);
    }
}

HuffmanTable::Entry HuffmanTable::find_long(std::uint64_t bits) const noexcept {
    const auto head = static_cast<std::uint32_t>(bits >> (64 - longest));
    for (int length = look + 1; length <= longest; ++length) {
        const auto at = static_cast<std::size_t>(length);
        if (head >= limits_[at]) continue;
        const int symbol = static_cast<int>(head >> (longest - length)) + first_symbol_[at];
        return entry_of(symbols_[static_cast<std::size_t>(symbol)], length);
    }
    return 0;
}

}  // namespace photic

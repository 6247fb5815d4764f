// A Huffman code of a JPEG file, spread out so that one lookup tells all about a symbol.
#pragma once

#include <array>
#include <cstdint>

#include "photic/libjpeg.h"

namespace photic {

// A symbol stands before a value of `size` bits. For AC coefficients it also says how many zeros
// come before that value.
class HuffmanTable {
  public:
    // A code and its value: its bits in all, those of the code, those of the value, and how many
    // coefficients it brings; a byte each, from the lowest. 0 in all: no code of `look` bits.
    using Entry = std::uint32_t;
    static constexpr int look = 10;

    static constexpr int bits(Entry entry) noexcept { return static_cast<int>(entry & 0xFF); }
    static constexpr int code_bits(Entry entry) noexcept {
        return static_cast<int>(entry >> 8 & 0xFF);
    }
    static constexpr bool is_zero(Entry entry) noexcept { return (entry & 0xFF0000) == 0; }
    static constexpr int size(Entry entry) noexcept { return static_cast<int>(entry >> 16 & 0xFF); }
    // 0: the block's rest is zero.
    static constexpr int step(Entry entry) noexcept { return static_cast<int>(entry >> 24); }

    // As many codes with their values as begin in `look` bits, to be passed over: their bits in the
    // low byte, then whether the last ended the block, then how many coefficients they bring.
    using Leap = std::uint32_t;
    static constexpr int leap_bits(Leap leap) noexcept { return static_cast<int>(leap & 0xFF); }
    static constexpr bool leap_ends(Leap leap) noexcept { return (leap & 0x100) != 0; }
    static constexpr int leap_steps(Leap leap) noexcept { return static_cast<int>(leap >> 16); }

    // Makes the table, unless it is that of the last call. libjpeg has checked the definition.
    // Without `leaps`, leap() finds nothing.
    void build(const JHUFF_TBL& definition, bool leaps) noexcept;

    // The symbol at the head of `bits`, whose highest bit comes first.
    [[nodiscard]] Entry find(std::uint64_t bits) const noexcept {
        return short_[bits >> (64 - look)];
    }
    // The same where find() gives 0; 0 for no code at all.
    [[nodiscard]] Entry find_long(std::uint64_t bits) const noexcept;

    [[nodiscard]] Leap leap(std::uint64_t bits) const noexcept {
        return leaps_[bits >> (64 - look)];
    }

  private:
    [[nodiscard]] bool is_made_of(const JHUFF_TBL& definition) const noexcept;
    void build_leaps() noexcept;

    // All of it is that of the code without symbols, which files may have.
    std::array<Entry, 1 << look> short_ = {};
    std::array<Leap, 1 << look> leaps_ = {};
    // Of the codes of each length, moved up to 16 bits: one beyond the last.
    std::array<std::uint32_t, 17> limits_ = {};
    std::array<int, 17> first_symbol_ = {};  // minus the first code of that length
    std::array<std::uint8_t, 17> counts_ = {};
    std::array<std::uint8_t, 256> symbols_ = {};
};

}  // namespace photic

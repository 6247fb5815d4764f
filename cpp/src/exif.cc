#include "photic/exif.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace photic {
namespace {

constexpr std::uint8_t signature[] = {'E', 'x', 'i', 'f', 0, 0};
constexpr std::size_t entry_bytes = 12;
constexpr std::uint32_t orientation_tag = 0x0112;

// Bytes of one value of a TIFF type; 0 for types that are not integers.
std::size_t integer_bytes(std::uint32_t type) noexcept {
    switch (type) {
        case 1:
        case 6:
            return 1;  // BYTE, SBYTE
        case 3:
        case 8:
            return 2;  // SHORT, SSHORT
        case 4:
        case 9:
            return 4;  // LONG, SLONG
        default:
            return 0;
    }
}

// Reads integers at checked offsets. An offset beyond the end gives 0.
class TiffReader {
  public:
    explicit TiffReader(std::span<const std::uint8_t> bytes) noexcept
        : bytes_(bytes), little_endian_(bytes.size() >= 2 && bytes[0] == 'I') {}

    [[nodiscard]] std::uint32_t read(std::size_t offset, std::size_t size) const noexcept {
        if (offset > bytes_.size() || size > bytes_.size() - offset) return 0;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            value = value << 8 | bytes_[offset + (little_endian_ ? size - 1 - i : i)];
        }
        return value;
    }

    [[nodiscard]] bool has_header() const noexcept {
        const bool order =
            bytes_.size() >= 8 && bytes_[0] == bytes_[1] && (bytes_[0] == 'I' || bytes_[0] == 'M');
        return order && read(2, 2) == 42;
    }

    // The first value of the entry at `offset`, which stands in the entry if it fits, else
    // elsewhere.
    [[nodiscard]] std::uint32_t entry_value(std::size_t offset) const noexcept {
        const std::size_t size = integer_bytes(read(offset + 2, 2));
        const std::uint32_t count = read(offset + 4, 4);
        if (size == 0 || count == 0) return 0;
        const bool fits = count <= 4 / size;
        return read(fits ? offset + 8 : read(offset + 8, 4), size);
    }

  private:
    std::span<const std::uint8_t> bytes_;
    bool little_endian_;
};

}  // namespace

bool is_exif(std::span<const std::uint8_t> segment) noexcept {
    return segment.size() >= sizeof signature &&
           std::memcmp(segment.data(), signature, sizeof signature) == 0;
}

int exif_orientation(std::span<const std::uint8_t> segment) noexcept {
    const TiffReader tiff(segment.subspan(sizeof signature));
    if (!tiff.has_header()) return 1;
    const std::size_t directory = tiff.read(4, 4);
    const std::uint32_t entries = tiff.read(directory, 2);
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + i * entry_bytes;
        if (tiff.read(entry, 2) != orientation_tag) continue;
        const std::uint32_t value = tiff.entry_value(entry);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

}  // namespace photic

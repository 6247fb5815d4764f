#include "check.h"
#include "photic/exif.h"
#include "sample.h"

namespace photic {
namespace {

using testing::Bytes;

// An EXIF segment whose only entry is the orientation.
Bytes segment(bool little, int type, std::uint32_t count, std::uint32_t value) {
    Bytes bytes = {'E', 'x', 'i', 'f', 0, 0};
    const auto put = [&](std::uint32_t number, int size) {
        for (int i = 0; i < size; ++i) {
            bytes.push_back(static_cast<std::uint8_t>(number >> 8 * (little ? i : size - 1 - i)));
        }
    };
    bytes.insert(bytes.end(), 2, little ? 'I' : 'M');
    put(42, 2);
    put(8, 4);
    put(1, 2);
    put(0x0112, 2);
    put(static_cast<std::uint32_t>(type), 2);
    put(count, 4);
    const int size = type == 1 || type == 6 ? 1 : type == 3 || type == 8 ? 2 : 4;
    put(value, size);
    put(0, 4 - size);
    put(0, 4);
    return bytes;
}

TEST(reads_every_integer_type_in_both_byte_orders) {
    for (const bool little : {true, false}) {
        for (const int type : {1, 3, 4, 6, 8, 9}) {
            for (std::uint32_t value = 1; value <= 8; ++value) {
                CHECK_EQUAL(exif_orientation(segment(little, type, 1, value)),
                            static_cast<int>(value));
            }
        }
    }
}

TEST(takes_invalid_values_and_types_for_1) {
    for (const std::uint32_t value : {0U, 9U, 255U, 65'535U}) {
        CHECK_EQUAL(exif_orientation(segment(true, 3, 1, value)), 1);
    }
    CHECK_EQUAL(exif_orientation(segment(true, 4, 1, 0xFFFFFFFF)), 1);
    for (const int type : {0, 2, 5, 7, 10, 11, 12, 13, 255}) {
        CHECK_EQUAL(exif_orientation(segment(true, type, 1, 6)), 1);
    }
    CHECK_EQUAL(exif_orientation(segment(true, 3, 0, 6)), 1);
}

TEST(follows_the_offset_of_several_values_only_inside_the_segment) {
    Bytes far = segment(true, 3, 3, 0);
    far[24] = 26;  // the value's offset, counted from the byte order mark
    far.insert(far.end(), {6, 0});
    CHECK_EQUAL(exif_orientation(far), 6);
    for (const int offset : {27, 28, 200, 255}) {
        far[24] = static_cast<std::uint8_t>(offset);
        CHECK_EQUAL(exif_orientation(far), 1);
    }
}

TEST(takes_every_cut_for_1) {
    const Bytes whole = segment(true, 3, 1, 6);
    for (std::size_t size = 6; size < 25; ++size) {
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK_EQUAL(exif_orientation(cut), 1);
    }
}

TEST(takes_broken_headers_for_1) {
    Bytes bytes = segment(true, 3, 1, 6);
    bytes[8] = 43;
    CHECK_EQUAL(exif_orientation(bytes), 1);
    bytes = segment(true, 3, 1, 6);
    bytes[7] = 'M';
    CHECK_EQUAL(exif_orientation(bytes), 1);
    bytes = segment(true, 3, 1, 6);
    bytes[10] = bytes[11] = bytes[12] = bytes[13] = 0xFF;  // the directory is beyond the end
    CHECK_EQUAL(exif_orientation(bytes), 1);
}

TEST(knows_the_signature) {
    CHECK(is_exif(testing::exif_segment(3)));
    CHECK(!is_exif(Bytes{'E', 'x', 'i', 'f', 0}));
    CHECK(!is_exif(Bytes{'h', 't', 't', 'p', ':', '/', '/'}));
}

}  // namespace
}  // namespace photic

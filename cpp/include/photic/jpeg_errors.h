// What libjpeg's messages mean to us.
#pragma once

#include "photic/status.h"

namespace photic {

// Where libjpeg was when it complained.
struct JpegContext {
    bool in_header;   // before the first scan's data
    bool exhausted;   // it asked for bytes beyond the end of the file
    bool damaged;     // it found something wrong with the image data before
    bool only_start;  // the file is a start-of-image marker and nothing else
    bool last_row;    // in the last of at least 16 rows of MCUs
    int next_marker;  // the marker that it found and did not read yet; 0 for none
};

// The reason for which an error of libjpeg refuses the image.
[[nodiscard]] ErrorCode classify_error(int message, const JpegContext& context) noexcept;

// The reason for which a warning of libjpeg refuses the image; ok for harmless ones.
[[nodiscard]] ErrorCode classify_warning(int message, const JpegContext& context) noexcept;

}  // namespace photic

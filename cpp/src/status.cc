#include "photic/status.h"

#include <cstdarg>
#include <cstdio>

namespace photic {

const char* name(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::ok:
            return "ok";
        case ErrorCode::empty:
            return "empty";
        case ErrorCode::not_jpeg:
            return "not_jpeg";
        case ErrorCode::unsupported_precision:
            return "unsupported_precision";
        case ErrorCode::unsupported_process:
            return "unsupported_process";
        case ErrorCode::too_many_components:
            return "too_many_components";
        case ErrorCode::no_image:
            return "no_image";
        case ErrorCode::truncated_header:
            return "truncated_header";
        case ErrorCode::truncated:
            return "truncated";
        case ErrorCode::bad_structure:
            return "bad_structure";
        case ErrorCode::bad_tables:
            return "bad_tables";
        case ErrorCode::bad_dimensions:
            return "bad_dimensions";
        case ErrorCode::corrupt_data:
            return "corrupt_data";
        case ErrorCode::too_many_pixels:
            return "too_many_pixels";
        case ErrorCode::too_many_scans:
            return "too_many_scans";
        case ErrorCode::decode_time:
            return "decode_time";
        case ErrorCode::decoder_memory:
            return "decoder_memory";
        case ErrorCode::no_room:
            return "no_room";
    }
    return "unknown";
}

Status Status::error(ErrorCode code, const char* format, ...) noexcept {
    Status status;
    status.code_ = code;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(status.detail_, sizeof status.detail_, format, arguments);
    va_end(arguments);
    return status;
}

}  // namespace photic

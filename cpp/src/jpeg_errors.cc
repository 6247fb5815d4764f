#include "photic/jpeg_errors.h"

#include "photic/libjpeg.h"

namespace photic {
namespace {

bool ended_early(const JpegContext& context) noexcept {
    return !context.in_header && context.exhausted && !context.damaged;
}

bool is_resource(int message) noexcept {
    return message == JERR_OUT_OF_MEMORY || message == JERR_NO_BACKING_STORE;
}

}  // namespace

ErrorCode classify_error(int message, const JpegContext& context) noexcept {
    // Of a file that was good until its end, the end is what is wrong.
    if (ended_early(context) && !is_resource(message)) return ErrorCode::truncated;
    switch (message) {
        case JERR_INPUT_EMPTY:
            return ErrorCode::empty;
        case JERR_NO_SOI:
            return ErrorCode::not_jpeg;
        case JERR_BAD_PRECISION:
            return ErrorCode::unsupported_precision;
        case JERR_COMPONENT_COUNT:
            return ErrorCode::too_many_components;
        case JERR_EMPTY_IMAGE:
            return ErrorCode::bad_dimensions;
        case JERR_SOF_UNSUPPORTED:
        case JERR_ARITH_NOTIMPL:
        case JERR_CCIR601_NOTIMPL:
        case JERR_CONVERSION_NOTIMPL:
        case JERR_FRACT_SAMPLE_NOTIMPL:
        case JERR_NOTIMPL:
        case JERR_NOT_COMPILED:
            return ErrorCode::unsupported_process;
        case JERR_IMAGE_TOO_BIG:
        case JERR_WIDTH_OVERFLOW:
            return ErrorCode::too_many_pixels;
        case JERR_OUT_OF_MEMORY:
        case JERR_NO_BACKING_STORE:
            return ErrorCode::decoder_memory;
        case JERR_BAD_HUFF_TABLE:
        case JERR_DHT_INDEX:
        case JERR_DQT_INDEX:
        case JERR_DAC_INDEX:
        case JERR_DAC_VALUE:
        case JERR_NO_HUFF_TABLE:
            return ErrorCode::bad_tables;
        default:
            break;
    }
    if (message == JERR_NO_IMAGE && !context.only_start) return ErrorCode::no_image;
    if (message == JERR_SOF_NO_SOS) return ErrorCode::truncated_header;
    if (context.in_header && context.exhausted) return ErrorCode::truncated_header;
    if (context.in_header) return ErrorCode::bad_structure;
    switch (message) {
        case JERR_NO_QUANT_TABLE:
        case JERR_NO_ARITH_TABLE:
        case JERR_BAD_COMPONENT_ID:
        case JERR_BAD_MCU_SIZE:
        case JERR_BAD_PROGRESSION:
        case JERR_BAD_SAMPLING:
            return ErrorCode::bad_structure;
        default:
            return ErrorCode::corrupt_data;
    }
}

namespace {

bool is_restart(int marker) noexcept { return marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7; }

// Image data ended before all MCUs were decoded, or an end of image stands where a restart marker
// should. When a real marker stands in the very last row of MCUs, nothing was cut off: a flipped
// bit made the decoder read too far, and what it cost is less than a 16th of the image.
ErrorCode classify_missing_data(const JpegContext& context) noexcept {
    if (ended_early(context)) return ErrorCode::truncated;
    if (context.last_row && !is_restart(context.next_marker)) return ErrorCode::ok;
    return context.next_marker == JPEG_EOI ? ErrorCode::truncated : ErrorCode::corrupt_data;
}

}  // namespace

ErrorCode classify_warning(int message, const JpegContext& context) noexcept {
    switch (message) {
        case JWRN_ADOBE_XFORM:
        case JWRN_EXTRANEOUS_DATA:
        case JWRN_JFIF_MAJOR:
        case JWRN_JPEG_EOF:
            return ErrorCode::ok;
        case JWRN_HIT_MARKER:
        case JWRN_MUST_RESYNC:
            return classify_missing_data(context);
        default:
            return ended_early(context) ? ErrorCode::truncated : ErrorCode::corrupt_data;
    }
}

}  // namespace photic

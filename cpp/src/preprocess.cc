#include "photic/preprocess.h"

#include <cstring>
#include <new>

namespace photic {
namespace {

// Closes the decoder on every path. (No frame that libjpeg jumps over holds one.)
class Closer {
  public:
    explicit Closer(JpegDecoder& decoder) noexcept : decoder_(decoder) {}
    ~Closer() { decoder_.close(); }
    Closer(const Closer&) = delete;
    Closer& operator=(const Closer&) = delete;

  private:
    JpegDecoder& decoder_;
};

Status out_of_memory() noexcept {
    return Status::error(ErrorCode::decoder_memory, "the system has no memory left");
}

// The geometry of the upright view of a file's width x height pixels.
Geometry upright_geometry(const Plan& plan, int orientation, int width, int height) noexcept {
    const bool swap = transposes(orientation);
    return plan_geometry(plan, swap ? height : width, swap ? width : height);
}

// Of a row with its padding, and of one pixel more to begin at the second (see decode_rows).
std::size_t row_bytes(int columns, int padding) noexcept {
    return static_cast<std::size_t>(columns + padding + 1) * pixel_bytes;
}

void spread_pixels(const std::uint8_t* rgb, int width, std::uint8_t* rgbx) noexcept {
    for (int i = 0; i < width; ++i) std::memcpy(rgbx + pixel_bytes * i, rgb + 3 * i, 3);
}

}  // namespace

Status Preprocess::decode(std::span<const std::uint8_t> file, void* out, ImageInfo& info,
                          WhenFull when_full) noexcept {
    try {
        return decode_rows(file, out, info, when_full);
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    }
}

Status Preprocess::decode_rows(std::span<const std::uint8_t> file, void* out, ImageInfo& info,
                               WhenFull when_full) {
    const Closer closer(decoder_);
    ImageHeader& header = info.header;
    if (const Status status = decoder_.open(file, limits_, header); !status.ok()) return status;
    if (!plan_.apply_orientation) header.orientation = 1;
    const Geometry upright =
        upright_geometry(plan_, header.orientation, header.width, header.height);
    info.scale_denominator = scale_denominator(plan_.decode, upright);
    const Geometry source =
        scaled(to_file_axes(upright, header.orientation, header.width, header.height),
               info.scale_denominator);
    resampler_.begin(source, {&plan_, output_map(plan_, upright, header.orientation), out});

    Window window = {resampler_.x_begin(), resampler_.x_end(), resampler_.y_begin(),
                     resampler_.y_end()};
    if (const Status status =
            decoder_.start(info.scale_denominator, plan_.crop_decode, window, when_full);
        !status.ok()) {
        return status;
    }
    resampler_.set_columns(window.x_begin, window.x_end);
    row_.reserve(row_bytes(window.x_end - window.x_begin, resampler_.row_padding()));
    // libjpeg-turbo writes rows that are aligned to a vector past the cache, to memory, which costs
    // more than all of the filter. One pixel further they are not aligned.
    std::uint8_t* row = row_.data() + pixel_bytes;
    for (int y = window.y_begin; y < window.y_end; ++y) {
        if (const Status status = decoder_.read_row(row); !status.ok()) return status;
        if (y >= resampler_.y_begin()) resampler_.push_row(row);
    }
    return decoder_.finish(row);
}

Status Preprocess::resample(const ImageView& image, int orientation, void* out,
                            ImageInfo& info) noexcept {
    try {
        resample_rows(image, orientation, out);
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    }
    info = {{image.width, image.height, 3, orientation, false}, 1};
    return {};
}

void Preprocess::resample_rows(const ImageView& image, int orientation, void* out) {
    const Geometry upright = upright_geometry(plan_, orientation, image.width, image.height);
    resampler_.begin(to_file_axes(upright, orientation, image.width, image.height),
                     {&plan_, output_map(plan_, upright, orientation), out});
    resampler_.set_columns(0, image.width);
    row_.reserve(row_bytes(image.width, resampler_.row_padding()));
    for (int y = resampler_.y_begin(); y < resampler_.y_end(); ++y) {
        spread_pixels(image.row(y), image.width, row_.data());
        resampler_.push_row(row_.data());
    }
}

}  // namespace photic

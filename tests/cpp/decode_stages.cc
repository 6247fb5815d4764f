// Where the time of the native path goes, told by leaving stages out:
//     decode_stages ROUNDS FILE...
// Medians of the rounds in CPU milliseconds a file, all three stages in turns: the image's bits
// read but not transformed, the crop's pixels made as well, the whole pass. Each of them first as
// libjpeg's Huffman decoder alone does it, then with HuffmanFastPath.
#include "driver.h"
#include "photic/huffman_fast_path.h"
#include "photic/preprocess.h"

namespace {

using namespace photic;
using namespace photic::driver;

void require(const Status& status) {
    if (!status.ok()) stop("cannot be decoded", status.detail());
}

// The decoder of the whole pass with its window, as the resampler asks for it.
class Stages {
  public:
    void entropy(const Bytes& file) {
        open(file, 0);
        finish();
    }

    void pixels(const Bytes& file) {
        const Window window = open(file, 1);
        for (int y = window.y_begin; y < window.y_end; ++y) {
            require(decoder_.read_row(row_.data() + pixel_bytes));
        }
        finish();
    }

    void whole(const Bytes& file) {
        ImageInfo info = {};
        require(preprocess_.decode(file, out_.data(), info));
    }

  private:
    // With `rows` = 0 the window ends where it begins, at the first row.
    Window open(const Bytes& file, int rows) {
        ImageHeader header = {};
        require(decoder_.open(file, limits(), header));
        const bool swap = header.orientation > 4;
        const Geometry upright = swap ? plan_geometry(plan_, header.height, header.width)
                                      : plan_geometry(plan_, header.width, header.height);
        const int denominator = scale_denominator(plan_.decode, upright);
        resampler_.begin(
            scaled(to_file_axes(upright, header.orientation, header.width, header.height),
                   denominator),
            {&plan_, output_map(plan_, upright, header.orientation), out_.data()});
        Window window = {resampler_.x_begin(), resampler_.x_end(), rows * resampler_.y_begin(),
                         rows * resampler_.y_end()};
        require(decoder_.start(denominator, true, window));
        row_.resize(static_cast<std::size_t>(header.width + 1) * pixel_bytes);
        return window;
    }

    void finish() {
        require(decoder_.finish(row_.data() + pixel_bytes));
        decoder_.close();
    }

    Plan plan_ = plan(DecodeMode::balanced);
    Preprocess preprocess_{plan_, limits()};
    JpegDecoder decoder_;
    Resampler resampler_;
    Bytes row_;
    std::vector<float> out_ = std::vector<float>(plan_.elements());
};

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) stop("usage", "decode_stages ROUNDS FILE...");
    std::vector<Bytes> files;
    for (int i = 2; i < count; ++i) files.push_back(read(arguments[i]));
    Stages stages;
    struct Stage {
        const char* name;
        void (Stages::*run)(const Bytes&);
        std::vector<double> times[2];
    };
    Stage all[] = {{"bits read", &Stages::entropy, {}},
                   {"pixels of the crop", &Stages::pixels, {}},
                   {"whole pass", &Stages::whole, {}}};
    for (int turn = 2 * std::atoi(arguments[1]) - 1; turn >= 0; --turn) {
        const bool fast = turn % 2 == 0;
        use_huffman_fast_path(fast);
        for (Stage& stage : all) {
            const double start = cpu_ms();
            for (const Bytes& file : files) (stages.*stage.run)(file);
            stage.times[fast].push_back((cpu_ms() - start) / static_cast<double>(files.size()));
        }
    }
    for (const Stage& stage : all) {
        if (stage.times[0].empty()) stop("not a number of rounds", arguments[1]);
        std::printf("%-20s libjpeg %7.3f, fast path %7.3f CPU-ms a file\n", stage.name,
                    median(stage.times[0]), median(stage.times[1]));
    }
}

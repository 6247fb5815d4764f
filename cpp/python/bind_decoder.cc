#include <atomic>
#include <stdexcept>

#include "buffer_args.h"
#include "photic/memory_budget.h"
#include "photic/preprocess.h"
#include "raise.h"
#include "register.h"

namespace photic::python {
namespace {

namespace py = pybind11;

// A Preprocess that refuses a second thread, which the GIL no longer keeps out.
class Decoder {
  public:
    Decoder(const Plan& plan, const Limits& limits) noexcept : preprocess_(plan, limits) {}

    [[nodiscard]] const Plan& plan() const noexcept { return preprocess_.plan(); }
    [[nodiscard]] std::int64_t wanted_bytes() const noexcept { return preprocess_.wanted_bytes(); }

    // Runs `work(preprocess, info)`, which touches nothing of Python, without the GIL.
    template <typename Work>
    ImageInfo run(Work work) {
        if (busy_.test_and_set()) throw std::runtime_error("this decoder is in use by a thread");
        ImageInfo info = {};
        Status status;
        {
            const py::gil_scoped_release released;
            status = work(preprocess_, info);
        }
        busy_.clear();
        raise_if_error(status);
        return info;
    }

  private:
    Preprocess preprocess_;
    std::atomic_flag busy_;
};

// Both pin their arguments first: the memory stays where it is until the GIL is held again.

ImageInfo decode_into(Decoder& decoder, py::handle data, py::handle out, bool wait) {
    const WhenFull when_full = wait ? WhenFull::wait : WhenFull::give_up;
    const BytesArgument input(data);
    const OutputArgument output(out, decoder.plan());
    return decoder.run([&](Preprocess& preprocess, ImageInfo& info) noexcept {
        return preprocess.decode(input.bytes(), output.data(), info, when_full);
    });
}

ImageInfo resample_into(Decoder& decoder, py::handle pixels, py::handle out, int orientation) {
    if (orientation < 1 || orientation > 8) throw py::value_error("orientation is not in 1 to 8");
    const PixelsArgument input(pixels);
    const OutputArgument output(out, decoder.plan());
    return decoder.run([&](Preprocess& preprocess, ImageInfo& info) noexcept {
        return preprocess.resample(input.image(), orientation, output.data(), info);
    });
}

}  // namespace

void register_decoder(py::module_& module) {
    py::class_<Decoder>(module, "Decoder", py::is_final(),
                        "One libjpeg decompressor and its scratch memory")
        .def(py::init<const Plan&, const Limits&>(), py::arg("plan"), py::arg("limits"))
        .def("decode_into", &decode_into, py::arg("data"), py::arg("out"), py::arg("wait") = true)
        .def_property_readonly("wanted_bytes", &Decoder::wanted_bytes)
        .def("resample_into", &resample_into, py::arg("pixels"), py::arg("out"),
             py::arg("orientation") = 1);
    module.def(
        "memory_has_room",
        [](std::int64_t bytes, std::int64_t limit) {
            return MemoryBudget::process().has_room(bytes, limit);
        },
        py::arg("bytes"), py::arg("limit"));
}

}  // namespace photic::python

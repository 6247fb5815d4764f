#include "buffer_args.h"
#include "photic/preprocess.h"
#include "raise.h"
#include "register.h"

namespace photic::python {
namespace {

namespace py = pybind11;

// Both pin their arguments first. Then the GIL can go: the core touches nothing of Python, and the
// buffers stay where they are until they are released with the GIL held again.

ImageInfo decode_into(Preprocess& preprocess, py::handle data, py::handle out) {
    const BytesArgument input(data);
    const OutputArgument output(out, preprocess.plan());
    ImageInfo info = {};
    Status status;
    {
        const py::gil_scoped_release released;
        status = preprocess.decode(input.bytes(), output.data(), info);
    }
    raise_if_error(status);
    return info;
}

void resample_into(Preprocess& preprocess, py::handle pixels, py::handle out, int orientation) {
    if (orientation < 1 || orientation > 8) throw py::value_error("orientation is not in 1 to 8");
    const PixelsArgument input(pixels);
    const OutputArgument output(out, preprocess.plan());
    Status status;
    {
        const py::gil_scoped_release released;
        status = preprocess.resample(input.image(), orientation, output.data());
    }
    raise_if_error(status);
}

}  // namespace

void register_decoder(py::module_& module) {
    py::class_<Preprocess>(module, "Decoder", py::is_final(),
                           "One libjpeg decompressor and its scratch memory")
        .def(py::init<const Plan&, const Limits&>(), py::arg("plan"), py::arg("limits"))
        .def("decode_into", &decode_into, py::arg("data"), py::arg("out"))
        .def("resample_into", &resample_into, py::arg("pixels"), py::arg("out"),
             py::arg("orientation") = 1);
}

}  // namespace photic::python

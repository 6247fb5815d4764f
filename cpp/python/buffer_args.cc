#include "buffer_args.h"

#include <array>
#include <cstring>
#include <string>

namespace photic::python {
namespace {

namespace py = pybind11;

// A JPEG's header has 16 bits for it.
constexpr Py_ssize_t longest_side = 65'535;

std::string shape_text(const Py_buffer& view) {
    std::string text = "(";
    for (int i = 0; i < view.ndim; ++i) {
        text += std::to_string(view.shape[i]) + (i + 1 < view.ndim ? ", " : "");
    }
    return text + (view.ndim == 1 ? ",)" : ")");
}

// Native-endian struct formats may carry "@" or "=" in front.
bool has_format(const Py_buffer& view, char format) {
    const char* text = view.format != nullptr ? view.format : "B";
    if (*text == '@' || *text == '=') ++text;
    return text[0] == format && text[1] == '\0';
}

std::array<Py_ssize_t, 3> plan_shape(const Plan& plan) {
    return plan.nhwc ? std::array<Py_ssize_t, 3>{plan.height, plan.width, 3}
                     : std::array<Py_ssize_t, 3>{3, plan.height, plan.width};
}

bool is_aligned(const void* data, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(data) % bytes == 0;
}

}  // namespace

PinnedBuffer::PinnedBuffer(py::handle object, int flags) {
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) == 0) return;
    if (!PyErr_ExceptionMatches(PyExc_BufferError)) throw py::error_already_set();
    // bytes and memoryview call it a BufferError where NumPy calls it a ValueError.
    const py::error_already_set error;
    throw py::value_error(py::str(error.value()));
}

BytesArgument::BytesArgument(py::handle object) : buffer_(object, PyBUF_SIMPLE) {}

std::span<const std::uint8_t> BytesArgument::bytes() const noexcept {
    return {static_cast<const std::uint8_t*>(buffer_.view().buf),
            static_cast<std::size_t>(buffer_.view().len)};
}

OutputArgument::OutputArgument(py::handle object, const Plan& plan)
    : buffer_(object, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_STRIDES) {
    const Py_buffer& view = buffer_.view();
    const bool floats = plan.element == Element::float32;
    if (!has_format(view, floats ? 'f' : 'B')) {
        throw py::type_error(std::string("out must be an array of ") +
                             (floats ? "float32" : "uint8"));
    }
    const auto shape = plan_shape(plan);
    if (view.ndim != 3 || std::memcmp(view.shape, shape.data(), sizeof shape) != 0) {
        throw py::value_error("out has shape " + shape_text(view) + ", the plan makes (" +
                              std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + ", " +
                              std::to_string(shape[2]) + ")");
    }
    if (!PyBuffer_IsContiguous(&view, 'C')) throw py::value_error("out is not C-contiguous");
    if (!is_aligned(view.buf, plan.element_bytes())) throw py::value_error("out is not aligned");
}

PixelsArgument::PixelsArgument(py::handle object) : buffer_(object, PyBUF_FORMAT | PyBUF_STRIDES) {
    const Py_buffer& view = buffer_.view();
    if (!has_format(view, 'B')) throw py::type_error("pixels must be an array of uint8");
    if (view.ndim != 3 || view.shape[2] != 3) {
        throw py::value_error("pixels have shape " + shape_text(view) + ", not (height, width, 3)");
    }
    for (int i = 0; i < 2; ++i) {
        if (view.shape[i] < 1 || view.shape[i] > longest_side) {
            throw py::value_error("pixels have shape " + shape_text(view) +
                                  ": a side must be in 1 to 65535");
        }
    }
    if (!PyBuffer_IsContiguous(&view, 'C')) throw py::value_error("pixels are not C-contiguous");
}

ImageView PixelsArgument::image() const noexcept {
    const Py_buffer& view = buffer_.view();
    return {static_cast<const std::uint8_t*>(view.buf), static_cast<int>(view.shape[1]),
            static_cast<int>(view.shape[0])};
}

}  // namespace photic::python

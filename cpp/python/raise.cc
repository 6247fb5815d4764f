#include "raise.h"

#include <pybind11/pybind11.h>

#include <cstring>

#include "register.h"

namespace photic::python {
namespace {

namespace py = pybind11;

// The exception's type lives as long as the process, as its module does.
py::handle native_error;

}  // namespace

void register_error(py::module_& module) {
    py::exception<Status> type(module, "NativeError");
    type.doc() = "An image was refused; args == (code, detail)";
    native_error = type.release();
}

void raise_if_error(const Status& status) {
    if (status.ok()) return;
    const auto detail = py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(
        status.detail(), static_cast<Py_ssize_t>(std::strlen(status.detail())), "replace"));
    const py::tuple arguments = py::make_tuple(name(status.code()), detail);
    PyErr_SetObject(native_error.ptr(), arguments.ptr());
    throw py::error_already_set();
}

}  // namespace photic::python

#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "photic/cpu.h"
#include "photic/huffman_fast_path.h"
#include "photic/libjpeg.h"
#include "register.h"

namespace photic::python {
namespace {

namespace py = pybind11;

#define PHOTIC_TEXT(macro) PHOTIC_QUOTE(macro)
#define PHOTIC_QUOTE(text) #text

py::dict native_info() {
    py::list targets;
    for (const Kernels* kernels : available_kernels()) targets.append(kernels->name);
    py::dict info;
    info["libjpeg_turbo"] = PHOTIC_TEXT(LIBJPEG_TURBO_VERSION);
    info["targets"] = targets;
    info["target"] = active_kernels().name;
    return info;
}

void force_target(const std::optional<std::string>& name) {
    if (force_kernels(name ? name->c_str() : nullptr)) return;
    throw py::value_error("there is no target \"" + *name + "\" on this CPU");
}

}  // namespace

void register_cpu(py::module_& module) {
    module.def("native_info", &native_info);
    module.def("use_huffman_fast_path", &use_huffman_fast_path, py::arg("use"));
    module.def("force_target", &force_target, py::arg("name").none(true));
}

}  // namespace photic::python

#include "photic/limits.h"
#include "register.h"

namespace photic::python {

namespace py = pybind11;

void register_limits(py::module_& module) {
    py::class_<Limits>(module, "Limits", py::is_final(), "The limits of one decode")
        .def(py::init([](std::int64_t max_pixels, std::int64_t max_side, std::int64_t max_scans,
                         std::int64_t max_scan_pixels, std::int64_t time_base_ns,
                         std::int64_t time_per_megabyte_ns, std::int64_t time_per_megapixel_ns,
                         std::int64_t max_time_ns, std::int64_t max_memory_bytes,
                         std::int64_t max_total_memory_bytes, bool reject_truncated) {
                 return Limits{max_pixels,
                               max_side,
                               max_scans,
                               max_scan_pixels,
                               time_base_ns,
                               time_per_megabyte_ns,
                               time_per_megapixel_ns,
                               max_time_ns,
                               max_memory_bytes,
                               max_total_memory_bytes,
                               reject_truncated};
             }),
             py::kw_only(), py::arg("max_pixels"), py::arg("max_side"), py::arg("max_scans"),
             py::arg("max_scan_pixels"), py::arg("time_base_ns"), py::arg("time_per_megabyte_ns"),
             py::arg("time_per_megapixel_ns"), py::arg("max_time_ns"), py::arg("max_memory_bytes"),
             py::arg("max_total_memory_bytes"), py::arg("reject_truncated"));
}

}  // namespace photic::python

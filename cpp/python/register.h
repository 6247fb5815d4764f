// One function a class; module.cc calls them.
#pragma once

#include <pybind11/pybind11.h>

namespace photic::python {

void register_error(pybind11::module_& module);
void register_limits(pybind11::module_& module);
void register_plan(pybind11::module_& module);
void register_image_info(pybind11::module_& module);
void register_decoder(pybind11::module_& module);
void register_cpu(pybind11::module_& module);

}  // namespace photic::python

#include "register.h"

PYBIND11_MODULE(_native, module) {
    using namespace photic::python;
    module.doc() = "JPEG bytes, or pixels, to one normalised row, with the GIL released";
    register_error(module);
    register_limits(module);
    register_plan(module);
    register_image_info(module);
    register_decoder(module);
    register_cpu(module);
}

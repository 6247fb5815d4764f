#include "photic/preprocess.h"
#include "register.h"

namespace photic::python {

namespace py = pybind11;

void register_image_info(py::module_& module) {
    const auto header = [](auto ImageHeader::* member) {
        return [member](const ImageInfo& info) { return info.header.*member; };
    };
    py::class_<ImageInfo>(module, "ImageInfo", py::is_final(), "What the header said")
        .def_property_readonly("width", header(&ImageHeader::width))
        .def_property_readonly("height", header(&ImageHeader::height))
        .def_property_readonly("components", header(&ImageHeader::components))
        .def_property_readonly("orientation", header(&ImageHeader::orientation))
        .def_property_readonly("progressive", header(&ImageHeader::progressive))
        .def_readonly("scale_denominator", &ImageInfo::scale_denominator);
}

}  // namespace photic::python

#include <pybind11/stl.h>

#include <array>
#include <string>

#include "choice.h"
#include "photic/plan.h"
#include "register.h"

namespace photic::python {
namespace {

namespace py = pybind11;
using Channels = std::array<float, 3>;

Plan make_plan(int height, int width, const std::string& fit, int resize, double crop_fraction,
               int pad, const std::string& filter, const Channels& scale, const Channels& shift,
               bool bgr, bool nhwc, const std::string& dtype, bool apply_orientation,
               const std::string& decode, bool crop_decode) {
    const Plan plan = {
        height,
        width,
        choose<Fit>(
            "fit", fit,
            {{"crop", Fit::crop}, {"stretch", Fit::stretch}, {"letterbox", Fit::letterbox}}),
        resize,
        crop_fraction,
        pad,
        choose<Filter>("filter", filter,
                       {{"bilinear", Filter::bilinear}, {"bicubic", Filter::bicubic}}),
        scale,
        shift,
        bgr,
        nhwc,
        choose<Element>("dtype", dtype, {{"float32", Element::float32}, {"uint8", Element::uint8}}),
        apply_orientation,
        choose<DecodeMode>("decode", decode,
                           {{"exact", DecodeMode::exact},
                            {"balanced", DecodeMode::balanced},
                            {"fast", DecodeMode::fast}}),
        crop_decode};
    if (const char* why = problem(plan); why != nullptr) throw py::value_error(why);
    return plan;
}

py::tuple shape(const Plan& plan) {
    if (plan.nhwc) return py::make_tuple(plan.height, plan.width, 3);
    return py::make_tuple(3, plan.height, plan.width);
}

}  // namespace

void register_plan(py::module_& module) {
    py::class_<Plan>(module, "Plan", py::is_final(), "What to make of an image")
        .def(py::init(&make_plan), py::kw_only(), py::arg("height"), py::arg("width"),
             py::arg("fit"), py::arg("resize"), py::arg("crop_fraction"), py::arg("pad"),
             py::arg("filter"), py::arg("scale"), py::arg("shift"), py::arg("bgr"), py::arg("nhwc"),
             py::arg("dtype"), py::arg("apply_orientation"), py::arg("decode"),
             py::arg("crop_decode") = true)
        .def_property_readonly("shape", &shape);
}

}  // namespace photic::python

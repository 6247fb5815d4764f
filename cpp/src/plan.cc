#include "photic/plan.h"

#include <cmath>

namespace photic {
namespace {

constexpr int max_side = 4096;

const char* crop_problem(const Plan& plan) noexcept {
    const bool by_side = plan.resize != 0;
    const bool by_fraction = plan.crop_fraction != 0.0;
    if (by_side == by_fraction) return "fit \"crop\" needs either resize or crop_fraction";
    if (by_side && (plan.resize < plan.width || plan.resize < plan.height)) {
        return "resize is smaller than the crop";
    }
    if (by_side && plan.resize > max_side) return "resize is larger than 4096";
    if (by_fraction && !(plan.crop_fraction > 0.0 && plan.crop_fraction <= 1.0)) {
        return "crop_fraction is not in (0, 1]";
    }
    return nullptr;
}

}  // namespace

const char* problem(const Plan& plan) noexcept {
    if (plan.width < 1 || plan.height < 1 || plan.width > max_side || plan.height > max_side) {
        return "width and height must be in 1 to 4096";
    }
    if (plan.pad < 0 || plan.pad > 255) return "pad is not in 0 to 255";
    for (int c = 0; c < 3; ++c) {
        if (!std::isfinite(plan.scale[c]) || !std::isfinite(plan.shift[c])) {
            return "scale and shift must be finite";
        }
    }
    return plan.fit == Fit::crop ? crop_problem(plan) : nullptr;
}

}  // namespace photic

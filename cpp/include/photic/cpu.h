// Which kernels this CPU can run, and which are in use.
#pragma once

#include <span>

#include "photic/kernels.h"

namespace photic {

// The kernels that this CPU can run, best first.
[[nodiscard]] std::span<const Kernels* const> available_kernels() noexcept;

// The kernels in use by all decoders of the process.
[[nodiscard]] const Kernels& active_kernels() noexcept;

// Uses the kernels of that name from now on, or the best for null. False when there are none.
[[nodiscard]] bool force_kernels(const char* name) noexcept;

}  // namespace photic

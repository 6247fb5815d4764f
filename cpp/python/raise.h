// From Status to a Python exception.
#pragma once

#include "photic/status.h"

namespace photic::python {

// Throws NativeError(code, detail) if the status is an error. Needs the GIL.
void raise_if_error(const Status& status);

}  // namespace photic::python

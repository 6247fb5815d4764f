// Pointers from Python: checked, pinned, never cast or copied.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "photic/image_view.h"
#include "photic/plan.h"

namespace photic::python {

// A view of an object's memory. The object can neither free nor resize it while this lives; it may
// be used without the GIL, but must be destroyed with it.
class PinnedBuffer {
  public:
    // Throws TypeError if the object has no buffer, ValueError if it has none with these flags.
    PinnedBuffer(pybind11::handle object, int flags);
    ~PinnedBuffer() { PyBuffer_Release(&view_); }
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;

    [[nodiscard]] const Py_buffer& view() const noexcept { return view_; }

  private:
    Py_buffer view_ = {};
};

// Contiguous bytes.
class BytesArgument {
  public:
    explicit BytesArgument(pybind11::handle object);
    [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept;

  private:
    PinnedBuffer buffer_;
};

// The row that is written: exactly the plan's shape and type, C-contiguous, writeable, aligned.
class OutputArgument {
  public:
    // Throws TypeError or ValueError, which say what is wrong.
    OutputArgument(pybind11::handle object, const Plan& plan);
    [[nodiscard]] void* data() const noexcept { return buffer_.view().buf; }

  private:
    PinnedBuffer buffer_;
};

// [height, width, 3] uint8 pixels, C-contiguous, not empty.
class PixelsArgument {
  public:
    explicit PixelsArgument(pybind11::handle object);
    [[nodiscard]] ImageView image() const noexcept;

  private:
    PinnedBuffer buffer_;
};

}  // namespace photic::python

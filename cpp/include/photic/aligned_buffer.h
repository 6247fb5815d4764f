// Scratch memory for vector loads.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace photic {

// Uninitialised elements on a cache line's boundary. Grows, never shrinks.
template <typename T>
class AlignedBuffer {
  public:
    // Makes room for `count` elements; the old content may be lost. Throws std::bad_alloc.
    void reserve(std::size_t count) {
        if (count <= capacity_) return;
        data_.reset();
        capacity_ = 0;
        data_.reset(static_cast<T*>(::operator new(count * sizeof(T), alignment)));
        capacity_ = count;
    }

    [[nodiscard]] T* data() noexcept { return data_.get(); }
    [[nodiscard]] const T* data() const noexcept { return data_.get(); }

  private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(T* data) const noexcept { ::operator delete(data, alignment); }
    };

    std::unique_ptr<T, Free> data_;
    std::size_t capacity_ = 0;
};

}  // namespace photic

#include "photic/memory_budget.h"

#include <chrono>

namespace photic {

void MemoryBudget::Share::release() noexcept {
    if (budget_ == nullptr) return;
    {
        const std::lock_guard lock(budget_->mutex_);
        budget_->reserved_ -= bytes_;
    }
    budget_->released_.notify_all();
    budget_ = nullptr;
}

bool MemoryBudget::reserve(std::int64_t bytes, std::int64_t limit, std::int64_t timeout_ns,
                           Share& share) noexcept {
    if (bytes > limit) return false;
    std::unique_lock lock(mutex_);
    const auto fits = [&] { return reserved_ + bytes <= limit; };
    if (!fits() && (timeout_ns <= 0 ||
                    !released_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), fits))) {
        return false;
    }
    reserved_ += bytes;
    share.budget_ = this;
    share.bytes_ = bytes;
    return true;
}

bool MemoryBudget::has_room(std::int64_t bytes, std::int64_t limit) noexcept {
    const std::lock_guard lock(mutex_);
    return reserved_ + bytes <= limit;
}

MemoryBudget& MemoryBudget::process() noexcept {
    static MemoryBudget budget;
    return budget;
}

}  // namespace photic

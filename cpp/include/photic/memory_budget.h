// Memory that all decoders of the process may hold together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace photic {

class MemoryBudget {
  public:
    // A share of the budget; gives it back when it is destroyed.
    class Share {
      public:
        Share() noexcept = default;
        ~Share() { release(); }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        void release() noexcept;

      private:
        friend class MemoryBudget;
        MemoryBudget* budget_ = nullptr;
        std::int64_t bytes_ = 0;
    };

    // Takes `bytes` into an empty `share`; while too few are left below `limit`, waits until others
    // give some back. False when that takes longer than `timeout_ns` (0: never waits), or when
    // `bytes` alone exceed the limit.
    [[nodiscard]] bool reserve(std::int64_t bytes, std::int64_t limit, std::int64_t timeout_ns,
                               Share& share) noexcept;

    // Whether `bytes` are left below `limit` at this moment.
    [[nodiscard]] bool has_room(std::int64_t bytes, std::int64_t limit) noexcept;

    // The budget of this process.
    static MemoryBudget& process() noexcept;

  private:
    std::mutex mutex_;
    std::condition_variable released_;
    std::int64_t reserved_ = 0;
};

}  // namespace photic

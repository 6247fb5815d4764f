// The CPU time that one decode may take.
#pragma once

#include <cstdint>

namespace photic {

// Counts the calling thread's CPU time, so that a busy machine refuses no image. Reading that clock
// is a system call; it is read once for each `interval` pixels of work.
class DecodeClock {
  public:
    void start(std::int64_t limit_ns) noexcept;
    void set_limit(std::int64_t limit_ns) noexcept { limit_ns_ = limit_ns; }
    [[nodiscard]] std::int64_t limit_ns() const noexcept { return limit_ns_; }

    // Notes work done; true when the time is over.
    [[nodiscard]] bool spend(std::int64_t pixels) noexcept {
        until_check_ -= pixels;
        return until_check_ < 0 && check();
    }

    static constexpr std::int64_t interval = 1 << 19;

  private:
    [[nodiscard]] bool check() noexcept;

    std::int64_t start_ns_ = 0;
    std::int64_t limit_ns_ = 0;
    std::int64_t until_check_ = 0;
};

}  // namespace photic

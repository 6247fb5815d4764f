#include "photic/decode_clock.h"

#include <ctime>

namespace photic {
namespace {

std::int64_t thread_cpu_ns() noexcept {
    std::timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

void DecodeClock::start(std::int64_t limit_ns) noexcept {
    start_ns_ = thread_cpu_ns();
    limit_ns_ = limit_ns;
    until_check_ = interval;
}

bool DecodeClock::check() noexcept {
    until_check_ = interval;
    return thread_cpu_ns() - start_ns_ > limit_ns_;
}

}  // namespace photic

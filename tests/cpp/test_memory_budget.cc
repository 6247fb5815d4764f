#include <atomic>
#include <thread>

#include "check.h"
#include "photic/memory_budget.h"

namespace photic {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

TEST(a_share_comes_back_when_it_is_destroyed) {
    MemoryBudget budget;
    {
        MemoryBudget::Share share;
        CHECK(budget.reserve(60, 100, 0, share));
        MemoryBudget::Share other;
        CHECK(!budget.reserve(60, 100, 0, other));
        CHECK(budget.reserve(40, 100, 0, other));
    }
    MemoryBudget::Share share;
    CHECK(budget.reserve(100, 100, 0, share));
}

TEST(what_can_never_fit_is_refused_at_once) {
    MemoryBudget budget;
    MemoryBudget::Share share;
    CHECK(!budget.reserve(101, 100, 3600 * second_ns, share));
}

TEST(room_is_what_is_not_reserved) {
    MemoryBudget budget;
    CHECK(budget.has_room(100, 100));
    MemoryBudget::Share share;
    CHECK(budget.reserve(60, 100, 0, share));
    CHECK(budget.has_room(40, 100));
    CHECK(!budget.has_room(41, 100));
    share.release();
    CHECK(budget.has_room(100, 100));
}

TEST(a_reservation_waits_for_another_to_be_released) {
    MemoryBudget budget;
    MemoryBudget::Share share;
    CHECK(budget.reserve(80, 100, 0, share));
    std::atomic<bool> reserved = false;
    std::thread waiter([&] {
        MemoryBudget::Share second;
        reserved = budget.reserve(80, 100, 60 * second_ns, second);
    });
    share.release();
    waiter.join();
    CHECK(reserved);
}

}  // namespace
}  // namespace photic

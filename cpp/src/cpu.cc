#include "photic/cpu.h"

#include <atomic>
#include <cstring>

namespace photic {
namespace {

#if defined(__x86_64__)
constexpr const Kernels* all[] = {&avx2_kernels, &baseline_kernels};
bool runs_all() noexcept { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
constexpr const Kernels* all[] = {&baseline_kernels};
bool runs_all() noexcept { return true; }
#endif

// Null until somebody forced a target; the choice by CPU is never stored.
std::atomic<const Kernels*> forced = nullptr;

}  // namespace

std::span<const Kernels* const> available_kernels() noexcept {
    static const std::span<const Kernels* const> available =
        runs_all() ? std::span(all) : std::span(all).last(1);
    return available;
}

const Kernels& active_kernels() noexcept {
    const Kernels* kernels = forced.load(std::memory_order_relaxed);
    return kernels != nullptr ? *kernels : *available_kernels().front();
}

bool force_kernels(const char* name) noexcept {
    if (name == nullptr) {
        forced = nullptr;
        return true;
    }
    for (const Kernels* kernels : available_kernels()) {
        if (std::strcmp(kernels->name, name) == 0) {
            forced = kernels;
            return true;
        }
    }
    return false;
}

}  // namespace photic

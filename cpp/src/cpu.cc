#include "photic/cpu.h"

#include <atomic>
#include <cstring>

namespace photic {
namespace {

#if defined(__x86_64__)
constexpr const Kernels* all[] = {&avx512_kernels, &avx2_kernels, &baseline_kernels};

// How many of them, from the last, this CPU runs: each needs what the next one needs, and more.
std::size_t count() noexcept {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 1;
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vnni") &&
                        __builtin_cpu_supports("avx512vbmi");
    return avx512 ? 3 : 2;
}
#else
constexpr const Kernels* all[] = {&baseline_kernels};
std::size_t count() noexcept { return 1; }
#endif

// Null until somebody forced a target; the choice by CPU is never stored.
std::atomic<const Kernels*> forced = nullptr;

}  // namespace

std::span<const Kernels* const> available_kernels() noexcept {
    static const std::span<const Kernels* const> available = std::span(all).last(count());
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

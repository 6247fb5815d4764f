// The smallest test framework that names what failed: TEST, CHECK, CHECK_EQUAL, CHECK_NEAR.
#pragma once

#include <cmath>
#include <iostream>

namespace photic::testing {

// Registers a test before main() runs all of them.
struct Registration {
    Registration(const char* name, void (*run)());
};

// Counts a failure and says where it is.
std::ostream& fail(const char* file, int line);

template <typename A, typename B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
    if (!(a == b)) fail(file, line) << text << ": " << a << " is not " << b << "\n";
}

inline void check_near(double a, double b, double tolerance, const char* text, const char* file,
                       int line) {
    if (!(std::abs(a - b) <= tolerance)) {
        fail(file, line) << text << ": " << a << " is not within " << tolerance << " of " << b
                         << "\n";
    }
}

}  // namespace photic::testing

#define TEST(name)                                                     \
    static void name();                                                \
    static const photic::testing::Registration name##_at(#name, name); \
    static void name()

#define CHECK(condition) \
    photic::testing::check_equal((condition), true, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(a, b) photic::testing::check_equal((a), (b), #a, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) \
    photic::testing::check_near((a), (b), (tolerance), #a, __FILE__, __LINE__)

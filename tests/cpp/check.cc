#include "check.h"

#include <string>
#include <utility>
#include <vector>

namespace photic::testing {
namespace {

std::vector<std::pair<std::string, void (*)()>>& tests() {
    static std::vector<std::pair<std::string, void (*)()>> all;
    return all;
}

int failures = 0;

}  // namespace

Registration::Registration(const char* name, void (*run)()) { tests().emplace_back(name, run); }

std::ostream& fail(const char* file, int line) {
    ++failures;
    return std::cerr << file << ":" << line << ": ";
}

}  // namespace photic::testing

int main() {
    for (const auto& [name, run] : photic::testing::tests()) {
        const int before = photic::testing::failures;
        run();
        std::cout << (photic::testing::failures == before ? "ok   " : "FAIL ") << name << "\n";
    }
    return photic::testing::failures == 0 && !photic::testing::tests().empty() ? 0 : 1;
}

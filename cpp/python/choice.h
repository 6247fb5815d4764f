// Words from Python to enumerators.
#pragma once

#include <pybind11/pybind11.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace photic::python {

// The enumerator that `word` names. Throws ValueError, which lists the words.
template <typename Enum>
Enum choose(const char* argument, std::string_view word,
            std::initializer_list<std::pair<std::string_view, Enum>> choices) {
    std::string words;
    for (const auto& [name, value] : choices) {
        if (name == word) return value;
        words += (words.empty() ? "" : ", ") + std::string(name);
    }
    throw pybind11::value_error(std::string(argument) + " is \"" + std::string(word) +
                                "\", not one of " + words);
}

}  // namespace photic::python

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::soak {

// Why: the programs that run for long know few options, all of them numbers.

/// `--name N`, and where N goes.
struct number_option
{
    std::string_view name;
    std::uint64_t& target;
};

[[nodiscard]] inline std::uint64_t number_of(
    std::string_view option,
    std::string_view text
)
{
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument(
            std::string(option) + " needs a number, not '" + std::string(text) + "'"
        );
    return value;
}

/// Reads the arguments of a program. False if one of them is `--help`.
[[nodiscard]] inline bool parse_numbers(
    int argc,
    char** argv,
    std::initializer_list<number_option> options
)
{
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--help")
            return false;
        const number_option* option = options.begin();
        while (option != options.end() && option->name != name)
            ++option;
        if (option == options.end())
            throw std::invalid_argument("unknown option '" + std::string(name) + "'");
        if (i + 1 == argc)
            throw std::invalid_argument(std::string(name) + " needs a value");
        option->target = number_of(name, argv[++i]);
    }
    return true;
}

}  // namespace sluice::soak

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "co_main.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

int main(int argc, char** argv)
{
    const auto program = std::filesystem::path{argv[0]}.filename().string();
    const arguments args{argv + 1, argv + argc};
    if (std::ranges::count(args, "--help")) {
        const std::string prefix = "sample_";
        const bool has_prefix = program.starts_with(prefix);
        std::cout << "usage: " << program << " [options]\n"
                  << "The first comment of "
                  << program.substr(has_prefix ? prefix.size() : 0)
                  << ".cpp says what it shows and which options it has.\n";
        return EXIT_SUCCESS;
    }

    try {
        sluice::io_context_pool pool{4};
        pool.run(co_main(pool, args));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::cerr << program << ": " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/peers/peer.hpp"

#include <exception>
#include <iomanip>
#include <iostream>
#include <string>

// The program that every peer in C++ is; bench/programs.hpp has its arguments.

int main(int argc, char** argv)
{
    using namespace sluice::bench;
    try {
        if (argc != 8)
            throw std::invalid_argument("needs a work and six numbers");
        const auto number = [argv](int index) { return std::stoul(argv[index]); };
        const task what{
            .work = argv[1],
            .form =
                {.capacity = number(2),
                 .producers = number(3),
                 .consumers = number(4),
                 .threads = number(5)},
            .steps = number(6)
        };
        const std::size_t items = number(7);
        const std::size_t portion = what.form.producers * what.form.consumers;
        static_cast<void>(perform(what, (items / 10 / portion + 1) * portion));
        std::cout << std::fixed << perform(what, items) << '\n';
        return 0;
    } catch (const std::exception& error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
}

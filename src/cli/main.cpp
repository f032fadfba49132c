// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "program.hpp"
#include <sluice/pipeline/builtin_stages.hpp>

#include <csignal>
#include <iostream>

int main(int argc, char** argv)
{
    // A closed standard output is an error of the stage that prints, with a message.
    std::signal(SIGPIPE, SIG_IGN);

    sluice::pipeline::stage_registry stages;
    sluice::pipeline::add_builtin_stages(stages);
    return static_cast<int>(
        sluice::cli::run_program({argv + 1, argv + argc}, stages, std::cout, std::cerr)
    );
}

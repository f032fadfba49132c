// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "program.hpp"
#include <sluice/pipeline/builtin_stages.hpp>

#include <fcntl.h>

#include <csignal>
#include <iostream>
#include <unistd.h>

namespace {

// A standard descriptor that is closed would be the next file that is opened. What takes its
// place can be used by nobody: reading gives an error, and so does writing.
void occupy_closed_descriptors()
{
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(standard, F_GETFD) < 0)  // so it is the lowest one that is free
            static_cast<void>(::open(
                "/dev/null",
                (standard == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC
            ));
}

}  // namespace

int main(int argc, char** argv)
{
    occupy_closed_descriptors();
    // A closed standard output is an error of the stage that prints, with a message.
    std::signal(SIGPIPE, SIG_IGN);

    sluice::pipeline::stage_registry stages;
    sluice::pipeline::add_builtin_stages(stages);
    return static_cast<int>(
        sluice::cli::run_program({argv + 1, argv + argc}, stages, std::cout, std::cerr)
    );
}

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "program.hpp"
#include <sluice/pipeline/builtin_stages.hpp>

#include <fcntl.h>

#include <csignal>
#include <iostream>
#include <unistd.h>

namespace {

// A standard descriptor that is closed would be the next file that is opened. Reading gives
// the end then, and writing an error.
void occupy_closed_descriptors()
{
    int opened = 0;
    do
        opened = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (opened >= 0 && opened <= STDERR_FILENO);
    ::close(opened);
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

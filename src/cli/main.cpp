// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "program.hpp"
#include "terminal.hpp"

#include <fcntl.h>
#include <malloc.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace sluice::cli {

namespace {

// The next file that is opened would get the number of a closed standard descriptor. What is
// opened here instead fails every read and write.
void occupy_closed_descriptors()
{
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(standard, F_GETFD) < 0)  // open() takes the lowest free one
            static_cast<void>(::open(
                "/dev/null",
                (standard == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC
            ));
}

// By default glibc keeps an arena of up to 128 MiB of addresses for each thread. Where addresses
// are limited, it asks for one in vain at each allocation.
void share_memory_if_limited() noexcept
{
#ifdef M_ARENA_MAX
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        static_cast<void>(::mallopt(M_ARENA_MAX, 1));
#endif
}

// Asio has places from which it cannot report that there is no memory. The program ends there
// with a message; what it was writing is removed by the next run.
[[noreturn]] void end_without_memory() noexcept
{
    try {
        if (const std::exception_ptr cause = std::current_exception())
            std::rethrow_exception(cause);
    } catch (const std::bad_alloc&) {
        constexpr std::string_view message = "sluice: out of memory\n";
        write_best_effort(STDERR_FILENO, message, patience_at_the_end);
        std::_Exit(static_cast<int>(exit_status::failed));
    } catch (...) {
        // a mistake of the program
    }
    std::abort();
}

}  // namespace

}  // namespace sluice::cli

int main(int argc, char** argv)
{
    std::set_terminate(sluice::cli::end_without_memory);
    sluice::cli::occupy_closed_descriptors();
    sluice::cli::share_memory_if_limited();
    // Writing to a closed standard output, and beyond the limit of the size of files, are then
    // errors with a message.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    return static_cast<int>(sluice::cli::run_program({argv + 1, argv + argc}));
}

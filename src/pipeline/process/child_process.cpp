// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/process/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <utility>

namespace sluice::pipeline {

namespace {

void make_non_blocking(const io::unique_descriptor& end)
{
    if (::fcntl(end.get(), F_SETFL, O_NONBLOCK) != 0)
        io::throw_error(errno, "cannot make a pipe non-blocking");
}

// The system call itself: the header of glibc 2.36 declares it without C linkage.
io::unique_descriptor open_end_event(pid_t id)
{
    return io::unique_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
}

// Both ends of a pipe. No other child inherits them: an end that is open somewhere else
// would keep its reader waiting.
struct pipe_ends
{
    pipe_ends()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            io::throw_error(errno, "cannot make a pipe");
        read = io::unique_descriptor(ends[0]);
        write = io::unique_descriptor(ends[1]);
    }

    io::unique_descriptor read;
    io::unique_descriptor write;
};

struct file_actions
{
    file_actions() { ::posix_spawn_file_actions_init(&actions); }
    file_actions(const file_actions&) = delete;
    file_actions& operator=(const file_actions&) = delete;
    ~file_actions() { ::posix_spawn_file_actions_destroy(&actions); }

    void connect(const io::unique_descriptor& end, int descriptor)
    {
        ::posix_spawn_file_actions_adddup2(&actions, end.get(), descriptor);
    }

    posix_spawn_file_actions_t actions{};
};

// What the child starts with, whatever this program and this thread have set for themselves:
// a session of its own, no blocked signals, and neither SIGPIPE nor SIGXFSZ ignored.
struct attributes
{
    attributes()
    {
        ::posix_spawnattr_init(&values);
        sigset_t signals;
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&values, &signals);
        ::sigaddset(&signals, SIGPIPE);
        ::sigaddset(&signals, SIGXFSZ);
        ::sigaddset(&signals, SIGINT);
        ::sigaddset(&signals, SIGTERM);
        ::posix_spawnattr_setsigdefault(&values, &signals);
        ::posix_spawnattr_setflags(
            &values,
            POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        );
    }

    attributes(const attributes&) = delete;
    attributes& operator=(const attributes&) = delete;
    ~attributes() { ::posix_spawnattr_destroy(&values); }

    posix_spawnattr_t values{};
};

struct pipes
{
    pipe_ends input;
    pipe_ends output;
    pipe_ends errors;
};

pid_t start(const std::vector<std::string>& command, const pipes& ends)
{
    file_actions actions;
    actions.connect(ends.input.read, STDIN_FILENO);
    actions.connect(ends.output.write, STDOUT_FILENO);
    actions.connect(ends.errors.write, STDERR_FILENO);
    const attributes attributes;
    std::vector<char*> arguments;
    for (const std::string& each : command)
        arguments.push_back(const_cast<char*>(each.c_str()));  // the interface is older
    arguments.push_back(nullptr);
    pid_t id = -1;
    const int error = ::posix_spawnp(
        &id,
        arguments.front(),
        &actions.actions,
        &attributes.values,
        arguments.data(),
        environ
    );
    if (error != 0)
        io::throw_error(
            error,
            fmt::format("cannot start the command \"{}\"", command.front())
        );
    return id;
}

}  // namespace

std::string to_string(const exit_status& status)
{
    if (status.signal == 0)
        return fmt::format("ended with status {}", status.code);
    return fmt::format(
        "was ended by signal {} ({})",
        status.signal,
        ::strsignal(status.signal)
    );
}

child_process::child_process(const std::vector<std::string>& command)
{
    pipes ends;
    make_non_blocking(ends.input.write);
    make_non_blocking(ends.output.read);
    make_non_blocking(ends.errors.read);
    id_ = start(command, ends);
    input = std::move(ends.input.write);
    output = std::move(ends.output.read);
    errors = std::move(ends.errors.read);
    read_end_ = std::move(ends.input.read);
    end_event = open_end_event(id_);
    if (!end_event) {
        const int error = errno;
        send_signal(SIGKILL);
        (void)reap();
        io::throw_error(
            error,
            fmt::format("cannot watch the command \"{}\"", command.front())
        );
    }
}

child_process::~child_process()
{
    if (id_ < 0)
        return;
    send_signal(SIGKILL);
    io::uninterrupted([this] { return ::waitpid(id_, nullptr, 0); });
}

std::size_t child_process::unread_input() const noexcept
{
    int count = 0;
    return ::ioctl(read_end_.get(), FIONREAD, &count) == 0 && count > 0
               ? static_cast<std::size_t>(count)
               : 0;
}

void child_process::send_signal(int number) const noexcept
{
    const std::lock_guard lock(mutex_);
    if (id_ > 0)
        ::kill(-id_, number);
}

bool child_process::has_ended() const noexcept
{
    if (id_ < 0)
        return true;
    siginfo_t found{};
    const int options = WEXITED | WNOHANG | WNOWAIT;
    return ::waitid(P_PID, static_cast<id_t>(id_), &found, options) == 0 &&
           found.si_pid != 0;
}

exit_status child_process::reap()
{
    // Its number may be that of another process as soon as it is reaped, so no signal may be sent
    // meanwhile. Until it has ended, signals have to reach it.
    siginfo_t ended{};
    io::uninterrupted([&] {
        return ::waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOWAIT);
    });
    const std::lock_guard lock(mutex_);
    int status = 0;
    if (io::uninterrupted([&] { return ::waitpid(id_, &status, 0); }) < 0)
        io::throw_error(errno, "cannot learn how a command has ended");
    id_ = -1;
    if (WIFSIGNALED(status))
        return {.signal = WTERMSIG(status)};
    return {.code = WEXITSTATUS(status)};
}

}  // namespace sluice::pipeline

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/io.hpp"

#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::pipeline {

// How a child has ended.
struct exit_status
{
    int code = 0;    // what it has returned
    int signal = 0;  // what it was ended by; 0: it has returned

    [[nodiscard]] bool is_success() const noexcept { return code == 0 && signal == 0; }
};

// "ended with status 1", "was ended by signal 9 (Killed)".
[[nodiscard]] std::string to_string(const exit_status& status);

// A child with pipes to its standard input, output and error output. It has a session and a
// process group of its own, so that Ctrl-C on the terminal reaches only this program, which then
// lets the child finish; and so that signals reach what the child has started, too. In that session
// is no terminal, and so a question for a password fails. In a group alone it would stop the child.
//
// Why not Boost.Process: that of 1.81 reaps with handlers of SIGCHLD that are the program's
// only ones, or runs code between fork and exec that is not safe in a program with threads.
class child_process
{
public:
    // Starts it; looks for the program in PATH. Throws an error with its name.
    explicit child_process(const std::vector<std::string>& command);

    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    // Kills and reaps a child that has not been reaped.
    ~child_process();

    // The ends of the pipes, to be taken from here. They do not block.
    io::unique_descriptor input;   // where its standard input is written to
    io::unique_descriptor output;  // where its standard output is read from
    io::unique_descriptor errors;  // where its error output is read from

    // Becomes readable at its end.
    io::unique_descriptor end_event;

    // How many bytes written to its standard input it has not read.
    [[nodiscard]] std::size_t unread_input() const noexcept;

    // Sends a signal to it and to what it has started, unless it has been reaped. Any thread.
    void send_signal(int number) const noexcept;

    // Whether it has ended, also if it has not been reaped.
    [[nodiscard]] bool has_ended() const noexcept;

    // How it has ended; waits for that, so call it after the event.
    [[nodiscard]] exit_status reap();

private:
    // The end that the child reads from. While it is open here, writing to the pipe of a
    // child that has gone is no error and raises no SIGPIPE, and what it has left can be
    // counted.
    io::unique_descriptor read_end_;
    mutable std::mutex mutex_;
    pid_t id_ = -1;  // -1: it has been reaped; written under mutex_, by its owner
};

}  // namespace sluice::pipeline

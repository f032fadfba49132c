// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/process/child_process.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::pipeline {

// A child that has ended otherwise than it should.
class command_failed : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// What happens to the input that a child leaves when it ends without an error.
enum class left_input
{
    is_error,
    is_dropped
};

struct filter_rules
{
    line_rules lines;  // what it is given
    left_input left = left_input::is_error;
    std::uint64_t longest_record = std::numeric_limits<std::uint64_t>::max();
};

// Drives one child as a filter of lines: what a worker takes is written to it, what it writes
// is given on, both at the same time, so that either side may wait for the other. Its
// coroutines share this object and the context without a lock: the executor is a strand.
class line_filter
{
public:
    // `only` is all of the input, if it is there. The name is that of the command in messages.
    line_filter(
        const boost::asio::any_io_executor& strand,
        std::unique_ptr<child_process> child,
        stage_context& context,
        std::optional<std::vector<element>> only,
        std::string name,
        filter_rules rules
    );

    // Runs until the child has ended and the input, too. Throws if the child fails; the
    // child may go on then, and terminate() is needed.
    [[nodiscard]] boost::asio::awaitable<void> run();

    // The same for a child without input, until it ends or sources should; then it gets
    // SIGTERM, which is no failure, and SIGKILL after that time, of which terminate() leaves it
    // the rest.
    [[nodiscard]] boost::asio::awaitable<void> run_as_source(
        std::chrono::nanoseconds kill_after
    );

    // Ends the child, first politely, then by force, and reaps it. For a coroutine that can no
    // longer be cancelled.
    [[nodiscard]] boost::asio::awaitable<void> terminate(
        std::chrono::nanoseconds kill_after
    );

private:
    [[nodiscard]] boost::asio::awaitable<void> feed();
    [[nodiscard]] boost::asio::awaitable<std::vector<element>> read();
    [[nodiscard]] std::string lines_of(const std::vector<element>& elements) const;
    [[nodiscard]] boost::asio::awaitable<void> end_on_stop(
        std::chrono::nanoseconds kill_after
    );
    template <class End>
    [[nodiscard]] boost::asio::awaitable<bool> ask_to_end(
        std::chrono::nanoseconds kill_after,
        End end
    );
    [[nodiscard]] boost::asio::awaitable<bool> send(const std::string& lines);
    [[nodiscard]] boost::asio::awaitable<void> drop_input();
    [[nodiscard]] boost::asio::awaitable<void> watch();
    [[nodiscard]] boost::asio::awaitable<void> pass_on_output();
    [[nodiscard]] boost::asio::awaitable<void> give(std::vector<element>& lines);
    [[nodiscard]] boost::asio::awaitable<void> keep_errors();

    template <class CompletionToken>
    auto wait_for_end(CompletionToken token)
    {
        return end_event_.async_wait(end_event_.wait_read, token);
    }

    [[noreturn]] void fail(const std::string& what) const;

    const std::unique_ptr<child_process> child_;
    stage_context& context_;
    std::optional<std::vector<element>> only_;
    const std::string name_;
    const filter_rules rules_;
    boost::asio::posix::stream_descriptor input_;   // of the child
    boost::asio::posix::stream_descriptor output_;  // of the child
    boost::asio::posix::stream_descriptor errors_;  // of the child
    boost::asio::posix::stream_descriptor end_event_;
    std::string last_errors_;           // the end of what it has written there
    std::optional<exit_status> ended_;  // how
    bool input_left_ = false;           // it ended before it was given all
    boost::asio::steady_timer over_;    // cancelled when it has ended and its output, too
    bool asked_to_end_ = false;         // while it ran, so how it ends does not matter
    std::optional<boost::asio::steady_timer> patience_;  // until it is killed
};

}  // namespace sluice::pipeline

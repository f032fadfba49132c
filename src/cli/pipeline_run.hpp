// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "progress.hpp"
#include "report.hpp"
#include <sluice/io_context_pool.hpp>
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/output.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <exception>
#include <optional>

namespace sluice::cli {

// One run of a pipeline under the control of a user: signals, time limit, display.
/*
 * The pipeline has the threads of the pool. All the rest happens on the thread that calls
 * run(), on a context of its own, so that Ctrl-C is answered also while every thread of the
 * pool is busy.
 */
class pipeline_run
{
public:
    pipeline_run(pipeline::checked_description checked, const run_arguments& arguments);

    // Waits for the end.
    [[nodiscard]] run_outcome run();

    [[nodiscard]] pipeline::pipeline_snapshot snapshot() const
    {
        return pipeline_.snapshot();
    }

    // Removes what must not stay when the process ends although workers still run.
    void abandon() noexcept { pipeline_.abandon(); }

    // Whether workers were left behind, which the destructor would wait for.
    [[nodiscard]] bool has_stragglers() const noexcept { return has_stragglers_; }

private:
    enum class request
    {
        none,
        drain,
        stop
    };

    void start_pipeline();
    void wait_for_signal();
    void on_signal(int signal);
    void wait_for_timeout();
    void wait_for_next_frame(std::chrono::milliseconds interval);
    void stop();
    void on_end(std::exception_ptr error);
    void leave();
    [[nodiscard]] pipeline::output& results() noexcept;
    [[nodiscard]] run_end end_without_error() const noexcept;

    // The order matters: a member is destroyed before those above it, which it uses.
    std::optional<std::chrono::nanoseconds> timeout_;
    std::chrono::nanoseconds grace_period_;
    progress progress_;
    pipeline::descriptor_output stdout_;
    output_above_lines stdout_above_lines_;
    boost::asio::io_context control_{1};  // of the thread that calls run()
    boost::asio::signal_set signals_;
    boost::asio::steady_timer timeout_timer_;
    boost::asio::steady_timer frame_timer_;
    boost::asio::steady_timer patience_timer_;  // for a pool that does not answer at all
    io_context_pool pool_;
    pipeline::running_pipeline pipeline_;

    request request_ = request::none;  // what the user asked for
    bool timed_out_ = false;
    bool has_stragglers_ = false;
    run_outcome outcome_;
};

}  // namespace sluice::cli

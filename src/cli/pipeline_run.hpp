// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "overdue_workers.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "run_page.hpp"
#include "run_results.hpp"
#include "server_outages.hpp"
#include "terminal.hpp"
#include <sluice/coordination/task_info.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/output.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    // The results must live as long; they are abandoned with the pipeline.
    pipeline_run(
        const run_arguments& arguments,
        pipeline::checked_description checked,
        run_results& results
    );

    // Waits for the end.
    [[nodiscard]] run_outcome run();

    // What the pipeline says, and what only the command knows: its threads, its time limit and the
    // outcome, once there is one.
    [[nodiscard]] metrics::snapshot snapshot() const;

    // Removes temporary files and children, for a process that ends while workers still run.
    void abandon() noexcept
    {
        pipeline_.abandon();
        results_.abandon();
    }

    // Keeps the live page, if there is one, with the final state: as long as was asked for, and
    // otherwise long enough for the pages that are open to get it.
    void linger();

    // Whether workers still run, for which the destructor would wait.
    [[nodiscard]] bool has_stragglers() const noexcept { return has_stragglers_; }

private:
    void start_pipeline();
    void serve(const serve_arguments& arguments);
    [[nodiscard]] std::vector<page_action> actions();
    void wait_for_signal();
    void on_signal(int signal);
    void drain();
    void stop_because(std::string_view note);
    void look_at_servers();
    void wait_for_next_frame(std::chrono::milliseconds interval);
    void stop();
    void on_overdue(const std::vector<task_info>& workers);
    void on_end(std::exception_ptr error);
    void leave_without_error(const metrics::snapshot& now);
    void leave(run_outcome outcome);
    [[nodiscard]] std::string text_of(
        const std::exception_ptr& error,
        const metrics::snapshot& now
    ) const;
    [[nodiscard]] run_outcome overdue_outcome(const metrics::snapshot& now) const;
    [[nodiscard]] std::string ended_wait(const metrics::snapshot& now) const;
    [[nodiscard]] std::string timeout_text(
        const metrics::snapshot& now,
        const std::string& error
    ) const;
    [[nodiscard]] pipeline::output& output() noexcept;

    // The order matters: a member is destroyed before those above it, which it uses.
    run_results& results_;
    std::optional<std::chrono::nanoseconds> timeout_;
    std::chrono::nanoseconds drain_limit_;
    std::chrono::nanoseconds grace_period_;
    server_addresses servers_;
    overdue_workers overdue_;
    progress progress_;
    pipeline::descriptor_output stdout_;
    output_above_lines stdout_above_lines_;
    boost::asio::io_context control_{1};  // of the thread that calls run()
    boost::asio::signal_set signals_;
    boost::asio::steady_timer timeout_timer_;
    boost::asio::steady_timer drain_timer_;
    boost::asio::steady_timer frame_timer_;
    boost::asio::steady_timer servers_timer_;
    // For a pool whose threads are all blocked.
    boost::asio::steady_timer patience_timer_;
    io_context_pool pool_;
    pipeline::running_pipeline pipeline_;
    results_in_progress observed_;
    std::optional<run_page> page_;
    server_outages outages_;

    run_end end_ = run_end::done;  // the outcome unless there is an error
    bool timed_out_ = false;       // and nothing had stopped it by then
    bool has_stragglers_ = false;
    bool is_over_ = false;  // there is an outcome; a signal only ends the wait
    run_outcome outcome_;
};

}  // namespace sluice::cli

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_command.hpp"

#include "overdue_workers.hpp"
#include "pipeline/durations.hpp"
#include "progress.hpp"
#include "remote_queues.hpp"
#include "run_page.hpp"
#include "run_results.hpp"
#include "terminal.hpp"
#include "text/printable.hpp"
#include "timers.hpp"
#include <sluice/coordination/task_info.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/pipeline/output.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::cli {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

std::string message_of(const std::exception_ptr& exception)
{
    try {
        std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
        return "out of memory";
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

// The runner is empty if it was none of them.
std::string message_of(const std::exception_ptr& exception, const std::string& runner)
{
    const std::string message = message_of(exception);
    return runner.empty() ? message
                          : fmt::format("{}: {}", text::printable(runner), message);
}

// For example under nohup.
bool is_ignored(int signal)
{
    struct sigaction now{};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

// Some builds know no queues on servers.
void expect_queues(const pipeline::pipeline_description& description)
{
    for (const pipeline::queue_description& each : description.queues)
        if (each.type == pipeline::queue_type::redis && remote_queues() == nullptr)
            throw command_error(fmt::format(
                "sluice: the queue \"{}\" is of type redis, and this command was built "
                "without SLUICE_WITH_REDIS",
                text::printable(each.name)
            ));
}

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

    [[nodiscard]] metrics::snapshot snapshot() const { return pipeline_.snapshot(); }

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
    void wait_for_next_frame(std::chrono::milliseconds interval);
    void stop();
    void on_overdue(const std::vector<task_info>& workers);
    void on_end(std::exception_ptr error);
    void leave(run_outcome outcome);
    [[nodiscard]] run_outcome overdue_outcome(const metrics::snapshot& now) const;
    [[nodiscard]] std::string timeout_text() const;
    [[nodiscard]] metrics::snapshot shown() const;
    [[nodiscard]] pipeline::output& output() noexcept;

    // The order matters: a member is destroyed before those above it, which it uses.
    run_results& results_;
    std::optional<std::chrono::nanoseconds> timeout_;
    std::chrono::nanoseconds drain_limit_;
    std::chrono::nanoseconds grace_period_;
    overdue_workers overdue_;
    progress progress_;
    pipeline::descriptor_output stdout_;
    output_above_lines stdout_above_lines_;
    asio::io_context control_{1};  // of the thread that calls run()
    asio::signal_set signals_;
    asio::steady_timer timeout_timer_;
    asio::steady_timer drain_timer_;
    asio::steady_timer frame_timer_;
    asio::steady_timer patience_timer_;  // for a pool whose threads are all blocked
    io_context_pool pool_;
    pipeline::running_pipeline pipeline_;
    results_in_progress observed_;
    std::optional<run_page> page_;

    run_end end_ = run_end::done;  // the outcome unless there is an error
    bool timed_out_ = false;
    bool has_stragglers_ = false;
    bool is_over_ = false;  // a signal only ends the wait
    run_outcome outcome_;
};

pipeline_run::pipeline_run(
    const run_arguments& arguments,
    pipeline::checked_description checked,
    run_results& results
)
    : results_(results),
      timeout_(arguments.timeout),
      drain_limit_(arguments.drain_limit),
      grace_period_(checked.description().stop_grace_period),
      overdue_(checked.description()),
      progress_(arguments.progress, STDERR_FILENO),
      stdout_(STDOUT_FILENO, "standard output"),
      stdout_above_lines_(progress_.lines(), stdout_),
      signals_(control_, SIGINT, SIGTERM),
      timeout_timer_(control_),
      drain_timer_(control_),
      frame_timer_(control_),
      patience_timer_(control_),
      pool_(checked.description().threads),
      pipeline_(
          pool_.get_executor(),
          std::move(checked),
          output(),
          [this](const auto& workers) {
              asio::post(control_, [this, workers] { on_overdue(workers); });
          },
          remote_queues()
      ),
      observed_(control_, results, pipeline_)
{
    if (!is_ignored(SIGHUP))
        signals_.add(SIGHUP);
    if (arguments.serve)
        serve(*arguments.serve);
}

void pipeline_run::serve(const serve_arguments& arguments)
{
    live_page_options options;
    if (report::trace* const trace = results_.trace())
        options.trace = [trace] { return trace->to_json(); };
    if (arguments.has_control)
        options.actions = actions();
    page_.emplace(control_, arguments, [this] { return shown(); }, std::move(options));
    progress_.note("live page: " + page_->url());
}

// A time limit makes the run a failure, although no task has failed.
metrics::snapshot pipeline_run::shown() const
{
    metrics::snapshot now = pipeline_.snapshot();
    if (timed_out_ && now.first_error.empty())
        now.first_error = timeout_text();
    return now;
}

std::vector<page_action> pipeline_run::actions()
{
    const auto drain_once = [this] {
        if (end_ == run_end::done && !is_over_)
            drain();
    };
    const auto stop_once = [this] {
        if (end_ != run_end::stopped && !is_over_)
            stop_because("stopping");
    };
    std::vector<page_action> result{
        {.name = "drain", .label = "Drain", .run = drain_once},
        {.name = "stop", .label = "Stop", .run = stop_once}
    };
    for (const metrics::runner_snapshot& each : pipeline_.snapshot().runners) {
        const std::string number = std::to_string(result.size() / 2);
        result.push_back(
            {.name = "pause-" + number,
             .label = "Pause " + each.name,
             .run = [this, name = each.name] { pipeline_.pause(name); },
             .runner = each.name}
        );
        result.push_back(
            {.name = "resume-" + number,
             .label = "Resume " + each.name,
             .run = [this, name = each.name] { pipeline_.resume(name); },
             .runner = each.name,
             .for_paused = true}
        );
    }
    return result;
}

void pipeline_run::linger()
{
    if (!page_)
        return;
    is_over_ = true;
    for (asio::steady_timer* each :
         {&timeout_timer_, &drain_timer_, &frame_timer_, &patience_timer_})
        each->cancel();
    page_->linger([this](const std::string& text) { progress_.note(text); });
}

run_outcome pipeline_run::run()
{
    wait_for_signal();
    if (timeout_)
        after(timeout_timer_, *timeout_, [this] {
            timed_out_ = true;
            stop();
        });
    if (const auto interval = progress_.interval())
        wait_for_next_frame(*interval);
    observed_.start();
    start_pipeline();
    control_.run();
    progress_.end();
    observed_.end();
    return outcome_;
}

void pipeline_run::start_pipeline()
{
    asio::co_spawn(
        pool_.get_executor(),
        pipeline_.run(),
        [this, work = asio::make_work_guard(control_)](std::exception_ptr error) {
            asio::post(control_, [this, error] { on_end(error); });
        }
    );
}

void pipeline_run::wait_for_signal()
{
    signals_.async_wait([this](const error_code& ec, int signal) {
        if (ec)
            return;
        on_signal(signal);
        wait_for_signal();
    });
}

void pipeline_run::on_signal(int signal)
{
    if (is_over_) {
        control_.stop();
    } else if (end_ == run_end::done) {
        drain();
    } else if (signal == SIGHUP) {
        // When a terminal ends, its shell and the kernel send one each.
    } else if (end_ == run_end::drained) {
        stop_because("stopping");
    } else {
        abandon();
        std::_Exit(static_cast<int>(exit_status::interrupted));
    }
}

void pipeline_run::drain()
{
    end_ = run_end::drained;
    pipeline_.request_drain();
    progress_.note("draining; press Ctrl-C again to stop at once");
    after(drain_timer_, drain_limit_, [this] {
        if (end_ == run_end::drained)
            stop_because(
                "the drain has taken " + pipeline::detail::to_text(drain_limit_) +
                "; stopping"
            );
    });
}

void pipeline_run::stop_because(std::string_view note)
{
    end_ = run_end::stopped;
    stop();
    progress_.note(note);
}

void pipeline_run::wait_for_next_frame(std::chrono::milliseconds interval)
{
    after(frame_timer_, interval, [this, interval] {
        progress_.show(pipeline_.snapshot());
        wait_for_next_frame(interval);
    });
}

void pipeline_run::stop()
{
    pipeline_.request_stop();
    // The pipeline itself reports stragglers when the grace period is over. It cannot if a
    // stage blocks every thread of the pool.
    after(patience_timer_, grace_period_ + 2s, [this] {
        has_stragglers_ = true;
        leave(overdue_outcome(pipeline_.snapshot()));
    });
}

void pipeline_run::on_overdue(const std::vector<task_info>& workers)
{
    for (const task_info& worker : workers)
        progress_.note("still running: " + to_string(worker));
}

void pipeline_run::on_end(std::exception_ptr error)
{
    const metrics::snapshot now = pipeline_.snapshot();
    has_stragglers_ = overdue_workers::are_in(now);
    if (has_stragglers_ && overdue_workers::are_all_of(error))
        leave(overdue_outcome(now));
    else if (error)
        leave({run_end::failed, message_of(error, pipeline_.runner_of(error))});
    else if (timed_out_)
        leave({run_end::timed_out, timeout_text()});
    else
        leave({end_, {}});
}

std::string pipeline_run::timeout_text() const
{
    return "timed out after " + pipeline::detail::to_text(*timeout_);
}

run_outcome pipeline_run::overdue_outcome(const metrics::snapshot& now) const
{
    const std::string before = timed_out_ ? timeout_text() + "; " : "";
    if (!overdue_workers::are_in(now))
        return {
            run_end::failed,
            before + "a server has not said that it knows the end of the run"
        };
    return {run_end::failed, before + overdue_.message_for(now)};
}

// Ends control_.run(). A signal that comes now is too late and changes nothing.
void pipeline_run::leave(run_outcome outcome)
{
    outcome_ = std::move(outcome);
    control_.stop();
}

pipeline::output& pipeline_run::output() noexcept
{
    const bool share_a_terminal = progress_.mode() == progress_mode::bar &&
                                  is_terminal(STDOUT_FILENO);
    if (share_a_terminal)
        return stdout_above_lines_;
    return stdout_;
}

}  // namespace

exit_status run_command(
    const run_arguments& arguments,
    pipeline::checked_description checked
)
{
    expect_queues(checked.description());
    run_results results(arguments, checked);
    std::optional<pipeline_run> run;
    try {
        run.emplace(arguments, std::move(checked), results);
    } catch (const std::runtime_error& error) {
        // for example: so many threads
        throw std::runtime_error(
            fmt::format("cannot start the pipeline: {}", error.what())
        );
    }
    const run_outcome outcome = run->run();
    const exit_status status = results.write(run->snapshot(), outcome);
    run->linger();
    if (run->has_stragglers()) {  // the destructor would wait for them
        run->abandon();
        std::_Exit(static_cast<int>(status));
    }
    return status;
}

}  // namespace sluice::cli

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_run.hpp"

#include "pipeline/durations.hpp"
#include <sluice/error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace sluice::cli {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

bool has_workers(const pipeline::pipeline_snapshot& snapshot)
{
    return std::ranges::any_of(snapshot.runners, [](const auto& runner) {
        return runner.running > 0;
    });
}

// As it is under nohup.
bool is_ignored(int signal)
{
    struct sigaction now{};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

pipeline_run::pipeline_run(
    pipeline::checked_description checked,
    const run_arguments& arguments
)
    : timeout_(arguments.timeout),
      grace_period_(checked.description().stop_grace_period),
      progress_(arguments.progress, STDERR_FILENO),
      stdout_(STDOUT_FILENO, "standard output"),
      stdout_above_lines_(progress_.lines(), stdout_),
      signals_(control_, SIGINT, SIGTERM),
      timeout_timer_(control_),
      frame_timer_(control_),
      patience_timer_(control_),
      pool_(checked.description().threads),
      pipeline_(pool_.get_executor(), std::move(checked), results())
{
    if (!is_ignored(SIGHUP))
        signals_.add(SIGHUP);
}

run_outcome pipeline_run::run()
{
    wait_for_signal();
    if (timeout_)
        wait_for_timeout();
    if (const auto interval = progress_.interval())
        wait_for_next_frame(*interval);
    start_pipeline();
    control_.run();
    progress_.end();
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
        if (!ec)
            on_signal(signal);
    });
}

void pipeline_run::on_signal(int signal)
{
    // One end of a terminal sends two: its shell and the kernel one each.
    if (signal == SIGHUP && request_ != request::none) {
        wait_for_signal();
        return;
    }
    switch (request_) {
    case request::none:
        request_ = request::drain;
        pipeline_.request_drain();
        progress_.note("draining; press Ctrl-C again to stop at once");
        break;
    case request::drain:
        request_ = request::stop;
        stop();
        progress_.note("stopping");
        break;
    case request::stop:
        pipeline_.abandon();
        std::_Exit(static_cast<int>(exit_status::interrupted));
    }
    wait_for_signal();
}

void pipeline_run::wait_for_timeout()
{
    timeout_timer_.expires_after(*timeout_);
    timeout_timer_.async_wait([this](const error_code& ec) {
        if (ec)
            return;
        timed_out_ = true;
        stop();
    });
}

void pipeline_run::wait_for_next_frame(std::chrono::milliseconds interval)
{
    frame_timer_.expires_after(interval);
    frame_timer_.async_wait([this, interval](const error_code& ec) {
        if (ec)
            return;
        progress_.show(pipeline_.snapshot());
        wait_for_next_frame(interval);
    });
}

void pipeline_run::stop()
{
    pipeline_.request_stop();
    // The pipeline itself reports stragglers when the grace period is over. It cannot if a
    // stage blocks every thread of the pool.
    patience_timer_.expires_after(grace_period_ + 2s);
    patience_timer_.async_wait([this](const error_code& ec) {
        if (ec)
            return;
        has_stragglers_ = true;
        outcome_ = {
            run_end::failed,
            "the pipeline did not stop in its grace period of " +
                pipeline::detail::to_text(grace_period_)
        };
        leave();
    });
}

void pipeline_run::on_end(std::exception_ptr error)
{
    has_stragglers_ = has_workers(pipeline_.snapshot());
    if (error) {
        outcome_ = {run_end::failed, message_of(error)};
    } else if (timed_out_) {
        outcome_ = {
            run_end::timed_out,
            "timed out after " + pipeline::detail::to_text(*timeout_)
        };
    } else {
        outcome_ = {end_without_error(), {}};
    }
    leave();
}

// Ends control_.run(). A signal that comes now is too late and changes nothing.
void pipeline_run::leave()
{
    control_.stop();
}

pipeline::output& pipeline_run::results() noexcept
{
    const bool share_a_terminal = progress_.mode() == progress_mode::bar &&
                                  is_terminal(STDOUT_FILENO);
    if (share_a_terminal)
        return stdout_above_lines_;
    return stdout_;
}

run_end pipeline_run::end_without_error() const noexcept
{
    switch (request_) {
    case request::none:
        break;
    case request::drain:
        return run_end::drained;
    case request::stop:
        return run_end::stopped;
    }
    return run_end::done;
}

}  // namespace sluice::cli

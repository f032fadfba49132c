// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_run.hpp"

#include "pipeline/durations.hpp"
#include "pipeline/runner_title.hpp"
#include "remote_queues.hpp"
#include "text/message_of.hpp"
#include "text_format.hpp"
#include "timers.hpp"
#include <sluice/error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <utility>

namespace sluice::cli {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// `clean (filter): `; nothing if it was no runner that threw it.
std::string place_of(const std::string& runner, const metrics::snapshot& run)
{
    const auto found =
        std::ranges::find(run.runners, runner, &metrics::runner_snapshot::name);
    if (found == run.runners.end())
        return {};
    return pipeline::runner_title(found->name, found->stage) + ": ";
}

// For example under nohup, or in the background of a script.
bool is_ignored(int signal)
{
    struct sigaction now{};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

bool uses_servers(const metrics::snapshot& run)
{
    return std::ranges::any_of(run.queues, [](const metrics::queue_snapshot& queue) {
        return queue.remote.has_value();
    });
}

server_addresses addresses_of(const pipeline::pipeline_description& description)
{
    server_addresses found;
    for (const pipeline::queue_description& queue : description.queues)
        if (queue.type == pipeline::queue_type::redis)
            found.emplace(queue.name, shown_address(queue.url));
    return found;
}

}  // namespace

pipeline_run::pipeline_run(
    const run_arguments& arguments,
    pipeline::checked_description checked,
    run_results& results
)
    : results_(results),
      timeout_(arguments.timeout),
      drain_limit_(arguments.drain_limit),
      grace_period_(checked.description().stop_grace_period),
      servers_(addresses_of(checked.description())),
      overdue_(checked.description()),
      progress_(arguments.progress, STDERR_FILENO),
      stdout_(STDOUT_FILENO, "standard output"),
      stdout_above_lines_(progress_.lines(), stdout_),
      signals_(control_),
      timeout_timer_(control_),
      drain_timer_(control_),
      frame_timer_(control_),
      servers_timer_(control_),
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
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (!is_ignored(signal))
            signals_.add(signal);
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
    page_.emplace(control_, arguments, [this] { return snapshot(); }, std::move(options));
    progress_.note("live page: " + page_->url());
}

// A time limit makes the run a failure, although no task has failed before.
metrics::snapshot pipeline_run::snapshot() const
{
    metrics::snapshot now = pipeline_.snapshot();
    now.threads = pool_.size();
    now.processors = std::max(1U, std::thread::hardware_concurrency());
    if (timed_out_)
        now.first_error = timeout_text(now, now.first_error);
    if (!is_over_)
        return now;
    now.state = outcome_.state();
    if (now.first_error.empty())
        now.first_error = outcome_.error;
    return now;
}

std::vector<page_action> pipeline_run::actions()
{
    const auto drain_once = [this] {
        if (end_ == run_end::done)
            drain();
    };
    const auto stop_once = [this] {
        if (end_ != run_end::stopped)
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
    for (asio::steady_timer* each :
         {&timeout_timer_, &drain_timer_, &frame_timer_, &servers_timer_, &patience_timer_
         })
        each->cancel();
    page_->linger([this](const std::string& text) { progress_.note(text); });
}

run_outcome pipeline_run::run()
{
    wait_for_signal();
    if (timeout_)
        after(timeout_timer_, *timeout_, [this] {
            if (is_over_)
                return;  // the end came while this was on its way
            // Otherwise it is being stopped already, for another reason.
            timed_out_ = end_ != run_end::stopped &&
                         pipeline_.snapshot().first_error.empty();
            stop();
        });
    if (const auto interval = progress_.interval())
        wait_for_next_frame(*interval);
    observed_.start();
    start_pipeline();
    if (uses_servers(pipeline_.snapshot()))
        repeat(servers_timer_, 500ms, [this] { look_at_servers(); });
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
        if (end_ == run_end::drained && !is_over_)
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

// What is on the way to a server that has never been heard would let a drain wait in vain.
void pipeline_run::look_at_servers()
{
    const metrics::snapshot now = pipeline_.snapshot();
    for (const std::string& line : outages_.news(now))
        progress_.note(line);
    for (const std::string& line : outages_.warnings(now))
        progress_.note(line);
    const std::string unheard = describe_unheard(now);
    if (end_ == run_end::drained && !unheard.empty())
        stop_because(unheard + "; stopping");
}

void pipeline_run::wait_for_next_frame(std::chrono::milliseconds interval)
{
    after(frame_timer_, interval, [this, interval] {
        progress_.show(snapshot());
        wait_for_next_frame(interval);
    });
}

void pipeline_run::stop()
{
    pipeline_.request_stop();
    // The pipeline itself reports tasks that still run when the grace period is over. It cannot if
    // a stage blocks every thread of the pool.
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
    if (is_over_)
        return;  // its workers had not ended in time
    const metrics::snapshot now = pipeline_.snapshot();
    has_stragglers_ = overdue_workers::are_in(now);
    if (const std::string wait = ended_wait(now); !wait.empty() && !timed_out_)
        progress_.note(wait);
    if (has_stragglers_ && overdue_workers::are_all_of(error))
        leave(overdue_outcome(now));
    else if (timed_out_)
        leave({run_end::timed_out, timeout_text(now, text_of(error, now))});
    else if (error)
        leave({run_end::failed, text_of(error, now)});
    else
        leave_without_error(now);
}

std::string pipeline_run::text_of(
    const std::exception_ptr& error,
    const metrics::snapshot& now
) const
{
    if (!error)
        return {};
    return place_of(pipeline_.runner_of(error), now) + text::message_of(error);
}

// Of a run that the user has stopped: a failure of the pipeline says enough.
std::string pipeline_run::ended_wait(const metrics::snapshot& now) const
{
    const bool is_stopped = timed_out_ || end_ == run_end::stopped;
    return is_stopped ? text_of(pipeline_.ended_wait(), now) : "";
}

// The drain may have ended before a look at the servers.
void pipeline_run::leave_without_error(const metrics::snapshot& now)
{
    const std::string unheard = describe_unheard(now);
    if (end_ == run_end::drained && !unheard.empty())
        progress_.note(unheard);
    if (std::string losses = describe_losses(now); !losses.empty())
        leave({run_end::failed, std::move(losses)});
    else
        leave({end_, {}});
}

std::string pipeline_run::timeout_text(
    const metrics::snapshot& now,
    const std::string& error
) const
{
    std::string text = "timed out after " + pipeline::detail::to_text(*timeout_);
    for (const std::string& reason :
         {describe_outages(now, servers_), ended_wait(now), error})
        if (!reason.empty())
            text += "; " + reason;
    return text;
}

run_outcome pipeline_run::overdue_outcome(const metrics::snapshot& now) const
{
    if (overdue_workers::are_in(now)) {
        const std::string workers = overdue_.message_for(now);
        return {run_end::failed, timed_out_ ? timeout_text(now, workers) : workers};
    }
    const std::string server = "a server has not said that it knows the end of the run";
    if (timed_out_)
        return {run_end::failed, timeout_text(now, server)};
    const std::string outages = describe_outages(now, servers_);
    return {run_end::failed, server + (outages.empty() ? "" : "; " + outages)};
}

// Ends control_.run(). A signal that comes now is too late and changes nothing.
void pipeline_run::leave(run_outcome outcome)
{
    outcome_ = std::move(outcome);
    is_over_ = true;
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

}  // namespace sluice::cli

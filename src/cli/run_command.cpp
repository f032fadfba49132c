// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "commands.hpp"
#include "interruption_core.hpp"
#include "pipeline/words.hpp"
#include "report.hpp"
#include "run_files.hpp"
#include "terminal.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include <sluice/coordination/task_info.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/page/live_page.hpp>
#include <sluice/pipeline/output.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <list>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::cli {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

using clock = std::chrono::steady_clock;

// Those that end a run, but for what is ignored, as under nohup or in the background of a script.
struct heeded_signals : asio::signal_set
{
    explicit heeded_signals(asio::io_context& context) : asio::signal_set(context)
    {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction now{};
            if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_IGN)
                add(signal);
        }
    }
};

// One run of a pipeline under the control of a user: signals, time limit, display.
/*
 * The pipeline has the threads of the pool. All the rest happens on the thread that calls
 * run(), on a context of its own, so that Ctrl-C is answered also while every thread of the
 * pool is busy.
 */
class pipeline_run
{
public:
    // The files must live as long.
    pipeline_run(
        const run_arguments& arguments,
        pipeline::checked_description checked,
        run_files& files
    )
        : arguments_(arguments),
          files_(files),
          description_(checked.description()),
          stdout_(STDOUT_FILENO, "standard output"),
          progress_(arguments.progress, STDERR_FILENO, stdout_),
          pool_(description_.threads),
          pipeline_(
              pool_.get_executor(),
              std::move(checked),
              is_terminal(STDOUT_FILENO) ? progress_.results() : stdout_,
              [this](const auto& workers) {
                  asio::post(control_, [this, workers] {
                      for (task_info worker : workers) {
                          worker.spawned_at = {};  // in the sources of the pipelines
                          progress_.note("still running: " + to_string(worker));
                      }
                  });
              },
              remote_queues()
          ),
          // A stage may block every thread of the pool, which then cannot report what still runs
          // when the grace period is over.
          core_(
              {.timeout = arguments.timeout,
               .drain = arguments.drain_limit,
               .patience = description_.stop_grace_period + 2s},
              clock::now()
          )
    {
        if (arguments_.serve.port)
            serve(arguments_.serve);
    }

    // Waits for the end.
    run_outcome run()
    {
        wait_for_signal();
        wait_for_deadline();
        look({progress_.interval(), [this](const auto& now) { progress_.show(now); }});
        if (files_.trace() != nullptr)
            pipeline_.record(*files_.trace());
        for (const run_files::look& each : files_.looks()) {
            each.at(snapshot());
            look(each);
        }
        asio::co_spawn(
            pool_.get_executor(),
            pipeline_.run(),
            [this, work = asio::make_work_guard(control_)](std::exception_ptr error) {
                asio::post(control_, [this, error] { on_end(error); });
            }
        );
        look_at_servers(snapshot());
        look({500ms, [this](const auto& now) { look_at_servers(now); }});
        control_.run();
        progress_.end();
        if (files_.trace() != nullptr) {
            pipeline_.record_unfinished();
            files_.trace()->add_figures(pipeline_.snapshot());
        }
        return outcome_;
    }

    // What the pipeline says, and what only the command knows: its threads, its time limit and the
    // outcome, once there is one. A time limit is a failure, although no task has failed before.
    [[nodiscard]] metrics::snapshot snapshot() const
    {
        metrics::snapshot now = pipeline_.snapshot();
        now.threads = pool_.size();
        now.processors = std::max(1U, std::thread::hardware_concurrency());
        if (core_.end() == run_end::timed_out)
            now.first_error = timeout_text(now.first_error);
        if (!core_.is_over())
            return now;
        now.state = outcome_.state();
        if (now.first_error.empty())
            now.first_error = outcome_.error;
        return now;
    }

    // Keeps the live page, if there is one, with the final state: as long as was asked for, and
    // otherwise long enough for the pages that are open to get it.
    void linger()
    {
        const auto asked = arguments_.serve.linger;
        if (!page_ || (!asked && page_->viewers() == 0))
            return;
        if (asked)
            progress_.note(fmt::format(
                "the page stays at {}{}; press Ctrl-C to end it",
                page_->control_url(),
                *asked < asked->max() ? " for " + text::duration_text(*asked) : ""
            ));
        core_.linger(asked.value_or(2 * live_page_options().interval), clock::now());
        wait_for_deadline();
        control_.restart();
        control_.run();
    }

    // Whether workers still run, for which the destructor would wait.
    [[nodiscard]] bool has_stragglers() const noexcept { return has_stragglers_; }

    // Ends the process although workers still run: without temporary files and children.
    [[noreturn]] void exit(exit_status status) noexcept
    {
        pipeline_.abandon();
        files_.abandon();
        std::_Exit(static_cast<int>(status));
    }

private:
    struct repeated
    {
        asio::steady_timer timer;
        run_files::look look;
    };

    void serve(const serve_arguments& arguments)
    {
        live_page_options options{
            .address = arguments.address,
            .port = *arguments.port,
            .allowed_hosts = arguments.allowed_hosts
        };
        if (report::trace* const trace = files_.trace())
            options.trace = [trace] { return trace->to_json(); };
        if (arguments.has_control)
            options.actions = actions();
        page_.emplace(control_, [this] { return snapshot(); }, std::move(options));
        progress_.note("live page: " + page_->control_url());
    }

    std::vector<page_action> actions()
    {
        std::vector<page_action> result{
            {.name = "drain",
             .label = "Drain",
             .run = [this] { interrupt(interruption::drain); }},
            {.name = "stop",
             .label = "Stop",
             .run = [this] { interrupt(interruption::stop); }}
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

    void wait_for_signal()
    {
        signals_.async_wait([this](const error_code& ec, int signal) {
            if (ec)
                return;
            interrupt(signal == SIGHUP ? interruption::hangup : interruption::interrupt);
            wait_for_signal();
        });
    }

    void wait_for_deadline()
    {
        deadline_timer_.expires_at(core_.deadline().value_or(clock::time_point::max()));
        deadline_timer_.async_wait([this](const error_code& ec) {
            if (!ec)
                on_deadline();
        });
    }

    void on_deadline()
    {
        const bool has_failed = !pipeline_.snapshot().first_error.empty();
        const run_order order = core_.on_time(clock::now(), has_failed);
        const bool was_slow = order == run_order::stop && core_.end() == run_end::stopped;
        const std::string limit = text::duration_text(arguments_.drain_limit);
        obey(order, was_slow ? "the drain has taken " + limit + "; stopping" : "");
    }

    void interrupt(interruption what, std::string_view why_stopped = "stopping")
    {
        const run_order order = core_.on_interruption(what, clock::now());
        obey(order, order == run_order::stop ? why_stopped : "");
    }

    void obey(run_order order, std::string_view note)
    {
        switch (order) {
        case run_order::none:
            break;
        case run_order::drain:
            pipeline_.request_drain();
            note = "draining; press Ctrl-C again to stop at once";
            break;
        case run_order::stop:
            pipeline_.request_stop();
            break;
        case run_order::give_up:
            has_stragglers_ = true;
            end(overdue().empty()
                    ? "a server has not said that it knows the end of the run"
                    : overdue());
            break;
        case run_order::leave:
            control_.stop();
            break;
        case run_order::exit:
            exit(exit_status::interrupted);
        }
        progress_.note(note);
        wait_for_deadline();
    }

    // Repeats it until the run is over.
    void look(run_files::look what)
    {
        looks_.push_back({asio::steady_timer(control_), std::move(what)});
        wait_for_look(looks_.back());
    }

    void wait_for_look(repeated& next)
    {
        next.timer.expires_after(next.look.interval);
        next.timer.async_wait([this, &next](const error_code& ec) {
            if (ec || core_.is_over())
                return;
            next.look.at(snapshot());
            wait_for_look(next);
        });
    }

    void look_at_servers(const metrics::snapshot& now)
    {
        // At once: a pipe may have no room for a second one.
        progress_.note(fmt::format("{}", fmt::join(outages_.news(now), "\n")));
        if (const std::string unheard = describe_unheard(now); !unheard.empty())
            interrupt(interruption::silence, unheard + "; stopping");
    }

    void on_end(const std::exception_ptr& error)
    {
        if (core_.is_over())
            return;  // its workers had not ended in time
        const metrics::snapshot now = pipeline_.snapshot();
        has_stragglers_ = !overdue().empty();
        if (core_.end() == run_end::stopped)
            progress_.note(text_of(pipeline_.ended_wait()));
        // The drain may have ended before a look at the servers.
        if (core_.end() == run_end::drained && !error)
            progress_.note(describe_unheard(now));
        // Unless something else went wrong, the workers are what there is to say.
        const bool is_overdue = has_stragglers_ && error &&
                                detail::code_of(error, {}) == errc::tasks_still_running;
        end(is_overdue ? overdue() : error ? text_of(error) : describe_losses(now));
    }

    [[nodiscard]] std::string overdue() const
    {
        return describe_overdue(pipeline_.snapshot(), description_.stop_grace_period);
    }

    // An empty reason: nothing has failed.
    void end(const std::string& reason)
    {
        const bool has_timed_out = core_.end() == run_end::timed_out;
        outcome_.end = has_timed_out || reason.empty() ? core_.end() : run_end::failed;
        outcome_.error = has_timed_out ? timeout_text(reason) : reason;
        core_.on_end();
        control_.stop();
    }

    [[nodiscard]] std::string timeout_text(const std::string& error) const
    {
        std::string text = "timed out after " + text::duration_text(*arguments_.timeout);
        const std::string unheard = describe_unheard(pipeline_.snapshot());
        for (const auto& reason : {unheard, text_of(pipeline_.ended_wait()), error})
            if (!reason.empty())
                text += "; " + reason;
        return text;
    }

    // `clean (filter): ` and what was thrown; without the first if it was no runner.
    [[nodiscard]] std::string text_of(const std::exception_ptr& error) const
    {
        if (!error)
            return {};
        const std::string name = pipeline_.runner_of(error);
        std::string text = text::message_of(error);
        for (const pipeline::runner_description& each : description_.runners)
            if (each.name == name)
                return pipeline::detail::runner_title(name, each.stage) + ": " + text;
        return text;
    }

    // The order matters: a member is destroyed before those above it, which it uses.
    const run_arguments& arguments_;
    run_files& files_;
    const pipeline::pipeline_description description_;
    pipeline::descriptor_output stdout_;
    progress progress_;
    asio::io_context control_{1};  // of the thread that calls run()
    // Before the pipeline, whose sources and servers are asked as soon as it is made.
    heeded_signals signals_{control_};
    asio::steady_timer deadline_timer_{control_};
    std::list<repeated> looks_;
    io_context_pool pool_;
    pipeline::running_pipeline pipeline_;
    interruption_core core_;
    std::optional<live_page> page_;
    server_outages outages_;
    bool has_stragglers_ = false;
    run_outcome outcome_;  // once it is over
};

}  // namespace

exit_status run_command(const command_line& line, pipeline::checked_description checked)
{
    run_files files(line, checked);
    std::optional<pipeline_run> run;
    try {
        run.emplace(line.run, std::move(checked), files);
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::resource_unavailable_try_again)
            throw;
        throw std::system_error(error.code(), "cannot start so many --threads");
    }
    const run_outcome outcome = run->run();
    const exit_status status = files.write(run->snapshot(), outcome);
    run->linger();
    if (run->has_stragglers())
        run->exit(status);
    return status;
}

}  // namespace sluice::cli

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/monitor/monitor.hpp>

#include "metrics/unique_name.hpp"
#include "monitor/watched_runner.hpp"
#include "text/printable.hpp"

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice {

using metrics::activity;
using metrics::unique_name;

namespace {

using clock = std::chrono::steady_clock;

std::vector<std::string> messages_of(const std::vector<std::exception_ptr>& exceptions)
{
    std::vector<std::string> messages;
    for (const std::exception_ptr& exception : exceptions)
        messages.push_back(text::message_of(exception));
    return messages;
}

struct watched_coordinator
{
    boost::intrusive_ptr<detail::coordinator_core> core;
    std::string name;
};

using queue_source_ptr = std::shared_ptr<metrics::queue_source>;

struct watched_source
{
    queue_source_ptr source;
    std::optional<std::string> name;  // from the first look on
};

bool is_same(
    const metrics::queue_source& one,
    const metrics::queue_source& other
) noexcept
{
    return &one == &other || (one.hub() != nullptr && one.hub() == other.hub());
}

// The queues of a snapshot by what their waiters refer to.
using queue_places = std::unordered_map<const detail::wait_hub*, std::size_t>;

// The runners whose workers have a name; two runners may have given the same.
using runners_by_worker = std::unordered_map<std::string, std::vector<std::size_t>>;

}  // namespace

class monitor::state
{
public:
    explicit state(std::string name) : name_(std::move(name)) {}

    void add(queue_source_ptr queue)
    {
        const std::lock_guard lock(mutex_);
        forget_what_is_over();  // if nothing asks for a snapshot, too
        if (std::ranges::none_of(queues_, [&queue](const watched_source& known) {
                return is_same(*known.source, *queue);
            }))
            queues_.push_back({std::move(queue), std::nullopt});
    }

    void add(
        boost::intrusive_ptr<detail::runner_core> core,
        detail::closable_ptr queue,
        std::vector<std::string> workers
    )
    {
        const std::lock_guard lock(mutex_);
        forget_what_is_over();
        std::set<std::string> taken;
        for (const auto& known : runners_)
            taken.insert(known->name());
        const bool is_new = std::ranges::none_of(runners_, [&core](const auto& known) {
            return &known->core() == core.get();
        });
        if (is_new)
            runners_.push_back(std::make_unique<detail::watched_runner>(
                core,
                unique_name(core->name(), taken),
                std::move(queue),
                std::move(workers)
            ));
    }

    void add(boost::intrusive_ptr<detail::coordinator_core> core, std::string name)
    {
        const std::lock_guard lock(mutex_);
        forget_what_is_over();
        std::set<std::string> taken;
        for (const watched_coordinator& known : coordinators_) {
            if (known.core == core)
                return;
            taken.insert(known.name);
        }
        ++coordinators_so_far_;
        if (name.empty())
            name = "coordinator " + std::to_string(coordinators_so_far_);
        coordinators_.push_back({std::move(core), unique_name(name, taken)});
    }

    [[nodiscard]] metrics::snapshot snapshot()
    {
        const std::lock_guard lock(mutex_);
        const clock::time_point now = clock::now();
        metrics::snapshot result{.name = name_, .elapsed = now - made_};
        forget_what_is_over();
        read_queues(result);
        read_coordinators(result);
        read_tasks(result, now);
        read_runners(result, now);
        result.first_error = first_error_;
        result.state = state_of(result);
        return result;
    }

private:
    // Lets go of what was destroyed. Its errors stay.
    void forget_what_is_over()
    {
        std::erase_if(queues_, [](const watched_source& queue) {
            return queue.source->is_over();
        });
        std::erase_if(coordinators_, [this](const watched_coordinator& each) {
            const bool is_over = each.core->is_over();
            if (is_over)
                note_errors(messages_of(each.core->exceptions()));
            return is_over;
        });
        std::erase_if(runners_, [this](const auto& each) {
            const bool is_over = each->core().is_over();
            if (is_over)
                note_errors(messages_of(each->core().exceptions()));
            return is_over;
        });
    }

    // Each keeps its name, so that a series of one is never continued by another.
    void read_queues(metrics::snapshot& result)
    {
        std::set<std::string> taken;
        for (const watched_source& queue : queues_)
            if (queue.name)
                taken.insert(*queue.name);
        for (watched_source& queue : queues_) {
            result.queues.push_back(queue.source->look());
            std::string& name = result.queues.back().name;
            if (!queue.name)
                queue.name = unique_name(name, taken);
            name = *queue.name;
        }
    }

    void read_coordinators(metrics::snapshot& result)
    {
        for (const watched_coordinator& each : coordinators_) {
            result.coordinators.push_back(
                {.name = each.name,
                 .stop_requested = each.core->should_stop(),
                 .errors = messages_of(each.core->exceptions())}
            );
            note_errors(result.coordinators.back().errors);
        }
    }

    void note_errors(const std::vector<std::string>& errors)
    {
        if (first_error_.empty() && !errors.empty())
            first_error_ = errors.front();
    }

    void read_tasks(metrics::snapshot& result, clock::time_point now)
    {
        queue_places queues;
        for (std::size_t i = 0; i < queues_.size(); ++i)
            queues.emplace(queues_[i].source->hub(), i);
        for (const auto& each : runners_)
            if (const auto found = queues.find(each->queue()); found != queues.end())
                each->see_queue(result.queues[found->second].name);
        runners_by_worker workers;
        for (std::size_t i = runners_.size(); i-- > 0;)  // the first one is taken first
            for (const std::string& name : runners_[i]->workers())
                workers[name].push_back(i);
        std::unordered_set<const void*> known;  // a child may be watched as its parent is
        for (std::size_t i = 0; i < coordinators_.size(); ++i)
            for (const detail::task_ptr& task : coordinators_[i].core->running_tasks()) {
                ++result.coordinators[i].tasks;
                if (!known.insert(task.get()).second)
                    continue;
                result.tasks.push_back(look_at(*task, queues, result, now));
                see_worker(result.tasks.back(), workers);
            }
    }

    [[nodiscard]] metrics::task_snapshot look_at(
        const detail::supervised_task& task,
        const queue_places& queues,
        metrics::snapshot& result,
        clock::time_point now
    ) const
    {
        detail::wait_log::reading log = task.log().read();
        metrics::task_snapshot seen{
            .name = task.name(),
            .doing = log.is_ready         ? activity::ready
                     : log.places.empty() ? activity::busy
                                          : activity::idle,
            .waiting_on = std::move(log.text),
            // it may have begun to wait since the look began
            .since = std::max(now - log.since, clock::duration::zero()),
            .is_straggler = task.was_stopped()
        };
        for (const auto& [hub, list] : log.places) {
            if (hub == nullptr) {
                seen.doing = activity::waiting_to_dequeue;
                continue;
            }
            const auto found = queues.find(hub.get());
            if (found == queues.end())
                continue;
            metrics::queue_snapshot& queue = result.queues[found->second];
            seen.doing = queues_[found->second].source->doing_in(list);
            seen.queue = queue.name;
            note_longest_wait(queue, seen);
        }
        return seen;
    }

    static void note_longest_wait(
        metrics::queue_snapshot& queue,
        const metrics::task_snapshot& task
    )
    {
        if (task.doing != activity::waiting_to_enqueue &&
            task.doing != activity::waiting_to_dequeue)
            return;
        auto& longest = task.doing == activity::waiting_to_dequeue
                            ? queue.longest_wait_to_dequeue
                            : queue.longest_wait_to_enqueue;
        longest = std::max<std::chrono::nanoseconds>(longest, task.since);
    }

    void see_worker(const metrics::task_snapshot& task, runners_by_worker& workers)
    {
        const auto found = workers.find(task.name);
        if (found == workers.end() || found->second.empty())
            return;
        runners_[found->second.back()]->see(task.doing, task.queue);
        found->second.pop_back();
    }

    void read_runners(metrics::snapshot& result, clock::time_point now)
    {
        for (const auto& each : runners_) {
            result.runners.push_back(each->finish_look(now));
            note_errors(messages_of(each->core().exceptions()));
        }
    }

    [[nodiscard]] metrics::run_state state_of(const metrics::snapshot& now)
    {
        using metrics::run_state;
        const bool is_active = !now.tasks.empty() ||
                               std::ranges::any_of(now.runners, [](const auto& runner) {
                                   return runner.running > 0;
                               });
        const bool is_stopped = std::ranges::any_of(
            now.coordinators,
            [](const auto& scope) { return scope.stop_requested; }
        );
        has_run_ = has_run_ || is_active || is_stopped;
        was_stopped_ = is_stopped || (was_stopped_ && !is_active);
        if (is_active)
            return is_stopped ? run_state::stopping : run_state::running;
        if (has_run_)
            return end_of_run();
        const bool has_tasks = !coordinators_.empty() || !runners_.empty();
        return has_tasks ? run_state::ready : run_state::running;
    }

    [[nodiscard]] metrics::run_state end_of_run() const noexcept
    {
        if (!first_error_.empty())
            return metrics::run_state::failed;
        return was_stopped_ ? metrics::run_state::stopped : metrics::run_state::done;
    }

    const std::string name_;
    const clock::time_point made_ = clock::now();

    std::mutex mutex_;
    // Guarded by mutex_.
    std::vector<watched_source> queues_;
    std::vector<std::unique_ptr<detail::watched_runner>> runners_;
    std::vector<watched_coordinator> coordinators_;
    std::size_t coordinators_so_far_ = 0;
    std::string first_error_;   // stays when the coordinator that had it is gone
    bool has_run_ = false;      // something was seen to run
    bool was_stopped_ = false;  // and a stop was requested of what ran last
};

monitor::monitor(executor_type executor, monitor_options options)
    : executor_(std::move(executor)),
      state_(std::make_shared<state>(std::move(options.name)))
{
}

monitor::~monitor() = default;

void monitor::add(std::shared_ptr<metrics::queue_source> source)
{
    state_->add(std::move(source));
}

void monitor::add(const queue_runner& runner)
{
    std::vector<std::string> workers;
    for (std::size_t i = 0; i < runner.size(); ++i)
        workers.push_back(runner.worker_name(i));
    state_->add(runner.core(), runner.queue(), std::move(workers));
}

void monitor::add(const coordinator& scope, std::string name)
{
    state_->add(scope.state_, std::move(name));
}

metrics::snapshot monitor::snapshot() const
{
    return state_->snapshot();
}

trace_recorder monitor::trace(trace_options options) const
{
    return {*this, options};
}

std::function<metrics::snapshot()> monitor::snapshot_function() const
{
    const auto last = std::make_shared<metrics::snapshot>();
    return [watched = std::weak_ptr(state_), last] {
        if (const auto alive = watched.lock())
            *last = alive->snapshot();
        else if (!is_over(last->state))
            last->state = last->first_error.empty() ? metrics::run_state::done
                                                    : metrics::run_state::failed;
        return *last;
    };
}

}  // namespace sluice

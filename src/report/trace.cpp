// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/report/trace.hpp>

#include "metrics/unique_name.hpp"
#include "report/json_writer.hpp"
#include "report/trace_buffer.hpp"
#include "report/valid_text.hpp"

#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::report {

using metrics::activity;
using metrics::unique_name;

namespace {

constexpr std::size_t most_tracks_of_tasks = 1000;
constexpr std::size_t most_names = 10'000;  // of queues, and of what is marked

constexpr int process = 1;  // the format asks for one

// The format has microseconds.
void write_time(json_writer& out, const char* name, std::int64_t nanoseconds)
{
    out.member(name, static_cast<double>(nanoseconds) / 1000);
}

}  // namespace

class trace::state
{
public:
    state(std::string name, trace_options options)
        : name_(std::move(name)), events_(options.capacity)
    {
    }

    std::size_t add_track(std::string name)
    {
        const std::lock_guard lock(mutex_);
        tracks_.push_back(std::move(name));
        return tracks_.size() - 1;
    }

    void add_span(
        std::size_t track,
        activity what,
        clock::time_point begin,
        clock::time_point end
    )
    {
        const std::lock_guard lock(mutex_);
        push_span(events_, track, what, begin, end);
    }

    void add_figures(const metrics::snapshot& now)
    {
        const std::lock_guard lock(mutex_);
        const std::int64_t time = since_start(clock::now());
        std::set<std::string> queue_names;
        for (const metrics::queue_snapshot& queue : now.queues) {
            const std::string name = unique_name(valid_text(queue.name), queue_names);
            seen_queue& seen = queues_[name];
            if (!seen.is_known || seen.size != queue.stats.size)
                push_named(trace_event::counter, name, time, queue.stats.size);
            if (queue.stats.closed && !seen.is_closed)
                mark("close of " + name, time);
            seen = {queue.stats.size, queue.stats.closed, true};
        }
        forget_others(queues_, queue_names);
        std::set<std::string> scope_names;
        for (const metrics::coordinator_snapshot& each : now.coordinators) {
            const std::string name = unique_name(valid_text(each.name), scope_names);
            bool& is_stopped = stopped_[name];
            if (each.stop_requested && !is_stopped)
                mark("stop of " + name, time);
            is_stopped = each.stop_requested;
        }
        forget_others(stopped_, scope_names);
        if (!now.first_error.empty() && !has_error_) {
            mark("error: " + now.first_error, time);
            has_error_ = true;
        }
    }

    void add_tasks(const metrics::snapshot& now)
    {
        const std::lock_guard lock(mutex_);
        const clock::time_point time = clock::now();
        std::set<std::string> names;
        ++look_;
        for (const metrics::task_snapshot& task : now.tasks)
            see_task(unique_name(valid_text(task.name), names), task.doing, time);
        for (auto& [name, task] : tasks_)
            if (task.look != look_)
                change(task, activity::idle, time);
    }

    [[nodiscard]] std::uint64_t dropped() const
    {
        const std::lock_guard lock(mutex_);
        return events_.dropped() + dropped_names_;
    }

    [[nodiscard]] std::string to_json() const
    {
        // A thread that records waits for the copy only.
        const contents now = copy();
        json_writer out;
        out.begin_object()
            .member("displayTimeUnit", "ms")
            .key("traceEvents")
            .begin_array();
        write_metadata(out, "process_name", 0, name_);
        for (std::size_t track = 0; track < now.tracks.size(); ++track)
            write_metadata(out, "thread_name", track, now.tracks[track]);
        const auto write_event = [&](const trace_event& event) {
            write(out, event, now.texts);
        };
        now.events.for_each(write_event);
        now.unfinished.for_each(write_event);
        out.end_array().key("otherData").begin_object();
        out.member("dropped_events", now.dropped);
        out.end_object().end_object();
        return out.take();
    }

private:
    struct contents
    {
        trace_buffer events;
        trace_buffer unfinished;  // what tasks do at this moment
        std::vector<std::string> tracks;
        std::vector<std::string> texts;
        std::uint64_t dropped;
    };

    [[nodiscard]] contents copy() const
    {
        const std::lock_guard lock(mutex_);
        const clock::time_point time = clock::now();
        trace_buffer unfinished(tasks_.size());
        for (const auto& [name, task] : tasks_)
            push_span(unfinished, task.track, task.doing, task.since, time);
        return {
            events_,
            std::move(unfinished),
            tracks_,
            texts_,
            events_.dropped() + dropped_names_
        };
    }

    struct seen_queue
    {
        std::size_t size = 0;
        bool is_closed = false;
        bool is_known = false;
    };

    struct seen_task
    {
        std::size_t track;
        activity doing = activity::idle;
        clock::time_point since{};
        std::uint64_t look = 0;
    };

    [[nodiscard]] std::int64_t since_start(clock::time_point time) const
    {
        return std::chrono::nanoseconds(time - start_).count();
    }

    // Of what is gone nothing changes any more.
    static void forget_others(auto& seen, const std::set<std::string>& names)
    {
        std::erase_if(seen, [&names](const auto& each) {
            return !names.contains(each.first);
        });
    }

    // Names are kept once, however many events have them, and no more than so many.
    void push_named(
        trace_event::kind_of_event kind,
        const std::string& name,
        std::int64_t time,
        std::uint64_t value
    )
    {
        auto found = numbers_.find(name);
        if (found == numbers_.end()) {
            if (texts_.size() >= most_names) {
                ++dropped_names_;
                return;
            }
            const auto number = static_cast<std::uint32_t>(texts_.size());
            texts_.push_back(name);
            found = numbers_.emplace(name, number).first;
        }
        events_.push({kind, found->second, time, 0, value});
    }

    void mark(const std::string& what, std::int64_t time)
    {
        push_named(trace_event::instant, what, time, 0);
    }

    void push_span(
        trace_buffer& events,
        std::size_t track,
        activity what,
        clock::time_point begin,
        clock::time_point end
    ) const
    {
        if (what != activity::idle && begin < end)
            events.push(
                {trace_event::span,
                 static_cast<std::uint32_t>(what),
                 since_start(begin),
                 since_start(end) - since_start(begin),
                 track}
            );
    }

    void see_task(std::string name, activity doing, clock::time_point time)
    {
        auto found = tasks_.find(name);
        if (found == tasks_.end()) {
            if (tasks_.size() >= most_tracks_of_tasks) {
                ++dropped_names_;
                return;
            }
            tracks_.push_back(name);
            found = tasks_.emplace(std::move(name), seen_task{tracks_.size() - 1}).first;
        }
        found->second.look = look_;
        if (found->second.doing != doing)
            change(found->second, doing, time);
    }

    void change(seen_task& task, activity next, clock::time_point time)
    {
        push_span(events_, task.track, task.doing, task.since, time);
        task.doing = next;
        task.since = time;
    }

    static json_writer& begin(json_writer& out, const char* phase, std::string_view name)
    {
        return out.begin_object()
            .member("ph", phase)
            .member("name", name)
            .member("pid", process);
    }

    static void write_metadata(
        json_writer& out,
        const char* what,
        std::size_t track,
        const std::string& name
    )
    {
        begin(out, "M", what).member("tid", track).key("args").begin_object();
        out.member("name", name).end_object().end_object();
    }

    static void write(
        json_writer& out,
        const trace_event& event,
        const std::vector<std::string>& texts
    )
    {
        switch (event.kind) {
        case trace_event::span:
            begin(out, "X", to_string(static_cast<activity>(event.text)));
            out.member("tid", event.value);
            write_time(out, "ts", event.begin);
            write_time(out, "dur", event.duration);
            break;
        case trace_event::counter:
            begin(out, "C", texts[event.text]);
            write_time(out, "ts", event.begin);
            out.key("args").begin_object().member("size", event.value).end_object();
            break;
        case trace_event::instant:
            begin(out, "i", texts[event.text]).member("s", "p").member("tid", 0);
            write_time(out, "ts", event.begin);
            break;
        }
        out.end_object();
    }

    const std::string name_;
    const clock::time_point start_ = clock::now();

    mutable std::mutex mutex_;
    // Guarded by mutex_.
    trace_buffer events_;
    std::vector<std::string> tracks_;
    std::vector<std::string> texts_;
    std::map<std::string, std::uint32_t> numbers_;  // of texts_
    std::map<std::string, seen_queue> queues_;
    std::map<std::string, bool> stopped_;  // by coordinator
    std::map<std::string, seen_task> tasks_;
    std::uint64_t look_ = 0;
    std::uint64_t dropped_names_ = 0;
    bool has_error_ = false;
};

trace::trace(std::string name, trace_options options)
    : state_(std::make_unique<state>(std::move(name), options))
{
}

trace::~trace() = default;

std::size_t trace::add_track(std::string name)
{
    return state_->add_track(std::move(name));
}

void trace::add_span(
    std::size_t track,
    activity what,
    clock::time_point begin,
    clock::time_point end
)
{
    state_->add_span(track, what, begin, end);
}

void trace::add_figures(const metrics::snapshot& now)
{
    state_->add_figures(now);
}

void trace::add_tasks(const metrics::snapshot& now)
{
    state_->add_tasks(now);
}

std::uint64_t trace::dropped() const
{
    return state_->dropped();
}

std::string trace::to_json() const
{
    return state_->to_json();
}

}  // namespace sluice::report

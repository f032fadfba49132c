// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/report/prometheus.hpp>

#include "metrics/unique_name.hpp"
#include "report/valid_text.hpp"
#include <sluice/metrics/figures.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::report {

namespace {

struct label
{
    std::string_view name;
    std::string_view value;
};

std::string escaped(std::string_view raw)
{
    std::string text;
    for (const char c : valid_text(raw)) {
        if (c == '\\' || c == '"')
            text += {'\\', c};
        else if (c == '\n')
            text += "\\n";
        else
            text += c;
    }
    return text;
}

std::string number(std::uint64_t value)
{
    return std::to_string(value);
}

std::string number(std::chrono::nanoseconds value)
{
    std::array<char, 32> digits{};  // the shortest form of a double has at most 24
    char* const begin = digits.data();
    const double seconds = metrics::seconds_of(value);
    return {begin, std::to_chars(begin, begin + digits.size(), seconds).ptr};
}

// Series are grouped by metric, so each metric is written over all parts before the next one.
class text_format
{
public:
    explicit text_format(const std::string& pipeline) : pipeline_(escaped(pipeline)) {}

    void begin(std::string_view name, std::string_view type, std::string_view help)
    {
        name_ = name;
        text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
        text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
    }

    // A series; `suffix` is that of a histogram, such as "_sum".
    void add(
        std::initializer_list<label> labels,
        const std::string& value,
        std::string_view suffix = {}
    )
    {
        text_.append(name_).append(suffix).append("{pipeline=\"").append(pipeline_);
        for (const label& each : labels)
            text_.append("\",").append(each.name).append("=\"").append(each.value);
        text_.append("\"} ").append(value).append("\n");
    }

    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    const std::string pipeline_;
    std::string_view name_;
    std::string text_;
};

// The names of queues or runners, escaped and different from each other.
template <class Part>
std::vector<std::string> labels_of(const std::vector<Part>& parts)
{
    std::set<std::string> taken;
    std::vector<std::string> labels;
    for (const Part& part : parts)
        labels.push_back(metrics::unique_name(escaped(part.name), taken));
    return labels;
}

using queue_list = std::vector<metrics::queue_snapshot>;

// A metric of those queues for which `value` gives something; what is not known is left out.
template <class Value>
void add_metric(
    text_format& out,
    const queue_list& queues,
    std::string_view name,
    std::string_view type,
    std::string_view help,
    Value value
)
{
    const auto labels = labels_of(queues);
    out.begin(name, type, help);
    for (std::size_t i = 0; i < queues.size(); ++i)
        if (const std::optional<std::string> text = value(queues[i]))
            out.add({{"queue", labels[i]}}, *text);
}

void add_queues(text_format& out, const queue_list& queues)
{
    const auto add = [&](auto name, auto type, auto help, auto value) {
        add_metric(
            out,
            queues,
            name,
            type,
            help,
            [&](const metrics::queue_snapshot& each) {
                return is_known(each) ? std::optional<std::string>(value(each))
                                      : std::nullopt;
            }
        );
    };
    add("sluice_queue_size", "gauge", "Elements stored.", [](const auto& queue) {
        return number(queue.stats.size);
    });
    add("sluice_queue_capacity", "gauge", "Elements that fit in.", [](const auto& queue) {
        return is_bounded(queue) ? number(queue.stats.capacity) : "+Inf";
    });
    add("sluice_queue_enqueued_total",
        "counter",
        "Elements accepted.",
        [](const auto& queue) { return number(queue.stats.enqueued); });
    add("sluice_queue_dequeued_total",
        "counter",
        "Elements delivered to consumers, again after a cancellation returned them.",
        [](const auto& queue) { return number(queue.stats.dequeued); });
}

void add_waiting(text_format& out, const queue_list& queues)
{
    const auto labels = labels_of(queues);
    out.begin("sluice_queue_waiting", "gauge", "Operations that wait.");
    for (std::size_t i = 0; i < queues.size(); ++i) {
        const queue_stats& stats = queues[i].stats;
        const auto add_side = [&](const char* side, std::size_t waiting) {
            out.add({{"queue", labels[i]}, {"side", side}}, number(waiting));
        };
        add_side("enqueue", stats.waiting_producers);
        add_side("dequeue", stats.waiting_consumers);
    }
}

// Of queues on a server, if there are any.
void add_remote(text_format& out, const queue_list& queues)
{
    if (std::ranges::none_of(queues, [](const auto& queue) {
            return queue.remote.has_value();
        }))
        return;
    using text = std::optional<std::string>;
    const auto add = [&](auto name, auto type, auto help, auto value) {
        add_metric(
            out,
            queues,
            name,
            type,
            help,
            [&](const metrics::queue_snapshot& each) {
                return each.remote && each.remote->read_ago ? text(value(*each.remote))
                                                            : text();
            }
        );
    };
    add("sluice_queue_pending",
        "gauge",
        "Elements that consumers have and have not acknowledged.",
        [](const auto& remote) { return number(remote.pending); });
    add("sluice_queue_oldest_age_seconds",
        "gauge",
        "How long the element has been there that is the next to leave; 0 if none waits.",
        [](const auto& remote) {
            return number(remote.oldest_age.value_or(std::chrono::nanoseconds()));
        });
    add("sluice_queue_redelivered_total",
        "counter",
        "How often an element went back to the queue.",
        [](const auto& remote) { return number(remote.redelivered); });
    add("sluice_queue_dead_total",
        "counter",
        "Elements given up, because they were delivered too often.",
        [](const auto& remote) { return number(remote.dead); });
    add("sluice_queue_dead_letters",
        "gauge",
        "Those that are among the dead letters.",
        [](const auto& remote) { return number(remote.dead_letters); });
    add("sluice_queue_lost_total",
        "counter",
        "Elements that the server has lost since this process opened the queue.",
        [](const auto& remote) { return number(remote.lost); });
    add("sluice_queue_read_age_seconds",
        "gauge",
        "How long ago the server said how the queue is.",
        [](const auto& remote) { return number(*remote.read_ago); });
}

// The buckets of the format count all that waited up to a time.
void add_histogram(
    text_format& out,
    std::string_view queue,
    std::string_view side,
    const metrics::wait_histogram& waits
)
{
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < waits.counts.size(); ++i) {
        count += waits.counts[i];
        const std::string bound = i < waits.bounds.size() ? number(waits.bounds[i])
                                                          : "+Inf";
        out.add(
            {{"queue", queue}, {"side", side}, {"le", bound}},
            number(count),
            "_bucket"
        );
    }
    out.add({{"queue", queue}, {"side", side}}, number(waits.sum), "_sum");
    out.add({{"queue", queue}, {"side", side}}, number(count), "_count");
}

void add_waits(text_format& out, const queue_list& queues)
{
    const auto labels = labels_of(queues);
    out.begin(
        "sluice_queue_wait_seconds",
        "histogram",
        "How long the operations of supervised tasks waited."
    );
    for (std::size_t i = 0; i < queues.size(); ++i) {
        if (queues[i].remote)
            continue;
        add_histogram(out, labels[i], "enqueue", queues[i].enqueue_waits);
        add_histogram(out, labels[i], "dequeue", queues[i].dequeue_waits);
    }
}

void add_runners(text_format& out, const std::vector<metrics::runner_snapshot>& runners)
{
    const auto labels = labels_of(runners);
    out.begin(
        "sluice_runner_items_total",
        "counter",
        "Elements dequeued, or enqueued by a source."
    );
    for (std::size_t i = 0; i < runners.size(); ++i)
        if (!runners[i].stage.empty())  // they are counted nowhere else
            out.add({{"runner", labels[i]}}, number(items_of(runners[i])));
    out.begin(
        "sluice_runner_seconds_total",
        "counter",
        "Time of the workers by what they did."
    );
    for (std::size_t i = 0; i < runners.size(); ++i) {
        const metrics::runner_snapshot& runner = runners[i];
        const auto add_state = [&](const char* state, std::chrono::nanoseconds time) {
            out.add({{"runner", labels[i]}, {"state", state}}, number(time));
        };
        add_state("busy", runner.busy);
        add_state("ready", runner.ready);
        add_state("blocked_on_enqueue", runner.blocked_on_enqueue);
        add_state("blocked_on_dequeue", runner.blocked_on_dequeue);
        add_state("idle", runner.idle);
    }
}

}  // namespace

std::string to_prometheus(const metrics::snapshot& all)
{
    text_format out(all.name);
    add_queues(out, all.queues);
    add_waiting(out, all.queues);
    add_remote(out, all.queues);
    add_waits(out, all.queues);
    add_runners(out, all.runners);
    out.begin("sluice_tasks", "gauge", "Tasks that have not ended.");
    out.add({}, number(all.tasks.size()));
    out.begin("sluice_stop_requested", "gauge", "Whether a stop has been requested.");
    bool is_stopped = false;
    for (const metrics::coordinator_snapshot& each : all.coordinators)
        is_stopped = is_stopped || each.stop_requested;
    out.add({}, is_stopped ? "1" : "0");
    return out.take();
}

}  // namespace sluice::report

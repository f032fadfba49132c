// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// When a remote_core sends, and what.

#include "redis/command.hpp"
#include "redis/queue_terms.hpp"
#include <sluice/redis/detail/remote_core.hpp>

#include <mutex>
#include <string>
#include <utility>

namespace sluice::redis::detail {

// For deliveries that outlive the queue. To open it for them would make one that has been deleted.
bool remote_core::only_settles() const noexcept
{
    return is_orphaned_ && !must_close_;
}

bool remote_core::has_work() const noexcept
{
    for (std::size_t i = 0; i < remote_lanes::count; ++i)
        if (has_work(static_cast<lane>(i)))
            return true;
    return false;
}

bool remote_core::has_work(lane from) const noexcept
{
    if (!lanes_[from].is_ready())
        return false;
    if (from == lane::opening)
        return connection_.is_to_be_opened() && !only_settles();
    if (!connection_.is_open() && !(only_settles() && connection_.is_connected()))
        return false;
    if (from == lane::settling)
        return !settlements_.empty();
    return !lanes_[from].waiting().empty() ||
           (from == lane::asking && (must_close_ || watch_.must_look()));
}

void remote_core::serve(critical_section& /*section*/) noexcept
{
    request_pump(is_pump_posted_, &command_sink::post_pump);
}

void remote_core::request_pump(
    bool& is_requested,
    void (command_sink::*how)(remote_core&)
) noexcept
{
    if (is_requested || !has_work())
        return;
    try {
        if (const auto sink = sink_.lock()) {
            is_requested = true;
            (sink.get()->*how)(*this);
        }
    } catch (...) {
        is_requested = false;  // the poll comes to it
    }
}

// Without a lock, and so for start() only: pump() may run in it.
void remote_core::pump_at_once() noexcept
{
    const auto sink = sink_.lock();
    if (sink == nullptr)
        return;
    {
        const std::lock_guard lock(mutex_);
        if (is_pump_posted_ || !has_work())
            return;
        is_pump_posted_ = true;
    }
    try {
        sink->run_pump(*this);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        is_pump_posted_ = false;  // the poll comes to it
    }
}

struct remote_core::outgoing
{
    lane from;
    command text;
};

void remote_core::pump() noexcept
{
    const auto sink = sink_.lock();
    if (sink == nullptr)
        return;
    std::size_t first = 0;
    while (auto next = next_command(first)) {
        first = static_cast<std::size_t>(next->from) + 1;
        sink->send(*this, next->from, std::move(next->text));
    }
    if (first > 0)
        sink->flush();
}

// Of the first of the lanes from this one on that has something to send.
std::optional<remote_core::outgoing> remote_core::next_command(std::size_t first) noexcept
{
    const std::lock_guard lock(mutex_);
    is_pump_posted_ = false;
    is_pump_deferred_ = false;
    for (std::size_t i = first; i < remote_lanes::count; ++i) {
        const auto from = static_cast<lane>(i);
        if (!has_work(from))
            continue;
        try {
            outgoing next = from == lane::settling ? settle_with_another()
                                                   : outgoing{from, command_of(from)};
            if (next.text.empty())
                continue;
            lanes_.start_turn(from, next.from);
            return next;
        } catch (...) {
            continue;  // without memory; the poll comes to it
        }
    }
    return std::nullopt;
}

// (E7) The lane whose command can have the settlements with it.
std::optional<lane> remote_core::carrier() const noexcept
{
    if (has_work(lane::enqueuing))
        return is_server_full_ ? std::nullopt : std::optional(lane::enqueuing);
    if (has_work(lane::dequeuing))
        return lane::dequeuing;
    return std::nullopt;
}

remote_core::outgoing remote_core::settle_with_another()
{
    outgoing next{lane::settling, {}};
    if (const auto with = carrier())
        next = {*with, carrying_command(*with)};
    if (next.text.empty()) {
        next = {lane::settling, call("settle")};
        settlements_.write(next.text, options_.lease, connection_.number());
    }
    settlements_.note_sent();
    return next;
}

// Empty if there is nothing to carry them after all, or no memory for both: alone they need less.
command remote_core::carrying_command(lane with) noexcept
try {
    return command_of(with, true);
} catch (...) {
    return {};
}

command remote_core::command_of(lane from, bool settles)
{
    switch (from) {
    case lane::opening:
        return open_command();
    case lane::enqueuing:
        return enqueue_command(settles);
    case lane::dequeuing:
        return dequeue_command(settles);
    default:
        return ask_command();
    }
}

// (E7) With the settlements before it, if it `settles`.
command remote_core::call(std::string_view function, bool settles)
{
    const std::string name = (settles ? "sluice_1_settle_and_" : "sluice_1_") +
                             std::string(function);
    command text("FCALL", name, "1", prefix_);
    if (settles) {
        text.add(settlements_.count_to_send());
        settlements_.write(text, options_.lease, connection_.number());
    }
    return text;
}

command remote_core::open_command()
{
    const auto terms = queue_terms::of(options_);
    command text = call(producer_.is_wanted() ? "open_as" : "open");
    text.add(terms.kind);
    text.add(terms.capacity);
    text.add(terms.max_deliveries);
    text.add(terms.min_after_dequeue);
    if (producer_.is_wanted())
        producer_.write_opening(text);
    text.add(terms.retry_delay);
    text.add(terms.max_retry_delay);
    connection_.on_opening();
    return text;
}

// (E1) Numbers are given in the order of the list, and kept.
command remote_core::enqueue_command(bool settles)
{
    command text = call(producer_.empty() ? "enqueue" : "enqueue_as", settles);
    producer_.write(text);
    std::vector<remote_waiter*> served;
    std::size_t elements = 0;
    for (waiter& w : lanes_[lane::enqueuing].waiting()) {
        auto& target = static_cast<remote_producer&>(w);
        elements += target.records.size();
        if (!served.empty() && (elements > most_elements || text.size() > most_bytes))
            break;
        producer_.number(target);
        target.write(text);
        served.push_back(&target);
    }
    lanes_[lane::enqueuing].serve(std::move(served));
    return text;
}

command remote_core::dequeue_command(bool settles)
{
    std::vector<remote_waiter*> served;
    std::size_t elements = 0;
    waiter_list& list = lanes_[lane::dequeuing].waiting();
    for (auto it = list.begin(); it != list.end();) {
        auto& target = static_cast<remote_consumer&>(*it++);
        if (target.lost_claim()) {  // a branch of a select that was decided elsewhere
            drop(target);
            continue;
        }
        elements += target.missing();
        if (!served.empty() && elements > most_elements)
            break;
        served.push_back(&target);
    }
    if (served.empty())
        return {};
    command text = call("dequeue", settles);
    text.add(options_.lease.count());
    for (const remote_waiter* const each : served)
        static_cast<const remote_consumer*>(each)->write(
            text,
            capacity() - options_.min_after_dequeue
        );
    lanes_[lane::dequeuing].serve(std::move(served));
    return text;
}

// One that closes the queue or only looks (E8) serves no operation.
command remote_core::ask_command()
{
    remote_lane& asking = lanes_[lane::asking];
    if (must_close_ && lanes_[lane::enqueuing].waiting().empty()) {
        command text = call("close");
        is_asking_to_close_ = true;
        return text;
    }
    for (waiter& w : asking.waiting()) {
        auto& query = static_cast<remote_query&>(w);
        command text = question_command(query.asked);
        if (text.empty())
            continue;
        asking.serve({&query});
        return text;
    }
    if (!watch_.must_look())
        return {};
    command text = call("status");
    watch_.note_look();
    return text;
}

command remote_core::question_command(remote_query::question asked)
{
    using question = remote_query::question;
    switch (asked) {
    case question::status:
        return call("status");
    case question::size:  // one number needs no function
        return command("HLEN", prefix_ + ":data");
    case question::position: {
        command text = call("position");
        producer_.write(text);
        return text;
    }
    default:
        return {};  // it is answered here
    }
}

}  // namespace sluice::redis::detail

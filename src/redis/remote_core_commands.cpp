// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What a remote_core sends.

#include "redis/command.hpp"
#include <sluice/redis/detail/remote_core.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::redis::detail {
namespace {

constexpr std::size_t most_elements = 1000;    // in one command
constexpr std::size_t most_bytes = 1'000'000;  // about, in one command

}  // namespace

const char* remote_core::name_of(queue_kind kind) noexcept
{
    static constexpr std::array<const char*, 3> names{"fifo", "priority", "shuffle"};
    return names.at(static_cast<std::size_t>(kind));
}

command remote_core::call(std::string_view function) const
{
    return command("FCALL", "sluice_1_" + std::string(function), "1", prefix_);
}

// (E7)
command remote_core::settle_and_call(std::string_view function)
{
    command text = call("settle_and_" + std::string(function));
    text.add(count_to_settle());
    add_settlements(text);
    return text;
}

command remote_core::open_command()
{
    const bool has_name = !producer_.empty() && !fenced_.code.failed();
    command text = call(has_name ? "open_as" : "open");
    text.add(name_of(kind_));
    text.add(capacity_);
    text.add(max_deliveries_);
    text.add(min_after_dequeue_);
    if (has_name) {
        opening_of_name_ = process_ + '#' + std::to_string(++openings_);
        text.add(producer_);
        text.add(opening_of_name_);
        text.add(replaced_);
    }
    text.add(retry_delay_.count());
    text.add(max_retry_delay_.count());
    stage_ = stage::opening;
    return text;
}

// (E1) Numbers are given in the order of the list, and kept.
command remote_core::enqueue_command(bool settles)
{
    const bool has_name = !producer_.empty();
    const char* const function = has_name ? "enqueue_as" : "enqueue";
    command text = settles ? settle_and_call(function) : call(function);
    if (has_name)
        text.add(producer_);
    text.add(has_name ? opening_of_name_ : process_);
    std::vector<remote_producer*> sent;
    std::size_t elements = 0;
    for (waiter& w : producers_) {
        auto& producer = static_cast<remote_producer&>(w);
        elements += producer.records.size();
        if (!sent.empty() && (elements > most_elements || text.size() > most_bytes))
            break;
        if (producer.number == 0)
            producer.number = ++last_number_;
        text.add(producer.number);
        text.add(producer.records.size());
        for (const record& one : producer.records) {
            text.add(one.bytes);
            text.add(one.priority);
        }
        sent.push_back(&producer);
    }
    sent_producers_ = std::move(sent);
    for (std::size_t i = 0; i < sent_producers_.size(); ++i)
        sent_producers_[i]->place = i;
    return text;
}

std::size_t remote_core::least_of(const remote_consumer& target) const noexcept
{
    switch (target.kind) {
    case remote_demand::exactly:
        return target.wanted;
    case remote_demand::up_to:
        return std::min(target.wanted, capacity_ - min_after_dequeue_);
    default:
        return 1;
    }
}

// A batch of a fixed size comes whole, however large.
std::size_t remote_core::most_of(const remote_consumer& target) noexcept
{
    const bool is_fixed = target.kind == remote_demand::exactly ||
                          target.kind == remote_demand::up_to;
    return is_fixed ? target.wanted : std::min(target.missing(), most_elements);
}

// Those that the next command asks for.
std::vector<remote_consumer*> remote_core::first_consumers()
{
    std::vector<remote_consumer*> first;
    std::size_t elements = 0;
    for (auto it = consumers_.begin(); it != consumers_.end();) {
        auto& consumer = static_cast<remote_consumer&>(*it++);
        if (consumer.lost_claim()) {  // a branch of a select that was decided elsewhere
            drop(consumer);
            continue;
        }
        elements += consumer.missing();
        if (!first.empty() && elements > most_elements)
            break;
        first.push_back(&consumer);
    }
    return first;
}

command remote_core::dequeue_command(bool settles)
{
    std::vector<remote_consumer*> sent = first_consumers();
    if (sent.empty())
        return {};
    command text = settles ? settle_and_call("dequeue") : call("dequeue");
    text.add(lease_.count());
    for (const remote_consumer* const consumer : sent) {
        text.add(least_of(*consumer));
        text.add(most_of(*consumer));
        text.add(consumer->kind == remote_demand::exactly ? "0" : "1");
    }
    sent_consumers_ = std::move(sent);
    for (std::size_t i = 0; i < sent_consumers_.size(); ++i)
        sent_consumers_[i]->place = i;
    return text;
}

command remote_core::settle_command()
{
    command text = call("settle");
    add_settlements(text);
    return text;
}

std::ptrdiff_t remote_core::count_to_settle() const noexcept
{
    return static_cast<std::ptrdiff_t>(std::min(settlements_.size(), most_elements));
}

// A capital letter says that the time of the enqueue comes with the identifier, because the server
// may have lost the element since, and given its identifier to another one.
void remote_core::add_settlement(command& text, const settlement& one) const
{
    const leased_element& element = one.element;
    char letter = static_cast<char>(one.what);
    if (element.connection == connections_) {
        text.add(std::string_view(&letter, 1));
        text.add(element.id);
    } else {
        letter = static_cast<char>(letter - 'a' + 'A');
        text.add(std::string_view(&letter, 1));
        text.add(element.enqueued_at + element.id);
    }
    text.add(element.attempt);
}

void remote_core::add_settlements(command& text)
{
    const auto end = settlements_.begin() + count_to_settle();
    sent_settlements_.reserve(static_cast<std::size_t>(count_to_settle()));
    text.add(lease_.count());
    for (auto it = settlements_.begin(); it != end; ++it)
        add_settlement(text, *it);
}

// Those in the command that has just been made.
void remote_core::note_sent_settlements() noexcept
{
    const auto end = settlements_.begin() + count_to_settle();
    sent_settlements_.assign(
        std::make_move_iterator(settlements_.begin()),
        std::make_move_iterator(end)
    );
    settlements_.erase(settlements_.begin(), end);
}

command remote_core::ask_command()
{
    if (must_close_ && producers_.empty()) {
        command text = call("close");
        sent_close_ = true;
        return text;
    }
    for (waiter& w : queries_) {
        auto& query = static_cast<remote_query&>(w);
        command text = question_command(query.asked);
        if (text.empty())
            continue;
        sent_query_ = &query;
        return text;
    }
    if (!must_look_)
        return {};
    command text = call("status");
    must_look_ = false;
    sent_look_ = true;
    return text;
}

command remote_core::question_command(remote_query::question asked) const
{
    using question = remote_query::question;
    switch (asked) {
    case question::status:
        return call("status");
    case question::size:  // one number needs no function
        return command("HLEN", prefix_ + ":data");
    case question::position: {
        command text = call("position");
        text.add(producer_);
        text.add(opening_of_name_);
        return text;
    }
    default:
        return {};  // it is answered here
    }
}

}  // namespace sluice::redis::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/remote_core.hpp>

#include "redis/command.hpp"
#include "redis/reply.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <random>
#include <utility>

namespace sluice::redis::detail {
namespace {

constexpr std::size_t most_elements = 1000;    // in one command
constexpr std::size_t most_bytes = 1'000'000;  // about, in one command

const char* name_of(queue_kind kind) noexcept
{
    static constexpr std::array<const char*, 3> names{"fifo", "priority", "shuffle"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string drawn_by_lot()
{
    std::random_device device;
    std::string text;
    for (int i = 0; i < 4; ++i)
        text += std::to_string(device()) + (i < 3 ? "-" : "");
    return text;
}

}  // namespace

remote_core::remote_core(
    const queue_options& options,
    std::string prefix,
    std::weak_ptr<command_sink> sink
)
    : name_(options.name),
      prefix_(std::move(prefix)),
      producer_(prefix_ + ":p:" + drawn_by_lot()),
      capacity_(options.capacity),
      kind_(options.kind),
      lease_(options.lease),
      max_deliveries_(options.max_deliveries),
      min_after_dequeue_(options.min_after_dequeue),
      sink_(std::move(sink))
{
}

std::string remote_core::prefix_of(const queue_options& options)
{
    return "sluice:{" + std::string(options.name) + '}';
}

std::string remote_core::describe() const
{
    return "redis queue '" + name_ + "'";
}

queue_options remote_core::dead_letter_options() const noexcept
{
    return {
        .name = name_,
        .capacity = std::size_t{1} << 53U,  // what a Lua number counts exactly
        .kind = queue_kind::fifo,
        .lease = lease_,
        .max_deliveries = 0,
        .min_after_dequeue = 0
    };
}

// Operations ----------------------------------------------------------------------------------

bool remote_core::try_start(waiter& /*target*/) noexcept
{
    return false;
}

bool remote_core::start(
    waiter& target,
    sluice::detail::delivery how,
    sluice::detail::wait_mode mode
) noexcept
{
    using sluice::detail::wait_mode;
    critical_section section(*this);
    if (target.failed() && !has_last_attempt(target, mode)) {
        // An acknowledgement is not taken back by a cancellation, however early.
        if (static_cast<remote_list>(target.list_) == remote_list::settlers) {
            auto& settler = static_cast<remote_settler&>(target);
            note(settler.what, std::exchange(settler.elements, {}), nullptr);
            serve(section);
        }
        section.decide(target);
    } else if (target.claim_ != nullptr && mode == wait_mode::gives_up) {
        // The attempt of a select, which cannot ask the server.
        target.fail(sluice::errc::timed_out);
        section.hand_to_caller(target);
        return true;
    } else {
        enter(target, mode == wait_mode::gives_up, section);
    }
    return conclude(target, how, wait_mode::waits, section);
}

void remote_core::enter(
    waiter& target,
    bool asks_once,
    critical_section& section
) noexcept
{
    if (const auto refusal = refusal_of(target); refusal.code.failed())
        return section.decide_failed(target, refusal.code, refusal.exception);
    if (is_complete_already(target))
        return section.decide(target);
    auto& mine = static_cast<remote_waiter&>(target);
    mine.asks_once = asks_once;
    append(list_of(target), target);
    const auto list = static_cast<remote_list>(target.list_);
    if (list == remote_list::settlers) {
        auto& settler = static_cast<remote_settler&>(target);
        settler.asked = settler.unanswered = settler.elements.size();
        note(settler.what, std::move(settler.elements), &settler);
        settler.elements.clear();
        // It will be told; but when, nobody knows.
        if (out_of_reach_.code.failed() || settler.unanswered == 0) {
            forget_owner(settler);
            return section.decide_failed(
                target,
                out_of_reach_.code.failed() ? out_of_reach_.code : errc::lease_expired,
                out_of_reach_.exception
            );
        }
    } else if (list == remote_list::queries) {
        const auto asked = static_cast<remote_query&>(target).asked;
        must_close_ = must_close_ ||
                      (asked == remote_query::question::close && !is_closed_);
        answer_queries(section);
    } else if (asks_once) {
        const bool is_first = &list_of(target).front() == &target;
        const auto& state = list == remote_list::producers ? enqueuing_ : dequeuing_;
        if (stage_ != stage::open || (state.is_blocked && !is_first))
            return section.decide_failed(target, sluice::errc::timed_out);
    }
    serve(section);
}

remote_core::failure_reason remote_core::refusal_of(const waiter& target) const noexcept
{
    using boost::asio::error::operation_aborted;
    const auto list = static_cast<remote_list>(target.list_);
    if (sink_.expired())
        return {errc::connection_closed, nullptr};
    if (out_of_reach_.code.failed() && list != remote_list::settlers)
        return out_of_reach_;
    if (list == remote_list::producers) {
        const auto& producer = static_cast<const remote_producer&>(target);
        if (is_orphaned_ || has_left_ || must_close_ || is_closed_)
            return {sluice::errc::queue_closed, nullptr};
        if (producer.records.size() > capacity_)
            return {sluice::errc::invalid_argument, nullptr};
    } else if (list == remote_list::consumers) {
        const auto& consumer = static_cast<const remote_consumer&>(target);
        if (is_orphaned_ || has_left_)
            return {operation_aborted, nullptr};
        if (consumer.kind == remote_demand::exactly &&
            consumer.wanted > capacity_ - min_after_dequeue_)
            return {sluice::errc::invalid_argument, nullptr};
    } else if (list == remote_list::queries && is_orphaned_) {
        return {operation_aborted, nullptr};
    }
    return {};
}

bool remote_core::is_complete_already(const waiter& target) const noexcept
{
    switch (static_cast<remote_list>(target.list_)) {
    case remote_list::producers:
        return static_cast<const remote_producer&>(target).records.empty();
    case remote_list::consumers:
        return static_cast<const remote_consumer&>(target).wanted == 0;
    case remote_list::settlers:
        return static_cast<const remote_settler&>(target).elements.empty();
    case remote_list::queries:
        break;
    }
    return false;
}

void remote_core::cancel_producer(remote_producer& target, error_code why) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (!target.cancelled_by.failed())
            target.cancelled_by = why;
    }
    // Decides again whether a command is on its way, under the lock.
    cancel_without_effect(target, why);
}

bool remote_core::has_effect(const waiter& target) const noexcept
{
    return static_cast<remote_list>(target.list_) == remote_list::producers &&
           static_cast<const remote_producer&>(target).is_sent();
}

// Called before it is unlinked.
void remote_core::withdraw(waiter& target) noexcept
{
    const bool is_first = target.is_linked() && &list_of(target).front() == &target;
    switch (static_cast<remote_list>(target.list_)) {
    case remote_list::producers: {
        auto& producer = static_cast<remote_producer&>(target);
        if (producer.is_sent())  // (E3)
            sent_producers_[producer.place] = nullptr;
        if (is_first)
            unblock(enqueuing_);
        break;
    }
    case remote_list::consumers: {
        auto& consumer = static_cast<remote_consumer&>(target);
        if (consumer.is_sent())  // (E3)
            sent_consumers_[consumer.place] = nullptr;
        note(settling::forget, std::move(consumer.elements), nullptr);
        consumer.elements.clear();
        if (is_first)
            unblock(dequeuing_);
        break;
    }
    case remote_list::settlers:
        forget_owner(static_cast<remote_settler&>(target));
        break;
    case remote_list::queries:
        if (sent_query_ == &target)
            sent_query_ = nullptr;
        break;
    }
    static_cast<remote_waiter&>(target).place = remote_waiter::not_sent;
}

void remote_core::forget_owner(const remote_settler& owner) noexcept
{
    for (auto* list : {&settlements_, &sent_settlements_})
        for (settlement& one : *list)
            if (one.owner == &owner)
                one.owner = nullptr;
}

// The time of a batch that lingers is over.
bool remote_core::complete_in_part(waiter& target, critical_section& section) noexcept
{
    if (static_cast<remote_list>(target.list_) != remote_list::consumers)
        return false;
    auto& consumer = static_cast<remote_consumer&>(target);
    if (consumer.elements.empty())
        return false;
    if (consumer.is_sent())  // (E3)
        sent_consumers_[consumer.place] = nullptr;
    consumer.place = remote_waiter::not_sent;
    section.decide(consumer);
    serve(section);
    return true;
}

bool remote_core::reclaim(waiter& target) noexcept
{
    if (static_cast<remote_list>(target.list_) != remote_list::consumers)
        return false;
    auto& consumer = static_cast<remote_consumer&>(target);
    note(settling::forget, std::move(consumer.elements), nullptr);
    consumer.elements.clear();
    return true;
}

void remote_core::collect(const void* context, waiter_list& abandoned) noexcept
{
    for (auto* list : {&producers_, &consumers_, &settlers_, &queries_})
        collect_from(*list, context, abandoned);
}

void remote_core::settle(settling what, std::vector<leased_element> elements) noexcept
{
    critical_section section(*this);
    note(what, std::move(elements), nullptr);
    serve(section);
}

// Without memory, or without a connection, the elements come back when their lease ends.
void remote_core::note(
    settling what,
    std::vector<leased_element> elements,
    remote_settler* owner
) noexcept
{
    std::size_t noted = 0;
    try {
        settlements_.reserve(settlements_.size() + elements.size());
        for (auto& element : elements) {
            settlements_.push_back({what, std::move(element), owner});
            ++noted;
        }
    } catch (...) {
        if (owner != nullptr) {
            owner->unanswered -= elements.size() - noted;
            owner->lost += elements.size() - noted;
        }
    }
}

sluice::detail::waiter_list& remote_core::list_of(const waiter& target) noexcept
{
    switch (static_cast<remote_list>(target.list_)) {
    case remote_list::producers:
        return producers_;
    case remote_list::consumers:
        return consumers_;
    case remote_list::settlers:
        return settlers_;
    default:
        return queries_;
    }
}

// Closing -------------------------------------------------------------------------------------

void remote_core::close(close_mode mode, std::exception_ptr cause) noexcept
{
    critical_section section(*this);
    if (has_left_ || is_orphaned_)
        return;
    if (mode == close_mode::drain && !cause) {
        must_close_ = must_close_ || !is_closed_;
        serve(section);
    } else {
        leave(cause, section);
    }
}

void remote_core::leave(
    const std::exception_ptr& cause,
    critical_section& section
) noexcept
{
    has_left_ = true;
    fail_list(producers_, {sluice::errc::queue_closed, cause}, section);
    fail_list(consumers_, {boost::asio::error::operation_aborted, cause}, section);
    serve(section);
}

bool remote_core::is_closed() const noexcept
{
    const std::lock_guard lock(mutex_);
    return is_closed_ || must_close_ || has_left_;
}

bool remote_core::is_orphaned() const noexcept
{
    const std::lock_guard lock(mutex_);
    return is_orphaned_;
}

void remote_core::shut_down() noexcept
{
    critical_section section(*this);
    is_orphaned_ = true;
    leave(nullptr, section);
    fail_list(queries_, {boost::asio::error::operation_aborted, nullptr}, section);
}

// The connection ------------------------------------------------------------------------------

void remote_core::connected() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        is_connected_ = true;
        stage_ = stage::closed;
        out_of_reach_ = {};
    }
    pump();
}

void remote_core::lost() noexcept
{
    critical_section section(*this);
    is_connected_ = false;
    stage_ = stage::closed;
    for (lane_state* state : {&opening_, &enqueuing_, &dequeuing_, &settling_, &asking_})
        *state = {};
    fail_those_that_ask_once(producers_, section);
    fail_those_that_ask_once(consumers_, section);
}

void remote_core::out_of_reach(error_code why, std::exception_ptr cause) noexcept
{
    critical_section section(*this);
    out_of_reach_ = {why, std::move(cause)};
    fail_all(out_of_reach_, section);
}

void remote_core::on_event(char what) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (what != 'r')
            unblock(dequeuing_);
        if (what != 'i')
            unblock(enqueuing_);
        // It was refused, which may have changed.
        if (stage_ == stage::opening && !opening_.is_busy && what == poll)
            stage_ = stage::closed;
    }
    pump();
}

void remote_core::request_pump() noexcept
{
    if (is_pump_posted_ || !has_work())
        return;
    try {
        if (const auto sink = sink_.lock()) {
            is_pump_posted_ = true;
            sink->post_pump(*this);
        }
    } catch (...) {
        is_pump_posted_ = false;  // the poll comes to it
    }
}

bool remote_core::has_work() const noexcept
{
    const auto is_free = [](const lane_state& state) {
        return !state.is_busy && !state.is_blocked;
    };
    if (stage_ != stage::open)
        return is_connected_ && stage_ == stage::closed;
    return (is_free(enqueuing_) && !producers_.empty()) ||
           (is_free(dequeuing_) && !consumers_.empty()) ||
           (is_free(settling_) && !settlements_.empty()) ||
           (is_free(asking_) && (must_close_ || !queries_.empty()));
}

void remote_core::serve(critical_section& /*section*/) noexcept
{
    request_pump();
}

void remote_core::pump() noexcept
{
    const auto sink = sink_.lock();
    if (sink == nullptr)
        return;
    static constexpr std::array lanes{
        lane::opening,
        lane::settling,  // first what makes room
        lane::enqueuing,
        lane::dequeuing,
        lane::asking
    };
    for (const lane from : lanes) {
        command text;
        try {
            const std::lock_guard lock(mutex_);
            is_pump_posted_ = false;
            text = next_command(from);
        } catch (...) {
            continue;  // without memory; the poll comes to it
        }
        if (!text.empty())
            sink->send(*this, from, std::move(text));
    }
}

remote_core::lane_state& remote_core::state_of(lane from) noexcept
{
    switch (from) {
    case lane::opening:
        return opening_;
    case lane::enqueuing:
        return enqueuing_;
    case lane::dequeuing:
        return dequeuing_;
    case lane::settling:
        return settling_;
    default:
        return asking_;
    }
}

void remote_core::end_turn(lane_state& state, bool is_refused) noexcept
{
    state.is_busy = false;
    state.is_blocked = is_refused && !state.has_news;  // (E2)
    state.has_news = false;
}

void remote_core::unblock(lane_state& state) noexcept
{
    state.has_news = state.is_busy;
    state.is_blocked = false;
}

// Commands ------------------------------------------------------------------------------------

command remote_core::next_command(lane from)
{
    lane_state& state = state_of(from);
    const bool is_open = stage_ == stage::open;
    if (state.is_busy || state.is_blocked || is_open == (from == lane::opening))
        return {};
    command text;
    switch (from) {
    case lane::opening:
        text = open_command();
        break;
    case lane::enqueuing:
        text = enqueue_command();
        break;
    case lane::dequeuing:
        text = dequeue_command();
        break;
    case lane::settling:
        text = settle_command();
        break;
    case lane::asking:
        text = ask_command();
        break;
    }
    state.is_busy = !text.empty();
    return text;
}

command remote_core::call(const char* function) const
{
    return command("FCALL", std::string("sluice_1_") + function, "1", prefix_);
}

command remote_core::open_command()
{
    if (!is_connected_ || stage_ != stage::closed)
        return {};
    command text = call("open");
    text.add(name_of(kind_));
    text.add(capacity_);
    text.add(max_deliveries_);
    text.add(min_after_dequeue_);
    stage_ = stage::opening;
    return text;
}

// (E1) Numbers are given in the order of the list, and kept.
command remote_core::enqueue_command()
{
    if (producers_.empty())
        return {};
    command text("FCALL", "sluice_1_enqueue", "2", prefix_, producer_);
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

command remote_core::dequeue_command()
{
    if (consumers_.empty())
        return {};
    command text = call("dequeue");
    text.add(lease_.count());
    std::vector<remote_consumer*> sent;
    std::size_t elements = 0;
    for (auto it = consumers_.begin(); it != consumers_.end();) {
        auto& consumer = static_cast<remote_consumer&>(*it++);
        if (consumer.lost_claim()) {  // a branch of a select that was decided elsewhere
            drop(consumer);
            continue;
        }
        elements += consumer.missing();
        if (!sent.empty() && elements > most_elements)
            break;
        text.add(least_of(consumer));
        text.add(std::min(consumer.missing(), most_elements));
        text.add(consumer.kind == remote_demand::exactly ? "0" : "1");
        sent.push_back(&consumer);
    }
    if (sent.empty())
        return {};
    sent_consumers_ = std::move(sent);
    for (std::size_t i = 0; i < sent_consumers_.size(); ++i)
        sent_consumers_[i]->place = i;
    return text;
}

command remote_core::settle_command()
{
    if (settlements_.empty())
        return {};
    const auto count = std::min(settlements_.size(), most_elements);
    const auto end = settlements_.begin() + static_cast<std::ptrdiff_t>(count);
    command text = call("settle");
    text.add(lease_.count());
    for (auto it = settlements_.begin(); it != end; ++it) {
        const char what = static_cast<char>(it->what);
        text.add(std::string_view(&what, 1));
        text.add(it->element.id);
        text.add(it->element.attempt);
    }
    sent_settlements_.reserve(count);
    sent_settlements_.assign(
        std::make_move_iterator(settlements_.begin()),
        std::make_move_iterator(end)
    );
    settlements_.erase(settlements_.begin(), end);
    return text;
}

command remote_core::ask_command()
{
    using question = remote_query::question;
    if (must_close_ && producers_.empty()) {
        command text = call("close");
        sent_close_ = true;
        return text;
    }
    for (waiter& w : queries_) {
        auto& query = static_cast<remote_query&>(w);
        if (query.asked != question::status)
            continue;
        command text = call("status");
        sent_query_ = &query;
        return text;
    }
    return {};
}

// Answers -------------------------------------------------------------------------------------

void remote_core::on_reply(lane from, const reply* answer) noexcept
{
    {
        critical_section section(*this);
        if (answer == nullptr) {
            on_lost(from, section);
        } else if (answer->is_error("NOQUEUE")) {  // deleted, or the server lost its data
            on_lost(from, section);
            end_turn(state_of(from), false);
            stage_ = stage::closed;
        } else if (answer->is_error()) {
            on_error(from, *answer, section);
        } else {
            switch (from) {
            case lane::opening:
                on_opened(*answer, section);
                break;
            case lane::enqueuing:
                on_enqueued(*answer, section);
                break;
            case lane::dequeuing:
                on_dequeued(*answer, section);
                break;
            case lane::settling:
                on_settled(*answer, section);
                break;
            case lane::asking:
                on_asked(*answer, section);
                break;
            }
        }
        answer_queries(section);
    }
    pump();
}

void remote_core::on_opened(const reply& answer, critical_section& section) noexcept
{
    end_turn(opening_, false);
    const auto is = [&](std::size_t index, std::size_t wanted) {
        return static_cast<std::size_t>(answer[index].number()) == wanted;
    };
    if (answer[0].text() == name_of(kind_) && is(1, capacity_) &&
        is(2, max_deliveries_) && is(3, min_after_dequeue_)) {
        stage_ = stage::open;
        out_of_reach_ = {};
        return;
    }
    const auto text = [](const auto& kind, auto capacity, auto deliveries, auto stays) {
        return "kind " + std::string(kind) + ", capacity " + std::to_string(capacity) +
               ", max_deliveries " + std::to_string(deliveries) + ", min_after_dequeue " +
               std::to_string(stays);
    };
    const std::string there = text(
        answer[0].text(),
        answer[1].number(),
        answer[2].number(),
        answer[3].number()
    );
    const std::string here =
        text(name_of(kind_), capacity_, max_deliveries_, min_after_dequeue_);
    out_of_reach_.code = errc::queue_mismatch;
    out_of_reach_.exception = std::make_exception_ptr(system_error(
        out_of_reach_.code,
        describe() + " has " + there + " on the server, and " + here + " here"
    ));
    fail_all(out_of_reach_, section);
}

void remote_core::on_enqueued(const reply& answer, critical_section& section) noexcept
{
    const auto done = static_cast<std::size_t>(answer[0].number());
    const auto why = answer[1].number();
    const auto sent = std::exchange(sent_producers_, {});
    for (std::size_t i = 0; i < sent.size(); ++i) {
        remote_producer* const producer = sent[i];
        if (producer == nullptr)  // (E3)
            continue;
        producer->place = remote_waiter::not_sent;
        if (i < done)
            section.decide(*producer);
        else if (why != 2 && producer->cancelled_by.failed())
            section.decide_failed(*producer, producer->cancelled_by);
        else if (why != 2 && producer->asks_once)
            section.decide_failed(*producer, sluice::errc::timed_out);
    }
    if (why == 2)
        learn_that_it_is_closed(section);
    end_turn(enqueuing_, why == 1);
}

void remote_core::learn_that_it_is_closed(critical_section& section) noexcept
{
    is_closed_ = true;
    must_close_ = false;
    fail_list(producers_, {sluice::errc::queue_closed, nullptr}, section);
}

void remote_core::on_dequeued(const reply& answer, critical_section& section) noexcept
{
    const auto why = answer[0].number();
    const auto left = static_cast<std::size_t>(answer[1].number());
    const auto sent = std::exchange(sent_consumers_, {});
    for (remote_consumer* const consumer : sent)
        if (consumer != nullptr)
            consumer->place = remote_waiter::not_sent;
    const std::size_t served = std::min(answer.size() - 2, sent.size());
    for (std::size_t i = 0; i < served; ++i) {
        const reply batch = answer[i + 2];
        std::vector<leased_element> elements;
        try {
            elements.reserve(batch.size() / 3);
            for (std::size_t at = 0; at + 2 < batch.size(); at += 3)
                elements.push_back(
                    {std::string(batch[at].text()),
                     static_cast<std::uint32_t>(batch[at + 1].number()),
                     std::string(batch[at + 2].text())}
                );
        } catch (...) {
            // without memory; the rest comes back when its lease ends
        }
        hand_over(sent[i], std::move(elements), section);
    }
    if (why == 2 && served < sent.size() && sent[served] != nullptr) {
        remote_consumer& ended = *sent[served];
        ended.left = left;
        if (ended.elements.empty())
            section.decide_failed(ended, sluice::errc::end_of_queue);
        else
            section.decide(ended);
    }
    if (why == 2)
        is_closed_ = true;
    if (why == 2 && left == 0) {  // then it is for all
        fail_list(consumers_, {sluice::errc::end_of_queue, nullptr}, section);
    } else if (why == 1) {
        for (std::size_t i = served; i < sent.size(); ++i)
            if (sent[i] != nullptr && sent[i]->asks_once &&
                !complete_in_part(*sent[i], section))
                section.decide_failed(*sent[i], sluice::errc::timed_out);
    }
    end_turn(dequeuing_, why == 1);
}

void remote_core::hand_over(
    remote_consumer* target,
    std::vector<leased_element> elements,
    critical_section& section
) noexcept
{
    if (target != nullptr && !target->try_claim()) {
        drop(*target);
        target = nullptr;
    }
    if (target == nullptr)  // (E3)
        return note(settling::forget, std::move(elements), nullptr);
    if (target->elements.empty()) {
        target->elements = std::move(elements);
    } else {
        try {
            for (auto& element : elements)
                target->elements.push_back(std::move(element));
        } catch (...) {
            // without memory; the rest comes back when its lease ends
        }
    }
    const bool lacks = target->kind == remote_demand::linger && target->missing() > 0;
    if (!lacks || !target->linger())
        section.decide(*target);
}

void remote_core::on_settled(const reply& answer, critical_section& section) noexcept
{
    auto settled = std::exchange(sent_settlements_, {});
    for (std::size_t i = 0; i < settled.size(); ++i) {
        // What is asked again after a lost connection may have been done the first time.
        const bool is_done = answer[i].number() == 1 ||
                             (settled[i].is_repeated &&
                              settled[i].what == settling::acknowledge);
        answer_settlement(settled[i], is_done, {}, section);
    }
    end_turn(settling_, false);
}

void remote_core::answer_settlement(
    settlement& settled,
    bool is_done,
    const failure_reason& failure,
    critical_section& section
) noexcept
{
    remote_settler* const owner = settled.owner;
    if (owner == nullptr)
        return;
    owner->lost += is_done ? 0 : 1;
    if (--owner->unanswered > 0)
        return;
    if (failure.code.failed())
        section.decide_failed(*owner, failure.code, failure.exception);
    else if (owner->lost > 0)
        section.decide_failed(*owner, errc::lease_expired);
    else
        section.decide(*owner);
}

void remote_core::on_asked(const reply& answer, critical_section& section) noexcept
{
    end_turn(asking_, false);
    if (std::exchange(sent_close_, false)) {
        learn_that_it_is_closed(section);
        return;
    }
    remote_query* const query = std::exchange(sent_query_, nullptr);
    if (query == nullptr)  // (E3)
        return;
    const auto number = [&](std::size_t index) {
        return static_cast<std::uint64_t>(answer[index].number());
    };
    queue_status& status = query->status;
    status.size = number(0);
    status.leased = number(1);
    status.capacity = number(2);
    status.is_closed = number(3) == 1;
    if (answer[4].number() >= 0)
        status.age = std::chrono::milliseconds(answer[4].number());
    status.enqueued = number(5);
    status.acknowledged = number(6);
    status.redelivered = number(7);
    status.dead = number(8);
    status.dead_letters = number(9);
    section.decide(*query);
}

void remote_core::answer_queries(critical_section& section) noexcept
{
    using question = remote_query::question;
    const bool is_flushed = settlements_.empty() && sent_settlements_.empty() &&
                            !must_close_;
    for (auto it = queries_.begin(); it != queries_.end();) {
        auto& query = static_cast<remote_query&>(*it++);
        if ((query.asked == question::close && is_closed_) ||
            (query.asked == question::flush && is_flushed))
            section.decide(query);
    }
}

// (E4)
void remote_core::on_lost(lane from, critical_section& section) noexcept
{
    switch (from) {
    case lane::opening:
        break;
    case lane::enqueuing:
        for (remote_producer* const producer : std::exchange(sent_producers_, {})) {
            if (producer == nullptr)
                continue;
            producer->place = remote_waiter::not_sent;
            if (producer->cancelled_by.failed())
                section.decide_failed(*producer, producer->cancelled_by);
            else if (producer->asks_once)
                section.decide_failed(*producer, errc::connection_failed);
        }
        break;
    case lane::dequeuing:
        for (remote_consumer* const consumer : std::exchange(sent_consumers_, {})) {
            if (consumer == nullptr)
                continue;
            consumer->place = remote_waiter::not_sent;
            if (consumer->asks_once && !complete_in_part(*consumer, section))
                section.decide_failed(*consumer, sluice::errc::timed_out);
        }
        break;
    case lane::settling:
        for (settlement& one : sent_settlements_)
            one.is_repeated = true;
        try {
            settlements_.insert(
                settlements_.begin(),
                std::make_move_iterator(sent_settlements_.begin()),
                std::make_move_iterator(sent_settlements_.end())
            );
        } catch (...) {
            for (settlement& one : sent_settlements_)
                answer_settlement(one, false, {}, section);
        }
        sent_settlements_.clear();
        break;
    case lane::asking:
        sent_query_ = nullptr;
        sent_close_ = false;
        break;
    }
}

void remote_core::on_error(
    lane from,
    const reply& answer,
    critical_section& section
) noexcept
{
    failure_reason why{answer.code(), nullptr};
    try {
        why.exception = std::make_exception_ptr(
            system_error(why.code, describe() + ": " + std::string(answer.text()))
        );
    } catch (...) {
        // without memory for the text
    }
    end_turn(state_of(from), false);
    switch (from) {
    case lane::opening:
        out_of_reach_ = why;
        fail_all(why, section);
        break;
    case lane::enqueuing:
        for (remote_producer* const producer : std::exchange(sent_producers_, {}))
            if (producer != nullptr)
                section.decide_failed(*producer, why.code, why.exception);
        break;
    case lane::dequeuing:
        for (remote_consumer* const consumer : std::exchange(sent_consumers_, {}))
            if (consumer != nullptr)
                section.decide_failed(*consumer, why.code, why.exception);
        break;
    case lane::settling:
        for (settlement& one : std::exchange(sent_settlements_, {}))
            answer_settlement(one, false, why, section);
        break;
    case lane::asking:
        if (std::exchange(sent_close_, false)) {
            must_close_ = false;
            fail_list(queries_, why, section);
        } else if (remote_query* const query = std::exchange(sent_query_, nullptr)) {
            section.decide_failed(*query, why.code, why.exception);
        }
        break;
    }
}

void remote_core::fail_list(
    waiter_list& list,
    const failure_reason& why,
    critical_section& section
) noexcept
{
    for (auto it = list.begin(); it != list.end();) {
        waiter& target = *it++;
        if (has_effect(target)) {  // its answer decides
            static_cast<remote_producer&>(target).cancelled_by = why.code;
            continue;
        }
        withdraw(target);
        section.decide_failed(target, why.code, why.exception);
    }
}

void remote_core::fail_those_that_ask_once(
    waiter_list& list,
    critical_section& section
) noexcept
{
    for (auto it = list.begin(); it != list.end();) {
        auto& target = static_cast<remote_waiter&>(*it++);
        if (target.asks_once && !target.is_sent())
            section.decide_failed(target, sluice::errc::timed_out);
    }
}

void remote_core::fail_all(const failure_reason& why, critical_section& section) noexcept
{
    for (auto* list : {&producers_, &consumers_, &settlers_, &queries_})
        fail_list(*list, why, section);
}

// The waiters ---------------------------------------------------------------------------------

remote_waiter::remote_waiter(remote_list list, remote_core* core) noexcept
    : waiter(static_cast<unsigned char>(list), core)
{
}

remote_core& remote_waiter::core() const noexcept
{
    return static_cast<remote_core&>(*hub_);
}

void remote_producer::cancel(error_code why) noexcept
{
    core().cancel_producer(*this, why);
}

remote_consumer::~remote_consumer()
{
    if (!elements.empty())
        core().settle(settling::forget, std::move(elements));
}

remote_settler::~remote_settler()
{
    if (!elements.empty() && what != settling::extend)
        core().settle(settling::requeue, std::move(elements));
}

}  // namespace sluice::redis::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What a remote_core does with what the server answers.

#include "redis/reply.hpp"
#include "redis/status_of.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_core.hpp>
#include <sluice/redis/redis_error.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::redis::detail {
namespace {

// An element as the server gives it: its bytes have the time of its enqueue before them.
leased_element element_of(
    const reply& id,
    const reply& attempt,
    const reply& stored,
    std::uint64_t connection
)
{
    constexpr std::size_t digits_of_time = 13;
    const std::string_view text = stored.text();
    const std::size_t begin = std::min(digits_of_time, text.size());
    return {
        std::string(id.text()),
        static_cast<std::uint32_t>(attempt.number()),
        std::string(text.substr(begin)),
        std::string(text.substr(0, begin)),
        connection
    };
}

std::string counted(std::uint64_t elements)
{
    return std::to_string(elements) + (elements == 1 ? " element" : " elements");
}

}  // namespace

void remote_core::on_reply(lane from, const reply* answer) noexcept
{
    {
        critical_section section(*this);
        if (carrier_ == from)
            on_reply_of_two(from, answer, section);
        else
            on_answer(from, answer, section);
        answer_queries(section);
    }
    pump();
}

// (E7)
void remote_core::on_reply_of_two(
    lane from,
    const reply* answer,
    critical_section& section
) noexcept
{
    carrier_.reset();
    if (answer != nullptr && !answer->is_error()) {
        const reply settled = (*answer)[0];
        const reply other = (*answer)[1];
        on_answer(lane::settling, &settled, section);
        on_answer(from, &other, section);
        return;
    }
    // Functions that dequeue are not refused for that.
    if (answer != nullptr && answer->code() == errc::server_full) {
        take_both_back(section);
        return;
    }
    on_answer(lane::settling, answer, section);
    on_answer(from, answer, section);
}

// The settlements may make room for the enqueue, which follows them alone.
void remote_core::take_both_back(critical_section& section) noexcept
{
    is_server_full_ = true;
    take_settlements_back(false, section);
    end_turn(state_of(lane::settling), false);
    for (remote_producer* const producer : std::exchange(sent_producers_, {})) {
        if (producer == nullptr)
            continue;
        producer->place = remote_waiter::not_sent;
        if (producer->cancelled_by.failed())
            section.decide_failed(*producer, producer->cancelled_by);
    }
    end_turn(state_of(lane::enqueuing), false);
}

void remote_core::on_answer(
    lane from,
    const reply* answer,
    critical_section& section
) noexcept
{
    if (answer == nullptr || answer->asks_to_reconnect()) {
        on_lost(from, answer == nullptr, section);
        return;
    }
    if (answer->is_error("NOQUEUE")) {
        on_deleted(from, section);
        return;
    }
    if (answer->is_error()) {
        on_error(from, *answer, section);
        return;
    }
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

void remote_core::on_opened(const reply& answer, critical_section& section) noexcept
{
    end_turn(state_of(lane::opening), false);
    const auto is = [&](std::size_t index, std::size_t wanted) {
        return static_cast<std::size_t>(answer[index].number()) == wanted;
    };
    const std::size_t delays = answer.size() == 11 ? 6
                                                   : 4;  // behind the owner of the name
    if (answer[0].text() == name_of(kind_) && is(1, capacity_) &&
        is(2, max_deliveries_) && is(3, min_after_dequeue_) &&
        is(delays, static_cast<std::size_t>(retry_delay_.count())) &&
        is(delays + 1, static_cast<std::size_t>(max_retry_delay_.count()))) {
        stage_ = note_owner(answer, section) ? stage::open : stage::closed;
        note_identity(
            answer[delays + 2],
            static_cast<std::uint64_t>(answer[delays + 3].number()),
            static_cast<std::size_t>(answer[delays + 4].number()),
            section
        );
        if (out_of_reach_.code != errc::connection_closed)  // which is for good
            out_of_reach_ = {};
        return;
    }
    out_of_reach_ = mismatch(answer, delays);
    must_close_ = must_close_ && !is_orphaned_;  // whom nobody could tell
    fail_all(out_of_reach_, section);
}

remote_core::failure_reason remote_core::mismatch(const reply& opened, std::size_t delays)
    const noexcept
try {
    const auto text = [](const auto& kind,
                         auto capacity,
                         auto deliveries,
                         auto stays,
                         auto delay,
                         auto most_delay) {
        return "kind " + std::string(kind) + ", capacity " + std::to_string(capacity) +
               ", max_deliveries " + std::to_string(deliveries) + ", min_after_dequeue " +
               std::to_string(stays) +
               (delay == 0
                    ? std::string()
                    : ", retry_delay " + std::to_string(delay) + " ms, max_retry_delay " +
                          std::to_string(most_delay) + " ms");
    };
    const std::string there = text(
        opened[0].text(),
        opened[1].number(),
        opened[2].number(),
        opened[3].number(),
        opened[delays].number(),
        opened[delays + 1].number()
    );
    const std::string here = text(
        name_of(kind_),
        capacity_,
        max_deliveries_,
        min_after_dequeue_,
        retry_delay_.count(),
        max_retry_delay_.count()
    );
    const system_error error(
        errc::queue_mismatch,
        describe() + " has " + there + " on the server, and " + here + " here"
    );
    return {error.code(), std::make_exception_ptr(error)};
} catch (...) {
    return {errc::queue_mismatch, nullptr};  // without memory for the text
}

// (E8)
void remote_core::note_identity(
    const reply& base,
    std::uint64_t lost,
    std::size_t size,
    critical_section& section
) noexcept
try {
    const bool is_first = base_.empty();
    const bool is_anew = !is_first && base_ != base.text();
    base_ = base.text();
    const bool is_on_purpose = is_being_deleted_;
    if (is_first || is_anew)  // or the answer is older than the deletion
        is_being_deleted_ = false;
    if (is_first)
        lost_ = lost;
    else if (!is_anew && lost > lost_)
        be_robbed(lost - std::exchange(lost_, lost), section);
    if (!is_anew)
        return;
    lost_ = lost;
    const std::size_t had = std::exchange(size_, size);
    if (is_on_purpose)
        return;
    losses_.what = describe() + " was deleted on the server, " +
                   (had > size ? "with up to " + counted(had - size) + ", " : "") +
                   "and is made anew";
} catch (...) {
    // without memory for a text
}

void remote_core::note_status(
    const queue_status& status,
    critical_section& section
) noexcept
{
    size_ = status.size;
    if (status.lost > lost_)
        be_robbed(status.lost - std::exchange(lost_, status.lost), section);
}

// Those that wait hear of it, or else the next one. An enqueue that is on its way may be in.
void remote_core::be_robbed(std::uint64_t elements, critical_section& section) noexcept
{
    losses_.elements += elements;
    try {
        losses_.what = describe() + ": the server has lost " + counted(elements) +
                       (elements == losses_.elements
                            ? std::string()
                            : ", " + std::to_string(losses_.elements) + " in all");
        robbed_ = {
            errc::elements_lost,
            std::make_exception_ptr(system_error(errc::elements_lost, losses_.what))
        };
    } catch (...) {
        robbed_ = {errc::elements_lost, nullptr};  // without memory for the text
    }
    const failure_reason why = robbed_;
    const auto waiting = producers_.size() + consumers_.size();
    fail_list(producers_, why, section);
    fail_list(consumers_, why, section);
    if (producers_.size() + consumers_.size() < waiting)
        robbed_ = {};
}

// (E6) Whether the queue is open. If not, the next opening takes the name from who has it.
bool remote_core::note_owner(const reply& opened, critical_section& section) noexcept
{
    if (producer_.empty() || fenced_.code.failed())
        return true;
    const std::string_view owner = opened[4].text();
    const auto last = static_cast<std::uint64_t>(opened[5].number());
    try {
        replaced_ = owner;
    } catch (...) {
        // without memory; it is told again
    }
    const bool is_own = owner.substr(0, owner.rfind('#')) == process_;
    if (has_name_ && (!is_own || last < last_added_)) {
        const char* const why = is_own || owner.empty()
                                    ? "the server has lost what came in"
                                    : "the server names another process";
        be_fenced(failure(errc::producer_fenced, why), section);
        return true;
    }
    // Of its own it may be an earlier one, whose answer was lost.
    has_name_ = has_name_ || owner == opening_of_name_;
    return owner == opening_of_name_;
}

// What it has lost can still come in, and what another process has is still to come: so the queue
// is not closed either.
void remote_core::be_fenced(failure_reason why, critical_section& section) noexcept
{
    fenced_ = std::move(why);
    must_close_ = false;
    fail_list(producers_, fenced_, section);
    for (auto it = queries_.begin(); it != queries_.end();) {
        auto& query = static_cast<remote_query&>(*it++);
        if (query.asked == remote_query::question::status ||
            query.asked == remote_query::question::flush)
            continue;
        withdraw(query);
        section.decide_failed(query, fenced_.code, fenced_.exception);
    }
}

void remote_core::on_enqueued(const reply& answer, critical_section& section) noexcept
{
    const auto done = static_cast<std::size_t>(answer[0].number());
    const auto why = answer[1].number();
    const auto sent = std::exchange(sent_producers_, {});
    size_ = static_cast<std::size_t>(answer[2].number());
    is_server_full_ = false;
    bool is_refused = false;  // the first of those that are left, which waits
    for (std::size_t i = 0; i < sent.size(); ++i) {
        remote_producer* const producer = sent[i];
        if (producer == nullptr)  // (E3)
            continue;
        producer->place = remote_waiter::not_sent;
        if (i < done) {
            last_added_ = producer->number;
            section.decide(*producer);
        } else if (why == 2)
            continue;
        else if (producer->cancelled_by.failed())
            section.decide_failed(*producer, producer->cancelled_by);
        else if (producer->asks_once)
            section.decide_failed(*producer, sluice::errc::timed_out);
        else if (producer->tries && i == done)
            section.decide_failed(*producer, sluice::errc::queue_full);
        else if (producer->tries && is_refused)
            section.decide_failed(*producer, sluice::errc::queue_busy);
        else if (i == done)
            is_refused = true;
    }
    if (why == 2)
        learn_that_it_is_closed(section);
    end_turn(state_of(lane::enqueuing), is_refused);
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
    size_ = left;
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
                    element_of(batch[at], batch[at + 1], batch[at + 2], connections_)
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
    }
    const std::span<remote_consumer* const> rest(sent);
    end_turn(
        state_of(lane::dequeuing),
        why == 1 && refuse(rest.subspan(served), section)
    );
}

// Those for which there is too little, the first one first. Whether that one waits; if it does not,
// the server has not been asked for the others.
bool remote_core::refuse(
    std::span<remote_consumer* const> consumers,
    critical_section& section
) noexcept
{
    bool is_refused = false;
    for (remote_consumer* const& consumer : consumers) {
        const bool is_first = &consumer == &consumers.front();
        if (consumer == nullptr)  // (E3)
            continue;
        if (consumer->asks_once) {
            if (!complete_in_part(*consumer, section))
                section.decide_failed(*consumer, sluice::errc::timed_out);
        } else if (consumer->tries && is_first) {
            section.decide_failed(*consumer, sluice::errc::queue_empty);
        } else if (consumer->tries && is_refused) {
            section.decide_failed(*consumer, sluice::errc::queue_busy);
        } else if (is_first) {
            is_refused = true;
        }
    }
    return is_refused;
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
    if (target->elements.empty())
        return section.decide_failed(
            *target,
            boost::system::errc::make_error_code(boost::system::errc::not_enough_memory)
        );
    const bool lacks = target->kind == remote_demand::linger && target->missing() > 0;
    if (!lacks || !target->linger())
        section.decide(*target);
}

void remote_core::on_settled(const reply& answer, critical_section& section) noexcept
{
    auto settled = std::exchange(sent_settlements_, {});
    for (std::size_t i = 0; i < settled.size(); ++i) {
        const auto told = answer[i].number();
        const bool is_left = told == 2;  // for another acknowledgement
        const bool is_done = told == 1 || (!is_left && may_be_done(settled[i]));
        if (told == 1 && settled[i].what == settling::acknowledge && size_ > 0)
            --size_;
        answer_settlement(settled[i], is_done, {}, section);
    }
    end_turn(state_of(lane::settling), false);
}

// What is asked again after a lost connection may have been done the first time. If it was not, the
// lease has ended: an element that went back is where it should be. One that was acknowledged is
// gone because somebody else has acknowledged it, or because it is a dead letter by now.
bool remote_core::may_be_done(const settlement& asked) noexcept
{
    return asked.is_repeated && asked.what != settling::extend;
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
    end_turn(state_of(lane::asking), false);
    if (std::exchange(sent_close_, false)) {
        learn_that_it_is_closed(section);
        return;
    }
    if (std::exchange(sent_look_, false))
        return note_status(status_of(answer), section);
    remote_query* const query = std::exchange(sent_query_, nullptr);
    if (query == nullptr)  // (E3)
        return;
    if (query->asked == remote_query::question::status) {
        query->status = status_of(answer);
        note_status(query->status, section);
    } else
        query->number = static_cast<std::uint64_t>(answer.number());
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

// The queue was deleted, or the server lost its data. Who still has a queue makes it anew, without
// the elements that were to be settled.
void remote_core::on_deleted(lane from, critical_section& section) noexcept
{
    if (from == lane::settling)
        for (settlement& one : std::exchange(sent_settlements_, {}))
            answer_settlement(one, may_be_done(one), {}, section);
    else
        on_lost(from, false, section);
    end_turn(state_of(from), false);
    stage_ = stage::closed;
}

// (E4) The server has not done it, or nobody knows.
void remote_core::on_lost(lane from, bool may_be_done, critical_section& section) noexcept
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
            else if (producer->asks_once && may_be_done)
                section.decide_failed(*producer, errc::connection_failed);
        }
        break;
    case lane::dequeuing:
        for (remote_consumer* const consumer : std::exchange(sent_consumers_, {})) {
            if (consumer == nullptr)
                continue;
            consumer->place = remote_waiter::not_sent;
            if (consumer->asks_once && may_be_done &&
                !complete_in_part(*consumer, section))
                section.decide_failed(*consumer, sluice::errc::timed_out);
        }
        break;
    case lane::settling:
        take_settlements_back(may_be_done, section);
        break;
    case lane::asking:
        sent_query_ = nullptr;
        sent_close_ = false;
        sent_look_ = false;
        break;
    }
}

// To send them again.
void remote_core::take_settlements_back(bool is_lost, critical_section& section) noexcept
{
    // An element that was returned unseen may be with a consumer again, as the same delivery, from
    // which a repetition would take it. If it was not returned it comes back when its lease ends.
    if (is_lost)
        std::erase_if(sent_settlements_, [](const settlement& one) {
            return one.what == settling::forget;
        });
    for (settlement& one : sent_settlements_)
        one.is_repeated = one.is_repeated || is_lost;
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
}

// A function names the right that it lacks. What is refused before it begins is its key.
remote_core::failure_reason remote_core::refusal(lane from, const reply& answer)
    const noexcept
try {
    std::string text(answer.text());
    if (from == lane::opening && answer.is_error("NOPERM") &&
        text.find("lacks the right") == std::string::npos)
        text += "; the user lacks the right ~" + prefix_ + "*";
    return failure(answer.code(), text);
} catch (...) {
    return {answer.code(), nullptr};  // without memory for the text
}

void remote_core::on_error(
    lane from,
    const reply& answer,
    critical_section& section
) noexcept
{
    const failure_reason why = refusal(from, answer);
    end_turn(state_of(from), false);
    switch (from) {
    case lane::opening:
        out_of_reach_ = why;
        must_close_ = must_close_ && !is_orphaned_;  // whom nobody could tell
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
        if (std::exchange(sent_look_, false))
            break;  // the next poll asks
        if (std::exchange(sent_close_, false)) {
            must_close_ = false;
            fail_list(queries_, why, section);
        } else if (remote_query* const query = std::exchange(sent_query_, nullptr)) {
            section.decide_failed(*query, why.code, why.exception);
        }
        break;
    }
    if (why.code == errc::producer_fenced)  // those that have not been sent, too
        be_fenced(why, section);
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

}  // namespace sluice::redis::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What a remote_core does with what the server answers.

#include "redis/queue_terms.hpp"
#include "redis/status_of.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_core.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::redis::detail {
namespace {

// As the server gives them: the bytes have the time of the enqueue before them. Without memory the
// rest comes back when its lease ends.
std::vector<leased_element> elements_of(
    const reply& batch,
    std::uint64_t connection
) noexcept
{
    constexpr std::size_t digits_of_time = 13;
    std::vector<leased_element> elements;
    try {
        elements.reserve(batch.size() / 3);
        for (std::size_t at = 0; at + 2 < batch.size(); at += 3) {
            const std::string_view stored = batch[at + 2].text();
            const std::size_t begin = std::min(digits_of_time, stored.size());
            elements.push_back(
                {std::string(batch[at].text()),
                 static_cast<std::uint32_t>(batch[at + 1].number()),
                 std::string(stored.substr(begin)),
                 std::string(stored.substr(0, begin)),
                 connection}
            );
        }
    } catch (...) {
    }
    return elements;
}

failure_reason mismatch(
    std::string_view of,
    const queue_terms& there,
    const queue_terms& here
) noexcept
try {
    const std::string why = "the server has " + there.text() + "; this process has " +
                            here.text();
    return explained(errc::queue_mismatch, of, why);
} catch (...) {
    return {errc::queue_mismatch};  // without memory for the text
}

}  // namespace

void remote_core::on_reply(lane from, const reply* answer) noexcept
{
    {
        critical_section section(*this);
        if (!lanes_.take_carrier(from)) {
            on_answer(from, answer, section);
        } else if (answer != nullptr && !answer->is_error()) {  // (E7)
            const reply settled = (*answer)[0];
            const reply other = (*answer)[1];
            on_answer(lane::settling, &settled, section);
            on_answer(from, &other, section);
        } else if (answer != nullptr && answer->code() == errc::server_full) {
            // The settlements may make room for the enqueue, which follows them alone. Functions
            // that dequeue are not refused for that.
            is_server_full_ = true;
            for (const lane each : {lane::settling, from}) {
                take_back(each, false, section);
                lanes_[each].end_turn(false);
            }
        } else {
            on_answer(lane::settling, answer, section);
            on_answer(from, answer, section);
        }
        answer_queries(section);
    }
    pump();
}

void remote_core::on_answer(
    lane from,
    const reply* answer,
    critical_section& section
) noexcept
{
    if (answer == nullptr || answer->asks_to_reconnect())
        return take_back(from, answer == nullptr, section);
    bool is_refused = false;
    if (!answer->is_error())
        is_refused = on_success(from, *answer, section);
    else if (!answer->is_error("NOQUEUE"))
        on_error(from, *answer, section);
    else
        on_deleted(from, section);
    lanes_[from].end_turn(is_refused);
    if (lanes_[from].is_blocked())
        end_attempts(from, section);
    end_settlers(section);
}

void remote_core::end_settlers(critical_section& section) noexcept
{
    while (!settlements_.ended().empty())
        section.decide(settlements_.ended().front());
}

// The queue was deleted, or the server lost its data. A process that still has the queue makes it
// anew, without the elements that were to be settled.
void remote_core::on_deleted(lane from, critical_section& section) noexcept
{
    connection_.open_again();
    if (from == lane::settling)
        settlements_.on_deleted();
    take_back(from, false, section);
}

// Whether the head of the list has to wait.
bool remote_core::on_success(
    lane from,
    const reply& answer,
    critical_section& section
) noexcept
{
    switch (from) {
    case lane::enqueuing:
        return on_enqueued(answer, section);
    case lane::dequeuing:
        return on_dequeued(answer, section);
    case lane::opening:
        on_opened(answer, section);
        break;
    case lane::settling:
        watch_.on_acknowledged(settlements_.on_answer(answer));
        break;
    case lane::asking:
        on_asked(answer, section);
        break;
    }
    return false;
}

// (E4) There is no answer, or the server has not done it, unless it `may_be_done`.
void remote_core::take_back(
    lane from,
    bool may_be_done,
    critical_section& section
) noexcept
{
    if (from == lane::settling) {
        settlements_.take_back(may_be_done);
        end_settlers(section);
    } else if (from == lane::asking) {
        is_asking_to_close_ = false;
    }
    for (remote_waiter* const each : lanes_[from].take_served()) {
        if (each == nullptr)  // (E3)
            continue;
        if (each->cancelled_by.failed())
            section.decide_failed(*each, each->cancelled_by);
        else if (each->asks_once && may_be_done && !complete_in_part(*each, section))
            section.decide_failed(
                *each,
                from == lane::enqueuing ? error_code(errc::connection_failed)
                                        : error_code(sluice::errc::timed_out)
            );
    }
}

void remote_core::on_error(
    lane from,
    const reply& answer,
    critical_section& section
) noexcept
{
    const failure_reason why = refusal_of(from, answer);
    for (remote_waiter* const each : lanes_[from].take_served())
        if (each != nullptr)
            end(*each, section, why);
    if (from == lane::opening) {
        refuse_to_open(why, section);
    } else if (from == lane::settling) {
        settlements_.on_error(why);
    } else if (from == lane::asking && std::exchange(is_asking_to_close_, false)) {
        must_close_ = false;
        fail(lane::asking, why, section);
    }
    if (why.code == errc::producer_fenced)  // those that have not been sent, too
        be_fenced(why, section);
}

// A function names the right that it lacks. What is refused before it begins is its key.
failure_reason remote_core::refusal_of(lane from, const reply& answer) const noexcept
try {
    std::string text(answer.text());
    if (from == lane::opening && answer.is_error("NOPERM") &&
        text.find("lacks the right") == std::string::npos)
        text += "; the user lacks the right ~" + prefix_ + "*";
    return explained(answer.code(), title_, text);
} catch (...) {
    return {answer.code()};  // without memory for the text
}

void remote_core::on_opened(const reply& answer, critical_section& section) noexcept
{
    const opened_queue opened(answer);
    const auto here = queue_terms::of(options_);
    if (opened.terms != here)
        return refuse_to_open(mismatch(title_, opened.terms, here), section);
    using standing = producer_name::standing;
    const standing now = producer_.on_opened(opened.owner, opened.last);
    connection_.on_opened();
    if (now == standing::not_yet)  // the next opening takes the name
        connection_.open_again();
    else if (now != standing::held)
        be_fenced(
            explained(
                errc::producer_fenced,
                title_,
                now == standing::taken ? "another process owns this producer name"
                                       : "the server has lost enqueued elements"
            ),
            section
        );
    if (watch_.on_opened(opened.base, opened.lost, opened.size))
        tell_of_losses(section);
}

// One whose queue object is gone cannot report that it was not closed.
void remote_core::refuse_to_open(failure_reason why, critical_section& section) noexcept
{
    must_close_ = must_close_ && !is_orphaned_;
    connection_.refuse(std::move(why));
    fail_all(connection_.refusal(), section);
}

// Those that wait hear of it, or else the next one. An enqueue that is on its way may be in.
void remote_core::tell_of_losses(critical_section& section) noexcept
{
    bool is_told = false;
    for (const lane each : {lane::enqueuing, lane::dequeuing})
        is_told = fail(each, watch_.news(), section) || is_told;
    if (is_told)
        static_cast<void>(watch_.take_news());
}

// What it has lost can still come in, and what another process has is still to come: so the queue
// is not closed either.
void remote_core::be_fenced(failure_reason why, critical_section& section) noexcept
{
    producer_.fence(std::move(why));
    must_close_ = false;
    fail(lane::enqueuing, producer_.fenced(), section);
    waiter_list& queries = lanes_[lane::asking].waiting();
    for (auto it = queries.begin(); it != queries.end();) {
        auto& query = static_cast<remote_query&>(*it++);
        const failure_reason fenced = refusal_of_query(query.asked);
        if (!fenced.code.failed())
            continue;
        withdraw(query);
        end(query, section, fenced);
    }
}

bool remote_core::on_enqueued(const reply& answer, critical_section& section) noexcept
{
    const bool is_closed = answer[1].number() == 2;
    const auto served = lanes_[lane::enqueuing].take_served();
    const auto done =
        std::min(static_cast<std::size_t>(answer[0].number()), served.size());
    watch_.on_size(static_cast<std::size_t>(answer[2].number()));
    is_server_full_ = false;
    const std::span all(served);
    for (remote_waiter* const each : all.first(done)) {
        if (each == nullptr)  // (E3)
            continue;
        producer_.note_added(static_cast<remote_producer&>(*each));
        section.decide(*each);
    }
    if (!is_closed)
        return refuse(all.subspan(done), sluice::errc::queue_full, section);
    learn_that_it_is_closed(section);
    return false;
}

void remote_core::learn_that_it_is_closed(critical_section& section) noexcept
{
    is_closed_ = true;
    must_close_ = false;
    fail(lane::enqueuing, {sluice::errc::queue_closed}, section);
}

bool remote_core::on_dequeued(const reply& answer, critical_section& section) noexcept
{
    const auto why = answer[0].number();
    const auto left = static_cast<std::size_t>(answer[1].number());
    const auto taking = lanes_[lane::dequeuing].take_served();
    watch_.on_size(left);
    const std::size_t served = std::min(answer.size() - 2, taking.size());
    for (std::size_t i = 0; i < served; ++i)
        hand_over(static_cast<remote_consumer*>(taking[i]), answer[i + 2], section);
    const auto rest = std::span(taking).subspan(served);
    if (why != 2)
        return why == 1 && refuse(rest, sluice::errc::queue_empty, section);
    is_closed_ = true;
    if (!rest.empty() && rest.front() != nullptr) {
        auto& ended = static_cast<remote_consumer&>(*rest.front());
        ended.left = left;
        if (!complete_in_part(ended, section))
            end(ended, section, {sluice::errc::end_of_queue});
    }
    if (left == 0)  // then it is for all
        fail(lane::dequeuing, {sluice::errc::end_of_queue}, section);
    return false;
}

// Those for which there is too little, or no room, the first one first. Whether that one waits; if
// it does not, the server has not been asked for the others.
bool remote_core::refuse(
    std::span<remote_waiter* const> served,
    error_code why_first,
    critical_section& section
) noexcept
{
    bool is_refused = false;
    for (std::size_t i = 0; i < served.size(); ++i) {
        remote_waiter* const each = served[i];
        if (each == nullptr)  // (E3)
            continue;
        if (each->cancelled_by.failed()) {
            section.decide_failed(*each, each->cancelled_by);
        } else if (each->asks_once) {
            if (!complete_in_part(*each, section))
                section.decide_failed(*each, sluice::errc::timed_out);
        } else if (each->tries && i == 0) {
            section.decide_failed(*each, why_first);
        } else if (each->tries && is_refused) {
            section.decide_failed(*each, sluice::errc::queue_busy);
        } else if (i == 0) {
            is_refused = true;
        }
    }
    return is_refused;
}

void remote_core::hand_over(
    remote_consumer* target,
    const reply& batch,
    critical_section& section
) noexcept
{
    auto elements = elements_of(batch, connection_.number());
    if (target != nullptr && !target->try_claim()) {
        drop(*target);
        target = nullptr;
    }
    if (target == nullptr)  // (E3)
        return settlements_.add(settling::forget, std::move(elements));
    target->add(std::move(elements));
    if (target->elements.empty())
        return section.decide_failed(
            *target,
            boost::system::errc::make_error_code(boost::system::errc::not_enough_memory)
        );
    const bool lacks = target->kind == sluice::detail::demand::linger &&
                       target->missing() > 0;
    if (!lacks || !target->linger())
        section.decide(*target);
}

void remote_core::on_asked(const reply& answer, critical_section& section) noexcept
{
    const auto served = lanes_[lane::asking].take_served();
    if (std::exchange(is_asking_to_close_, false))
        return learn_that_it_is_closed(section);
    auto* const query = served.empty() ? nullptr
                                       : static_cast<remote_query*>(served.front());
    if (query == nullptr && !served.empty())  // (E3)
        return;
    if (query == nullptr || query->asked == remote_query::question::status) {
        const queue_status status = status_of(answer);
        if (query != nullptr)
            query->status = status;
        if (watch_.on_status(status.size, status.lost, base_in_status(answer)))
            tell_of_losses(section);
    } else {
        query->number = static_cast<std::uint64_t>(answer.number());
    }
    if (query != nullptr)
        end(*query, section);
}

void remote_core::answer_queries(critical_section& section) noexcept
{
    using question = remote_query::question;
    const bool is_flushed = settlements_.are_known() && !must_close_;
    waiter_list& queries = lanes_[lane::asking].waiting();
    for (auto it = queries.begin(); it != queries.end();) {
        auto& query = static_cast<remote_query&>(*it++);
        if ((query.asked == question::close && is_closed_) ||
            (query.asked == question::flush && is_flushed))
            end(query, section);
    }
}

}  // namespace sluice::redis::detail

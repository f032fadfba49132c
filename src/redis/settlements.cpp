// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/settlements.hpp>

#include "redis/command.hpp"
#include "redis/reply.hpp"
#include <sluice/redis/redis_error.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace sluice::redis::detail {

void settlements::add(
    settling what,
    std::vector<leased_element> elements,
    remote_settler* owner
) noexcept
{
    std::size_t noted = 0;
    try {
        for (auto& element : elements) {
            pending_.push_back({what, std::move(element), owner});
            ++noted;
        }
    } catch (...) {
        if (owner != nullptr) {
            owner->unanswered -= elements.size() - noted;
            owner->lost += elements.size() - noted;
        }
    }
}

void settlements::drop_owner(const remote_settler& owner) noexcept
{
    for (auto* const list : {&pending_, &sent_})
        for (settlement& one : *list)
            if (one.owner == &owner)
                one.owner = nullptr;
}

std::size_t settlements::count_to_send() const noexcept
{
    return std::min(pending_.size(), most_elements);
}

// A capital letter says that the time of the enqueue comes with the identifier, because the server
// may have lost the element since, and given its identifier to another one.
void settlements::write(
    command& text,
    std::chrono::milliseconds lease,
    std::uint64_t connection
)
{
    sent_.reserve(count_to_send());
    text.add(lease.count());
    for (std::size_t i = 0; i < count_to_send(); ++i) {
        const leased_element& element = pending_[i].element;
        const bool is_older = element.connection != connection;
        const char letter = static_cast<char>(
            static_cast<char>(pending_[i].what) + (is_older ? 'A' - 'a' : 0)
        );
        text.add(std::string_view(&letter, 1));
        text.add(is_older ? element.enqueued_at + element.id : element.id);
        text.add(element.attempt);
    }
}

void settlements::note_sent() noexcept
{
    const auto end = pending_.begin() + static_cast<std::ptrdiff_t>(count_to_send());
    sent_.assign(std::make_move_iterator(pending_.begin()), std::make_move_iterator(end));
    pending_.erase(pending_.begin(), end);
}

std::size_t settlements::on_answer(const reply& answer) noexcept
{
    std::size_t acknowledged = 0;
    const auto settled = std::exchange(sent_, {});
    for (std::size_t i = 0; i < settled.size(); ++i) {
        const settlement& one = settled[i];
        const auto told = answer[i].number();
        const bool is_left = told == 2;  // for another acknowledgement
        if (told == 1 && one.what == settling::acknowledge)
            ++acknowledged;
        end(one, told == 1 || (!is_left && may_be_done(one)));
    }
    return acknowledged;
}

void settlements::on_error(const failure_reason& why) noexcept
{
    for (const settlement& one : std::exchange(sent_, {}))
        end(one, false, why);
}

void settlements::on_deleted() noexcept
{
    for (const settlement& one : std::exchange(sent_, {}))
        end(one, may_be_done(one));
}

void settlements::take_back(bool may_be_done) noexcept
{
    // An element that was returned unseen may be with a consumer again, as the same delivery, from
    // which a repetition would take it. If it was not returned it comes back when its lease ends.
    if (may_be_done)
        std::erase_if(sent_, [](const settlement& one) {
            return one.what == settling::forget;
        });
    for (settlement& one : sent_)
        one.is_repeated = one.is_repeated || may_be_done;
    try {
        pending_.insert(
            pending_.begin(),
            std::make_move_iterator(sent_.begin()),
            std::make_move_iterator(sent_.end())
        );
    } catch (...) {
        for (const settlement& one : sent_)
            end(one, false);
    }
    sent_.clear();
}

// What is asked again after a lost connection may have been done the first time. If it was not, the
// lease has ended: an element that went back is where it should be. One that was acknowledged is
// gone because another consumer has acknowledged it, or because it is a dead letter by now.
bool settlements::may_be_done(const settlement& one) noexcept
{
    return one.is_repeated && one.what != settling::extend;
}

void settlements::end(
    const settlement& one,
    bool is_done,
    const failure_reason& why
) noexcept
{
    remote_settler* const owner = one.owner;
    if (owner == nullptr)
        return;
    owner->lost += is_done ? 0 : 1;
    if (--owner->unanswered > 0)
        return;
    if (why.code.failed())
        owner->fail(why.code, why.exception);
    else if (owner->lost > 0)
        owner->fail(errc::lease_expired);
    owner->unlink();
    ended_.push_back(*owner);
}

}  // namespace sluice::redis::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/detail/remote_waiter.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::redis::detail {

class reply;

// What this process has to tell the server of elements that it had on lease.
//
// Invariant: an element is in exactly one of the list to be sent and the list of those that are
// sent, until the server has answered, or cannot be asked again (E4, E5). Its settler has as many
// unanswered ones as there are with it as the owner.
//
// The settlers that need not wait any more are in ended(), with their failure.
class settlements
{
public:
    // Without memory, or without a connection, the elements come back when their lease ends.
    void add(
        settling what,
        std::vector<leased_element> elements,
        remote_settler* owner = nullptr
    ) noexcept;

    // `owner` does not wait for the answer any more.
    void drop_owner(const remote_settler& owner) noexcept;

    // Whether there is none to be sent.
    [[nodiscard]] bool empty() const noexcept { return pending_.empty(); }

    // Whether the server knows all.
    [[nodiscard]] bool are_known() const noexcept
    {
        return pending_.empty() && sent_.empty();
    }

    // How many of them the next command has.
    [[nodiscard]] std::size_t count_to_send() const noexcept;

    // Adds these to a command, on connection number `connection`. When nothing can fail any more,
    // note_sent() says that it is sent.
    void write(command& text, std::chrono::milliseconds lease, std::uint64_t connection);
    void note_sent() noexcept;

    // The server has said of each whether it is done. Gives how many were acknowledged.
    std::size_t on_answer(const reply& answer) noexcept;

    // It has done none of them, because of an error.
    void on_error(const failure_reason& why) noexcept;

    // It does not have the queue.
    void on_deleted() noexcept;

    // There is no answer; to send them again. `may_be_done` if the server may have had them.
    void take_back(bool may_be_done) noexcept;

    // For the core, which decides them, and so takes them out.
    [[nodiscard]] sluice::detail::waiter_list& ended() noexcept { return ended_; }

private:
    struct settlement
    {
        settling what;
        leased_element element;
        remote_settler* owner;     // null: no operation waits for the answer
        bool is_repeated = false;  // it may have been done the first time
    };

    [[nodiscard]] static bool may_be_done(const settlement& one) noexcept;
    void end(
        const settlement& one,
        bool is_done,
        const failure_reason& why = {}
    ) noexcept;

    std::vector<settlement> pending_;  // to be sent
    std::vector<settlement> sent_;     // in the order of the command
    sluice::detail::waiter_list ended_;
};

}  // namespace sluice::redis::detail

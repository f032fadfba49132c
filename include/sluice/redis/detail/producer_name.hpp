// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/detail/remote_waiter.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::redis::detail {

// Who enqueues, for the server: this process, and the name under which it does so, if it has one.
//
// Invariant: an enqueue has the same number each time that it is sent, and numbers follow each
// other (E4). The name belongs to this process from the answer that said so until it is fenced,
// which is for good (E6).
class producer_name
{
public:
    // Empty: none.
    explicit producer_name(std::string_view name);

    [[nodiscard]] bool empty() const noexcept { return name_.empty(); }

    // Whether the next opening is one of the name, too.
    [[nodiscard]] bool is_wanted() const noexcept
    {
        return !name_.empty() && !fenced_.code.failed();
    }

    // Words of `open_as`, for one more opening.
    void write_opening(command& text);

    // Words of other functions that say who enqueues.
    void write(command& text) const;

    // Gives the next number to one that has none.
    void number(remote_producer& target) noexcept;

    // The server has answered that this enqueue is in.
    void note_added(const remote_producer& target) noexcept
    {
        last_added_ = target.number;
    }

    enum class standing : unsigned char
    {
        held,      // by this process, or not wanted
        not_yet,   // by the process that the next opening takes it from
        taken,     // by another one, after this process had it
        forgotten  // the server has lost what came in under it
    };

    // The server names who has it, and the number of its last enqueue.
    [[nodiscard]] standing on_opened(std::string_view owner, std::uint64_t last) noexcept;

    // Why this process enqueues no more; no code while it may.
    [[nodiscard]] const failure_reason& fenced() const noexcept { return fenced_; }
    void fence(failure_reason why) noexcept;

private:
    const std::string name_;
    const std::string process_;  // random, so that no two have the same
    std::string opening_;        // this process, and which opening it is
    std::string replaced_;       // the process that had the name last
    std::uint64_t openings_ = 0;
    std::uint64_t last_number_ = 0;
    std::uint64_t last_added_ = 0;
    bool is_held_ = false;  // the server has said so
    failure_reason fenced_;
};

}  // namespace sluice::redis::detail

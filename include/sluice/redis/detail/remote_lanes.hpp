// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/detail/remote_waiter.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::redis::detail {

// Operations that wait for one kind of command, and the command that is on its way for them.
//
// Invariant: at most one command is on its way, and the slot that it has for an operation is empty
// once that has left the list (E1, E3). A lane that the server has refused is blocked until there
// is news (E2).
class remote_lane
{
public:
    [[nodiscard]] sluice::detail::waiter_list& waiting() noexcept { return waiting_; }

    [[nodiscard]] const sluice::detail::waiter_list& waiting() const noexcept
    {
        return waiting_;
    }

    [[nodiscard]] bool is_ready() const noexcept { return !is_busy_ && !is_blocked_; }
    [[nodiscard]] bool is_busy() const noexcept { return is_busy_; }
    [[nodiscard]] bool is_blocked() const noexcept { return is_blocked_; }

    // What the server refused to the operation before may be less, or more, than what `target`
    // asks; called once it is in the list.
    void entered(const remote_waiter& target) noexcept;

    // Called before `target` leaves the list.
    void leaves(remote_waiter& target) noexcept;

    // It is not served by the command that is on its way any more.
    void empty_slot_of(remote_waiter& target) noexcept;

    // A command serves these. Until start_turn() it is not on its way.
    void serve(std::vector<remote_waiter*> served) noexcept;
    void start_turn() noexcept { is_busy_ = true; }

    // The operations that the answer is for, in the order of the command. Null: gone meanwhile.
    [[nodiscard]] std::vector<remote_waiter*> take_served() noexcept;

    // The answer has come; `is_refused` if the head of the list has to wait.
    void end_turn(bool is_refused) noexcept;

    // What the server has refused may be possible now.
    void ask_again() noexcept;

    // The connection is lost, and with it what is on its way.
    void reset() noexcept;

private:
    [[nodiscard]] bool is_first(const remote_waiter& target) const noexcept;

    sluice::detail::waiter_list waiting_;
    std::vector<remote_waiter*> served_;
    bool is_busy_ = false;     // a command is on its way
    bool is_blocked_ = false;  // the server has told us to wait
    bool has_news_ = false;    // an event came while it was busy
};

// All lanes of a core, of which that of the settlements may share a command with another one (E7).
class remote_lanes
{
public:
    static constexpr std::size_t count = 5;

    [[nodiscard]] remote_lane& operator[](lane which) noexcept
    {
        return lanes_[static_cast<std::size_t>(which)];
    }

    [[nodiscard]] const remote_lane& operator[](lane which) const noexcept
    {
        return lanes_[static_cast<std::size_t>(which)];
    }

    [[nodiscard]] auto begin() noexcept { return lanes_.begin(); }
    [[nodiscard]] auto end() noexcept { return lanes_.end(); }

    // A command of `from` is on its way, and that of `carrier` with it.
    void start_turn(lane from, lane carrier) noexcept;

    // Whether the answer to the command of this lane is one to settlements, too; asked once.
    [[nodiscard]] bool take_carrier(lane from) noexcept;

    void reset() noexcept;

private:
    std::array<remote_lane, count> lanes_;
    std::optional<lane> carrier_;
};

}  // namespace sluice::redis::detail

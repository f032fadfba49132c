// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/detail/remote_waiter.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::redis::detail {

// What the server has lost for certain since this process opened the queue.
struct known_losses
{
    std::uint64_t elements = 0;
    std::string what = {};  // the last time; also if it was nothing that is known
};

// Notices what the server loses of a queue.
//
// Invariant: what the server counts as lost is told once, and only of the queue that this process
// has seen before; one that was made anew begins again (E8).
//
// Those that are given `true` tell the operations that wait; if none does, the next one is told.
class loss_watch
{
public:
    // `of`, which begins messages, must outlive this.
    explicit loss_watch(std::string_view of) noexcept : of_(of) {}

    // The queue was opened. True: elements were lost.
    [[nodiscard]] bool on_opened(
        std::string_view base,
        std::uint64_t lost,
        std::size_t size
    ) noexcept;

    // The server has said so, of the queue with that base. True: elements were lost.
    [[nodiscard]] bool on_status(
        std::size_t size,
        std::uint64_t lost,
        std::string_view base = {}
    ) noexcept;

    void on_size(std::size_t size) noexcept { size_ = size; }
    void on_acknowledged(std::size_t count) noexcept;

    // Events.
    void on_loss() noexcept { must_look_ = true; }
    // The news may be of a queue of that name in another database. To ask at once would make the
    // queue anew, if it is gone.
    void on_deletion() noexcept
    {
        is_being_deleted_ = true;
        looks_for_it_ = false;
    }

    void on_poll() noexcept { must_look_ = must_look_ || size_ > 0; }

    // Whether the status has to be asked for.
    [[nodiscard]] bool must_look() const noexcept { return must_look_; }
    void note_look() noexcept
    {
        must_look_ = false;
        looks_for_it_ = is_being_deleted_;
    }

    // What operations have to be told; without a code if they have been.
    [[nodiscard]] const failure_reason& news() const noexcept { return news_; }
    [[nodiscard]] failure_reason take_news() noexcept;

    [[nodiscard]] const known_losses& losses() const noexcept { return losses_; }

private:
    void note(std::uint64_t elements) noexcept;

    const std::string_view of_;
    std::string base_;        // tells the queue from one made anew; empty: not yet
    std::uint64_t lost_ = 0;  // as the server says
    std::size_t size_ = 0;    // when the server spoke of it last
    bool must_look_ = false;
    bool is_being_deleted_ = false;
    bool looks_for_it_ = false;  // it was asked for after the news
    known_losses losses_;
    failure_reason news_;
};

}  // namespace sluice::redis::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/detail/remote_waiter.hpp>
#include <sluice/redis/redis_error.hpp>

#include <cstdint>
#include <utility>

namespace sluice::redis::detail {

// How far a core has come with its connection, and why operations fail meanwhile.
//
// Invariant: a queue that is open was opened on the connection that there is now. Operations fail
// while there is a reason for it, which the next connection or opening removes, unless the
// connection object has been destroyed.
//
//   closed ──connected──▶ opening ──answer──▶ open      lost leads back to closed
class connection_state
{
public:
    [[nodiscard]] bool is_connected() const noexcept { return is_connected_; }
    [[nodiscard]] bool is_open() const noexcept { return stage_ == stage::open; }

    [[nodiscard]] bool is_to_be_opened() const noexcept
    {
        return is_connected_ && stage_ == stage::closed;
    }

    // How many connections there have been.
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

    // Why operations fail; no code if they do not.
    [[nodiscard]] const failure_reason& refusal() const noexcept { return refusal_; }

    void on_connected() noexcept
    {
        is_connected_ = true;
        ++number_;
        stage_ = stage::closed;
        refusal_ = {};
    }

    void on_lost() noexcept
    {
        is_connected_ = false;
        stage_ = stage::closed;
    }

    // From now on operations fail. If that is an answer to the opening it stays `opening`, so that
    // it is not asked again at once.
    void refuse(failure_reason why) noexcept { refusal_ = std::move(why); }

    void on_opening() noexcept { stage_ = stage::opening; }

    void on_opened() noexcept
    {
        stage_ = stage::open;
        if (refusal_.code != errc::connection_closed)  // which is for good
            refusal_ = {};
    }

    // It has to be opened again, because the server does not have the queue, or gives the name of
    // the producer only then.
    void open_again() noexcept { stage_ = stage::closed; }

    // What was refused may be allowed now.
    void try_again() noexcept
    {
        if (stage_ == stage::opening)
            stage_ = stage::closed;
    }

private:
    enum class stage : unsigned char
    {
        closed,
        opening,
        open
    };

    stage stage_ = stage::closed;
    bool is_connected_ = false;
    std::uint64_t number_ = 0;
    failure_reason refusal_;
};

}  // namespace sluice::redis::detail

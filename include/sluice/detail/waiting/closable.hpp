// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/error.hpp>
#include <sluice/queue_end.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// One who closes a queue.
struct closing
{
    close_mode mode;
    closer by = closer::caller;
    std::exception_ptr cause = nullptr;
    const void* scope = nullptr;  // which stops; to compare

    [[nodiscard]] bool is_stop() const noexcept
    {
        return by >= closer::stop && by <= closer::coordinator;
    }

    // Whether consumers are told something else than the end. A stop that drains is a planned
    // end of what was accepted, unless an error is behind it.
    [[nodiscard]] bool cuts_off() const noexcept
    {
        return cause != nullptr || (is_stop() && mode == close_mode::cancel_pending);
    }
};

// Whether and how a queue was closed, and so what its consumers are told of the end. Guarded by the
// mutex of its hub.
class close_record
{
public:
    [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }

    [[nodiscard]] const queue_end& end() const noexcept { return end_; }

    // Of several who close it the first counts, and the first that cuts it off counts more. But a
    // stop that comes when nothing more can come (`is_complete`) cuts nothing off (S52). Of a queue
    // that is registered twice the first mode says whether the stop is a planned end; a runner
    // registers its queue, too.
    void note(const closing& how, bool is_complete) noexcept;

    // What ends a consumer for which there is nothing; end().cause says more.
    [[nodiscard]] errc code() const noexcept;

private:
    queue_end end_;
    const void* stopped_by_ = nullptr;
    bool is_closed_ = false;
};

// What coordinators, runners and feeders need of a queue: nothing of its elements.
class closable : public wait_hub
{
public:
    virtual void close(const closing& how) noexcept = 0;

    [[nodiscard]] virtual bool is_closed() const noexcept = 0;

    struct ending
    {
        queue_end end;
        std::size_t left;  // elements that were not taken
    };

    // How it was closed.
    [[nodiscard]] virtual ending how_it_ended() const noexcept = 0;

    // True once the queue is destroyed; what is left is kept by operations or references.
    [[nodiscard]] virtual bool is_orphaned() const noexcept = 0;

    [[nodiscard]] virtual const std::string& name() const noexcept = 0;

    // With null, the plain close.
    void close_with(std::exception_ptr cause, closer by = closer::caller) noexcept;

    // The feeders of the queue. The last one to go closes it, with the first failure of one of
    // them as the cause.
    // An element that has a feeder of its own queue may be copied under the mutex.
    void add_feeder() noexcept { fetch_add(feeders_, 1U, std::memory_order_relaxed); }
    void remove_feeder(std::exception_ptr failure) noexcept;

    // Of one that leaves the close to others.
    void leave_feeders() noexcept { fetch_add(feeders_, ~0U, std::memory_order_acq_rel); }

private:
    std::atomic<unsigned> feeders_{0};
    std::exception_ptr feeder_failure_;  // guarded by mutex_
};

using closable_ptr = boost::intrusive_ptr<closable>;

// The way from a queue to what is inside.
struct queue_access
{
    template <class Queue>
    [[nodiscard]] static auto core(const Queue& queue) noexcept -> decltype(*queue.core_)
    {
        return *queue.core_;
    }

    // Leaves the queue as one that was moved from.
    template <class Queue>
    [[nodiscard]] static auto take_core(Queue& queue) noexcept
    {
        return std::move(queue.core_);
    }
};

template <class Queue>
using core_of =
    std::remove_reference_t<decltype(queue_access::core(std::declval<Queue&>()))>;

template <class Queue>
concept closable_queue = requires(const Queue& queue) {
    { queue_access::core(queue) } -> std::convertible_to<closable&>;
};

}  // namespace sluice::detail

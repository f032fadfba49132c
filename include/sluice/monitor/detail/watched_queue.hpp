// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/detail/waiting/wait_times.hpp>
#include <sluice/metrics/queue_source.hpp>
#include <sluice/queue/any_queue.hpp>
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <memory>

namespace sluice::detail {

// The order in which elements leave a queue, in a word; empty for stores of the program's own.
template <class T>
[[nodiscard]] constexpr const char* order_of(const fifo_store<T>*) noexcept
{
    return "fifo";
}

template <class T>
[[nodiscard]] constexpr const char* order_of(const padding_store<T>*) noexcept
{
    return "padding";
}

template <class T, class Compare>
[[nodiscard]] constexpr const char* order_of(const priority_store<T, Compare>*) noexcept
{
    return "priority";
}

template <class T>
[[nodiscard]] constexpr const char* order_of(const shuffle_store<T>*) noexcept
{
    return "shuffle";
}

[[nodiscard]] constexpr const char* order_of(const void*) noexcept
{
    return "";
}

// A queue of this process, of any type. It keeps the state of the queue, not the queue: what is
// left of one that was destroyed has no elements.
template <class Core, class Store>
class watched_queue final : public metrics::queue_source
{
public:
    explicit watched_queue(Core& core) : core_(&core) {}

    [[nodiscard]] metrics::queue_snapshot look() override
    {
        return {
            .name = core_->name(),
            .type = order_of(static_cast<const Store*>(nullptr)),
            .stats = core_->stats(),
            .enqueue_waits = waits_in(Core::producer::list),
            .dequeue_waits = waits_in(Core::consumer::list)
        };
    }

    [[nodiscard]] bool is_over() const noexcept override { return core_->is_orphaned(); }

    [[nodiscard]] const wait_hub* hub() const noexcept override { return core_.get(); }

    [[nodiscard]] metrics::activity doing_in(unsigned char list) const noexcept override
    {
        return list == Core::consumer::list ? metrics::activity::waiting_to_dequeue
                                            : metrics::activity::waiting_to_enqueue;
    }

private:
    // How long those waited whose waits have ended; all zero at the first call, which begins to
    // count.
    [[nodiscard]] metrics::wait_histogram waits_in(unsigned char list) const
    {
        core_->keep_wait_times();
        const wait_times::reading times = core_->kept_wait_times()->read(list);
        return {.counts = times.counts, .sum = times.sum};
    }

    const boost::intrusive_ptr<Core> core_;
};

template <class T, class Store, template <class, class> class Core>
[[nodiscard]] std::shared_ptr<metrics::queue_source> make_source(Core<T, Store>& core)
{
    return std::make_shared<watched_queue<Core<T, Store>, Store>>(core);
}

// A queue that says itself how it is looked at.
template <class Queue>
concept has_source = requires(const Queue& queue) {
    { queue.source() } -> std::convertible_to<std::shared_ptr<metrics::queue_source>>;
};

}  // namespace sluice::detail

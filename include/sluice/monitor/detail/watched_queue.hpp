// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <type_traits>

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

// A queue of any type. It keeps the state of the queue, not the queue: what is left of one that
// was destroyed has no elements.
class watched_queue
{
public:
    template <class T, class Store, template <class, class> class Core>
    explicit watched_queue(Core<T, Store>& core)
        : core_(&core),
          type_(order_of(static_cast<const Store*>(nullptr))),
          read_([](const closable& watched) {
              return static_cast<const Core<T, Store>&>(watched).stats();
          }),
          producer_list_(Core<T, Store>::producer::list),
          consumer_list_(Core<T, Store>::consumer::list)
    {
    }

    [[nodiscard]] const closable& core() const noexcept { return *core_; }

    [[nodiscard]] const char* type() const noexcept { return type_; }

    [[nodiscard]] queue_stats stats() const { return read_(*core_); }

    // How long those waited whose waits have ended; all zero at the first call, which begins to
    // count.
    [[nodiscard]] wait_times::reading enqueue_waits() const
    {
        return waits_in(producer_list_);
    }

    [[nodiscard]] wait_times::reading dequeue_waits() const
    {
        return waits_in(consumer_list_);
    }

    // Whether a waiter in this list of the queue dequeues.
    [[nodiscard]] bool is_consumer(unsigned char list) const noexcept
    {
        return list == consumer_list_;
    }

private:
    [[nodiscard]] wait_times::reading waits_in(unsigned char list) const
    {
        core_->keep_wait_times();
        return core_->kept_wait_times()->read(list);
    }

    closable_ptr core_;
    const char* type_;
    queue_stats (*read_)(const closable& watched);
    unsigned char producer_list_;
    unsigned char consumer_list_;
};

}  // namespace sluice::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace sluice {

/// The capacity of a queue that never makes a producer wait.
inline constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

/// How many elements a queue stores at most: a number, or `unbounded`.
/**
 * There is no default: a queue without a limit grows until memory runs out, so a program has to
 * ask for it.
 */
class queue_capacity
{
public:
    /// A number of elements.
    /**
     * @throws system_error  errc::invalid_argument if it is negative.
     */
    template <std::integral Number>
        requires(!std::same_as<Number, bool>)
    constexpr queue_capacity(Number elements) : elements_(checked(elements))
    {
    }

    /// The number of elements.
    constexpr operator std::size_t() const noexcept { return elements_; }

private:
    template <class Number>
    static constexpr std::size_t checked(Number elements)
    {
        if (elements < Number(0))
            throw system_error(
                errc::invalid_argument,
                "queue: capacity " + std::to_string(elements) + " is negative"
            );
        return static_cast<std::size_t>(elements);
    }

    std::size_t elements_;
};

/// What an enqueue does that finds its queue full, by number or by weight.
/**
 * With a rule other than `wait` an enqueue never waits, and succeeds also if its element is
 * dropped. reserve() waits for a place in every queue, because what is reserved is not dropped.
 */
enum class overflow : unsigned char
{
    wait,         ///< It waits until there is room.
    drop_oldest,  ///< The elements that would leave next are dropped until the new one fits.
    drop_newest  ///< Its own element is dropped.
};

// Nothing in the options may have a destructor of consequence. GCC 12 destroys them twice in
// `fifo_queue<int> q{co_await asio::this_coro::executor, {.capacity = 4}};`.

/// The options of fifo_queue, priority_queue and padding_queue.
struct queue_options
{
    /// How many elements are stored at most, in elements, or `unbounded`. 0 makes a fifo_queue
    /// or padding_queue a rendezvous, in which an enqueue completes when a dequeue takes its
    /// element, and is refused by a priority_queue. Memory is taken as elements arrive, not in
    /// advance.
    queue_capacity capacity;

    /// What the elements that are stored weigh at most, as element_weight says, by default in
    /// bytes. A producer waits while its element does not fit; one that is heavier than the
    /// limit comes in when nothing is left to take. `unbounded`, the default: nothing is weighed,
    /// and nothing paid for it.
    queue_capacity weight_limit = unbounded;

    /// What an enqueue does while the queue is full: it waits, the default, or drops elements, as
    /// sluice::overflow says. drop_oldest is refused by a priority_queue, and with capacity 0 both
    /// are. basic_queue::dropped() counts.
    sluice::overflow overflow = sluice::overflow::wait;

    /// The name that messages and reports use; need not be unique. The queue copies it. If you
    /// store the options, what the name refers to must live until then.
    std::string_view name = "queue";
};

/// The options of shuffle_queue.
struct shuffle_queue_options
{
    /// How many elements are stored at most, in elements, or `unbounded`. Must be above
    /// `min_after_dequeue`, so 0 is refused.
    queue_capacity capacity;

    /// How many elements stay behind while the queue is open, in elements, so that there is
    /// something to choose from; must be below `capacity`. Once the queue is closed it counts
    /// for nothing. 0, the default, means that consumers may take all.
    std::size_t min_after_dequeue = 0;

    /// The start of the random sequence; the same seed and the same operations give the
    /// same order on every platform. Empty: a different order each time.
    std::optional<std::uint64_t> seed = std::nullopt;

    /// What the elements that are stored weigh at most; as in queue_options. What stays behind
    /// counts, too, but never keeps out the element that is missing for one to leave.
    queue_capacity weight_limit = unbounded;

    /// What an enqueue does while the queue is full: it waits, the default, or its element is
    /// dropped. drop_oldest is refused: no element is the oldest.
    sluice::overflow overflow = sluice::overflow::wait;

    /// The name that messages and reports use; need not be unique. The queue copies it. If you
    /// store the options, what the name refers to must live until then.
    std::string_view name = "queue";
};

namespace detail {

// What was written in braces without a capacity, in whatever queue: to say so in one message.
struct options_without_capacity
{
    std::size_t min_after_dequeue = 0;
    std::optional<std::uint64_t> seed = std::nullopt;
    queue_capacity weight_limit = unbounded;
    sluice::overflow overflow = sluice::overflow::wait;
    std::string_view name = {};
};

}  // namespace detail

static_assert(std::is_trivially_destructible_v<queue_options>);
static_assert(std::is_trivially_destructible_v<shuffle_queue_options>);

}  // namespace sluice

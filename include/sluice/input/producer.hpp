// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/input/basic_producer.hpp>
#include <sluice/input/detail/ordered_worker.hpp>
#include <sluice/input/detail/transformation.hpp>
#include <sluice/input/detail/transforming_worker.hpp>
#include <sluice/input/producer_options.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

namespace detail {

template <class Input>
concept queue_or_producer = requires(Input& input) {
    typename Input::value_type;
    input.next();
    input.get_executor();
};

// The queue of a producer, or the queue itself.
template <queue_or_producer Input>
auto& queue_of(Input& input) noexcept
{
    if constexpr (requires { input.queue(); })
        return input.queue();
    else
        return input;
}

}  // namespace detail

/// A stage: workers that take elements of an input, call a function and queue the results.
/**
 * Written by hand it is a queue and a queue_runner, and must reserve a place before it takes
 * an element, or a stop loses one. This class does that, and keeps the order if asked to.
 *
 * @par Example
 * @code
 * sluice::producer<record> records{
 *     pool, lines, parse, {.workers = 4, .ordered = true, .capacity = 64}
 * };
 * records.start(coord);
 * while (auto next = co_await records.next())
 *     use(*next);
 * @endcode
 *
 * @par Closing          as a queue_runner: the last worker to end closes the queue. A worker ends
 *                       with its input, at a stop, or if the function throws.
 * @par Ordering         with producer_options::ordered that of the input; else that in which the
 *                       workers finish. If the function throws, an ordered producer gives what
 *                       one worker alone would have given: all results before that element,
 *                       then the end and that exception. That element and those behind it
 *                       return to the front of the input, in order, once the workers have
 *                       ended. So a producer that is started then, this one or another, goes
 *                       on with that element. Results behind it are dropped and computed anew.
 * @par Errors           an exception of the function ends its worker, and is what a queue_runner
 *                       makes of it: an error of the coordinator, or without one of join(). If
 *                       the order is not kept the other workers go on.
 * @par Cancellation     an element is taken from the input only if there is a place for its
 *                       result, which a stop leaves alone. So a function that computes without
 *                       waiting loses nothing. One that waits, and throws because it was
 *                       cancelled, loses the element it has, unless the producer is ordered.
 * @par Object lifetime  the input must outlive the workers, and not be moved: destroy it after
 *                       join(), or after the coordinator. For the rest as basic_producer.
 * @par Thread safety    as basic_producer. The workers may run in several threads: each has a
 *                       copy of the function; what that refers to must stand it.
 *
 * @tparam T  the results.
 */
template <class T>
class producer : public basic_producer<fifo_queue<T>>
{
    using base = basic_producer<fifo_queue<T>>;

public:
    /// Makes the queue and the runner.
    /**
     * @param home      the executor of the queue, or a context that has one.
     * @param input     a queue of U or another producer; must outlive the workers.
     * @param function  called with a U; gives a T, a `std::optional<T>`, of which nothing is
     *                  left out, or an asio::awaitable of one of these. Each worker has a copy.
     *                  An ordered producer calls it with a `const U&` if that is possible, and
     *                  keeps the element. A function that takes a `U&&`, or a U that cannot be
     *                  copied, takes the element over; then nothing returns to the input.
     * @param options   capacity, which has no default, workers, order and name.
     * @throws system_error   errc::invalid_argument if there is no worker, or the capacity is 0.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <
        class Home,
        detail::queue_or_producer Input,
        detail::transformation<typename Input::value_type, T> Function>
    producer(Home&& home, Input& input, Function function, producer_options options)
        : base(
              std::forward<Home>(home),
              queue_options_from(options),
              [&](const std::shared_ptr<fifo_queue<T>>& output) {
                  return workers(detail::queue_of(input), output, function, options);
              }
          )
    {
    }

private:
    using operations = std::vector<queue_runner::operation>;

    [[noreturn]] static void refuse(const producer_options& options, const char* why)
    {
        throw system_error(
            errc::invalid_argument,
            "producer '" + std::string(options.name) + "': " + why
        );
    }

    static queue_options queue_options_from(const producer_options& options)
    {
        if (options.workers == 0)
            refuse(options, "it has no worker; give at least one");
        if (options.capacity == 0)
            refuse(options, "capacity 0 has no place for a result; give at least 1");
        return {.capacity = options.capacity, .name = options.name};
    }

    template <class Input, class Function>
    static operations workers(
        Input& input,
        const std::shared_ptr<fifo_queue<T>>& output,
        const Function& function,
        const producer_options& options
    )
    {
        using unordered = detail::transforming_worker<Input, fifo_queue<T>, Function>;
        using ordered = detail::ordered_worker<Input, fifo_queue<T>, Function>;
        if (!options.ordered)
            return repeated(options.workers, unordered(input, output, function));
        const auto order = ordered::make_order(input, *output);
        return repeated(options.workers, ordered(input, output, order, function));
    }

    template <class Worker>
    static operations repeated(std::size_t count, const Worker& worker)
    {
        operations made;
        while (made.size() < count)
            made.emplace_back(worker);
        return made;
    }
};

}  // namespace sluice

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/basic_producer.hpp>
#include <sluice/input/detail/input_worker.hpp>
#include <sluice/input/detail/listing.hpp>
#include <sluice/input/detail/reading_core.hpp>
#include <sluice/input/input_position.hpp>
#include <sluice/input/input_producer_options.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace sluice {

/// Reads a list, epoch after epoch: as listed, or each time in a new random order.
/**
 * A program that learns reads its examples many times, and goes on where it stood after it was
 * killed. This class queues the elements of a list (names of files, records, indexes), knows the
 * epoch of each, and tells its position, from which a later reading goes on. As TensorFlow's
 * `string_input_producer`, `range_input_producer` and `slice_input_producer`;
 * docs/guide/input.md lists what differs.
 *
 * @par Example
 * @code
 * sluice::input_producer<std::string> files{
 *     pool, paths, {.num_epochs = 3, .shuffle = true, .seed = 7, .start_at = saved}
 * };
 * files.start(coord);
 * while (auto file = co_await files.next()) {
 *     use(*file);
 *     save(files.position());  // four numbers
 * }
 * @endcode
 *
 * @par Positions
 * position() and epoch() count the elements that have left the queue; what is stored is not
 * counted, and neither is what a cancelled consumer returned. With one consumer they are those of
 * the element that it took last. Behind stages that take elements in advance use an
 * `input_producer<positioned<T>>`, whose elements carry their positions. Only the
 * worker may put elements into queue().
 *
 * @par Closing          the queue is closed after the last epoch, if a function lists nothing, or
 *                       throws errc::end_of_queue; for the rest as basic_producer.
 * @par Ordering         as listed, or with input_producer_options::shuffle in an order of each
 *                       epoch. All elements of an epoch come before those of the next one.
 * @par Errors           an exception of the function, or of the copy of an element, ends the
 *                       worker, and is what a queue_runner makes of it; so also
 *                       errc::invalid_argument if `start_at` is none of the list that the function
 *                       gives.
 * @par Cancellation     a stop leaves what is stored in the queue, and takes nothing from the list.
 * @par Object lifetime  as basic_producer. What a view or a function refers to must outlive the
 *                       worker.
 * @par Thread safety    as basic_producer. Lists and functions are used by one thread at a time.
 *
 * @tparam T  the elements, or positioned for elements with their positions.
 */
template <class T>
class input_producer : public basic_producer<fifo_queue<T>>
{
    using base = basic_producer<fifo_queue<T>>;
    using reading_ptr = std::shared_ptr<detail::reading_core>;

public:
    /// What the list has: T, or U if T is `positioned<U>`.
    using listed_type = typename detail::listed<T>::type;

    /// Reads a list that stays the same.
    /**
     * @param home     the executor of the queue, or a context that has one.
     * @param list     a container, which is copied or moved, or a view. Each epoch copies its
     *                 elements. If they cannot be had in any order, or their number is not known,
     *                 they are copied into a vector at once.
     * @param options  how often, in which order, and where to begin.
     * @throws system_error   errc::invalid_argument if the list is empty, an option is outside its
     *                        range, or `start_at` is none of this list.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     * @par Complexity        an epoch that is shuffled takes O(size) time and memory, 8 bytes for
     *                        each element, also to begin in the middle of it.
     */
    template <class Home, std::move_constructible List>
        requires detail::list_of<detail::list_reference<List>, listed_type>
    input_producer(Home&& home, List list, const input_producer_options& options)
        : input_producer(
              options,
              std::forward<Home>(home),
              detail::same_list(detail::as_list<listed_type>(std::move(list)))
          )
    {
    }

    /// Reads a list that stays the same, of elements in braces.
    template <class Home>
    input_producer(
        Home&& home,
        std::initializer_list<listed_type> list,
        const input_producer_options& options
    )
        : input_producer(
              std::forward<Home>(home),
              std::vector<listed_type>(list),
              options
          )
    {
    }

    /// @cond
    // Refused in words.
    template <class Home, class List>
    input_producer(
        Home&& home,
        const List& /*list*/,
        const detail::options_with_untyped_position& /*options*/
    )
        : input_producer(
              std::forward<Home>(home),
              std::initializer_list<listed_type>(),
              input_producer_options()
          )
    {
        static_assert(
            detail::never<List>,
            "name the type of the position: .start_at = sluice::input_position{.epoch = "
            "1}"
        );
    }
    /// @endcond

    /// Reads what a function lists, anew for each epoch.
    /**
     * @param home      the executor of the queue, or a context that has one.
     * @param function  gives a list, or an asio::awaitable of one. Elements are moved out of a
     *                  container, so they need not be copyable. An empty list is the end.
     * @param options   as for a list that stays the same. A reading can go on at a position only if
     *                  the function gives the same list for that epoch again.
     * @throws system_error   errc::invalid_argument if an option is outside its range.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <class Home, detail::listing<listed_type> Function>
    input_producer(Home&& home, Function function, const input_producer_options& options)
        : input_producer(
              std::make_shared<detail::reading_core>(options),
              std::forward<Home>(home),
              std::move(function),
              options
          )
    {
    }

    /// The epoch, from 0, of the element that was taken last; before, that of the first one.
    [[nodiscard]] std::uint64_t epoch() const noexcept
    {
        return reading_->epoch(taken());
    }

    /// Where to go on after the elements that were taken: `start_at` of a later reading.
    /**
     * @par Preconditions     none.
     * @par Exception safety  no-throw.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] input_position position() const noexcept
    {
        return reading_->position(taken());
    }

private:
    template <class Home, class List>
    input_producer(
        const input_producer_options& options,
        Home&& home,
        detail::same_list<List> list
    )
        : input_producer(
              reading_of(options, list.size()),
              std::forward<Home>(home),
              std::move(list),
              options
          )
    {
    }

    template <class Home, class Function>
    input_producer(
        reading_ptr reading,
        Home&& home,
        Function&& function,
        const input_producer_options& options
    )
        : base(
              std::forward<Home>(home),
              {.capacity = options.capacity, .name = options.name},
              [&](const std::shared_ptr<fifo_queue<T>>& queue) {
                  using worker = detail::input_worker<fifo_queue<T>, Function>;
                  std::vector<queue_runner::operation> one;
                  one.emplace_back(
                      worker(queue, reading, std::forward<Function>(function))
                  );
                  return one;
              }
          ),
          reading_(std::move(reading))
    {
    }

    static reading_ptr reading_of(const input_producer_options& options, std::size_t size)
    {
        auto reading = std::make_shared<detail::reading_core>(options);
        reading->check_list(size);
        return reading;
    }

    [[nodiscard]] std::uint64_t taken() const noexcept
    {
        const queue_stats stats = this->queue().stats();
        return stats.dequeued - stats.returned;
    }

    const reading_ptr reading_;  // the worker has it, too
};

}  // namespace sluice

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/basic_producer.hpp>
#include <sluice/input/batcher_options.hpp>
#include <sluice/input/detail/example_reader.hpp>
#include <sluice/input/detail/next_batch.hpp>
#include <sluice/operation.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Reads examples and gives them in batches.
/**
 * A model wants many examples at once, and a file or a socket gives them one by one. Workers
 * put what they read into a queue, and next() takes a batch out of it. Programs name one of
 * the aliases, which differ in the queue: batcher, shuffle_batcher and padded_batcher. As
 * TensorFlow's `batch`, `batch_join` and their relatives; docs/guide/batches.md lists what
 * differs.
 *
 * @par What reads
 * A callable that starts a coroutine of one of three types. After `awaitable<T>` there is one
 * more example, after `awaitable<std::optional<T>>` perhaps none, and after
 * `awaitable<std::vector<T>>` there are as many as it has. A callable tells of the end of
 * its input by a system_error with errc::end_of_queue, as the dequeue of another queue does.
 * The queue is closed when the last worker has ended.
 *
 * @par Cancellation
 * A worker takes a place in the queue before it reads. So a stop loses no example that was
 * read, but for those behind the first of a vector, which wait for room.
 *
 * @par Closing          the queue is closed by its last worker, as basic_producer says.
 * @par Ordering         that of the queue; examples of one worker come in the order in which it
 *                       read them.
 * @par Object lifetime  as basic_producer. The callables live as long as the workers and this.
 * @par Thread safety    distinct objects: safe. Shared objects: safe, but for the destructor.
 *
 * @tparam Queue    the queue that stores the examples, a basic_queue.
 * @tparam Options  batcher_options or shuffle_batcher_options.
 */
template <class Queue, class Options>
class basic_batcher : public basic_producer<Queue>
{
    using base = basic_producer<Queue>;
    using core_type = detail::core_of<Queue>;
    using operation = detail::
        operation_of<detail::next_batch<core_type>, typename Queue::executor_type>;

public:
    /// What next() gives: `std::vector<T>`, or padded_batch for a padded_batcher.
    using batch_type = typename Queue::batch_type;

    /// batcher_options, or shuffle_batcher_options for a shuffle_batcher.
    using options_type = Options;

    /// What a worker repeats: a callable that reads, of any type that can be moved.
    /**
     * Callables convert to this type, which is only named to put them into a vector.
     */
    using reader = detail::reader<Queue>;

    /// Makes a batcher whose workers read with copies of one callable.
    /**
     * @param home     the executor of the queue, or a context that has one.
     * @param read     reads examples. Each worker has a copy of it; what it refers to must
     *                 stand being used from several threads.
     * @param options  `batch_size`, which has no default, and what else the queue needs.
     * @throws system_error   errc::invalid_argument if an option is outside its range, if
     *                        `read` is empty, or if several workers need copies of one that
     *                        cannot be copied.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <class Home, detail::reads_examples<typename Queue::value_type> Read>
    basic_batcher(Home&& home, Read read, Options options)
        : basic_batcher(
              options,
              std::forward<Home>(home),
              copies_of(std::move(read), options)
          )
    {
    }

    /// Makes a batcher with a worker for each of several callables: a join.
    /**
     * One that ends leaves the others to go on.
     *
     * @param home     the executor of the queue, or a context that has one.
     * @param readers  at least one, none of them empty.
     * @param options  as for the constructor from one callable; `workers` is 1.
     * @throws system_error   errc::invalid_argument if an option is outside its range, or if
     *                        there is no reader or one is empty.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <class Home>
    basic_batcher(Home&& home, std::initializer_list<reader> readers, Options options)
        : basic_batcher(
              options,
              std::forward<Home>(home),
              taken_from(readers.begin(), readers.end(), options)
          )
    {
    }

    /// Makes a batcher with a worker for each of the callables of a list made at run time.
    /**
     * As the constructor from a list in braces, but with the basic guarantee: what is refused has
     * been moved from, too.
     */
    template <class Home>
    basic_batcher(Home&& home, std::vector<reader>&& readers, Options options)
        : basic_batcher(
              options,
              std::forward<Home>(home),
              taken_from(readers.begin(), readers.end(), options)
          )
    {
    }

    /// Takes a batch, or nothing at the end.
    /**
     * A batch has `batch_size` examples. At the end of the input it has what is left, if
     * `allow_smaller_final_batch` is set. Otherwise a smaller rest stays in queue().
     *
     * @return an operation; `co_await` gives a `std::optional<batch_type>`.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::optional<batch_type>)`
     * @par Completion            at once if there is a batch and no other waits; otherwise as if
     *                            by asio::post on the associated executor.
     * @par Errors                as basic_queue::dequeue_many(), but errc::end_of_queue is no
     *                            error.
     * @par Cancellation          terminal, partial, total: all supported; what it had is returned
     *                            to the front of the queue.
     * @par Ordering              behind all that wait for the queue already.
     * @par Object lifetime       `*this` may be destroyed while this waits: it is the end.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(batch_size), each one `pop` of the store.
     */
    operation next()
    {
        return {
            {&detail::queue_access::core(this->queue()), batch_size_, allows_smaller_},
            this->get_executor()
        };
    }

private:
    using reader_list = detail::reader_list<Queue>;

    template <class Home>
    basic_batcher(const Options& options, Home&& home, const reader_list& readers)
        : base(
              std::forward<Home>(home),
              detail::queue_options_of(options),
              [&](const std::shared_ptr<Queue>& queue) {
                  return detail::operations_of(readers, queue);
              }
          ),
          batch_size_(options.batch_size),
          allows_smaller_(options.allow_smaller_final_batch)
    {
    }

    // Who refuses a reader, once the options have been found to be right.
    static detail::reader_owner checked(const Options& options, std::size_t workers)
    {
        const detail::reader_owner owner{"batcher", options.name};
        if (options.batch_size == 0)
            owner.refuse("batch_size is 0; give at least 1");
        if (workers == 0)
            owner.refuse("it has no worker; give at least one");
        const std::size_t capacity = options.capacity;
        const std::size_t behind = detail::stays_behind(options);
        if (capacity < behind || capacity - behind < workers)
            owner.refuse(
                "capacity " + std::to_string(capacity) + " is too small for workers (" +
                std::to_string(workers) + ") and min_after_dequeue (" +
                std::to_string(behind) + "); give at least their sum"
            );
        return owner;
    }

    template <class Read>
    static reader_list copies_of(Read read, const Options& options)
    {
        const auto owner = checked(options, options.workers);
        return detail::copies_of<Queue>(std::move(read), options.workers, owner);
    }

    template <class Iterator>
    static reader_list taken_from(Iterator first, Iterator last, const Options& options)
    {
        const detail::reader_owner owner{"batcher", options.name};
        detail::check_workers_of_list(options.workers, owner);
        checked(options, static_cast<std::size_t>(last - first));
        return detail::taken_from<Queue>(first, last, owner);
    }

    const std::size_t batch_size_;
    const bool allows_smaller_;
};

}  // namespace sluice

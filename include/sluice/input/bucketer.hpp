// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/basic_producer.hpp>
#include <sluice/input/bucketed_batch.hpp>
#include <sluice/input/bucketer_options.hpp>
#include <sluice/input/detail/bucketing.hpp>
#include <sluice/input/detail/example_reader.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Reads rows and gives them in batches of rows of similar length.
/**
 * A batch is padded to its longest row, so a long row among short ones wastes most of it. A
 * bucketer has a bucket for each range of lengths. Workers put what they read into the bucket of
 * its length, and a bucket that has enough rows becomes a batch. As TensorFlow's `bucket` and
 * `bucket_by_sequence_length`; docs/guide/batches.md lists what differs. Programs name one of the
 * aliases: bucketer, or padded_bucketer, which also pads.
 *
 * @par Example
 * @code
 * sluice::bucketer<row> buckets{
 *     pool,
 *     read_row,
 *     {.length = [](const row& r) { return r.words.size(); },
 *      .boundaries = {10, 20, 40},
 *      .batch_sizes = {64, 32, 16, 8}}
 * };
 * buckets.start(coord);
 * while (auto next = co_await buckets.next())  // a std::optional<bucketed_batch<row>>
 *     train(next->bucket, next->batch);
 * @endcode
 *
 * @par What reads
 * As for a basic_batcher: a callable that starts a coroutine of type `awaitable<Row>`,
 * `awaitable<std::optional<Row>>` or `awaitable<std::vector<Row>>`, and tells of the end of its
 * input by errc::end_of_queue.
 *
 * @par The end
 * When the last worker has come to the end of its input, what is left in the buckets is given,
 * the shortest rows first, and then the queue is closed. After a stop or a failure it is not
 * given: the input is not complete. The rows stay in the buckets, for take_rests().
 *
 * @par Errors
 * An exception of the reader or of `length` ends its worker, as for a queue_runner. The row for
 * which `length` failed goes with it, and those behind it in a vector. So do the rows of a batch
 * that could not be padded.
 *
 * @par Cancellation
 * A worker takes a place for a batch before it reads. So a stop loses no row that was read, but
 * for those of a vector that wait for the next place.
 *
 * @par Closing          the queue is closed by its last worker, as basic_producer says.
 * @par Ordering         rows of one worker and bucket come in the order in which it read them.
 *                       Batches come in the order in which they became complete, with one worker.
 * @par Object lifetime  as basic_producer. The callables live as long as the workers and this.
 * @par Thread safety    distinct objects: safe. Shared objects: safe, but for the destructor.
 *
 * @tparam Row    the rows: move-constructible.
 * @tparam Batch  `std::vector<Row>` or `padded_batch<Row>`.
 */
template <class Row, class Batch>
class basic_bucketer : public basic_producer<fifo_queue<bucketed_batch<Row, Batch>>>
{
    using base = basic_producer<fifo_queue<bucketed_batch<Row, Batch>>>;
    using target = detail::bucketing<Row, Batch>;
    using rows_ptr = std::shared_ptr<detail::buckets<Row>>;

public:
    /// What next() gives, in a `std::optional`.
    using batch_type = bucketed_batch<Row, Batch>;

    /// The options.
    using options_type = bucketer_options<Row>;

    /// What a worker repeats: a callable that reads, of any type that can be moved.
    /**
     * Callables convert to this type, which is only named to put them into a vector.
     */
    using reader = detail::reader<target>;

    /// Makes a bucketer whose workers read with copies of one callable.
    /**
     * @param home     the executor of the queue, or a context that has one.
     * @param read     reads rows. Each worker has a copy of it; what it refers to must stand being
     *                 used from several threads.
     * @param options  `boundaries` and `batch_sizes`, which have no default, and what else is
     *                 needed.
     * @throws system_error   errc::invalid_argument if an option is outside its range, if
     *                        `read` is empty, or if several workers need copies of one that
     *                        cannot be copied.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <class Home, detail::reads_examples<Row> Read>
    basic_bucketer(Home&& home, Read read, options_type options)
        : basic_bucketer(
              options,
              std::forward<Home>(home),
              copies_of(std::move(read), options)
          )
    {
    }

    /// Makes a bucketer with a worker for each of several callables: a join.
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
    basic_bucketer(
        Home&& home,
        std::initializer_list<reader> readers,
        options_type options
    )
        : basic_bucketer(
              options,
              std::forward<Home>(home),
              taken_from(readers.begin(), readers.end(), options)
          )
    {
    }

    /// Makes a bucketer with a worker for each of the callables of a list made at run time.
    /**
     * As the constructor from a list in braces, but with the basic guarantee: what is refused has
     * been moved from, too.
     */
    template <class Home>
    basic_bucketer(Home&& home, std::vector<reader>&& readers, options_type options)
        : basic_bucketer(
              options,
              std::forward<Home>(home),
              taken_from(readers.begin(), readers.end(), options)
          )
    {
    }

    /// Takes what is left in the buckets, a batch of each that has rows, the shortest first.
    /**
     * After join() these are the rows that no batch has had: because of a stop or a failure, or
     * without `allow_smaller_final_batch` of the ends. While workers run they are taken away from
     * the batches to come.
     *
     * @return                each a batch that is smaller than those of its bucket.
     * @par Exception safety  basic: of the bucket that fails the rows are lost.
     * @par Complexity        O(number of buckets), and for a padded_bucketer the padding.
     */
    [[nodiscard]] std::vector<batch_type> take_rests()
    {
        std::vector<batch_type> rests;
        rests.reserve(rows_->size());
        for (std::size_t i = 0; i < rows_->size(); ++i)
            if (std::vector<Row> rest = rows_->take_rest(i); !rest.empty())
                rests.emplace_back(i, Batch(std::move(rest)));
        return rests;
    }

private:
    using reader_list = detail::reader_list<target>;

    template <class Home>
    basic_bucketer(const options_type& options, Home&& home, const reader_list& readers)
        : basic_bucketer(
              options,
              std::forward<Home>(home),
              readers,
              std::make_shared<detail::buckets<Row>>(options, readers.size())
          )
    {
    }

    template <class Home>
    basic_bucketer(
        const options_type& options,
        Home&& home,
        const reader_list& readers,
        const rows_ptr& rows
    )
        : base(
              std::forward<Home>(home),
              {.capacity = options.capacity, .name = options.name},
              [&](const std::shared_ptr<fifo_queue<batch_type>>& queue) {
                  return detail::operations_of(
                      readers,
                      std::make_shared<target>(
                          target{queue, rows, options.allow_smaller_final_batch}
                      )
                  );
              }
          ),
          rows_(rows)
    {
    }

    static void check_lists(
        const options_type& options,
        const detail::reader_owner& owner
    )
    {
        const auto boundaries = options.boundaries.values();
        const auto sizes = options.batch_sizes.values();
        if (boundaries.empty())
            owner.refuse("boundaries is empty; give at least one");
        for (std::size_t i = 1; i < boundaries.size(); ++i)
            if (boundaries[i] <= boundaries[i - 1])
                owner.refuse(
                    "boundaries has " + std::to_string(boundaries[i]) + " behind " +
                    std::to_string(boundaries[i - 1]) + "; give them in ascending order"
                );
        const std::size_t buckets = boundaries.size() + 1;
        if (sizes.size() != 1 && sizes.size() != buckets)
            owner.refuse(
                "batch_sizes has " + std::to_string(sizes.size()) + " for " +
                std::to_string(buckets) + " buckets; give one for all or one for each"
            );
        for (const std::size_t size : sizes)
            if (size == 0)
                owner.refuse("batch_sizes has a 0; give at least 1");
    }

    // Who refuses a reader, once the options have been found to be right.
    static detail::reader_owner checked(const options_type& options, std::size_t workers)
    {
        const detail::reader_owner owner{"bucketer", options.name};
        check_lists(options, owner);
        if (workers == 0)
            owner.refuse("it has no worker; give at least one");
        if (options.capacity < workers)
            owner.refuse(
                "capacity " + std::to_string(options.capacity) +
                " is too small for workers (" + std::to_string(workers) +
                "); give at least as many"
            );
        return owner;
    }

    template <class Read>
    static reader_list copies_of(Read read, const options_type& options)
    {
        const auto owner = checked(options, options.workers);
        return detail::copies_of<target>(std::move(read), options.workers, owner);
    }

    template <class Iterator>
    static reader_list taken_from(
        Iterator first,
        Iterator last,
        const options_type& options
    )
    {
        const detail::reader_owner owner{"bucketer", options.name};
        detail::check_workers_of_list(options.workers, owner);
        checked(options, static_cast<std::size_t>(last - first));
        return detail::taken_from<target>(first, last, owner);
    }

    const rows_ptr rows_;  // the workers keep it, too
};

/// Gives batches of rows as they were read: a basic_bucketer.
template <class Row>
using bucketer = basic_bucketer<Row, std::vector<Row>>;

/// Gives batches whose rows are padded to the longest of them: a basic_bucketer.
/**
 * @tparam Row  a resizable range, or what has a `pad_rows` of its own.
 */
template <class Row>
using padded_bucketer = basic_bucketer<Row, padded_batch<Row>>;

}  // namespace sluice

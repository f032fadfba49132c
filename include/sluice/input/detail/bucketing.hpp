// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/error.hpp>
#include <sluice/input/bucketed_batch.hpp>
#include <sluice/input/detail/buckets.hpp>
#include <sluice/input/detail/example_reader.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/permit.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::detail {

// Where the workers of a bucketer put rows: buckets, and the queue of the batches.
template <class Row, class Batch>
struct bucketing
{
    using value_type = Row;
    using batch_type = bucketed_batch<Row, Batch>;
    using queue_type = fifo_queue<batch_type>;

    static void fill(
        permit<batch_type>& place,
        std::size_t bucket,
        std::vector<Row>&& rows
    )
    {
        place.fill(batch_type(bucket, Batch(std::move(rows))));
    }

    // Gives the rests, each a batch. No row is in hand while this waits: what finds no place
    // stays in its bucket.
    boost::asio::awaitable<void> give_rests() const
    {
        for (std::size_t i = 0; i < rows->size(); ++i) {
            if (rows->is_empty(i))
                continue;
            permit<batch_type> place = co_await queue->reserve();
            std::vector<Row> rest = rows->take_rest(i);
            if (!rest.empty())
                fill(place, i, std::move(rest));
        }
    }

    std::shared_ptr<queue_type> queue;
    std::shared_ptr<buckets<Row>> rows;
    bool gives_rests;
};

// A worker of a bucketer in a run. If its coroutine is destroyed, its input has not ended.
template <class Row>
class bucket_worker
{
public:
    explicit bucket_worker(buckets<Row>& rows) noexcept : rows_(rows) {}
    bucket_worker(const bucket_worker&) = delete;
    bucket_worker& operator=(const bucket_worker&) = delete;

    ~bucket_worker()
    {
        if (!has_ended_)
            static_cast<void>(rows_.worker_ended(false));
    }

    // As buckets::worker_ended().
    [[nodiscard]] bool end(const std::exception_ptr& by) noexcept
    {
        has_ended_ = true;
        return rows_.worker_ended(by && code_of(by, {}) == condition::clean_stop);
    }

private:
    buckets<Row>& rows_;
    bool has_ended_ = false;
};

// The operation of a worker that puts rows into buckets. It has a place for a batch before it
// reads, which it keeps until a row of it completes a batch. So a row that was read never waits,
// and neither does a batch. It loops by itself: who kept the place from one call to the next
// would keep it after a stop, and consumers from seeing the end.
template <class Row, class Batch, class Read>
class reading_operation<bucketing<Row, Batch>, Read>
{
    using target = bucketing<Row, Batch>;
    using place_type = permit<typename target::batch_type>;

public:
    reading_operation(std::shared_ptr<target> to, Read&& read)
        : to_(std::move(to)), read_(std::move(read))
    {
    }

    // The last worker gives the rests before it counts as ended, so before the queue is closed.
    boost::asio::awaitable<bool> operator()()
    {
        bucket_worker<Row> own(*to_->rows);
        std::exception_ptr ended_by;
        try {
            co_await read_rows();
        } catch (...) {
            ended_by = std::current_exception();
        }
        if (own.end(ended_by) && to_->gives_rests)
            co_await to_->give_rests();
        if (ended_by)
            std::rethrow_exception(ended_by);
        co_return false;
    }

private:
    // Until the reader or the queue ends. A queue that has been closed still takes what has a
    // place, so nothing else would tell of it before the next batch is complete.
    boost::asio::awaitable<void> read_rows()
    {
        place_type place;
        while (!to_->queue->is_closed()) {
            if (!place)
                place = co_await to_->queue->reserve();
            auto given = co_await read_();
            if constexpr (std::same_as<decltype(given), Row>) {
                put(std::move(given), place);
            } else if constexpr (std::same_as<decltype(given), std::optional<Row>>) {
                if (given)
                    put(std::move(*given), place);
            } else {
                for (Row& row : given) {
                    if (!place)
                        place = co_await to_->queue->reserve();
                    put(std::move(row), place);
                }
            }
            if (!budget::take()) {  // neither reader nor bucket needs the scheduler (P5)
                budget::reset();
                co_await boost::asio::post(
                    co_await boost::asio::this_coro::executor,
                    boost::asio::use_awaitable
                );
            }
        }
    }

    void put(Row&& row, place_type& place)
    {
        const std::size_t bucket = to_->rows->bucket_of(row);
        std::vector<Row> batch = to_->rows->add(bucket, std::move(row));
        if (!batch.empty())
            target::fill(place, bucket, std::move(batch));
    }

    std::shared_ptr<target> to_;
    Read read_;
};

}  // namespace sluice::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/bucketer_options.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace sluice::detail {

// Rows that wait in the bucket of their length until there are enough for a batch, and how many
// workers still bring some.
//
// Invariants, whenever the mutex is free:
// - Each bucket has fewer rows than its batch.
// - Each row is in exactly one place: in the hand of a worker, in a bucket or in a batch. A batch
//   leaves its bucket in the critical section in which its last row came.
// - running_ workers have not ended in this run. The one that makes it 0 is the last: no row
//   comes behind it, so what it finds is the rest.
template <class Row>
class buckets
{
public:
    // Of checked options.
    buckets(const bucketer_options<Row>& options, std::size_t workers)
        : length_(options.length), workers_(workers), running_(workers)
    {
        const std::span boundaries = options.boundaries.values();
        const std::span sizes = options.batch_sizes.values();
        boundaries_.assign(boundaries.begin(), boundaries.end());
        buckets_.resize(boundaries.size() + 1);
        for (std::size_t i = 0; i < buckets_.size(); ++i)
            buckets_[i].batch_size = sizes[sizes.size() == 1 ? 0 : i];
    }

    // How many buckets there are.
    [[nodiscard]] std::size_t size() const noexcept { return buckets_.size(); }

    // The bucket of a row. Throws what the length does.
    [[nodiscard]] std::size_t bucket_of(const Row& row) const
    {
        const auto behind =
            std::upper_bound(boundaries_.begin(), boundaries_.end(), length_(row));
        return static_cast<std::size_t>(behind - boundaries_.begin());
    }

    // Puts a row into a bucket. Gives the batch that is complete with it, or no rows. Strong.
    [[nodiscard]] std::vector<Row> add(std::size_t which, Row&& row)
    {
        const std::lock_guard lock(mutex_);
        bucket& own = buckets_[which];
        own.rows.push_back(std::move(row));
        return own.rows.size() < own.batch_size ? std::vector<Row>() : own.take();
    }

    // What waits in a bucket; perhaps nothing.
    [[nodiscard]] std::vector<Row> take_rest(std::size_t which) noexcept
    {
        const std::lock_guard lock(mutex_);
        return buckets_[which].take();
    }

    [[nodiscard]] bool is_empty(std::size_t which) const
    {
        const std::lock_guard lock(mutex_);
        return buckets_[which].rows.empty();
    }

    // A worker has ended: because its input has, or for another reason. True for the last one if
    // all inputs have come to their ends. Then the next run may begin.
    [[nodiscard]] bool worker_ended(bool with_its_input) noexcept
    {
        const std::lock_guard lock(mutex_);
        is_complete_ = is_complete_ && with_its_input;
        if (--running_ > 0)
            return false;
        running_ = workers_;
        return std::exchange(is_complete_, true);
    }

private:
    struct bucket
    {
        std::size_t batch_size = 1;
        std::vector<Row> rows;

        std::vector<Row> take() noexcept { return std::exchange(rows, {}); }
    };

    const row_length<Row> length_;
    std::vector<std::size_t> boundaries_;  // ascending
    const std::size_t workers_;
    mutable std::mutex mutex_;
    std::vector<bucket> buckets_;  // rows are guarded by mutex_, as all that follows
    std::size_t running_;
    bool is_complete_ = true;
};

}  // namespace sluice::detail

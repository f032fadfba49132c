// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace sluice {

/// What a bucketer gives: rows of similar length, and the bucket that they come from.
/**
 * @tparam Row    the rows.
 * @tparam Batch  `std::vector<Row>`, or `padded_batch<Row>` of a padded_bucketer.
 */
template <class Row, class Batch = std::vector<Row>>
struct bucketed_batch
{
    /// Has no rows.
    bucketed_batch() = default;

    /// Has these rows of that bucket.
    bucketed_batch(std::size_t number, Batch&& rows)
        : bucket(number), batch(std::move(rows))
    {
    }

    // A vector of rows that cannot be copied says that it can.
    /// Copies the rows, if they can be copied.
    bucketed_batch(const bucketed_batch&)
        requires std::copy_constructible<Row>
    = default;
    /// As the copy constructor.
    bucketed_batch& operator=(const bucketed_batch&)
        requires std::copy_constructible<Row>
    = default;

    /// Takes the rows over.
    bucketed_batch(bucketed_batch&&) noexcept = default;
    /// Takes the rows over.
    bucketed_batch& operator=(bucketed_batch&&) noexcept = default;

    ~bucketed_batch() = default;

    /// The number of the bucket, from 0 for the shortest rows.
    std::size_t bucket = 0;

    /// At least one row, in the order in which they came into the bucket.
    Batch batch;
};

}  // namespace sluice

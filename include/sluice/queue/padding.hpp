// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sluice {

/// A row that padding_queue can pad without help: a range that can be resized, such as
/// `std::vector<float>`.
template <class T>
concept resizable_range = std::ranges::sized_range<T> &&
                          requires(T row) { row.resize(std::size_t{}); };

/// Pads rows to the length of the longest, at the end, with value-initialised elements.
/**
 * padding_queue calls `pad_rows(rows)` unqualified, so a row type of several components can
 * have a `pad_rows(std::span<Row>)` of its own, found by argument-dependent lookup. If that
 * throws, the rows return to the queue as it leaves them, so it should undo what it has done.
 *
 * @par Complexity        O(total length of the padded rows).
 * @par Exception safety  basic: rows padded before the exception stay padded.
 */
template <resizable_range Row>
void pad_rows(std::span<Row> rows)
{
    std::size_t longest = 0;
    for (const Row& row : rows)
        longest = std::max<std::size_t>(longest, std::ranges::size(row));
    for (Row& row : rows)
        row.resize(longest);
}

/// A row type for which an unqualified `pad_rows(std::span<T>)` is found.
template <class T>
concept paddable = requires(std::span<T> rows) { pad_rows(rows); };

/// A batch of padding_queue: the rows, padded to the longest of them, and how long each was.
template <paddable Row>
class padded_batch : public std::vector<Row>
{
public:
    padded_batch() = default;

    /// Pads `rows` and takes them over.
    /**
     * @par Exception safety  strong for rows that can be resized, unless to shorten one throws,
     *                        too; the rows stay in `rows`. For others that of their `pad_rows`.
     */
    explicit padded_batch(std::vector<Row>&& rows)
    {
        if constexpr (std::ranges::sized_range<Row>) {
            lengths_.reserve(rows.size());
            for (const Row& row : rows)
                lengths_.push_back(std::ranges::size(row));
        }
        try {
            pad_rows(std::span<Row>(rows));
        } catch (...) {
            if constexpr (resizable_range<Row>)
                unpad(rows);
            throw;
        }
        std::vector<Row>::operator=(std::move(rows));
    }

    /// The length of each row before it was padded, in the order of the rows; empty for a
    /// row type that has no size.
    [[nodiscard]] const std::vector<std::size_t>& lengths() const noexcept
    {
        return lengths_;
    }

private:
    void unpad(std::vector<Row>& rows) const noexcept
    {
        for (std::size_t i = 0; i < rows.size(); ++i)
            try {
                rows[i].resize(lengths_[i]);
            } catch (...) {
                // longer than it was, but not lost
            }
    }

    std::vector<std::size_t> lengths_;
};

}  // namespace sluice

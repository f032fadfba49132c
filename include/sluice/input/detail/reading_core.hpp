// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/input_position.hpp>
#include <sluice/input/input_producer_options.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::detail {

// Which element of a list comes next, epoch after epoch, and where a number of elements ends. It
// has no elements. position() and epoch() are for any thread, the others for the worker alone.
//
// - An epoch is in `runs_` before the first of its elements is in the queue, and stays there. So
//   who counts elements that have left the queue finds the epochs of all of them, although the
//   worker is ahead, and although a cancelled consumer may return some.
// - Elements are numbered from the beginning of the first epoch, so that those count, too, that
//   come before the position where the reading begins.
class reading_core
{
public:
    // Throws invalid_argument if an option is outside of its range.
    explicit reading_core(const input_producer_options& options);

    // Whether an element is left of the epoch that has begun.
    [[nodiscard]] bool has_element() const noexcept { return index_ < size_; }

    // Whether an epoch may begin when none is left.
    [[nodiscard]] bool has_epoch() const noexcept { return epoch_ < num_epochs_; }

    // The list of the next epoch has `size` elements, not 0. Throws invalid_argument if the
    // position where to begin is none of that list. Strong.
    void begin_epoch(std::size_t size);

    // Throws what begin_epoch() would, and if `size` is 0.
    void check_list(std::size_t size) const;

    // The place in the list of the next element, if there is one.
    [[nodiscard]] std::size_t place() const noexcept
    {
        return order_.empty() ? index_ : order_[index_];
    }

    // Where to go on after the next element, if there is one.
    [[nodiscard]] input_position after_next() const noexcept;

    // The next element is in the queue.
    void advance() noexcept;

    // Where to go on after `taken` elements, which have been in the queue.
    [[nodiscard]] input_position position(std::uint64_t taken) const noexcept;

    // The epoch of the last of `taken` elements, or the first epoch.
    [[nodiscard]] std::uint64_t epoch(std::uint64_t taken) const noexcept;

private:
    // Epochs that follow each other, with lists of the same size.
    struct run
    {
        std::uint64_t first_element;  // its number
        std::uint64_t first_epoch;
        std::uint64_t list_size;
    };

    [[noreturn]] void refuse(const std::string& why) const;
    void check_seed(const input_position& start_at, bool has_seed) const;
    void note_epoch(std::size_t size);
    void end_epoch() noexcept;
    [[nodiscard]] input_position position_of(std::uint64_t element) const noexcept;
    // The end of an epoch is the beginning of the next one.
    [[nodiscard]] input_position position_in(
        std::uint64_t epoch,
        std::uint64_t index,
        std::uint64_t list_size
    ) const noexcept;

    const std::string name_;
    const std::uint64_t num_epochs_;
    const bool shuffles_;
    const input_position start_;  // has the seed, 0 if it does not shuffle

    // of the worker alone
    bool has_begun_ = false;           // its first epoch
    std::uint64_t epoch_;              // that has begun, or is to begin
    std::size_t index_ = 0;            // of the next element
    std::size_t size_ = 0;             // of the list; 0: the epoch is to begin
    std::vector<std::size_t> order_;   // empty: as listed
    std::uint64_t first_element_ = 0;  // the number of the first element of the epoch

    mutable std::mutex mutex_;
    std::vector<run> runs_;  // all epochs that have begun; guarded by mutex_
};

}  // namespace sluice::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/queue/queue_options.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sluice {

// As in queue_options, nothing here may have a destructor of consequence. So a list of sizes and
// a callable are stored in place, which also leaves no question about their lifetime.

/// Sizes, in braces or in a range: `{10, 20, 40}`.
class size_list
{
public:
    /// How many sizes a list has at most.
    static constexpr std::size_t max_size = 64;

    /// No sizes.
    constexpr size_list() noexcept = default;

    /// The sizes in braces, or one.
    /**
     * @throws system_error  errc::invalid_argument if one is negative.
     */
    template <std::integral... Numbers>
        requires(
            sizeof...(Numbers) > 0 && sizeof...(Numbers) <= max_size &&
            !(std::same_as<Numbers, bool> || ...)
        )
    constexpr size_list(Numbers... numbers)
    {
        (add(numbers), ...);
    }

    /// The sizes of a range, which is copied.
    /**
     * @throws system_error  errc::invalid_argument if there are more than max_size, or if one is
     *                       negative.
     */
    template <std::ranges::input_range Range>
        requires(!std::same_as<std::remove_cvref_t<Range>, size_list> && std::integral<std::ranges::range_value_t<Range>>)
    constexpr size_list(Range&& range)
    {
        for (auto&& number : range)
            add(number);
    }

    /// The sizes. The span refers to this object.
    [[nodiscard]] constexpr std::span<const std::size_t> values() const noexcept
    {
        return std::span(values_).first(count_);
    }

private:
    template <class Number>
    constexpr void add(Number number)
    {
        if (number < Number(0))
            throw system_error(
                errc::invalid_argument,
                "bucketer: boundaries or batch_sizes has " + std::to_string(number) +
                    "; give no negative number"
            );
        if (count_ == max_size)
            throw system_error(
                errc::invalid_argument,
                "bucketer: boundaries or batch_sizes has more than " +
                    std::to_string(max_size) + " numbers; give fewer and wider buckets"
            );
        values_[count_++] = static_cast<std::size_t>(number);
    }

    std::array<std::size_t, max_size> values_{};
    std::size_t count_ = 0;
};

/// How a bucketer finds the length of a row: a callable that takes a row and gives an integer.
/**
 * The callable is stored in place. So it is a function, or a lambda that captures references,
 * pointers and numbers, four at most.
 *
 * @par Thread safety  workers call it at the same time; what it refers to must stand it.
 *
 * @tparam Row  the rows.
 */
template <class Row>
class row_length
{
    static constexpr std::size_t storage_size = 4 * sizeof(void*);

public:
    /// The size of a row, for rows that are ranges.
    row_length()
        requires std::ranges::sized_range<const Row>
        : row_length([](const Row& row) { return std::ranges::size(row); })
    {
    }

    /// What the callable gives.
    /**
     * @throws system_error  errc::invalid_argument if it is a pointer that is null.
     */
    template <class Length>
        requires(!std::same_as<Length, row_length>) &&
                std::is_trivially_copyable_v<Length> &&
                (sizeof(Length) <= storage_size) && (alignof(Length) <= alignof(void*)) &&
                std::integral<std::invoke_result_t<const Length&, const Row&>>
    row_length(Length length) : call_(&call<Length>)
    {
        if constexpr (requires { length == nullptr; }) {
            if (length == nullptr)
                throw system_error(
                    errc::invalid_argument,
                    "bucketer: length is null; give a callable"
                );
        }
        ::new (static_cast<void*>(storage_.data())) Length(length);
    }

    /// The length of a row.
    /**
     * @throws system_error  errc::invalid_argument if the callable gives a negative number.
     */
    [[nodiscard]] std::size_t operator()(const Row& row) const
    {
        return call_(storage_.data(), row);
    }

private:
    template <class Length>
    static std::size_t call(const std::byte* storage, const Row& row)
    {
        const auto* length = std::launder(reinterpret_cast<const Length*>(storage));
        const auto given = std::invoke(*length, row);
        if (given < decltype(given)(0))
            throw system_error(
                errc::invalid_argument,
                "bucketer: length gave " + std::to_string(given) + " for a row"
            );
        return static_cast<std::size_t>(given);
    }

    alignas(void*) std::array<std::byte, storage_size> storage_{};
    std::size_t (*call_)(const std::byte*, const Row&);
};

/// The options of bucketer and padded_bucketer.
/**
 * @tparam Row  the rows.
 */
template <class Row>
struct bucketer_options
{
    /// How long a row is. By default its size, if it is a range.
    row_length<Row> length = {};

    /// Where the buckets begin, in the unit of `length`, in ascending order; at least one.
    /// Bucket 0 has the rows that are shorter than the first of them, bucket i those from
    /// `boundaries[i - 1]` and below `boundaries[i]`, and the last bucket those from the last
    /// boundary. So there is one more bucket than boundaries.
    size_list boundaries = {};

    /// How many rows a batch has: one size for all buckets, or one for each; at least one row.
    size_list batch_sizes = {};

    /// How many workers read, each with a copy of the callable; at least one. A list of callables
    /// has a worker for each, so leave this at 1 there.
    std::size_t workers = 1;

    /// How many batches are stored at most, or `unbounded`. At least the number of workers,
    /// because each keeps a place while it reads. Besides, each bucket has less than a batch.
    queue_capacity capacity = 32;

    /// Whether the rests of the buckets are given at the end of the input, as batches that are
    /// smaller. If not, they stay in the buckets; see take_rests().
    bool allow_smaller_final_batch = true;

    /// The name of the queue and of the runner in reports. It is copied; as in queue_options.
    std::string_view name = "bucketer";
};

}  // namespace sluice

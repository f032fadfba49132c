// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/detail/reading_core.hpp>

#include <sluice/error.hpp>
#include <sluice/input/detail/shuffled_order.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <random>
#include <utility>

namespace sluice::detail {
namespace {

std::uint64_t random_seed()
{
    std::random_device source;
    return (std::uint64_t{source()} << 32U) | source();
}

// In a position 0 says that there is no order. So the seed 0 is another one there.
std::uint64_t not_zero(std::uint64_t seed)
{
    constexpr std::uint64_t instead_of_zero = 0x1'0000'0000;
    return seed == 0 ? instead_of_zero : seed;
}

// Where the reading begins, with its seed.
input_position start_of(const input_producer_options& options)
{
    input_position start = options.start_at.value_or(input_position());
    if (!options.shuffle)
        return start;
    if (options.seed)
        start.seed = not_zero(*options.seed);
    else if (start.seed == 0)
        start.seed = not_zero(random_seed());
    return start;
}

}  // namespace

reading_core::reading_core(const input_producer_options& options)
    : name_(options.name),
      num_epochs_(options.num_epochs),
      shuffles_(options.shuffle),
      start_(start_of(options)),
      epoch_(start_.epoch)
{
    if (options.num_epochs == 0)
        refuse("num_epochs is 0; give at least 1, or leave it out for no limit");
    if (options.capacity == 0)
        refuse("capacity 0 has no place for an element; give at least 1");
    if (options.capacity == unbounded && options.num_epochs == unlimited_epochs)
        refuse("without a limit of epochs it would fill the memory; give a capacity");
    if (options.start_at)
        check_seed(*options.start_at, options.seed.has_value());
}

// The order must be that of the position. One without an order is of a reading that did not
// shuffle. The beginning goes with each order, because a program that has no position yet gives
// one that is empty; and so does that of a later epoch with a seed.
void reading_core::check_seed(const input_position& start_at, bool has_seed) const
{
    if (start_at.seed != 0 && !shuffles_)
        refuse("start_at is of a reading that shuffles; set shuffle");
    if (start_.seed == start_at.seed || start_at == input_position())
        return;
    if (start_at.seed == 0) {
        if (start_at.index != 0)
            refuse(
                "start_at is within an epoch that is not shuffled; leave shuffle out, or "
                "begin at an epoch, with index 0 and a seed"
            );
        if (!has_seed)
            refuse(
                "start_at is of a reading that does not shuffle; leave shuffle out, or "
                "give a seed"
            );
        return;
    }
    refuse(
        "start_at is of a reading with seed " + std::to_string(start_at.seed) + ", not " +
        std::to_string(start_.seed) + "; leave the seed out, or start_at"
    );
}

void reading_core::refuse(const std::string& why) const
{
    throw system_error(errc::invalid_argument, "input_producer '" + name_ + "': " + why);
}

void reading_core::check_list(std::size_t size) const
{
    if (size == 0)
        refuse("the list is empty; give at least one element");
    if (has_begun_ || start_.index == 0)
        return;
    const bool is_the_same = size == start_.list_size;
    if (start_.index > size || (shuffles_ && !is_the_same))
        refuse(
            "start_at is element " + std::to_string(start_.index) + " of a list of " +
            std::to_string(start_.list_size) + ", and this list has " +
            std::to_string(size) + "; begin at an epoch, with index 0"
        );
}

void reading_core::begin_epoch(std::size_t size)
{
    check_list(size);
    std::vector<std::size_t> order;
    if (shuffles_)
        order = shuffled_order(size, start_.seed, epoch_);
    note_epoch(size);
    order_ = std::move(order);
    size_ = size;
    index_ = std::exchange(has_begun_, true) ? 0 : static_cast<std::size_t>(start_.index);
    if (index_ == size_)
        end_epoch();
}

void reading_core::note_epoch(std::size_t size)
{
    const std::lock_guard lock(mutex_);
    if (runs_.empty() || runs_.back().list_size != size)
        runs_.push_back({first_element_, epoch_, size});
}

void reading_core::advance() noexcept
{
    if (++index_ == size_)
        end_epoch();
}

void reading_core::end_epoch() noexcept
{
    ++epoch_;
    first_element_ += size_;
    index_ = 0;
    size_ = 0;
}

input_position reading_core::after_next() const noexcept
{
    return position_in(epoch_, index_ + 1, size_);
}

input_position reading_core::position(std::uint64_t taken) const noexcept
{
    return position_of(start_.index + taken);
}

std::uint64_t reading_core::epoch(std::uint64_t taken) const noexcept
{
    return taken == 0 ? start_.epoch : position_of(start_.index + taken - 1).epoch;
}

input_position reading_core::position_of(std::uint64_t element) const noexcept
{
    const std::lock_guard lock(mutex_);
    if (runs_.empty())
        return start_;
    const auto after = std::ranges::upper_bound(
        runs_,
        element,
        std::ranges::less(),
        &run::first_element
    );
    const run& found = *std::prev(after);  // the first one begins with 0
    const std::uint64_t behind = element - found.first_element;
    return position_in(
        found.first_epoch + behind / found.list_size,
        behind % found.list_size,
        found.list_size
    );
}

input_position reading_core::position_in(
    std::uint64_t epoch,
    std::uint64_t index,
    std::uint64_t list_size
) const noexcept
{
    if (index == 0 || index == list_size)
        return {.epoch = index == 0 ? epoch : epoch + 1, .seed = start_.seed};
    return {epoch, index, list_size, start_.seed};
}

}  // namespace sluice::detail

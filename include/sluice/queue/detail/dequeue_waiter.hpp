// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::detail {

// An operation that takes elements out of a queue, and the place where they go.
template <class T>
class dequeue_waiter : public waiter
{
public:
    static constexpr unsigned char list = 1;

    dequeue_waiter(demand kind, std::size_t wanted, wait_hub* hub = nullptr)
        : waiter(list, hub), kind_(kind), count_(wanted)
    {
        if (kind == demand::one) {
            std::construct_at(&item_);
            return;
        }
        // In place: to write a vector and to move it at once makes some processors wait. If there
        // is no memory it owns nothing, and is not destroyed.
        std::construct_at(&batch_);
        batch_.reserve(std::min(wanted, reserved_at_most));
    }

    // To be called before as many take(), so that a failing allocation costs no element.
    void make_room(std::size_t count)
    {
        if (kind_ == demand::one)
            return;
        const std::size_t needed = batch_.size() + count;
        if (needed > batch_.capacity())
            batch_.reserve(std::max(needed, 2 * batch_.capacity()));
    }

    // Takes one element, for which there is room.
    void take(T&& element) noexcept
    {
        if (kind_ == demand::one)
            item_.emplace(std::move(element));
        else
            batch_.push_back(std::move(element));
    }

    // Gives all elements to `accept(T&&)`, the last first, as putting back in front wants it.
    template <class Accept>
    void give_back(Accept&& accept) noexcept
    {
        if (kind_ == demand::one) {
            if (item_)
                accept(std::move(*item_));
            item_.reset();
            return;
        }
        for (; !batch_.empty(); batch_.pop_back())
            accept(std::move(batch_.back()));
    }

    // A closed queue has only `count` elements for an up_to.
    void lower_to(std::size_t count) noexcept { count_ = count; }

    // For the message of one that now fails for want of elements.
    void note_left(std::size_t count) noexcept { count_ = count; }

    [[nodiscard]] demand kind() const noexcept { return kind_; }

    // How many elements make the operation complete.
    [[nodiscard]] std::size_t wanted() const noexcept { return count_; }

    // How many elements the queue had when this failed for want of them.
    [[nodiscard]] std::size_t left() const noexcept { return count_; }

    [[nodiscard]] std::size_t held() const noexcept
    {
        return kind_ == demand::one ? (item_ ? 1 : 0) : batch_.size();
    }

    [[nodiscard]] std::size_t missing() const noexcept { return count_ - held(); }

    // How many elements must be available for the operation to complete.
    [[nodiscard]] std::size_t least() const noexcept
    {
        if (kind_ == demand::some)
            return held() > 0 ? 0 : 1;
        return missing();
    }

    [[nodiscard]] std::optional<T>& item() noexcept { return item_; }

    [[nodiscard]] std::vector<T>& batch() noexcept { return batch_; }

protected:
    ~dequeue_waiter()
    {
        if (kind_ == demand::one)
            std::destroy_at(&item_);
        else
            std::destroy_at(&batch_);
    }

private:
    // A request may be far larger than what will ever come.
    static constexpr std::size_t reserved_at_most = 4096;

    const demand kind_;
    std::size_t count_;  // wanted; once this has failed, left
    union
    {
        std::optional<T> item_;  // of demand::one
        std::vector<T> batch_;   // of the others
    };
};

}  // namespace sluice::detail

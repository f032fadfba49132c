// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/market.hpp"

#include <sluice/queue_end.hpp>

#include <exception>
#include <stdexcept>

namespace sluice::soak {
namespace {

void close(const any_stall& place, std::size_t way)
{
    std::visit(
        [way](const auto& held) {
            if (way == 0)
                held->queue().close();
            else if (way == 1)
                held->queue().close(close_mode::cancel_pending);
            else
                held->queue().close(std::make_exception_ptr(std::runtime_error("closed"))
                );
        },
        place
    );
}

}  // namespace

market::market(boost::asio::io_context& context, ledger& book, dice chance)
    : context_(context), book_(book)
{
    for (std::size_t place = 0; place < size; ++place)
        places_[place] = make(place, chance);
}

any_stall market::any(dice& chance)
{
    const std::lock_guard lock(mutex_);
    return places_[chance.below(size)];
}

stall_ptr<fifo> market::any_fifo(dice& chance)
{
    const std::lock_guard lock(mutex_);
    return std::get<stall_ptr<fifo>>(places_[chance.below(fifos)]);
}

void market::close_one(dice& chance)
{
    close(any(chance), chance.below(3));
}

void market::replace_one(dice& chance)
{
    const std::size_t place = chance.below(size);
    any_stall old;  // dies after the lock is released
    const std::lock_guard lock(mutex_);
    old = std::exchange(places_[place], make(place, chance));
    if (chance.once_in(2))
        close(old, chance.below(3));
}

void market::close_for_good()
{
    std::vector<std::function<void()>> closers;
    {
        const std::lock_guard lock(mutex_);
        closed_for_good_ = true;
        closers.swap(closers_);
    }
    for (const auto& closer : closers)
        closer();
}

void market::weigh_all()
{
    std::array<any_stall, size> now;  // what dies by that dies after the lock is released
    {
        const std::lock_guard lock(mutex_);
        now = places_;
    }
    for (const any_stall& place : now)
        std::visit([](const auto& held) { held->weigh(); }, place);
}

std::uint64_t market::weighings()
{
    const std::lock_guard lock(mutex_);
    std::uint64_t sum = 0;
    for (const surroundings& around : around_)
        sum += around.weight.comparisons();
    return sum;
}

void market::clear()
{
    std::array<any_stall, size> last;  // dies after the lock is released
    const std::lock_guard lock(mutex_);
    last.swap(places_);
}

any_stall market::make(std::size_t place, dice& chance)
{
    constexpr std::size_t capacities[] = {0, 1, 64, unbounded};
    constexpr std::size_t weight_limits[] = {unbounded, unbounded, 3, 100};
    const std::size_t weight_limit = weight_limits[chance.below(4)];
    // The others would wait too seldom if more of them dropped.
    const bool drops = chance.once_in(5);
    const overflow newest = drops ? overflow::drop_newest : overflow::wait;
    const overflow either = drops && chance.once_in(2) ? overflow::drop_oldest : newest;
    if (place < fifos) {
        const std::size_t capacity = capacities[chance.below(4)];
        return make<fifo_store<element>>(
            {.capacity = capacity,
             .weight_limit = weight_limit,
             .overflow = capacity == 0 ? overflow::wait : either,
             .name = "fifo"}
        );
    }
    const std::size_t capacity = capacities[1 + chance.below(3)];
    if (place == fifos)
        return make<shuffle_store<element>>(
            {.capacity = capacity,
             .min_after_dequeue = capacity == 1 ? 0 : chance.below(8),
             .seed = chance.roll(),
             .weight_limit = weight_limit,
             .overflow = newest,
             .name = "shuffle"}
        );
    if (place == fifos + 1)
        return make<priority_store<element, std::less<>>>(
            {.capacity = capacity,
             .weight_limit = weight_limit,
             .overflow = newest,
             .name = "priority"}
        );
    return make<padding_store<element>>(
        {.capacity = capacity,
         .weight_limit = weight_limit,
         .overflow = either,
         .name = "padding"}
    );
}

template <class Store>
any_stall market::make(const typename Store::options_type& options)
{
    // A rendezvous stores nothing that could weigh.
    const queue_capacity limit = options.capacity == 0 ? queue_capacity(unbounded)
                                                       : options.weight_limit;
    surroundings& around = around_.emplace_back(book_, limit);
    around.shared.may_drop = options.overflow != overflow::wait;
    using queue = weighed_queue<Store>;
    const typename queue::options_type weighed{
        {options},
        limit == unbounded ? nullptr : &around.weight
    };
    auto made = std::make_shared<stall<queue>>(context_, weighed, around);
    if (closed_for_good_)
        made->queue().close(close_mode::cancel_pending);
    else
        closers_.emplace_back([weak = std::weak_ptr(made)] {
            if (const auto held = weak.lock())
                held->queue().close(close_mode::cancel_pending);
        });
    return made;
}

}  // namespace sluice::soak

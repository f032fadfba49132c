// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/orders.hpp"
#include <sluice/queue/select.hpp>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <variant>

namespace sluice::soak {
namespace {

namespace asio = boost::asio;

template <class Queue>
asio::awaitable<void> select_in(
    stall_ptr<fifo> first,
    stall_ptr<Queue> second,
    stall_ptr<fifo> third,
    order what
)
{
    const auto is_third = [&](const auto& other) {
        return static_cast<const void*>(&other->queue()) == &third->queue();
    };
    if (third->queue().capacity() == 0 && (is_third(first) || is_third(second)))
        co_return;  // both sides of a rendezvous, which is refused (S14)
    offer goods = third->make_offer(1);
    auto operation = limited(
        select(
            first->queue().dequeue(),
            second->queue().dequeue_up_to(what.count),  // holds what there is
            third->queue().enqueue(std::move(goods.single()))
        ),
        what
    );
    auto [error, branch, taken] = co_await std::move(operation).as_tuple();
    goods.settle(!error && taken->index() == 2 ? 1 : 0);
    if (!error && taken->index() == 0)
        std::get<0>(*taken).close(ledger::event::delivered);
    if (!error && taken->index() == 1)
        for (element& row : std::get<1>(*taken))
            row.close(ledger::event::delivered);
}

}  // namespace

asio::awaitable<void> select_order(
    stall_ptr<fifo> first,
    any_stall second,
    stall_ptr<fifo> third,
    order what
)
{
    return std::visit(
        [&](auto& held) {
            return select_in(std::move(first), std::move(held), std::move(third), what);
        },
        second
    );
}

asio::awaitable<void> any_order(
    stall_ptr<fifo> first,
    stall_ptr<fifo> second,
    stall_ptr<fifo> third,
    order what
)
{
    const std::array queues{&first->queue(), &second->queue(), &third->queue()};
    auto operation = limited(dequeue_any(queues), what);
    auto [error, branch, taken] = co_await std::move(operation).as_tuple();
    if (!error)
        taken->close(ledger::event::delivered);
}

asio::awaitable<void> race_order(stall_ptr<fifo> first, stall_ptr<fifo> second)
{
    using namespace asio::experimental::awaitable_operators;
    try {
        auto taken = co_await (
            first->queue().async_dequeue(asio::use_awaitable) ||
            second->queue().async_dequeue(asio::use_awaitable)
        );
        std::visit([](auto& item) { item->close(ledger::event::delivered); }, taken);
    } catch (const system_error&) {
        // Both are closed.
    }
}

}  // namespace sluice::soak

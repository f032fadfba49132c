// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/orders.hpp"
#include <sluice/error.hpp>

#include <string>
#include <variant>

namespace sluice::soak {
namespace {

template <class Queue>
void try_in(stall<Queue>& held, const order& what)
{
    Queue& queue = held.queue();
    ledger& book = held.book();
    switch (what.what) {
    case kind::enqueue: {
        offer goods = held.make_offer(1);
        goods.settle(queue.try_enqueue(std::move(goods.single())) ? 1 : 0);
        return;
    }
    case kind::enqueue_many: {
        offer goods = held.make_offer(what.count);
        goods.settle(queue.try_enqueue_many(goods.rows()));
        return;
    }
    case kind::dequeue:
    case kind::next:
        if (auto item = queue.try_dequeue())
            item->close(ledger::event::delivered);
        return;
    default:
        auto batch = queue.try_dequeue_many(what.count);
        if (batch.size() > what.count)
            book.complain("try_dequeue_many gave more than was asked for");
        for (element& row : batch)
            row.close(ledger::event::delivered);
    }
}

}  // namespace

void try_order(const any_stall& where, const order& what)
{
    std::visit([&](const auto& held) { try_in(*held, what); }, where);
}

void receive(
    ledger& book,
    const order& what,
    error_code error,
    std::optional<element> item
)
{
    if (error && item)
        book.complain("a dequeue failed, but has an element");
    if (!error && !item && what.what != kind::next)
        book.complain("a dequeue succeeded without an element");
    if (item)
        item->close(ledger::event::delivered);
}

void receive(
    ledger& book,
    const order& what,
    error_code error,
    std::vector<element> batch
)
{
    const bool may_be_short = what.what != kind::dequeue_many;
    if (error && !batch.empty())
        book.complain("a batch dequeue failed, but has elements");
    if (!error && (batch.size() > what.count || batch.empty()))
        book.complain("a batch has " + std::to_string(batch.size()) + " elements");
    if (!error && !may_be_short && batch.size() != what.count)
        book.complain("dequeue_many gave less than was asked for");
    for (element& row : batch)
        row.close(ledger::event::delivered);
}

}  // namespace sluice::soak

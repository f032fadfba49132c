// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/orders.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <variant>

namespace sluice::soak {
namespace {

namespace asio = boost::asio;

template <class Queue>
void call_in(const strand& on, stall<Queue>& held, const order& what, ticket kept)
{
    Queue& queue = held.queue();
    ledger& book = held.book();
    const auto signal = std::make_shared<asio::cancellation_signal>();
    const auto token = [&](auto handler) {
        return asio::bind_executor(
            on,
            asio::bind_cancellation_slot(signal->slot(), std::move(handler))
        );
    };
    const auto to_receive = [&](auto&& operation) {
        std::move(operation)(
            token([&book, what, kept, signal](error_code error, auto got) {
                receive(book, what, error, std::move(got));
            })
        );
    };
    switch (what.what) {
    case kind::enqueue: {
        element goods = std::move(held.make_offer(1).single());
        const std::uint32_t number = goods.number();
        book.note(number, ledger::event::owned);
        queue.async_enqueue(
            std::move(goods),
            token([&book, number, kept, signal](error_code error) {
                book.note(
                    number,
                    error ? ledger::event::refused : ledger::event::accepted
                );
            })
        );
        break;
    }
    case kind::enqueue_many: {
        const auto goods = std::make_shared<offer>(held.make_offer(what.count));
        limited(queue.enqueue_many(goods->rows()), what)(token(
            [&book, goods, what, kept, signal](error_code error, std::size_t count) {
                goods->settle(count);
                if (!error && count != what.count)
                    book.complain("enqueue_many succeeded in part");
            }
        ));
        break;
    }
    case kind::dequeue:
        to_receive(limited(queue.dequeue(), what));
        break;
    case kind::next:
        to_receive(limited(queue.next(), what));
        break;
    case kind::dequeue_many:
        to_receive(limited(queue.dequeue_many(what.count), what));
        break;
    case kind::dequeue_up_to:
        to_receive(limited(queue.dequeue_up_to(what.count), what));
        break;
    case kind::dequeue_some:
        to_receive(limited(queue.dequeue_some(what.count), what));
        break;
    case kind::linger:
        to_receive(limited(queue.dequeue_up_to(what.count).linger(what.linger), what));
        break;
    }
    if (what.cancelled_after)
        after(on, *what.cancelled_after, [signal, how = what.how] { signal->emit(how); });
}

}  // namespace

void call_order(const strand& on, const any_stall& where, const order& what, ticket kept)
{
    std::visit(
        [&](const auto& held) { call_in(on, *held, what, std::move(kept)); },
        where
    );
}

}  // namespace sluice::soak

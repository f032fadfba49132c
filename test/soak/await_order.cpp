// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/orders.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <memory>
#include <utility>
#include <variant>

namespace sluice::soak {
namespace {

namespace asio = boost::asio;

// An operation without a limit is of another type, and waits in less memory.
template <bool HasLimit, class Operation>
auto as_ordered(Operation&& operation, const order& what)
{
    if constexpr (HasLimit)
        return limited(std::forward<Operation>(operation), what);
    else
        return test::stored(std::forward<Operation>(operation));
}

template <bool HasLimit, class Queue>
asio::awaitable<void> await_in(stall_ptr<Queue> held, order what)
{
    Queue& queue = held->queue();
    ledger& book = held->book();
    offer goods = held->make_offer(offered(what));
    if (what.lets_go) {
        const auto executor = co_await asio::this_coro::executor;
        keep_until_suspended(*executor.template target<strand>(), std::move(held));
    }
    switch (what.what) {
    case kind::enqueue: {
        auto operation =
            as_ordered<HasLimit>(queue.enqueue(std::move(goods.single())), what);
        auto [error] = co_await std::move(operation).as_tuple();
        goods.settle(error ? 0 : 1);
        break;
    }
    case kind::enqueue_many: {
        auto operation = as_ordered<HasLimit>(queue.enqueue_many(goods.rows()), what);
        auto [error, count] = co_await std::move(operation).as_tuple();
        goods.settle(count);
        if (!error && count != what.count)
            book.complain("enqueue_many succeeded in part");
        break;
    }
    case kind::dequeue: {
        auto [error, item] =
            co_await as_ordered<HasLimit>(queue.dequeue(), what).as_tuple();
        receive(book, what, error, std::move(item));
        break;
    }
    case kind::next: {
        auto [error, item] = co_await as_ordered<HasLimit>(queue.next(), what).as_tuple();
        receive(book, what, error, std::move(item));
        break;
    }
    case kind::dequeue_many: {
        auto operation = as_ordered<HasLimit>(queue.dequeue_many(what.count), what);
        auto [error, batch] = co_await std::move(operation).as_tuple();
        receive(book, what, error, std::move(batch));
        break;
    }
    case kind::dequeue_up_to: {
        auto operation = as_ordered<HasLimit>(queue.dequeue_up_to(what.count), what);
        auto [error, batch] = co_await std::move(operation).as_tuple();
        receive(book, what, error, std::move(batch));
        break;
    }
    case kind::dequeue_some: {
        auto operation = as_ordered<HasLimit>(queue.dequeue_some(what.count), what);
        auto [error, batch] = co_await std::move(operation).as_tuple();
        receive(book, what, error, std::move(batch));
        break;
    }
    case kind::linger: {
        auto operation = as_ordered<HasLimit>(
            queue.dequeue_up_to(what.count).linger(what.linger),
            what
        );
        auto [error, batch] = co_await std::move(operation).as_tuple();
        receive(book, what, error, std::move(batch));
        break;
    }
    }
}

}  // namespace

asio::awaitable<void> await_order(any_stall where, order what)
{
    return std::visit(
        [&](auto& held) {
            return what.limit ? await_in<true>(std::move(held), what)
                              : await_in<false>(std::move(held), what);
        },
        where
    );
}

void spawn_order(const strand& on, any_stall where, const order& what, ticket kept)
{
    const auto signal = std::make_shared<asio::cancellation_signal>();
    asio::co_spawn(
        on,
        await_order(std::move(where), what),
        asio::bind_cancellation_slot(
            signal->slot(),
            [kept = std::move(kept), signal](std::exception_ptr) {}
        )
    );
    if (what.cancelled_after)
        after(on, *what.cancelled_after, [signal, how = what.how] { signal->emit(how); });
}

}  // namespace sluice::soak

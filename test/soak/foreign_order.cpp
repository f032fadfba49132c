// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/orders.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <coroutine>
#include <exception>
#include <variant>

namespace sluice::soak {
namespace {

namespace asio = boost::asio;

// A coroutine that Asio knows nothing of. It runs on the strand that is its first argument;
// its frame is destroyed with the object, wherever it is suspended then.
class foreign_errand
{
public:
    class promise_type
    {
    public:
        template <class... Arguments>
        explicit promise_type(const strand& on, const Arguments&...) : strand_(on)
        {
        }

        foreign_errand get_return_object() noexcept
        {
            return foreign_errand(std::coroutine_handle<promise_type>::from_promise(*this)
            );
        }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }

        [[nodiscard]] strand get_executor() const noexcept { return strand_; }
        [[nodiscard]] asio::cancellation_slot get_cancellation_slot() noexcept
        {
            return signal_.slot();
        }
        void cancel(asio::cancellation_type how) { signal_.emit(how); }

    private:
        strand strand_;
        asio::cancellation_signal signal_;
    };

    foreign_errand(foreign_errand&& other) noexcept
        : frame_(std::exchange(other.frame_, nullptr))
    {
    }
    foreign_errand& operator=(foreign_errand&&) = delete;
    ~foreign_errand()
    {
        if (frame_)
            frame_.destroy();
    }

    [[nodiscard]] bool done() const noexcept { return frame_.done(); }

    void cancel(asio::cancellation_type how) { frame_.promise().cancel(how); }

private:
    explicit foreign_errand(std::coroutine_handle<promise_type> frame) noexcept
        : frame_(frame)
    {
    }

    std::coroutine_handle<promise_type> frame_;
};

template <class Queue>
foreign_errand send(strand on, stall_ptr<Queue> held, order what)
{
    Queue& queue = held->queue();
    ledger& book = held->book();
    offer goods = held->make_offer(offered(what));
    if (what.lets_go)
        keep_until_suspended(on, std::move(held));
    switch (what.what) {
    case kind::enqueue: {
        auto operation = limited(queue.enqueue(std::move(goods.single())), what);
        auto [error] = co_await std::move(operation).as_tuple();
        goods.settle(error ? 0 : 1);
        break;
    }
    case kind::enqueue_many: {
        auto operation = limited(queue.enqueue_many(goods.rows()), what);
        auto [error, count] = co_await std::move(operation).as_tuple();
        goods.settle(count);
        break;
    }
    case kind::dequeue:
    case kind::next: {
        auto [error, item] = co_await limited(queue.dequeue(), what).as_tuple();
        receive(book, what, error, std::move(item));
        break;
    }
    case kind::linger: {
        auto operation =
            limited(queue.dequeue_up_to(what.count).linger(what.linger), what);
        auto [error, batch] = co_await std::move(operation).as_tuple();
        receive(book, what, error, std::move(batch));
        break;
    }
    default: {
        auto operation = limited(queue.dequeue_many(what.count), what);
        auto [error, batch] = co_await std::move(operation).as_tuple();
        receive(book, what, error, std::move(batch));
        break;
    }
    }
}

// Looks after a foreign errand on its strand: cancels it, or destroys it, when the time has come,
// and otherwise waits for its end.
void look_after(const strand& on, foreign_errand sent, const order& what, ticket kept)
{
    const unsigned turns = what.cancelled_after.value_or(8);
    after(
        on,
        turns,
        [on, sent = std::move(sent), what, kept = std::move(kept)]() mutable {
            if (sent.done() || what.how == asio::cancellation_type::terminal)
                return;
            sent.cancel(what.how);
            after(on, 2, [sent = std::move(sent), kept = std::move(kept)] {});
        }
    );
}

}  // namespace

void foreign_order(
    const strand& on,
    const any_stall& where,
    const order& what,
    ticket kept
)
{
    std::visit(
        [&](const auto& held) {
            look_after(on, send(on, held, what), what, std::move(kept));
        },
        where
    );
}

}  // namespace sluice::soak

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/round.hpp"

#include "soak/orders.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace sluice::soak {
namespace {

namespace asio = boost::asio;

class round
{
public:
    round(dice chance, std::size_t operations)
        : book_(operations * largest_batch + 1000),
          limit_(operations),
          ends_with_the_context_(chance.once_in(4)),
          market_(*context_, book_, dice(chance.roll()))
    {
        for (std::size_t i = 0; i < actors; ++i)
            asio::co_spawn(
                strand(context_->get_executor()),
                act(dice(chance.roll()), i % 2 == 0),
                asio::detached
            );
    }

    totals run(std::size_t threads)
    {
        run_threads(threads);
        context_.reset();
        market_.clear();
        totals sum = book_.audit();
        sum.weighings = market_.weighings();
        sum.operations = std::min(started_.load(), limit_);
        return sum;
    }

private:
    static constexpr std::size_t actors = 8;
    static constexpr std::size_t tickets = 48;

    // Until the books are full. A patient actor may wait for ever, the others do not, so that
    // there are always some who carry on.
    asio::awaitable<void> act(dice chance, bool patient)
    {
        const auto executor = co_await asio::this_coro::executor;
        const strand on = *executor.target<strand>();
        while (started_.fetch_add(1) < limit_)
            co_await act_once(chance, patient, on);
        if (!over_.exchange(true))
            finish();
    }

    asio::awaitable<void> act_once(dice& chance, bool patient, const strand& on)
    {
        const std::size_t door = chance.below(1000);
        if (door < 5) {
            market_.close_one(chance);
            co_return;
        }
        if (door < 15) {
            market_.replace_one(chance);
            co_return;
        }
        order what = draw(chance);
        if (door < 150) {
            try_order(market_.any(chance), what);
            co_return;
        }
        if (door < 430) {
            if (const ticket kept = take_ticket()) {
                if (door < 230)
                    spawn_order(on, market_.any(chance), what, kept);
                else if (door < 350)
                    call_order(on, market_.any(chance), what, kept);
                else
                    foreign_order(on, market_.any(chance), what, kept);
                co_return;
            }
        }
        if (!patient && !what.limit)
            what.limit = std::chrono::microseconds(chance.below(30));
        if (door < 480)
            co_await select_order(
                fifo_of(chance),
                market_.any(chance),
                fifo_of(chance),
                what
            );
        else if (door < 500)
            co_await any_order(fifo_of(chance), fifo_of(chance), fifo_of(chance), what);
        else if (door < 530 && patient && !ends_with_the_context_)
            // Asio has the element in hands of its own for a moment, and would destroy it
            // with the context.
            co_await race_order(fifo_of(chance), fifo_of(chance));
        else
            co_await await_order(market_.any(chance), what);
    }

    static order draw(dice& chance)
    {
        constexpr asio::cancellation_type ways[] = {
            asio::cancellation_type::terminal,
            asio::cancellation_type::partial,
            asio::cancellation_type::total
        };
        order what{
            .what = static_cast<kind>(chance.below(kinds)),
            .count = 1 + chance.below(chance.once_in(4) ? largest_batch : 3),
            .limit = std::nullopt,
            .linger = std::chrono::microseconds(chance.below(30)),
            .lets_go = chance.once_in(8),
            .cancelled_after = std::nullopt
        };
        if (chance.once_in(4))
            what.limit = std::chrono::microseconds(chance.below(30));
        if (!chance.once_in(3))
            what.cancelled_after = turns_of(chance);
        what.how = ways[chance.below(3)];
        return what;
    }

    static unsigned turns_of(dice& chance)
    {
        return static_cast<unsigned>(chance.below(6));
    }

    stall_ptr<fifo> fifo_of(dice& chance) { return market_.any_fifo(chance); }

    // Null if enough runs on its own already.
    ticket take_ticket()
    {
        if (running_alone_.fetch_add(1) < tickets)
            return ticket(this, [](round* self) { --self->running_alone_; });
        --running_alone_;
        return nullptr;
    }

    void finish()
    {
        if (ends_with_the_context_)
            context_->stop();
        else
            market_.close_for_good();
    }

    // From a thread of its own, at any moment of the others.
    void weigh_often(const std::stop_token& end)
    {
        constexpr std::chrono::microseconds pause(50);
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        while (!never.wait_for(lock, end, pause, [&] { return end.stop_requested(); }))
            market_.weigh_all();
    }

    void run_threads(std::size_t count)
    {
        const std::jthread weigher([this](const std::stop_token& end) {
            weigh_often(end);
        });
        std::vector<std::jthread> threads;
        std::size_t running = count;
        std::mutex mutex;
        std::condition_variable ended;
        for (std::size_t i = 0; i < count; ++i)
            threads.emplace_back([&] {
                context_->run();
                const std::lock_guard lock(mutex);
                --running;
                ended.notify_one();
            });
        std::unique_lock lock(mutex);
        for (std::size_t seen = 0; running > 0; seen = started_)
            if (!ended.wait_for(lock, patience, [&] { return running == 0; }) &&
                started_ == seen)
                give_up();
    }

    // Operations that nothing resolves cannot be unwound either.
    [[noreturn]] void give_up() const
    {
        std::fprintf(
            stderr,
            "sluice_soak: nothing moves any more after %zu operations of this round\n",
            started_.load()
        );
        std::_Exit(1);
    }

    static constexpr std::chrono::seconds patience{60};

    ledger book_;
    std::atomic<std::size_t> started_{0};
    std::atomic<std::size_t> running_alone_{0};
    std::atomic<bool> over_{false};
    const std::size_t limit_;
    const bool ends_with_the_context_;
    std::unique_ptr<asio::io_context> context_ = std::make_unique<asio::io_context>();
    market market_;
};

}  // namespace

totals run_round(std::uint64_t seed, std::size_t operations, std::size_t threads)
{
    return round(dice(seed), operations).run(threads);
}

}  // namespace sluice::soak

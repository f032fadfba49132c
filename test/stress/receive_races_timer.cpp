// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <variant>

// A quarter of a million elements and more races than that: each receive is raced with something
// that ends it, a deadline, a cancellation that is on its way, or a timer on the other side of `||`,
// and tried again if it loses. Another thread sends numbers in order; they must arrive in order,
// none missing and none twice.

namespace receive_races_timer {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;
using boost::asio::use_awaitable;

// Puts an element in as soon as there is room. False if `given_up` says that no receiver is left.
bool push(
    fifo_queue<std::size_t>& q,
    std::size_t element,
    const std::atomic<bool>& given_up
)
{
    while (!q.try_enqueue(element)) {
        if (given_up)
            return false;
        std::this_thread::yield();
    }
    return true;
}

// Sets a flag when it goes, in whatever way.
class flag_on_exit
{
public:
    explicit flag_on_exit(std::atomic<bool>& flag) noexcept : flag_(flag) {}
    flag_on_exit(const flag_on_exit&) = delete;
    flag_on_exit& operator=(const flag_on_exit&) = delete;
    ~flag_on_exit() { flag_ = true; }

private:
    std::atomic<bool>& flag_;
};

struct fixture
{
    using receive = std::function<awaitable<std::optional<std::size_t>>(dice&)>;

    // `receive_or_not` comes back with the element or without.
    void race(std::size_t count, std::size_t delay, receive receive_or_not)
    {
        std::atomic<bool> given_up = false;
        std::jthread producer([&] {
            dice chance(1);
            for (std::size_t number = 0; number < count; ++number) {
                dawdle(chance, delay);
                if (!push(queue, number, given_up))
                    break;
            }
        });
        std::size_t races = 0;
        pool.run([&]() -> awaitable<void> {
            const flag_on_exit guard(given_up);
            dice chance(2);
            for (std::size_t number = 0; number < count; ++races) {
                const auto item = co_await receive_or_not(chance);
                if (item) {
                    require(
                        *item == number,
                        std::to_string(*item) + " came in the place of " +
                            std::to_string(number)
                    );
                    ++number;
                }
            }
        });
        BOOST_TEST(queue.size() == 0U);
        BOOST_TEST(queue.stats().enqueued == count);
        BOOST_TEST_MESSAGE(count << " of " << races << " races won by the receive");
    }

    boost::asio::cancellation_signal signal;  // outlives the last handler of the pool
    io_context_pool pool{1};
    fifo_queue<std::size_t> queue{pool, {.capacity = 1}};
};

}  // namespace receive_races_timer

BOOST_FIXTURE_TEST_SUITE(receive_races_timer, fixture)

BOOST_AUTO_TEST_CASE(receive_within_a_time_that_is_about_due)
{
    race(
        scaled(60'000),
        2000,
        [this](dice& chance) -> awaitable<std::optional<std::size_t>> {
            const std::chrono::microseconds limit(chance.below(12));
            const auto [error, item] = co_await queue.dequeue().within(limit).as_tuple();
            require(
                error.failed() != item.has_value(),
                "an error and an element, or neither"
            );
            require(!error || error == errc::timed_out, "failed with " + error.message());
            co_return item;
        }
    );
}

BOOST_AUTO_TEST_CASE(receive_with_a_cancellation_on_its_way)
{
    race(
        scaled(150'000),
        500,
        [&](dice& chance) -> awaitable<std::optional<std::size_t>> {
            // Half of them take a detour, behind a completion that is on its way: with one
            // thread the others always come before it.
            const bool detour = chance.below(2) == 0;
            boost::asio::post(
                pool.context(),
                [this, own = dice(chance.roll()), detour]() mutable {
                    dawdle(own, 500);
                    if (detour)
                        boost::asio::post(pool.context(), [this] {
                            signal.emit(boost::asio::cancellation_type::total);
                        });
                    else
                        signal.emit(boost::asio::cancellation_type::total);
                }
            );
            const auto [error, item] = co_await queue.async_dequeue(
                boost::asio::bind_cancellation_slot(
                    signal.slot(),
                    boost::asio::as_tuple(use_awaitable)
                )
            );
            require(
                error.failed() != item.has_value(),
                "an error and an element, or neither"
            );
            require(
                !error || error == boost::asio::error::operation_aborted,
                "failed with " + error.message()
            );
            co_return item;
        }
    );
}

BOOST_AUTO_TEST_CASE(receive_or_timer)
{
    using namespace boost::asio::experimental::awaitable_operators;
    boost::asio::steady_timer timer(pool.context());
    race(
        scaled(40'000),
        4000,
        [&](dice& chance) -> awaitable<std::optional<std::size_t>> {
            timer.expires_after(std::chrono::microseconds(chance.below(12)));
            const auto first = co_await (
                queue.async_dequeue(use_awaitable) || timer.async_wait(use_awaitable)
            );
            co_return first.index() == 0 ? std::get<0>(first) : std::nullopt;
        }
    );
}

BOOST_AUTO_TEST_SUITE_END()

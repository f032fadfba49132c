// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/for_each_prefix.hpp"

#include "support/check.hpp"
#include "support/counted.hpp"
#include "support/printing.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

namespace for_each_prefix {

// Notes in which order the two halves of a scenario are destroyed.
struct destruction_log
{
    std::vector<char> entries;
};

struct noted
{
    ~noted() { log.entries.push_back(name); }

    destruction_log& log;
    char name;
};

// Not movable; owns an element, and has a handler in the context that owns another.
struct posting_scenario
{
    posting_scenario(asio::io_context& context, destruction_log& log, int handlers)
        : own{log, 's'}, left{handlers}
    {
        post(context, std::make_unique<noted>(log, 'c'));
    }
    posting_scenario(posting_scenario&&) = delete;

    [[nodiscard]] bool done() const { return left == 0; }

    void post(asio::io_context& context, std::unique_ptr<noted> other)
    {
        asio::post(context, [this, &context, other = std::move(other)]() mutable {
            if (--left != 0)
                post(context, std::move(other));
        });
    }

    noted own;
    int left;
};

}  // namespace for_each_prefix

BOOST_FIXTURE_TEST_SUITE(for_each_prefix, test::counted_fixture)

BOOST_AUTO_TEST_CASE(coroutine_is_abandoned_at_every_suspension)
{
    std::vector<int> reached;
    int checks = 0;

    const auto handlers = test::for_each_prefix(
        [&](asio::io_context& context) -> asio::awaitable<void> {
            reached.push_back(0);
            test::counted element{1};
            for (int i = 0; i != 2; ++i) {
                co_await asio::post(context, asio::use_awaitable);
                ++reached.back();
            }
        },
        [&] {
            ++checks;
            BOOST_TEST(alive() == 0);
        }
    );

    // A frame destroyed before its first handler has not run at all.
    BOOST_TEST(handlers >= 3u);
    BOOST_TEST(checks == 2 * static_cast<int>(handlers + 1));
    BOOST_TEST((reached == std::vector{0, 0, 1, 1, 2, 2}));
}

BOOST_AUTO_TEST_CASE(objects_are_destroyed_in_both_orders)
{
    std::vector<std::vector<char>> orders;
    destruction_log log;

    const auto handlers = test::for_each_prefix(
        [&](asio::io_context& context) { return posting_scenario{context, log, 2}; },
        [&] { orders.push_back(std::exchange(log.entries, {})); }
    );

    BOOST_TEST(handlers == 2u);
    const std::vector<char> context_first{'c', 's'};
    const std::vector<char> scenario_first{'s', 'c'};
    BOOST_TEST(
        (orders ==
         std::vector{
             context_first,
             scenario_first,
             context_first,
             scenario_first,
             context_first,
             context_first
         })
    );
}

BOOST_AUTO_TEST_CASE(object_with_a_coroutine)
{
    struct scenario
    {
        explicit scenario(asio::io_context& context) : timer{context, 1ms} {}

        asio::awaitable<void> run()
        {
            co_await timer.async_wait(asio::use_awaitable);
            element = test::counted{2};
        }

        asio::steady_timer timer;
        test::counted element{1};
    };

    const auto handlers = test::for_each_prefix(
        [](asio::io_context& context) { return scenario{context}; },
        [&] { BOOST_TEST(alive() == 0); },
        {test::abandon::scenario_first}
    );

    BOOST_TEST(handlers >= 2u);
}

// failures

BOOST_AUTO_TEST_CASE(exception_of_the_coroutine_leaves)
{
    const auto make = [](asio::io_context& context) -> asio::awaitable<void> {
        co_await asio::post(context, asio::use_awaitable);
        throw std::runtime_error{"broken"};
    };

    BOOST_CHECK_THROW(test::for_each_prefix(make), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(scenario_without_work_is_stuck)
{
    struct scenario
    {
        [[nodiscard]] bool done() const { return false; }
    };
    test::captured_failures failures;

    test::for_each_prefix([](asio::io_context&) { return scenario{}; });

    BOOST_TEST(failures.count() >= 1u);
    BOOST_TEST(failures.mention("stuck"));
}

BOOST_AUTO_TEST_CASE(leak_is_seen_after_the_prefix_that_leaks)
{
    std::vector<std::unique_ptr<test::counted>> leaked;
    std::vector<long> left;

    test::for_each_prefix(
        [&](asio::io_context& context) -> asio::awaitable<void> {
            co_await asio::post(context, asio::use_awaitable);
            leaked.push_back(std::make_unique<test::counted>(1));
        },
        [&] { left.push_back(alive()); }
    );

    BOOST_TEST(left.front() == 0);
    BOOST_TEST(left.back() != 0);
}

BOOST_AUTO_TEST_SUITE_END()

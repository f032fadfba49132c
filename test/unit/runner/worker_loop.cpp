// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/worker_loop.hpp>

#include "support/io_fixture.hpp"

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;

namespace worker_loop {

struct loop_fixture : test::io_fixture
{
    loop_fixture() { detail::budget::reset(); }
    ~loop_fixture() { detail::budget::reset(); }

    // Runs a loop, which may be stopped, until nothing is ready any more.
    template <class Operation>
    auto repeat(Operation operation)
    {
        loop = std::make_unique<detail::worker_loop_of<Operation>>(std::move(operation));
        auto body = spawn(loop->run(stop.get_token()));
        run();
        return body;
    }

    int calls = 0;
    std::stop_source stop;
    std::unique_ptr<detail::worker_loop> loop;
};

}  // namespace worker_loop

BOOST_FIXTURE_TEST_SUITE(worker_loop, loop_fixture)

BOOST_AUTO_TEST_CASE(only_callables_that_start_a_coroutine_are_repeatable)
{
    struct not_callable
    {
    };
    const auto again = []() -> asio::awaitable<void> { co_return; };
    const auto or_not = [owned = std::make_unique<int>()]() -> asio::awaitable<bool> {
        co_return owned == nullptr;
    };
    const auto number = []() -> asio::awaitable<int> { co_return 1; };
    const auto plain = [] {};
    static_assert(detail::repeatable<decltype(again)>);
    static_assert(detail::repeatable<asio::awaitable<bool> (*)()>);
    static_assert(!detail::repeatable<decltype(or_not)>);  // const, so it cannot be moved
    static_assert(detail::repeatable<std::remove_const_t<decltype(or_not)>>);
    static_assert(!detail::repeatable<decltype(number)>);
    static_assert(!detail::repeatable<decltype(plain)>);
    static_assert(!detail::repeatable<not_callable>);
}

BOOST_AUTO_TEST_CASE(operation_is_repeated_until_it_gives_false)
{
    const auto body = repeat([this]() -> asio::awaitable<bool> {
        ++calls;
        co_return calls < 3;
    });

    BOOST_TEST(body.check_done());
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(operation_is_repeated_until_a_stop_is_requested)
{
    const auto body = repeat([this]() -> asio::awaitable<void> {
        if (++calls == 3)
            stop.request_stop();
        co_return;
    });

    BOOST_TEST(body.check_done());
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(others_get_their_turn_when_the_budget_is_used_up)
{
    int calls_before_the_other = -1;
    const auto body = repeat([&]() -> asio::awaitable<bool> {
        if (++calls == 1)
            asio::post(ctx, [&] { calls_before_the_other = calls; });
        co_return calls < 3 * detail::budget::limit;
    });

    BOOST_TEST(body.check_done());
    BOOST_TEST(calls_before_the_other == detail::budget::limit + 1);
    BOOST_TEST(calls == 3 * detail::budget::limit);
}

BOOST_AUTO_TEST_CASE(an_operation_that_wants_to_know_is_told_of_a_run)
{
    struct told
    {
        int* runs;

        void begin(detail::run_start /*run*/) const noexcept { ++*runs; }
        asio::awaitable<bool> operator()() const { co_return false; }
    };
    repeat([]() -> asio::awaitable<bool> { co_return false; });
    loop->begin(detail::run_start());
    repeat(told{&calls});
    loop->begin(detail::run_start());
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_SUITE_END()

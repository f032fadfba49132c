// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/worker_loop.hpp>

#include "support/io_fixture.hpp"

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stop_token>
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

BOOST_AUTO_TEST_SUITE_END()

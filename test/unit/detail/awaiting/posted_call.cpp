// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/posted_call.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace posted_call {

using call = sluice::detail::posted_call;

struct target
{
    void run_posted() { ++runs; }
    void drop_posted() noexcept { ++drops; }

    int runs = 0;
    int drops = 0;
};

}  // namespace posted_call

BOOST_AUTO_TEST_SUITE(posted_call)

BOOST_AUTO_TEST_CASE(call_runs_its_target_once)
{
    target waiting;
    {
        call posted(&waiting);
        posted();
    }
    BOOST_TEST(waiting.runs == 1);
    BOOST_TEST(waiting.drops == 0);
}

BOOST_AUTO_TEST_CASE(call_that_is_dropped_tells_its_target_once)
{
    target waiting;
    {
        call posted(&waiting);
        const call moved(std::move(posted));
    }
    BOOST_TEST(waiting.runs == 0);
    BOOST_TEST(waiting.drops == 1);
}

BOOST_AUTO_TEST_CASE(executor_may_move_it_and_call_it)
{
    target waiting;
    boost::asio::io_context context;
    boost::asio::post(context, call(&waiting));
    context.run();
    BOOST_TEST(waiting.runs == 1);
    BOOST_TEST(waiting.drops == 0);
}

BOOST_AUTO_TEST_CASE(context_that_dies_drops_it)
{
    target waiting;
    std::optional<boost::asio::io_context> context(std::in_place);
    boost::asio::post(*context, call(&waiting));
    context.reset();
    BOOST_TEST(waiting.runs == 0);
    BOOST_TEST(waiting.drops == 1);
}

BOOST_AUTO_TEST_CASE(call_fits_into_the_memory_of_an_operation)
{
    BOOST_TEST(sizeof(call) <= 2 * sizeof(void*));
    BOOST_TEST(!std::is_copy_constructible_v<call>);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/supervised_executor.hpp>

#include "support/io_fixture.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace detail = sluice::detail;

namespace supervised_executor {

struct supervised_fixture : sluice::test::io_fixture
{
    std::shared_ptr<detail::wait_log> log = std::make_shared<detail::wait_log>();
    detail::supervised_executor executor{
        asio::make_strand(asio::any_io_executor(ctx.get_executor())),
        log
    };
};

}  // namespace supervised_executor

BOOST_FIXTURE_TEST_SUITE(supervised_executor, supervised_fixture)

BOOST_AUTO_TEST_CASE(is_an_executor_of_the_context)
{
    static_assert(asio::execution::is_executor_v<detail::supervised_executor>);
    BOOST_TEST((&asio::query(executor, asio::execution::context) == &ctx));
    bool ran = false;
    asio::post(executor, [&] { ran = true; });
    run();
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(executor_below_all_strands_is_that_of_the_context)
{
    const asio::any_io_executor plain = ctx.get_executor();
    const auto below = [](const auto& given) { return detail::without_strand(given); };
    BOOST_TEST((below(plain) == plain));
    BOOST_TEST((below(ctx.get_executor()) == plain));
    BOOST_TEST((below(executor) == plain));
    BOOST_TEST((below(asio::make_strand(ctx)) == plain));
    BOOST_TEST((below(asio::any_io_executor(executor)) == plain));
    BOOST_TEST((below(asio::any_io_executor(asio::make_strand(ctx))) == plain));
    BOOST_TEST((below(asio::any_io_executor(asio::make_strand(plain))) == plain));
    asio::thread_pool pool(1);
    BOOST_TEST(
        (below(asio::any_io_executor(asio::make_strand(pool))) ==
         asio::any_io_executor(pool.get_executor()))
    );
}

BOOST_AUTO_TEST_CASE(log_survives_properties_and_type_erasure)
{
    BOOST_TEST((executor.log() == log));
    BOOST_TEST((asio::require(executor, asio::execution::blocking.never).log() == log));
    BOOST_TEST(
        (asio::prefer(executor, asio::execution::outstanding_work.tracked).log() == log)
    );
    const asio::any_io_executor erased = executor;
    BOOST_TEST_REQUIRE((erased.target<detail::supervised_executor>() != nullptr));
    BOOST_TEST((erased.target<detail::supervised_executor>()->log() == log));
}

BOOST_AUTO_TEST_CASE(handlers_run_one_after_the_other)
{
    std::string order;
    // a handler posted from inside does not run before the one that posts it has ended
    asio::post(executor, [&] {
        asio::dispatch(ctx, [&] { order += "elsewhere "; });
        asio::post(executor, [&] { order += "second"; });
        order += "first ";
    });
    run();
    BOOST_TEST(order.ends_with("first second"));
}

BOOST_AUTO_TEST_CASE(task_is_ready_from_the_post_until_it_runs)
{
    bool was_ready_inside = true;
    asio::post(executor, [&] {
        asio::dispatch(executor, [&] { was_ready_inside = log->read().is_ready; });
    });
    BOOST_TEST(log->read().is_ready);
    run();
    BOOST_TEST(!was_ready_inside);
    BOOST_TEST(!log->read().is_ready);
}

BOOST_AUTO_TEST_CASE(task_whose_context_dies_is_not_ready_any_more)
{
    auto other = std::make_unique<asio::io_context>();
    asio::post(
        detail::supervised_executor(
            asio::make_strand(asio::any_io_executor(other->get_executor())),
            log
        ),
        [] {}
    );
    BOOST_TEST(log->read().is_ready);
    other.reset();
    BOOST_TEST(!log->read().is_ready);
}

// The log is of the task, and may die with it.
BOOST_AUTO_TEST_CASE(task_may_end_in_what_the_executor_runs)
{
    const std::weak_ptr<detail::wait_log> seen = log;
    asio::post(executor, [owner = std::move(log), this] {
        executor = detail::supervised_executor(
            asio::make_strand(asio::any_io_executor(ctx.get_executor())),
            std::make_shared<detail::wait_log>()
        );
    });
    run();
    BOOST_TEST(seen.expired());
}

BOOST_AUTO_TEST_CASE(equal_if_strand_and_log_are)
{
    const detail::supervised_executor copy = executor;
    BOOST_TEST((copy == executor));
    const detail::supervised_executor other(
        asio::make_strand(asio::any_io_executor(ctx.get_executor())),
        log
    );
    BOOST_TEST((other != executor));
}

BOOST_AUTO_TEST_SUITE_END()

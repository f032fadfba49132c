// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/supervised_executor.hpp>

#include "support/io_fixture.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace detail = sluice::detail;

namespace supervised_executor {

struct supervised_fixture : sluice::test::io_fixture
{
    detail::supervised_executor executor = make(ctx.get_executor());
    detail::wait_log& log = executor.log();

    static detail::supervised_executor make(const asio::any_io_executor& below)
    {
        return detail::supervised_executor(detail::task_strand::make(below));
    }
};

}  // namespace supervised_executor

BOOST_FIXTURE_TEST_SUITE(supervised_executor, supervised_fixture)

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
    const auto is_that_of = [&](const asio::any_io_executor& erased) {
        const auto* const found = erased.target<detail::supervised_executor>();
        return found != nullptr && &found->log() == &log;
    };
    const asio::any_io_executor erased = executor;
    BOOST_TEST(is_that_of(erased));
    BOOST_TEST(is_that_of(asio::require(erased, asio::execution::blocking.never)));
    BOOST_TEST(is_that_of(asio::prefer(erased, asio::execution::outstanding_work.tracked))
    );
}

// The log is of the task, and may die with it.
BOOST_AUTO_TEST_CASE(task_may_end_in_what_the_executor_runs)
{
    const auto alive = std::make_shared<int>();
    auto task = std::make_unique<detail::supervised_executor>(make(ctx.get_executor()));
    const detail::supervised_executor& on = *task;
    asio::post(on, [owner = std::move(task), alive]() mutable { owner.reset(); });
    run();
    BOOST_TEST(alive.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(query_gives_the_properties_that_were_required)
{
    using asio::execution::blocking;
    using asio::execution::outstanding_work;
    const auto never = asio::require(executor, blocking.never);
    const auto work = asio::prefer(never, outstanding_work.tracked);
    BOOST_TEST((asio::query(executor, blocking) == blocking.possibly));
    BOOST_TEST((asio::query(never, blocking) == blocking.never));
    BOOST_TEST((asio::query(never, outstanding_work) == outstanding_work.untracked));
    BOOST_TEST((asio::query(work, outstanding_work) == outstanding_work.tracked));
    const auto back = asio::require(work, blocking.possibly);
    BOOST_TEST((asio::query(back, blocking) == blocking.possibly));
    BOOST_TEST((asio::query(back, outstanding_work) == outstanding_work.tracked));
    const auto idle = asio::prefer(work, outstanding_work.untracked);
    BOOST_TEST((asio::query(idle, outstanding_work) == outstanding_work.untracked));
    BOOST_TEST((asio::query(idle, blocking) == blocking.never));
}

BOOST_AUTO_TEST_CASE(context_stays_busy_until_the_last_that_counts_as_work_goes)
{
    const auto is_busy = [this] {
        ctx.restart();
        ctx.poll();
        return !ctx.stopped();
    };
    using asio::execution::outstanding_work;
    BOOST_TEST(!is_busy());
    std::optional<detail::supervised_executor> first =
        asio::prefer(executor, outstanding_work.tracked);
    BOOST_TEST(is_busy());
    std::optional<detail::supervised_executor> second = first;
    std::optional<detail::supervised_executor> third = std::move(*first);
    first.reset();
    BOOST_TEST(is_busy());
    *second = executor;  // an assignment lets go, too
    BOOST_TEST(is_busy());
    third.reset();
    BOOST_TEST(!is_busy());
    third = asio::prefer(executor, outstanding_work.tracked);
    BOOST_TEST(is_busy());
}

BOOST_AUTO_TEST_SUITE_END()

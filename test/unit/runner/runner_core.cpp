// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/runner_core.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>

namespace test = sluice::test;

namespace runner_core {

const auto broken = std::make_exception_ptr(std::runtime_error("broken"));
const auto other = std::make_exception_ptr(std::runtime_error("other"));

struct core_fixture
{
    sluice::detail::runner_core core;
};

}  // namespace runner_core

BOOST_FIXTURE_TEST_SUITE(runner_core, core_fixture)

BOOST_AUTO_TEST_CASE(idle_core_has_no_workers_and_no_exceptions)
{
    BOOST_TEST(core.running() == 0u);
    BOOST_TEST(core.exceptions().empty());
}

BOOST_AUTO_TEST_CASE(second_begin_is_refused_until_the_last_worker_has_ended)
{
    BOOST_TEST(core.begin(2));
    BOOST_TEST(!core.begin(3));
    BOOST_TEST(core.running() == 2u);

    (void)core.worker_ended(nullptr);
    BOOST_TEST(!core.begin(3));
    (void)core.worker_ended(nullptr);

    BOOST_TEST(core.begin(3));
    BOOST_TEST(core.running() == 3u);
}

BOOST_AUTO_TEST_CASE(r1_only_the_last_worker_is_told_so)
{
    BOOST_TEST(core.begin(3));

    BOOST_TEST(!core.worker_ended(nullptr).last);
    BOOST_TEST(!core.worker_ended(nullptr).last);
    BOOST_TEST(core.worker_ended(nullptr).last);
}

BOOST_AUTO_TEST_CASE(cause_is_the_first_failure_of_the_run)
{
    BOOST_TEST(core.begin(4));

    BOOST_TEST((core.worker_ended(nullptr).cause == nullptr));
    (void)core.worker_ended(broken);
    (void)core.worker_ended(other);
    const auto last = core.worker_ended(nullptr);

    BOOST_TEST(last.last);
    BOOST_TEST((last.cause == broken));
    BOOST_REQUIRE(core.exceptions().size() == 2u);
    BOOST_TEST((core.exceptions()[0] == broken));
    BOOST_TEST((core.exceptions()[1] == other));
}

BOOST_AUTO_TEST_CASE(r2_run_begins_with_an_empty_list)
{
    BOOST_TEST(core.begin(1));
    (void)core.worker_ended(broken);
    BOOST_TEST(core.exceptions().size() == 1u);

    BOOST_TEST(core.begin(1));

    BOOST_TEST(core.exceptions().empty());
    BOOST_TEST((core.worker_ended(nullptr).cause == nullptr));
}

BOOST_AUTO_TEST_CASE(refused_begin_keeps_the_list)
{
    BOOST_TEST(core.begin(2));
    (void)core.worker_ended(broken);

    BOOST_TEST(!core.begin(1));

    BOOST_TEST(core.exceptions().size() == 1u);
}

BOOST_AUTO_TEST_CASE(r1_one_of_many_threads_is_the_last)
{
    constexpr std::size_t workers = 8;
    for (int round = 0; round != 50; ++round) {
        std::atomic<int> last{0};
        BOOST_TEST(core.begin(workers));

        test::run_threads(workers, [&](std::size_t index) {
            last += core.worker_ended(index % 2 == 0 ? broken : nullptr).last ? 1 : 0;
        });

        BOOST_TEST(last == 1);
        BOOST_TEST(core.exceptions().size() == workers / 2);
    }
}

BOOST_AUTO_TEST_CASE(r1_one_of_many_threads_begins)
{
    std::atomic<int> begun{0};

    test::run_threads(8, [&] { begun += core.begin(1) ? 1 : 0; });

    BOOST_TEST(begun == 1);
    BOOST_TEST(core.running() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S32

#include <sluice/queue/feeder.hpp>

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace feeder {

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;

struct feeder_fixture : test::io_fixture
{
    sluice::fifo_queue<int> queue{ctx, {.capacity = 1, .name = "numbers"}};
};

struct job
{
    std::shared_ptr<int> alive = nullptr;
    sluice::feeder feeding;
};

asio::awaitable<void> enqueue(sluice::fifo_queue<job>& jobs, const job& copied)
{
    co_await jobs.enqueue(copied);
}

}  // namespace feeder

BOOST_FIXTURE_TEST_SUITE(feeder, feeder_fixture)

BOOST_AUTO_TEST_CASE(last_feeder_to_go_closes_the_queue)
{
    std::optional<sluice::feeder> first(std::in_place, queue);
    std::optional<sluice::feeder> second(std::in_place, queue);
    first.reset();
    BOOST_TEST(!queue.is_closed());
    second.reset();
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(copy_counts_and_move_does_not)
{
    sluice::feeder original{queue};
    sluice::feeder copy = original;
    const sluice::feeder moved = std::move(copy);
    BOOST_TEST(!copy);
    BOOST_TEST(static_cast<bool>(moved));
    original.end();
    BOOST_TEST(!original);
    BOOST_TEST(!queue.is_closed());
    original = moved;
    BOOST_TEST(static_cast<bool>(original));
    original = sluice::feeder();
    BOOST_TEST(!queue.is_closed());
}

BOOST_AUTO_TEST_CASE(failure_closes_at_once_and_is_what_consumers_get)
{
    const sluice::feeder other{queue};
    sluice::feeder feeding{queue};
    BOOST_TEST(queue.try_enqueue(1));
    auto waiting = queue.async_enqueue(2, test::record);
    feeding.fail(std::make_exception_ptr(sluice::system_error(errc::element_failed)));
    BOOST_TEST(!feeding);
    auto one = queue.async_next(test::record);
    auto end = queue.async_next(test::record);
    run();
    waiting.check_error(errc::queue_closed);
    one.check_success();
    end.check_error(errc::element_failed);
}

BOOST_AUTO_TEST_CASE(queue_may_be_destroyed_before_its_feeders)
{
    std::optional<sluice::fifo_queue<int>> short_lived(
        std::in_place,
        ctx,
        sluice::queue_options{.capacity = sluice::unbounded}
    );
    sluice::feeder feeding{*short_lived};
    short_lived.reset();
    feeding.fail(std::make_exception_ptr(std::runtime_error("late")));
    BOOST_TEST(!feeding);
}

// Work that makes work: an element is a job, and the queue ends with the last of them.
BOOST_AUTO_TEST_CASE(elements_that_feed_their_queue_close_it_when_the_last_is_gone)
{
    sluice::fifo_queue<job> jobs{ctx, {.capacity = 2}};
    BOOST_TEST(jobs.try_enqueue(job{.feeding = sluice::feeder{jobs}}));
    {
        const job first = jobs.try_dequeue().value();
        BOOST_TEST(jobs.try_enqueue(job{.feeding = first.feeding}));
    }
    BOOST_TEST(!jobs.is_closed());
    (void)jobs.try_dequeue();
    BOOST_TEST(jobs.is_closed());
}

BOOST_AUTO_TEST_CASE(elements_that_feed_their_queue_can_be_copied_into_it)
{
    sluice::fifo_queue<job> jobs{ctx, {.capacity = 4}};
    {
        const job first{.feeding = sluice::feeder(jobs)};
        run_until_done(spawn([&]() { return enqueue(jobs, first); }));
        BOOST_TEST(jobs.try_enqueue(first));
    }
    jobs.clear();
    BOOST_TEST(jobs.is_closed());
}

BOOST_AUTO_TEST_CASE(elements_that_feed_their_queue_die_with_it)
{
    std::optional<sluice::fifo_queue<job>> jobs(
        std::in_place,
        ctx,
        sluice::queue_options{.capacity = 2}
    );
    const auto alive = std::make_shared<int>();
    BOOST_TEST(jobs->try_enqueue(job{alive, sluice::feeder{*jobs}}));
    BOOST_TEST(jobs->try_enqueue(job{alive, sluice::feeder{*jobs}}));
    BOOST_TEST(alive.use_count() == 3);
    jobs.reset();
    BOOST_TEST(alive.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

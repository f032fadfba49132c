// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S20

#include <sluice/runner/queue_runner_collection.hpp>

#include "support/io_fixture.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;

namespace queue_runner_collection {

struct collection_fixture : test::io_fixture
{
    ~collection_fixture()
    {
        coord.request_stop();
        run();
    }

    std::shared_ptr<sluice::queue_runner> make_runner(std::size_t workers = 1)
    {
        return std::make_shared<sluice::queue_runner>(
            queue,
            [this]() -> asio::awaitable<void> {
                ++calls;
                co_await queue.enqueue(1);
            },
            workers
        );
    }

    int calls = 0;
    sluice::fifo_queue<int> queue{ctx, {.capacity = 3}};
    sluice::coordinator coord{ctx};
};

}  // namespace queue_runner_collection

BOOST_FIXTURE_TEST_SUITE(queue_runner_collection, collection_fixture)

BOOST_AUTO_TEST_CASE(all_runners_that_were_added_are_started)
{
    const auto first = make_runner(2);
    const auto second = make_runner();
    sluice::add_queue_runner(ctx, first);
    sluice::add_queue_runner(ctx, second);
    BOOST_TEST(!first->is_running());

    BOOST_TEST(sluice::start_queue_runners(ctx, coord) == 2u);
    run();

    BOOST_TEST(first->is_running());
    BOOST_TEST(second->is_running());
    BOOST_TEST(coord.tasks().size() == 3u);
    BOOST_TEST(queue.size() == 3u);
}

BOOST_AUTO_TEST_CASE(runner_whose_queue_is_closed_is_left_out)
{
    sluice::fifo_queue<int> ended{ctx, {.capacity = 1}};
    ended.close();
    const auto first = std::make_shared<sluice::queue_runner>(
        ended,
        []() -> asio::awaitable<void> { co_return; }
    );
    const auto second = make_runner();
    sluice::add_queue_runner(ctx, first);
    sluice::add_queue_runner(ctx, second);
    BOOST_TEST(sluice::start_queue_runners(ctx, coord) == 1u);
    BOOST_TEST(!first->is_running());
    BOOST_TEST(second->is_running());
}

BOOST_AUTO_TEST_CASE(s20_pool_and_its_context_share_a_collection)
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> numbers{pool, {.capacity = sluice::unbounded}};
    auto runner =
        std::make_shared<sluice::queue_runner>(numbers, []() -> asio::awaitable<void> {
            throw sluice::system_error(errc::end_of_queue);
            co_return;
        });
    sluice::coordinator scope{pool};

    sluice::add_queue_runner(pool, runner);

    BOOST_TEST(sluice::start_queue_runners(pool.context(), scope) == 1u);
    pool.run(scope.join()(asio::use_awaitable));
    BOOST_TEST(numbers.is_closed());
}

BOOST_AUTO_TEST_CASE(runner_is_kept_until_its_context_is_destroyed)
{
    auto context = std::make_unique<asio::io_context>();
    auto runner = make_runner();
    const std::weak_ptr<sluice::queue_runner> life = runner;
    sluice::add_queue_runner(*context, std::move(runner));
    BOOST_TEST(!life.expired());

    context.reset();

    BOOST_TEST(life.expired());
}

BOOST_AUTO_TEST_SUITE_END()

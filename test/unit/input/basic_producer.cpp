// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/basic_producer.hpp>

#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/queue_runner_collection.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace basic_producer {

namespace asio = boost::asio;

using int_queue = sluice::fifo_queue<int>;

// 0, 1, 2 ... below a limit.
class counting : public sluice::basic_producer<int_queue>
{
public:
    counting(asio::io_context& context, int limit, std::size_t capacity = 2)
        : basic_producer(
              context,
              {.capacity = capacity, .name = "numbers"},
              [limit](const std::shared_ptr<int_queue>& numbers) {
                  std::vector<sluice::queue_runner::operation> operations;
                  operations.emplace_back(
                      [numbers, limit, i = 0]() mutable -> asio::awaitable<bool> {
                          if (i == limit)
                              co_return false;
                          co_await numbers->enqueue(i);
                          ++i;
                          co_return true;
                      }
                  );
                  return operations;
              }
          )
    {
    }
};

asio::awaitable<std::vector<int>> all_of(counting& numbers)
{
    std::vector<int> taken;
    for (;;) {
        const std::optional<int> number = co_await numbers.next();
        if (!number)
            co_return taken;
        taken.push_back(*number);
    }
}

std::vector<int> drained(asio::io_context& context, counting& numbers)
{
    auto taken = asio::co_spawn(context, all_of(numbers), asio::use_future);
    context.run();
    return taken.get();
}

const std::vector<int> five{0, 1, 2, 3, 4};

}  // namespace basic_producer

BOOST_AUTO_TEST_SUITE(basic_producer)

BOOST_AUTO_TEST_CASE(feeds_its_queue_and_closes_it)
{
    asio::io_context context;
    counting numbers(context, 5);
    BOOST_TEST(numbers.start(context));
    BOOST_TEST(!numbers.start(context));
    BOOST_TEST(drained(context, numbers) == five);
    BOOST_TEST(numbers.queue().is_closed());
    BOOST_TEST(!numbers.runner()->is_running());
}

BOOST_AUTO_TEST_CASE(starts_with_a_coordinator_and_on_an_executor)
{
    asio::io_context context;
    sluice::coordinator scope(context);
    counting supervised(context, 5);
    BOOST_TEST(supervised.start(scope));
    BOOST_TEST(drained(context, supervised) == five);

    context.restart();
    counting alone(context, 5);
    BOOST_TEST(alone.start(context.get_executor()));
    BOOST_TEST(drained(context, alone) == five);
}

BOOST_AUTO_TEST_CASE(is_started_with_the_runners_of_its_context)
{
    asio::io_context context;
    sluice::coordinator scope(context);
    counting numbers(context, 5);
    sluice::add_queue_runner(context, numbers.runner());
    BOOST_TEST(sluice::start_queue_runners(context, scope) == 1U);
    BOOST_TEST(drained(context, numbers) == five);
}

BOOST_AUTO_TEST_CASE(queue_and_runner_have_its_name)
{
    asio::io_context context;
    const counting numbers(context, 5);
    BOOST_TEST(numbers.name() == "numbers");
    BOOST_TEST(numbers.runner()->name() == "numbers");
    BOOST_TEST((numbers.get_executor() == context.get_executor()));
}

BOOST_AUTO_TEST_CASE(workers_outlive_it_and_end)
{
    asio::io_context context;
    auto numbers = std::make_unique<counting>(context, 1000);
    const std::shared_ptr<sluice::queue_runner> runner = numbers->runner();
    numbers->start(context);
    context.poll();
    BOOST_TEST(numbers->queue().size() == 2U);
    BOOST_TEST(runner->is_running());
    numbers.reset();
    context.run();
    BOOST_TEST(!runner->is_running());
    BOOST_TEST(runner->exceptions_raised().empty());
}

BOOST_AUTO_TEST_CASE(its_context_may_keep_the_runner_to_its_own_end)
{
    auto context = std::make_unique<asio::io_context>();
    {
        counting numbers(*context, 1000);
        sluice::add_queue_runner(*context, numbers.runner());
        numbers.start(*context);
        context->poll();
        BOOST_TEST(numbers.runner()->is_running());
    }
    BOOST_CHECK_NO_THROW(context.reset());
}

BOOST_AUTO_TEST_SUITE_END()

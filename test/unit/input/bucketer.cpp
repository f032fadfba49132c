// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D16

#include <sluice/input/bucketer.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bucketer {

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;

using int_bucketer = sluice::bucketer<int>;
using batch = sluice::bucketed_batch<int>;
using source = sluice::fifo_queue<int>;
using buckets_options = sluice::bucketer_options<int>;

int itself(const int& number)
{
    return number;
}

// Bucket 0 has numbers below 10, bucket 1 the others.
constexpr int border = 10;

auto read_from(source& numbers)
{
    return [&numbers]() -> asio::awaitable<int> {
        const int number = co_await numbers.dequeue();
        co_return number;
    };
}

struct sources : test::io_fixture
{
    source numbers{ctx, {.capacity = 100, .name = "numbers"}};

    void feed(const std::vector<int>& what)
    {
        for (const int number : what)
            BOOST_TEST_REQUIRE(numbers.try_enqueue(number));
    }

    std::vector<batch> all_of(int_bucketer& from)
    {
        const auto take_all = [](int_bucketer& buckets
                              ) -> asio::awaitable<std::vector<batch>> {
            std::vector<batch> taken;
            for (;;) {
                std::optional<batch> next = co_await buckets.next();
                if (!next)
                    co_return taken;
                taken.push_back(std::move(*next));
            }
        };
        return run_until_done(take_all(from));
    }

    std::vector<batch> all_until_the_stop(int_bucketer& from)
    {
        const auto take_all = [](int_bucketer& buckets
                              ) -> asio::awaitable<std::vector<batch>> {
            std::vector<batch> taken;
            for (;;) {
                auto [error, next] = co_await buckets.next().as_tuple();
                if (!next) {
                    BOOST_TEST(error == errc::stop_requested);
                    co_return taken;
                }
                taken.push_back(std::move(*next));
            }
        };
        return run_until_done(take_all(from));
    }
};

// "0: 1 2; 1: 11" is a batch of bucket 0 and one of bucket 1.
std::string text(const std::vector<batch>& batches)
{
    std::string all;
    for (const batch& one : batches) {
        all += (all.empty() ? "" : "; ") + std::to_string(one.bucket) + ":";
        for (const int number : one.batch)
            all += " " + std::to_string(number);
    }
    return all;
}

template <class Make>
void check_refused(Make&& make, const std::string& why)
{
    try {
        make();
        BOOST_ERROR("was not refused");
    } catch (const sluice::system_error& e) {
        BOOST_TEST((e.code() == errc::invalid_argument));
        BOOST_TEST_INFO(e.what());
        BOOST_TEST(std::string(e.what()).find(why) != std::string::npos);
    }
}

}  // namespace bucketer

BOOST_FIXTURE_TEST_SUITE(bucketer, sources)

BOOST_AUTO_TEST_CASE(gives_full_batches_and_the_rests_at_the_end)
{
    int_bucketer buckets(
        ctx,
        read_from(numbers),
        {.length = itself, .boundaries = border, .batch_sizes = {2, 3}, .name = "rows"}
    );
    BOOST_TEST(buckets.name() == "rows");
    buckets.start(ctx);
    feed({11, 1, 12, 2, 3, 13, 14});
    run();
    BOOST_TEST(buckets.queue().size() == 2U);
    numbers.close();
    BOOST_TEST(text(all_of(buckets)) == "0: 1 2; 1: 11 12 13; 0: 3; 1: 14");
    BOOST_TEST(buckets.take_rests().empty());
}

BOOST_AUTO_TEST_CASE(rests_stay_in_the_buckets_if_batches_may_not_be_smaller)
{
    int_bucketer buckets(
        ctx,
        read_from(numbers),
        {.length = itself,
         .boundaries = border,
         .batch_sizes = 2,
         .allow_smaller_final_batch = false}
    );
    buckets.start(ctx);
    feed({1, 2, 11, 3});
    numbers.close();
    BOOST_TEST(text(all_of(buckets)) == "0: 1 2");
    BOOST_TEST(text(buckets.take_rests()) == "0: 3; 1: 11");
    BOOST_TEST(buckets.take_rests().empty());
}

// The output has one place; the rests need three.
BOOST_AUTO_TEST_CASE(rests_wait_for_places_one_by_one)
{
    int_bucketer buckets(
        ctx,
        read_from(numbers),
        {.length = itself, .boundaries = {5, border}, .batch_sizes = 9, .capacity = 1}
    );
    buckets.start(ctx);
    feed({1, 6, 11});
    numbers.close();
    run();
    BOOST_TEST(buckets.queue().size() == 1U);
    BOOST_TEST(!buckets.queue().is_closed());
    BOOST_TEST(text(all_of(buckets)) == "0: 1; 1: 6; 2: 11");
}

BOOST_AUTO_TEST_CASE(the_last_of_several_workers_gives_the_rests)
{
    source others(ctx, {.capacity = 9});
    int_bucketer buckets(
        ctx,
        {read_from(numbers), read_from(others)},
        {.length = itself, .boundaries = border, .batch_sizes = 9}
    );
    buckets.start(ctx);
    feed({1});
    numbers.close();
    run();
    BOOST_TEST(buckets.queue().size() == 0U);
    BOOST_TEST(others.try_enqueue(2));
    others.close();
    BOOST_TEST(text(all_of(buckets)) == "0: 1 2");
}

BOOST_AUTO_TEST_CASE(takes_several_rows_of_one_read_and_leaves_rows_out)
{
    const auto read_many = [&]() -> asio::awaitable<std::vector<int>> {
        const int number = co_await numbers.dequeue();
        co_return std::vector<int>(static_cast<std::size_t>(number), number);
    };
    const auto read_even = [&]() -> asio::awaitable<std::optional<int>> {
        const int number = co_await numbers.dequeue();
        co_return number % 2 == 0 ? std::optional(number) : std::nullopt;
    };
    const buckets_options two{.length = itself, .boundaries = border, .batch_sizes = 2};
    int_bucketer many(ctx, read_many, two);
    many.start(ctx);
    feed({5, 0, 1});
    numbers.close();
    BOOST_TEST(text(all_of(many)) == "0: 5 5; 0: 5 5; 0: 5 1");

    source again(ctx, {.capacity = 9});
    numbers = std::move(again);
    int_bucketer even(ctx, read_even, two);
    even.start(ctx);
    feed({1, 2, 3, 4, 6});
    numbers.close();
    BOOST_TEST(text(all_of(even)) == "0: 2 4; 0: 6");
}

SLUICE_CO_TEST(rows_may_be_move_only)
{
    const auto read = [i = 0]() mutable -> asio::awaitable<std::unique_ptr<int>> {
        if (i == 3)
            throw sluice::system_error(errc::end_of_queue);
        co_return std::make_unique<int>(i++);
    };
    sluice::bucketer<std::unique_ptr<int>> buckets(
        ctx,
        read,
        {.length = [](const std::unique_ptr<int>& number) { return *number; },
         .boundaries = 2,
         .batch_sizes = 2}
    );
    buckets.start(ctx);
    const auto smaller = co_await buckets.next();
    BOOST_TEST(smaller->batch.size() == 2U);
    const auto larger = co_await buckets.next();
    BOOST_TEST(larger->bucket == 1U);
    BOOST_TEST(*larger->batch.at(0) == 2);
}

SLUICE_CO_TEST(rows_are_padded_within_their_batch)
{
    const auto read = [i = 0]() mutable -> asio::awaitable<std::string> {
        if (i == 4)
            throw sluice::system_error(errc::end_of_queue);
        std::string row(static_cast<std::size_t>(i++), 'x');
        co_return row;
    };
    // the length of a string is its size
    sluice::padded_bucketer<std::string> buckets(
        ctx,
        read,
        {.boundaries = 2, .batch_sizes = 2}
    );
    buckets.start(ctx);
    const auto shorter = co_await buckets.next();
    BOOST_TEST(shorter->batch.lengths() == (std::vector<std::size_t>{0, 1}));
    BOOST_TEST(shorter->batch.at(0).size() == 1U);
    const auto longer = co_await buckets.next();
    BOOST_TEST(longer->bucket == 1U);
    BOOST_TEST(longer->batch.at(0).size() == 3U);
    const auto end = co_await buckets.next();
    BOOST_TEST(!end.has_value());
}

// A worker has a place before it reads, so the batch that it completes at the stop finds room.
BOOST_AUTO_TEST_CASE(a_stop_loses_no_row)
{
    sluice::coordinator scope(ctx);
    int_bucketer buckets(
        ctx,
        read_from(numbers),
        {.length = itself, .boundaries = border, .batch_sizes = 2, .capacity = 1}
    );
    buckets.start(scope);
    feed({11, 1, 2, 3});
    run();
    BOOST_TEST(buckets.queue().size() == 1U);
    BOOST_TEST(numbers.size() == 1U);
    scope.request_stop();
    run();
    BOOST_TEST(!buckets.runner()->is_running());
    BOOST_TEST(text(all_until_the_stop(buckets)) == "0: 1 2");
    BOOST_TEST(text(buckets.take_rests()) == "1: 11");
    BOOST_TEST(numbers.size() == 1U);
    run_until_done(scope.join());
}

BOOST_AUTO_TEST_CASE(consumers_are_told_of_a_stop_while_a_worker_reads)
{
    sluice::coordinator scope(ctx);
    int_bucketer buckets(
        ctx,
        read_from(numbers),
        {.length = itself, .boundaries = border, .batch_sizes = 2}
    );
    buckets.start(scope);
    feed({1});
    run();
    BOOST_TEST(buckets.queue().stats().places == 1U);
    scope.request_stop();
    BOOST_TEST(text(all_until_the_stop(buckets)) == "");
    BOOST_TEST(buckets.queue().stats().places == 0U);
    BOOST_TEST(text(buckets.take_rests()) == "0: 1");
    run_until_done(scope.join());
}

BOOST_AUTO_TEST_CASE(a_worker_notices_that_its_queue_was_closed)
{
    int read = 0;
    std::function<void()> close_now;
    const auto count = [&]() -> asio::awaitable<int> {
        if (++read == 3)
            close_now();
        co_return read;
    };
    int_bucketer buckets(
        ctx,
        count,
        {.length = itself, .boundaries = 1000, .batch_sizes = 500}
    );
    close_now = [&] { buckets.queue().close(); };
    buckets.start(ctx);
    BOOST_TEST(text(all_of(buckets)) == "");
    BOOST_TEST(read == 3);
    BOOST_TEST(text(buckets.take_rests()) == "0: 1 2 3");
}

BOOST_AUTO_TEST_CASE(after_a_failure_the_rests_stay_in_the_buckets)
{
    const auto fail = []() -> asio::awaitable<int> {
        throw std::runtime_error("broken");
        co_return 0;
    };
    int_bucketer buckets(
        ctx,
        {fail, read_from(numbers)},
        {.length = itself, .boundaries = border, .batch_sizes = 2}
    );
    buckets.start(ctx);
    feed({1, 2, 3});
    numbers.close();
    run();
    BOOST_TEST(buckets.queue().size() == 1U);
    BOOST_CHECK_THROW(all_of(buckets), std::runtime_error);
    BOOST_TEST(text(buckets.take_rests()) == "0: 3");
}

BOOST_AUTO_TEST_CASE(a_second_run_goes_on_with_the_same_buckets)
{
    int_bucketer buckets(
        ctx,
        read_from(numbers),
        {.length = itself, .boundaries = border, .batch_sizes = 2}
    );
    sluice::feeder open(buckets.queue());
    buckets.start(ctx);
    feed({1, 2, 3});
    numbers.close();
    run();
    numbers = source(ctx, {.capacity = 9});
    buckets.start(ctx);
    feed({4, 5});
    numbers.close();
    run();
    open.end();
    BOOST_TEST(text(all_of(buckets)) == "0: 1 2; 0: 3; 0: 4 5");
}

BOOST_AUTO_TEST_CASE(may_be_destroyed_while_a_worker_reads)
{
    auto buckets = std::make_unique<int_bucketer>(
        ctx,
        read_from(numbers),
        buckets_options{.length = itself, .boundaries = border, .batch_sizes = 2}
    );
    const auto runner = buckets->runner();
    buckets->start(ctx);
    feed({1});
    run();
    buckets.reset();
    feed({2});
    run();
    BOOST_TEST(!runner->is_running());
}

BOOST_AUTO_TEST_CASE(wrong_options_are_refused)
{
    const auto make = [this](
                          const sluice::size_list& boundaries,
                          const sluice::size_list& batch_sizes,
                          std::size_t workers = 1
                      ) {
        return [this, boundaries, batch_sizes, workers] {
            int_bucketer(
                ctx,
                read_from(numbers),
                {.length = itself,
                 .boundaries = boundaries,
                 .batch_sizes = batch_sizes,
                 .workers = workers,
                 .capacity = 2,
                 .name = "rows"}
            );
        };
    };
    check_refused(make({}, 1), "bucketer 'rows': boundaries is empty");
    check_refused(make(1, {}), "batch_sizes has 0 for 2 buckets");
    check_refused(make({4, 8, 8}, 1), "8 behind 8");
    check_refused(make({4, 2}, 1), "2 behind 4");
    check_refused(make({4, 8}, {1, 2}), "batch_sizes has 2 for 3 buckets");
    check_refused(make(4, {1, 0}), "has a 0");
    check_refused(make(4, 1, 0), "it has no worker");
    check_refused(make(4, 1, 3), "capacity 2 is too small for workers (3)");
    const buckets_options right{.length = itself, .boundaries = 4, .batch_sizes = 1};
    check_refused(
        [&] { int_bucketer(ctx, std::function<asio::awaitable<int>()>(), right); },
        "a reader is empty"
    );
    check_refused(
        [&] { int_bucketer(ctx, std::vector<int_bucketer::reader>(), right); },
        "it has no worker"
    );
}

BOOST_AUTO_TEST_SUITE_END()

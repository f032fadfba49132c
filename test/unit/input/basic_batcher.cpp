// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/basic_batcher.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/input/batcher.hpp>
#include <sluice/input/padded_batcher.hpp>
#include <sluice/input/shuffle_batcher.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;

namespace basic_batcher {

// 0, 1 ... below a limit.
auto count_to(int limit)
{
    return [limit, i = 0]() mutable -> asio::awaitable<int> {
        if (i == limit)
            throw sluice::system_error(errc::end_of_queue);
        co_return i++;
    };
}

asio::awaitable<std::vector<int>> all_of(
    sluice::batcher<int>& batches,
    sluice::error_code end = {}
)
{
    std::vector<int> all;
    for (;;) {
        const auto [error, batch] = co_await batches.next().as_tuple();
        if (!batch) {
            BOOST_TEST(error == end);
            co_return all;
        }
        all.insert(all.end(), batch->begin(), batch->end());
    }
}

// 0, step, 2 * step ...
std::vector<int> numbers(int count, int step)
{
    std::vector<int> all;
    for (int i = 0; i < count; ++i)
        all.push_back(i * step);
    return all;
}

// A source that an other party feeds, one at a time.
using source = sluice::fifo_queue<int>;

auto read_from(source& numbers)
{
    return [&numbers]() -> asio::awaitable<int> {
        const int number = co_await numbers.dequeue();
        co_return number;
    };
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

}  // namespace basic_batcher

BOOST_FIXTURE_TEST_SUITE(basic_batcher, test::io_fixture)

SLUICE_CO_TEST(gives_nothing_at_the_end_and_leaves_the_rest_in_the_queue)
{
    sluice::batcher<int> batches(ctx, count_to(5), {.batch_size = 3});
    batches.start(ctx);
    const auto first = co_await batches.next();
    BOOST_TEST((first == std::vector<int>{0, 1, 2}));
    const auto end = co_await batches.next();
    BOOST_TEST(!end.has_value());
    BOOST_TEST(batches.queue().size() == 2U);
}

SLUICE_CO_TEST(the_last_batch_may_be_smaller)
{
    sluice::batcher<int> batches(
        ctx,
        count_to(5),
        {.batch_size = 3, .allow_smaller_final_batch = true}
    );
    batches.start(ctx);
    co_await batches.next();
    const auto last = co_await batches.next();
    BOOST_TEST((last == std::vector<int>{3, 4}));
    const auto [error, end] = co_await batches.next().as_tuple();
    BOOST_TEST(!error.failed());
    BOOST_TEST(!end.has_value());
}

SLUICE_CO_TEST(as_tuple_gives_no_batch_and_no_error_at_the_end)
{
    sluice::batcher<int> batches(ctx, count_to(2), {.batch_size = 3});
    batches.start(ctx);
    const auto [error, end] = co_await batches.next().as_tuple();
    BOOST_TEST(!error.failed());
    BOOST_TEST(!end.has_value());
}

SLUICE_CO_TEST(a_batch_may_be_larger_than_the_capacity)
{
    sluice::batcher<int> batches(ctx, count_to(8), {.batch_size = 8, .capacity = 1});
    batches.start(ctx);
    const auto batch = co_await batches.next();
    BOOST_TEST((batch == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

BOOST_AUTO_TEST_CASE(next_takes_nothing_when_it_is_cancelled)
{
    source numbers(ctx, {.capacity = 4});
    sluice::batcher<int> batches(ctx, read_from(numbers), {.batch_size = 2});
    batches.start(ctx);
    BOOST_TEST(numbers.try_enqueue(1));
    auto taken = spawn(batches.next());
    run();
    taken.check_pending();
    taken.cancel();
    run();
    taken.check_error(asio::error::operation_aborted);
    BOOST_TEST(batches.queue().size() == 1U);
    BOOST_TEST(numbers.try_enqueue(2));
    numbers.close();
    auto all = spawn(all_of(batches));
    run();
    BOOST_TEST((all.result() == std::vector<int>{1, 2}));
}

SLUICE_CO_TEST(next_has_limits_and_tokens)
{
    source numbers(ctx, {.capacity = 4});
    sluice::batcher<int> batches(ctx, read_from(numbers), {.batch_size = 1});
    batches.start(ctx);
    const auto [error, none] =
        co_await batches.next().within(std::chrono::nanoseconds(1)).as_tuple();
    BOOST_TEST((error == errc::timed_out));
    BOOST_TEST(!none.has_value());
    BOOST_TEST(numbers.try_enqueue(1));
    const auto batch = co_await batches.next()(asio::use_awaitable);
    BOOST_TEST((batch == std::vector<int>{1}));
    numbers.close();
    const auto end = co_await batches.next()(asio::use_awaitable);
    BOOST_TEST(!end.has_value());
}

SLUICE_CO_TEST(next_can_be_a_branch_of_a_select)
{
    source numbers(ctx, {.capacity = 4});
    sluice::batcher<int> batches(ctx, read_from(numbers), {.batch_size = 2});
    batches.start(ctx);
    source other(ctx, {.capacity = 1});
    BOOST_TEST(numbers.try_enqueue(1));
    co_await settle();
    BOOST_TEST(other.try_enqueue(9));
    const auto first = co_await sluice::select(batches.next(), other.next());
    BOOST_TEST(first.index() == 1U);
    BOOST_TEST(batches.queue().size() == 1U);
    numbers.close();
    const auto second = co_await sluice::select(batches.next(), other.next());
    BOOST_TEST(second.index() == 0U);
    BOOST_TEST(!std::get<0>(second).has_value());
}

SLUICE_CO_TEST(a_failure_of_a_reader_is_no_end)
{
    auto fail = []() -> asio::awaitable<int> {
        throw std::runtime_error("broken");
        co_return 0;
    };
    sluice::batcher<int> batches(ctx, fail, {.batch_size = 1});
    batches.start(ctx);
    std::string message;
    try {
        co_await batches.next();
    } catch (const std::exception& e) {
        message = e.what();
    }
    BOOST_TEST(message == "broken");
    const auto [error, none] = co_await batches.next().as_tuple();
    BOOST_TEST(error.failed());
    BOOST_TEST(!none.has_value());
}

BOOST_AUTO_TEST_CASE(a_stop_loses_no_example)
{
    source numbers(ctx, {.capacity = 8});
    sluice::coordinator scope(ctx);
    sluice::batcher<int> batches(
        ctx,
        read_from(numbers),
        {.batch_size = 1, .capacity = 2, .allow_smaller_final_batch = true}
    );
    batches.start(scope);
    for (int i = 0; i < 5; ++i)
        BOOST_TEST(numbers.try_enqueue(i));
    run();
    BOOST_TEST(numbers.size() == 3U);  // the batcher has two, and reads no more
    scope.request_stop();
    run();
    auto all = spawn(all_of(batches, sluice::errc::stop_requested));
    run();
    BOOST_TEST((all.result() == std::vector<int>{0, 1}));
    BOOST_TEST(numbers.size() == 3U);
}

BOOST_AUTO_TEST_CASE(an_example_that_is_being_read_at_the_close_goes_in)
{
    source numbers(ctx, {.capacity = 8});
    sluice::batcher<int> batches(ctx, read_from(numbers), {.batch_size = 1});
    batches.start(ctx);
    run();
    batches.queue().close(sluice::close_mode::cancel_pending);
    auto all = spawn(all_of(batches));
    run();
    all.check_pending();  // the place of the reader may still be filled
    BOOST_TEST(numbers.try_enqueue(7));
    run();
    BOOST_TEST((all.result() == std::vector<int>{7}));
}

BOOST_AUTO_TEST_CASE(a_reader_that_gives_nothing_ends_with_its_queue)
{
    auto nothing = []() -> asio::awaitable<std::optional<int>> {
        co_return std::nullopt;
    };
    sluice::batcher<int> batches(ctx, nothing, {.batch_size = 1});
    auto closing = [&]() -> asio::awaitable<void> {
        batches.queue().close();
        co_return;
    };
    batches.start(ctx);
    spawn(closing);
    auto all = spawn(all_of(batches));
    run();
    BOOST_TEST(all.result().empty());
    BOOST_TEST(!batches.runner()->is_running());
}

BOOST_AUTO_TEST_CASE(examples_may_be_vectors)
{
    auto read = [i = 0]() mutable -> asio::awaitable<std::vector<int>> {
        if (++i == 3)
            throw sluice::system_error(errc::end_of_queue);
        co_return std::vector<int>(2, i);
    };
    sluice::batcher<std::vector<int>> batches(ctx, read, {.batch_size = 2});
    batches.start(ctx);
    auto batch = spawn(batches.next());
    run();
    const auto rows = batch.result();
    BOOST_TEST((rows == std::vector<std::vector<int>>{{1, 1}, {2, 2}}));
}

// A read gives several examples, or leaves one out.
SLUICE_CO_TEST(workers_share_a_reader_of_any_number_of_examples)
{
    const auto next = std::make_shared<int>(0);
    const auto pairs = [next]() -> asio::awaitable<std::vector<int>> {
        const int first = 2 * (*next)++;
        if (first == 30)
            throw sluice::system_error(errc::end_of_queue);
        co_return std::vector<int>{first, first + 1};
    };
    sluice::batcher<int> all(ctx, pairs, {.batch_size = 10});
    all.start(ctx);
    std::vector<int> taken = co_await all_of(all);
    BOOST_TEST(taken == numbers(30, 1), boost::test_tools::per_element());

    const auto even = [next]() -> asio::awaitable<std::optional<int>> {
        const int number = --*next;
        if (number < 0)
            throw sluice::system_error(errc::end_of_queue);
        co_return number % 2 == 0 ? std::optional(number) : std::nullopt;
    };
    sluice::batcher<int> some(ctx, even, {.batch_size = 2, .workers = 5});
    some.start(ctx);
    taken = co_await all_of(some);
    std::ranges::sort(taken);
    BOOST_TEST(taken == numbers(8, 2), boost::test_tools::per_element());
}

// Of rows that are padded, and in a shuffled order: each example of two readers comes once.
SLUICE_CO_TEST(two_readers_fill_the_same_batches)
{
    const auto rows = [](int first) {
        return [first, i = 0]() mutable -> asio::awaitable<std::vector<int>> {
            if (i == 6)
                throw sluice::system_error(errc::end_of_queue);
            ++i;
            co_return std::vector<int>(static_cast<std::size_t>(i), first + i);
        };
    };
    sluice::padded_batcher<std::vector<int>> padded(
        ctx,
        {rows(0), rows(100)},
        {.batch_size = 5, .allow_smaller_final_batch = true}
    );
    padded.start(ctx);
    std::vector<int> seen;
    while (const auto batch = co_await padded.next())
        for (std::size_t i = 0; i < batch->size(); ++i) {
            BOOST_TEST((*batch)[i].size() == std::ranges::max(batch->lengths()));
            BOOST_TEST(batch->lengths()[i] == std::size_t((*batch)[i].front() % 100));
            seen.push_back((*batch)[i].front());
        }
    std::ranges::sort(seen);
    const std::vector<int> each{1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106};
    BOOST_TEST(seen == each, boost::test_tools::per_element());

    sluice::shuffle_batcher<int> shuffled(
        ctx,
        {count_to(27), count_to(37)},
        {.batch_size = 5,
         .capacity = 32,
         .min_after_dequeue = 16,
         .seed = 223607,
         .allow_smaller_final_batch = true}
    );
    shuffled.start(ctx);
    std::vector<int> both;
    while (const auto batch = co_await shuffled.next())
        both.insert(both.end(), batch->begin(), batch->end());
    BOOST_TEST(!std::ranges::is_sorted(both));
    std::ranges::sort(both);
    std::vector<int> expected = numbers(27, 1);
    std::ranges::copy(numbers(37, 1), std::back_inserter(expected));
    std::ranges::sort(expected);
    BOOST_TEST(both == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(readers_that_can_only_be_moved_are_listed)
{
    auto owner = [limit = std::make_unique<int>(3),
                  i = 0]() mutable -> asio::awaitable<int> {
        if (i == *limit)
            throw sluice::system_error(errc::end_of_queue);
        co_return i++;
    };
    std::vector<sluice::batcher<int>::reader> readers;
    readers.emplace_back(std::move(owner));
    readers.emplace_back(count_to(0));
    sluice::batcher<int> batches(ctx, std::move(readers), {.batch_size = 1});
    batches.start(ctx);
    auto all = spawn(all_of(batches));
    run();
    BOOST_TEST((all.result() == std::vector<int>{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(has_the_name_of_its_options)
{
    sluice::batcher<int> batches(ctx, count_to(1), {.batch_size = 1, .name = "examples"});
    BOOST_TEST(batches.name() == "examples");
    BOOST_TEST(batches.runner()->name() == "examples");
}

BOOST_AUTO_TEST_CASE(options_outside_their_range_are_refused)
{
    using batcher = sluice::batcher<int>;
    const auto with = [this](sluice::batcher_options options) {
        return [this, options] { batcher(ctx, count_to(1), options); };
    };
    check_refused(with({.batch_size = 0}), "batch_size is 0; give at least 1");
    check_refused(with({.batch_size = 1, .workers = 0}), "no worker");
    check_refused(with({.batch_size = 1, .workers = 3, .capacity = 2}), "capacity 2");
    check_refused(with({.batch_size = 1, .capacity = 0}), "capacity 0");
    check_refused(
        [this] {
            sluice::shuffle_batcher<int>(
                ctx,
                count_to(1),
                {.batch_size = 1, .workers = 2, .capacity = 5, .min_after_dequeue = 4}
            );
        },
        "min_after_dequeue (4)"
    );
}

BOOST_AUTO_TEST_CASE(readers_that_cannot_be_used_are_refused)
{
    using batcher = sluice::batcher<int>;
    using function = std::function<asio::awaitable<int>()>;
    check_refused([this] { batcher(ctx, function(), {.batch_size = 1}); }, "is empty");
    check_refused(
        [this] { batcher(ctx, {count_to(1), function()}, {.batch_size = 1}); },
        "is empty"
    );
    check_refused(
        [this] { batcher(ctx, std::vector<batcher::reader>(), {.batch_size = 1}); },
        "no worker"
    );
    check_refused(
        [this] { batcher(ctx, {count_to(1)}, {.batch_size = 1, .workers = 2}); },
        "one worker"
    );
    check_refused(
        [this] {
            auto owner = [limit = std::make_unique<int>(3)]() -> asio::awaitable<int> {
                co_return *limit;
            };
            batcher(ctx, std::move(owner), {.batch_size = 1, .workers = 2});
        },
        "cannot be copied"
    );
}

BOOST_AUTO_TEST_CASE(workers_outlive_it_and_end)
{
    auto batches = std::make_unique<sluice::batcher<int>>(
        ctx,
        count_to(1000),
        sluice::batcher_options{.batch_size = 4}
    );
    const auto runner = batches->runner();
    batches->start(ctx);
    auto taken = spawn([&]() -> asio::awaitable<bool> {
        const auto batch = co_await batches->next();
        co_return batch.has_value();
    });
    run();
    BOOST_TEST(taken.result());
    BOOST_TEST(runner->is_running());
    batches.reset();
    run();
    BOOST_TEST(!runner->is_running());
}

BOOST_AUTO_TEST_SUITE_END()

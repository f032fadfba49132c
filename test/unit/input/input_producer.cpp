// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D20 S33

#include <sluice/input/input_producer.hpp>

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/input/positioned.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/runner/queue_runner_collection.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(input_producer)

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;
using sluice::input_position;
using numbers = sluice::input_producer<int>;
using ints = std::vector<int>;

// A function that lists 0, then 0 and 1, then 0, 1 and 2 ...
struct growing
{
    int size = 0;

    ints operator()()
    {
        ints list;
        for (int i = 0; i <= size; ++i)
            list.push_back(i);
        ++size;
        return list;
    }
};

struct cases : test::io_fixture
{
    // Starts it and takes `most` elements, or all there are.
    template <class Producer>
    auto read(Producer& from, std::size_t most = 100)
    {
        from.start(ctx);
        return taken(from, most);
    }

    template <class Producer>
    auto taken(Producer& from, std::size_t most = 100)
    {
        using element = typename Producer::value_type;
        std::vector<element> all;
        run();
        while (all.size() < most) {
            std::optional<element> next = from.queue().try_dequeue();
            if (!next)
                break;
            all.push_back(std::move(*next));
            run();
        }
        return all;
    }
};

template <class List, class T = int>
constexpr bool reads = std::is_constructible_v<
    sluice::input_producer<T>,
    asio::io_context&,
    List,
    sluice::input_producer_options>;

static_assert(reads<ints> && reads<ints&> && reads<const ints&> && reads<std::set<int>>);
static_assert(!reads<decltype(std::views::iota(0))>, "it would never end");
static_assert(!reads<std::vector<std::string>> && !reads<int*>);
using box = std::unique_ptr<int>;
static_assert(!reads<std::vector<box>, box>, "an epoch copies its elements");
static_assert(reads<std::vector<box> (*)(), box>);

std::string text(const input_position& at)
{
    return std::to_string(at.epoch) + ":" + std::to_string(at.index) + "/" +
           std::to_string(at.list_size);
}

BOOST_FIXTURE_TEST_CASE(copies_a_container_or_takes_it_over, cases)
{
    ints list{1, 2};
    numbers copied(ctx, list, {.num_epochs = 2});
    list = {9, 9};
    BOOST_TEST(read(copied) == (ints{1, 2, 1, 2}));
    BOOST_TEST(copied.queue().is_closed());
    BOOST_TEST(!copied.runner()->is_running());

    numbers taken_over(ctx, std::move(list), {.num_epochs = 1});
    list = {};
    BOOST_TEST(read(taken_over) == (ints{9, 9}));
    numbers in_braces(ctx, {3, 4}, {.num_epochs = 1, .name = "three"});
    BOOST_TEST(in_braces.name() == "three");
    BOOST_TEST(in_braces.queue().capacity() == 32U);
    BOOST_TEST(read(in_braces) == (ints{3, 4}));
}

BOOST_FIXTURE_TEST_CASE(reads_views_and_what_a_view_refers_to, cases)
{
    numbers counted(ctx, std::views::iota(0, 3), {.num_epochs = 2});
    BOOST_TEST(read(counted) == (ints{0, 1, 2, 0, 1, 2}));

    ints list{1, 2};
    numbers referring(ctx, std::span(list), {.num_epochs = 1});
    list = {5, 6};
    BOOST_TEST(read(referring) == (ints{5, 6}));
    BOOST_TEST(list == (ints{5, 6}));
}

BOOST_FIXTURE_TEST_CASE(copies_a_range_without_a_size_or_an_index_into_a_vector, cases)
{
    const auto is_odd = [](int number) { return number % 2 == 1; };
    numbers sorted(ctx, std::set{3, 1, 2}, {.num_epochs = 1});
    BOOST_TEST(read(sorted) == (ints{1, 2, 3}));
    numbers odd(
        ctx,
        std::views::iota(0, 6) | std::views::filter(is_odd),
        {.num_epochs = 2}
    );
    BOOST_TEST(read(odd) == (ints{1, 3, 5, 1, 3, 5}));

    sluice::input_producer<std::string> words(
        ctx,
        []() -> std::initializer_list<const char*> {
            static const std::initializer_list<const char*> list{"a", "b"};
            return list;
        },
        {.num_epochs = 1}
    );
    BOOST_TEST((read(words) == std::vector<std::string>{"a", "b"}));
}

BOOST_FIXTURE_TEST_CASE(elements_may_be_move_only, cases)
{
    const auto make = [](int number) { return std::make_unique<int>(number); };
    using boxes = sluice::input_producer<box>;
    const auto two = std::views::iota(0, 2) | std::views::transform(make);
    boxes made(ctx, two, {.num_epochs = 2});
    const auto all = read(made);
    BOOST_TEST_REQUIRE(all.size() == 4U);
    BOOST_TEST(*all.back() == 1);

    const auto list_boxes = [make] {
        std::list<box> list;
        list.push_back(make(7));
        return list;
    };
    boxes listed(ctx, list_boxes, {.num_epochs = 2});
    BOOST_TEST(read(listed).size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_function_lists_anew_for_each_epoch, cases)
{
    numbers listed(ctx, growing(), {.num_epochs = 3});
    BOOST_TEST(read(listed, 2) == (ints{0, 0}));
    BOOST_TEST(listed.epoch() == 1U);
    BOOST_TEST(text(listed.position()) == "1:1/2");
    BOOST_TEST(taken(listed) == (ints{1, 0, 1, 2}));
    BOOST_TEST(listed.epoch() == 2U);
    BOOST_TEST(text(listed.position()) == "3:0/0");
}

BOOST_FIXTURE_TEST_CASE(a_function_may_be_a_coroutine, cases)
{
    const auto list = [left = 2]() mutable -> asio::awaitable<ints> {
        if (left-- == 0)
            throw sluice::system_error(errc::end_of_queue);
        co_return ints{left};
    };
    numbers listed(ctx, list, {});
    BOOST_TEST(read(listed) == (ints{1, 0}));
    BOOST_TEST(listed.runner()->exceptions_raised().empty());
}

BOOST_FIXTURE_TEST_CASE(a_failing_function_is_the_cause_of_the_end, cases)
{
    const auto fail = [list = growing()]() mutable {
        return list.size == 2 ? throw std::runtime_error("no folder") : list();
    };
    numbers listed(ctx, fail, {});
    BOOST_TEST(read(listed) == (ints{0, 0, 1}));
    BOOST_CHECK_THROW(run_until_done(listed.next()), std::runtime_error);
    BOOST_CHECK_THROW(run_until_done(listed.join()), std::runtime_error);
}

BOOST_FIXTURE_TEST_CASE(empty_list_at_run_time_is_the_end, cases)
{
    numbers listed(ctx, [] { return ints(); }, {});
    BOOST_TEST(read(listed).empty());
    BOOST_TEST(listed.queue().is_closed());
    BOOST_TEST(listed.runner()->exceptions_raised().empty());
}

BOOST_FIXTURE_TEST_CASE(refuses_an_empty_list, cases)
{
    const auto make = [&] { numbers(ctx, ints(), {.name = "files"}); };
    BOOST_TEST(test::message_of(make).starts_with(
        "input_producer 'files': the list is empty; give at least one element"
    ));
}

BOOST_FIXTURE_TEST_CASE(refuses_a_position_of_another_list, cases)
{
    const sluice::input_producer_options options{
        .shuffle = true,
        .start_at = input_position{1, 2, 3, 7}
    };
    BOOST_TEST(
        test::message_of([&] { numbers(ctx, {1, 2, 3, 4}, options); }
        ).find("start_at is element 2 of a list of 3, and this list has 4") !=
        std::string::npos
    );
    // A function is asked by the worker only.
    numbers listed(ctx, growing(), options);
    BOOST_TEST(read(listed).empty());
    test::check_error(listed.runner()->exceptions_raised().at(0), errc::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(shuffles_each_epoch_and_goes_on_at_every_position, cases)
{
    const sluice::input_producer_options
        options{.num_epochs = 3, .shuffle = true, .seed = 7, .capacity = 2};
    const auto list = std::views::iota(0, 5);
    numbers whole(ctx, list, options);
    const ints all = read(whole);
    BOOST_TEST(all == (ints{2, 4, 0, 3, 1, 3, 4, 2, 1, 0, 2, 0, 3, 4, 1}));

    numbers counted(ctx, list, options);
    counted.start(ctx);
    for (std::size_t count = 0; count <= all.size(); ++count) {
        BOOST_TEST_CONTEXT("after " << count)
        {
            auto resumed = options;
            resumed.start_at = counted.position();
            numbers rest(ctx, list, resumed);
            BOOST_TEST(
                read(rest) == ints(all.begin() + std::ptrdiff_t(count), all.end())
            );
        }
        taken(counted, 1);
    }
}

BOOST_FIXTURE_TEST_CASE(goes_on_at_the_beginning_of_an_epoch, cases)
{
    const auto list = std::views::iota(0, 5);
    numbers whole(ctx, list, {.num_epochs = 3, .shuffle = true, .seed = 7});
    const ints all = read(whole);
    const std::uint64_t n = 2;
    const std::uint64_t seed = whole.position().seed;
    numbers last(
        ctx,
        list,
        {.num_epochs = 3,
         .shuffle = true,
         .start_at = sluice::input_position{.epoch = n, .seed = seed}}
    );
    BOOST_TEST(read(last) == ints(all.begin() + 10, all.end()));
}

// A program that has no position yet gives one that is empty.
BOOST_FIXTURE_TEST_CASE(first_start_has_an_order_of_its_own_that_a_later_one_keeps, cases)
{
    const auto list = std::views::iota(0, 40);
    sluice::input_producer_options options{
        .num_epochs = 1,
        .shuffle = true,
        .start_at = sluice::input_position{}
    };
    numbers one(ctx, list, options);
    numbers other(ctx, list, options);
    options.start_at = one.position();
    numbers again(ctx, list, options);
    const ints order = read(one);
    BOOST_TEST(order != read(other));
    BOOST_TEST(order == read(again));
}

// What is stored in the queue has not been taken.
BOOST_FIXTURE_TEST_CASE(counts_what_has_left_the_queue, cases)
{
    numbers counted(ctx, {1, 2, 3}, {.num_epochs = 9, .capacity = 4});
    BOOST_TEST(counted.epoch() == 0U);
    BOOST_TEST(text(counted.position()) == "0:0/0");
    counted.start(ctx);
    run();
    BOOST_TEST(counted.queue().size() == 4U);
    BOOST_TEST(text(counted.position()) == "0:0/0");

    const auto batch = run_until_done(counted.queue().dequeue_many(5));
    BOOST_TEST(batch.size() == 5U);
    BOOST_TEST(counted.epoch() == 1U);
    BOOST_TEST(text(counted.position()) == "1:2/3");
    taken(counted, 1);
    BOOST_TEST(counted.epoch() == 1U);
    BOOST_TEST(text(counted.position()) == "2:0/0");
    counted.queue().close(sluice::close_mode::cancel_pending);
    run();
}

// P1: the consumer is cancelled before its handler runs, and the element is returned.
BOOST_FIXTURE_TEST_CASE(does_not_count_what_a_cancelled_consumer_returned, cases)
{
    numbers counted(ctx, {1, 2}, {.num_epochs = 1});
    asio::cancellation_signal cancel;
    std::optional<boost::system::error_code> ended;
    counted.queue().async_dequeue(asio::bind_cancellation_slot(
        cancel.slot(),
        [&](boost::system::error_code error, std::optional<int>) { ended = error; }
    ));
    counted.start(ctx);
    while (counted.position().index == 0)
        ctx.run_one();
    BOOST_TEST_REQUIRE(!ended.has_value());
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(text(counted.position()) == "0:0/0");
    run();
    BOOST_TEST((ended == asio::error::operation_aborted));
    BOOST_TEST(taken(counted) == (ints{1, 2}));
}

BOOST_FIXTURE_TEST_CASE(elements_may_carry_their_positions, cases)
{
    using element = sluice::positioned<std::string>;
    const std::vector<const char*> list{"a", "b"};
    sluice::input_producer<element> words(ctx, list, {.num_epochs = 2});
    std::string all;
    for (const element& word : read(words))
        all += word.value + " " + text(word.next) + " in " +
               std::to_string(word.epoch()) + (word.ends_epoch() ? " end; " : "; ");
    BOOST_TEST(all == "a 0:1/2 in 0; b 1:0/0 in 0 end; a 1:1/2 in 1; b 2:0/0 in 1 end; ");
    BOOST_TEST(text(words.position()) == "2:0/0");
}

// The position of the producer is ahead of what came through a stage; that of the element is not.
BOOST_FIXTURE_TEST_CASE(positions_pass_through_stages, cases)
{
    using element = sluice::positioned<int>;
    sluice::input_producer<element> listed(
        ctx,
        std::views::iota(0, 9),
        {.num_epochs = 1}
    );
    const auto twice = [](const element& number) {
        return element{2 * number.value, number.next};
    };
    sluice::producer<element>
        doubled(ctx, listed, twice, {.workers = 3, .ordered = true, .capacity = 4});
    listed.start(ctx);
    doubled.start(ctx);
    run();
    const element first = run_until_done(doubled.queue().dequeue());
    run();
    BOOST_TEST(first.value == 0);
    BOOST_TEST(first.next.index == 1U);
    BOOST_TEST(listed.position().index == 5U);
    BOOST_TEST(taken(doubled).size() == 8U);
}

BOOST_FIXTURE_TEST_CASE(a_stop_leaves_what_is_stored, cases)
{
    sluice::coordinator scope(ctx);
    numbers endless(ctx, {1, 2, 3}, {.capacity = 4});
    BOOST_TEST(endless.start(scope));
    run();
    scope.request_stop();
    run();
    BOOST_TEST(!endless.runner()->is_running());
    BOOST_TEST(taken(endless) == (ints{1, 2, 3, 1}));
    BOOST_TEST(text(endless.position()) == "1:1/3");
    run_until_done(scope.join());
}

BOOST_FIXTURE_TEST_CASE(goes_on_if_it_is_started_again, cases)
{
    numbers counted(ctx, {1, 2, 3}, {.num_epochs = 2, .capacity = 2});
    sluice::feeder open(counted.queue());
    counted.start(ctx);
    run();
    counted.queue().cancel();  // the worker waits for a place
    run();
    BOOST_TEST(!counted.runner()->is_running());
    BOOST_TEST(read(counted) == (ints{1, 2, 3, 1, 2, 3}));
    open.end();
    run();
    BOOST_TEST(counted.queue().is_closed());
}

BOOST_FIXTURE_TEST_CASE(is_started_with_the_runners_of_its_context, cases)
{
    sluice::coordinator scope(ctx);
    numbers counted(ctx, {1}, {.num_epochs = 1});
    sluice::add_queue_runner(ctx, counted.runner());
    BOOST_TEST(sluice::start_queue_runners(ctx, scope) == 1U);
    BOOST_TEST(taken(counted) == (ints{1}));
}

BOOST_FIXTURE_TEST_CASE(its_worker_outlives_it_and_ends, cases)
{
    auto endless =
        std::make_unique<numbers>(ctx, growing(), sluice::input_producer_options());
    endless->start(ctx);
    run();
    const auto runner = endless->runner();
    endless.reset();
    run();
    BOOST_TEST(!runner->is_running());
}

BOOST_AUTO_TEST_SUITE_END()

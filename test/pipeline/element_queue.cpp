// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/element_queue.hpp"

#include "support/co_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

namespace element_queue {

using json = pipeline::json_value;
using pipeline::element;
using pipeline::queue_description;
using pipeline::queue_type;

struct element_queue_fixture : io_fixture
{
    // Puts elements into a queue of that description, closes it, and takes them in batches.
    std::vector<element> through(
        const queue_description& description,
        std::vector<element> elements,
        std::size_t batch = 100
    )
    {
        const auto queue = pipeline::element_queue::make(ctx.get_executor(), description);
        feeder filling = queue->feed();
        spawn([&]() -> asio::awaitable<void> {
            co_await queue->put(elements);
            BOOST_TEST(elements.empty());
            filling.end();
        });
        run();
        std::vector<element> taken;
        run_until_done([&]() -> asio::awaitable<void> {
            while (true) {
                auto some = co_await queue->take({.most = batch, .fill = true});
                if (some.empty())
                    co_return;
                std::move(some.begin(), some.end(), std::back_inserter(taken));
            }
        }());
        BOOST_TEST(queue->stats().dequeued == taken.size());
        return taken;
    }

    static std::vector<element> values(const std::vector<json>& from)
    {
        std::vector<element> elements;
        for (const json& each : from)
            elements.emplace_back(each);
        return elements;
    }
};

}  // namespace element_queue

BOOST_FIXTURE_TEST_SUITE(element_queue, element_queue_fixture)

BOOST_AUTO_TEST_CASE(fifo_keeps_the_order)
{
    BOOST_TEST((through({}, values({3, 1, 2}), 2) == values({3, 1, 2})));
}

BOOST_AUTO_TEST_CASE(shuffle_gives_the_same_order_for_the_same_seed)
{
    const queue_description description{.type = queue_type::shuffle, .seed = 3};
    const auto input = values({1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto once = through(description, input);
    BOOST_TEST((once == through(description, input)));
    BOOST_TEST((once != input));
}

BOOST_AUTO_TEST_CASE(priority_orders_values_by_themselves)
{
    BOOST_TEST(
        (through({.type = queue_type::priority}, values({3, 1.5, 2, 1})) ==
         values({1, 1.5, 2, 3}))
    );
}

BOOST_AUTO_TEST_CASE(priority_orders_texts_by_themselves)
{
    std::vector<element> words;
    for (const char* word : {"pear", "apple", "fig"})
        words.emplace_back(word);
    auto sorted = through({.type = queue_type::priority}, std::move(words));
    BOOST_TEST(sorted[0].text() == "apple");
    BOOST_TEST(sorted[2].text() == "pear");
}

BOOST_AUTO_TEST_CASE(priority_orders_by_a_field_and_equals_by_their_arrival)
{
    const queue_description description{
        .type = queue_type::priority,
        .by = "/job/urgency"
    };
    const auto job = [](int urgency, const char* name) {
        return json{{"job", {{"urgency", urgency}}}, {"name", name}};
    };
    BOOST_TEST(
        (through(description, values({job(2, "b"), job(1, "a"), job(2, "c")})) ==
         values({job(1, "a"), job(2, "b"), job(2, "c")}))
    );
}

BOOST_AUTO_TEST_CASE(priority_puts_what_has_no_such_field_first)
{
    const queue_description description{.type = queue_type::priority, .by = "/urgency"};
    BOOST_TEST(
        (through(description, values({{{"urgency", -5}}, {{"name", "no hurry"}}, 7})) ==
         values({{{"name", "no hurry"}}, 7, {{"urgency", -5}}}))
    );
}

BOOST_AUTO_TEST_CASE(padding_makes_arrays_of_a_batch_equally_long)
{
    const queue_description description{.type = queue_type::padding};
    BOOST_TEST(
        (through(description, values({json::array({1}), json::array({1, 2, 3})})) ==
         values({json::array({1, 0, 0}), json::array({1, 2, 3})}))
    );
    BOOST_TEST(
        (through(description, values({json::array(), json::array({"a"})})) ==
         values({json::array({""}), json::array({"a"})}))
    );
}

BOOST_AUTO_TEST_CASE(padding_leaves_alone_what_is_no_array)
{
    const queue_description description{.type = queue_type::padding};
    const auto mixed = values({json{{"a", 1}}, json::array({true, false})});
    BOOST_TEST((through(description, mixed) == mixed));
}

BOOST_AUTO_TEST_CASE(queue_says_what_would_wait)
{
    const auto queue = pipeline::element_queue::make(
        ctx.get_executor(),
        {.capacity = 3, .memory = {2000}}
    );
    BOOST_TEST(queue->makes_takes_wait());
    BOOST_TEST(!queue->makes_puts_wait(3));
    BOOST_TEST(queue->makes_puts_wait(4));
    std::vector<element> numbers = values({1, 2});
    BOOST_TEST(queue->try_put(numbers) == 2U);
    BOOST_TEST(!queue->makes_takes_wait());
    BOOST_TEST(!queue->makes_puts_wait(1));
    BOOST_TEST(queue->makes_puts_wait(2));
    run_until_done([&]() -> asio::awaitable<void> {
        (void)co_await queue->take({.most = 2});
    }());
    std::vector<element> large{element(std::string(3000, 'x'))};
    BOOST_TEST(queue->try_put(large) == 1U);
    BOOST_TEST(queue->makes_puts_wait(1));
    {
        const feeder last = queue->feed();
    }
    run_until_done([&]() -> asio::awaitable<void> {
        (void)co_await queue->take({.most = 2});
    }());
    BOOST_TEST(!queue->makes_takes_wait());  // it is closed
}

BOOST_AUTO_TEST_CASE(every_type_waits_when_its_memory_is_used_up)
{
    for (const queue_type type :
         {queue_type::fifo, queue_type::shuffle, queue_type::priority, queue_type::padding
         }) {
        const queue_description description{.type = type, .memory = {10'000}};
        const auto queue = pipeline::element_queue::make(ctx.get_executor(), description);
        std::vector<element> texts(30, element(std::string(1000, 'x')));
        bool is_in = false;
        spawn([&]() -> asio::awaitable<void> {
            co_await queue->put(texts);
            is_in = true;
        });
        run();
        BOOST_TEST(!is_in);
        BOOST_TEST(queue->stats().size == 9U);
        BOOST_TEST(queue->stats().weight <= 10'000U);
        run_until_done([&]() -> asio::awaitable<void> {
            for (std::size_t taken = 0; taken < 30;)
                taken += (co_await queue->take({.most = 100})).size();
        }());
        run();  // newer versions of Asio resume the producer behind this
        BOOST_TEST(is_in);
    }
}

BOOST_AUTO_TEST_CASE(queue_that_drops_makes_no_producer_wait)
{
    struct rule_of_type
    {
        queue_type type;
        overflow rule;
        std::vector<element> kept;
    };
    for (const rule_of_type& each : std::vector<rule_of_type>{
             {queue_type::fifo, overflow::drop_oldest, values({4, 5})},
             {queue_type::fifo, overflow::drop_newest, values({1, 2})},
             {queue_type::padding, overflow::drop_oldest, values({4, 5})},
             {queue_type::padding, overflow::drop_newest, values({1, 2})},
             {queue_type::priority, overflow::drop_newest, values({1, 2})},
             {queue_type::shuffle, overflow::drop_newest, values({1, 2})}
         }) {
        const queue_description description{
            .type = each.type,
            .capacity = 2,
            .overflow = each.rule
        };
        const auto queue = pipeline::element_queue::make(ctx.get_executor(), description);
        auto first = values({1, 2, 3});
        run_until_done(queue->put(first));
        BOOST_TEST(!queue->makes_puts_wait(1));
        auto rest = values({4, 5});
        BOOST_TEST(queue->try_put(rest) == 2U);
        BOOST_TEST(queue->stats().dropped == 3U);
        std::vector<element> taken;
        run_until_done([&]() -> asio::awaitable<void> {
            taken = co_await queue->take({.most = 5});
        }());
        std::ranges::sort(taken, {}, [](const element& one) { return one.to_json(); });
        BOOST_TEST((taken == each.kept));
    }
}

BOOST_AUTO_TEST_CASE(element_above_the_memory_passes_alone)
{
    const auto heavy = values({std::string(20'000, 'x'), 1, std::string(20'000, 'y')});
    BOOST_TEST((through({.memory = {1000}}, heavy, 1) == heavy));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

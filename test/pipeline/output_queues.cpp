// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/element_queue.hpp"
#include "support/co_test.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

namespace output_queues {

using pipeline::element;
using pipeline::queue_description;
using pipeline::queue_type;

// Takes an element only from a producer that waits.
class slow_queue final : public pipeline::element_queue
{
public:
    asio::awaitable<std::vector<element>> take(pipeline::read_request /*request*/)
        override
    {
        co_return std::vector<element>();
    }

    asio::awaitable<void> put(std::vector<element>& elements) override
    {
        elements.clear();
        co_return;
    }

    void prepare(std::span<element> elements) const override
    {
        prepared += elements.size();
    }
    std::size_t try_put(std::span<element> /*elements*/) override { return 0; }
    [[nodiscard]] queue_stats stats() const override { return {}; }
    [[nodiscard]] bool makes_takes_wait() const override { return true; }
    [[nodiscard]] bool makes_puts_wait(std::size_t /*elements*/) const override
    {
        return true;
    }

    mutable std::size_t prepared = 0;
};

struct output_queues_fixture : io_fixture
{
    pipeline::element_queue& add(const queue_description& description)
    {
        queues.push_back(pipeline::element_queue::make(ctx.get_executor(), description));
        out.add(*queues.back());
        return *queues.back();
    }

    static std::vector<element> numbers(int from, int to)
    {
        std::vector<element> elements;
        for (int i = from; i < to; ++i)
            elements.emplace_back(std::to_string(i));
        return elements;
    }

    // What is there, without waiting.
    std::vector<element> rest_of(pipeline::element_queue& queue)
    {
        std::vector<element> taken;
        if (queue.stats().size > 0)
            run_until_done([&]() -> asio::awaitable<void> {
                taken = co_await queue.take({.most = 1000});
            }());
        return taken;
    }

    std::vector<std::unique_ptr<pipeline::element_queue>> queues;
    pipeline::output_queues out{ctx.get_executor()};
};

}  // namespace output_queues

BOOST_FIXTURE_TEST_SUITE(output_queues, output_queues_fixture)

BOOST_AUTO_TEST_CASE(each_queue_gets_every_element_in_order)
{
    auto& all = add({});
    auto& sorted = add({.type = queue_type::priority});
    auto& other = add({});
    auto elements = numbers(0, 3);
    std::swap(elements[0], elements[2]);
    const auto given = elements;
    run_until_done(out.put(elements));
    BOOST_TEST(elements.empty());
    BOOST_TEST((rest_of(all) == given));
    BOOST_TEST((rest_of(other) == given));
    BOOST_TEST((rest_of(sorted) == numbers(0, 3)));
    BOOST_TEST(queues[0]->waits_to_put == 0U);
}

// Not again for each of those before it, which would take the longer the more they are.
BOOST_AUTO_TEST_CASE(each_element_is_prepared_once_however_slow_its_queue_is)
{
    slow_queue slow;
    out.add(slow);
    add({});
    auto elements = numbers(0, 20);
    run_until_done(out.put(elements));
    BOOST_TEST(slow.prepared == 20U);
}

BOOST_AUTO_TEST_CASE(who_puts_waits_for_the_slowest)
{
    auto& wide = add({.capacity = 100});
    auto& narrow = add({.type = queue_type::priority, .capacity = 2});
    auto elements = numbers(0, 5);
    auto putting = spawn(out.put(elements));
    run();
    BOOST_TEST(!putting.done());
    BOOST_TEST(narrow.stats().size == 2U);
    BOOST_TEST(wide.stats().size == 5U);
    std::vector<element> taken;
    while (taken.size() < 5)
        for (element& each : rest_of(narrow))
            taken.push_back(std::move(each));
    run();
    BOOST_TEST(putting.done());
    BOOST_TEST((taken == numbers(0, 5)));
    BOOST_TEST(queues[0]->waits_to_put == 0U);
    BOOST_TEST(queues[1]->waits_to_put == 1U);
}

BOOST_AUTO_TEST_CASE(narrow_queues_are_filled_side_by_side)
{
    auto& one = add({.capacity = 1});
    auto& other = add({.capacity = 1});
    auto elements = numbers(0, 4);
    auto putting = spawn(out.put(elements));
    for (int i = 0; i < 4; ++i) {
        run();
        BOOST_TEST((rest_of(one) == numbers(i, i + 1)));
        run();
        BOOST_TEST((rest_of(other) == numbers(i, i + 1)));
    }
    run();
    BOOST_TEST(putting.done());
}

BOOST_AUTO_TEST_CASE(all_queues_have_the_elements_of_two_workers_in_the_same_order)
{
    auto& one = add({.capacity = 1});
    auto& other = add({.capacity = 3});
    auto first = numbers(0, 5);
    auto second = numbers(5, 10);
    auto putting_first = spawn(out.put(first));
    auto putting_second = spawn(out.put(second));
    std::vector<element> of_one;
    std::vector<element> of_other;
    while (of_one.size() < 10 || of_other.size() < 10) {
        run();
        for (element& each : rest_of(one))
            of_one.push_back(std::move(each));
        for (element& each : rest_of(other))
            of_other.push_back(std::move(each));
    }
    BOOST_TEST((of_one == numbers(0, 10)));
    BOOST_TEST((of_other == numbers(0, 10)));
}

BOOST_AUTO_TEST_CASE(rendezvous_beside_another_queue_gets_every_element)
{
    auto& none = add({.capacity = 0});
    auto& other = add({});
    auto elements = numbers(0, 3);
    auto putting = spawn(out.put(elements));
    std::vector<element> taken;
    run_until_done([&]() -> asio::awaitable<void> {
        while (taken.size() < 3)
            for (element& each : co_await none.take({.most = 1}))
                taken.push_back(std::move(each));
    }());
    run();
    BOOST_TEST(putting.done());
    BOOST_TEST((taken == numbers(0, 3)));
    BOOST_TEST((rest_of(other) == numbers(0, 3)));
}

BOOST_AUTO_TEST_CASE(cancelled_put_leaves_its_turn_to_the_next)
{
    auto& one = add({.capacity = 1});
    add({});
    auto first = numbers(0, 3);
    auto second = numbers(3, 4);
    auto putting_first = spawn(out.put(first));
    auto putting_second = spawn(out.put(second));
    run();
    putting_first.cancel();
    run();
    BOOST_TEST(!!putting_first.error());
    BOOST_TEST(!putting_second.done());
    BOOST_TEST((rest_of(one) == numbers(0, 1)));
    run();
    BOOST_TEST(putting_second.done());
    BOOST_TEST((rest_of(one) == numbers(3, 4)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

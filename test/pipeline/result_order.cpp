// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/result_order.hpp"

#include "pipeline/fake_stage_context.hpp"
#include "support/co_test.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

namespace result_order {

using pipeline::element;
using ticket = pipeline::result_order::ticket;

struct result_order_fixture : io_fixture
{
    // A part of the result of a ticket.
    asio::awaitable<void> give(ticket own, std::string text)
    {
        std::vector<element> one;
        one.emplace_back(std::move(text));
        co_await order.write(own, one, write_on);
        BOOST_TEST(one.empty());
    }

    // A whole result.
    asio::awaitable<void> give_all(ticket own, std::string text)
    {
        co_await give(own, std::move(text));
        co_await order.end(own, write_on);
    }

    std::string written()
    {
        std::string texts;
        for (const element& each : to.output)
            texts.append(each.text()) += " ";
        return texts;
    }

    static constexpr std::size_t most_kept = 10'000;
    fake_stage_context to{ctx};
    const pipeline::result_order::write_function write_on = [this](auto& elements) {
        return to.write(elements);
    };
    pipeline::result_order order{ctx.get_executor(), most_kept};
};

}  // namespace result_order

BOOST_FIXTURE_TEST_SUITE(result_order, result_order_fixture)

BOOST_AUTO_TEST_CASE(results_are_written_in_the_order_of_tickets)
{
    const ticket first = order.open();
    const ticket second = order.open();
    const ticket third = order.open();
    run_until_done(give_all(third, "c"));
    run_until_done(give_all(second, "b"));
    BOOST_TEST(written() == "");
    run_until_done(give_all(first, "a"));
    BOOST_TEST(written() == "a b c ");
}

BOOST_AUTO_TEST_CASE(first_ticket_gives_at_once_and_the_next_one_after_its_end)
{
    const ticket first = order.open();
    const ticket second = order.open();
    run_until_done(give(second, "b1"));
    run_until_done(give(first, "a1"));
    BOOST_TEST(written() == "a1 ");
    run_until_done(order.end(first, write_on));
    run_until_done(give(second, "b2"));
    BOOST_TEST(written() == "a1 b1 b2 ");
    run_until_done(order.end(second, write_on));
    run_until_done(give_all(order.open(), "c"));
    BOOST_TEST(written() == "a1 b1 b2 c ");
}

BOOST_AUTO_TEST_CASE(ticket_without_results_holds_up_no_worker)
{
    const ticket first = order.open();
    const ticket second = order.open();
    const ticket third = order.open();
    run_until_done(give_all(third, "c"));
    run_until_done(order.end(second, write_on));
    run_until_done(order.end(first, write_on));
    BOOST_TEST(written() == "c ");
}

BOOST_AUTO_TEST_CASE(who_would_keep_too_much_waits_for_the_turn)
{
    const ticket first = order.open();
    const ticket second = order.open();
    const ticket third = order.open();
    run_until_done(give(third, std::string(most_kept, 'c')));
    auto giving_third = spawn(give_all(third, "c2"));
    auto giving_second = spawn(give_all(second, "b"));
    run();
    BOOST_TEST(!giving_second.done());
    BOOST_TEST(!giving_third.done());
    run_until_done(order.end(first, write_on));
    run();
    BOOST_TEST(giving_second.done());
    BOOST_TEST(giving_third.done());
    BOOST_TEST_REQUIRE(to.output.size() == 3U);
    BOOST_TEST(to.output[0].text() == "b");
    BOOST_TEST(to.output[2].text() == "c2");
}

BOOST_AUTO_TEST_CASE(tickets_without_results_are_bounded_too)
{
    const ticket first = order.open();
    std::size_t left = 0;
    auto others = spawn([&]() -> asio::awaitable<void> {
        for (; left < most_kept; ++left)
            co_await order.end(order.open(), write_on);
    });
    run();
    BOOST_TEST(left > 0U);
    BOOST_TEST(left < most_kept);
    run_until_done(order.end(first, write_on));
    run();
    BOOST_TEST(others.done());
}

BOOST_AUTO_TEST_CASE(wait_for_the_turn_can_be_cancelled)
{
    const ticket first = order.open();
    const ticket second = order.open();
    run_until_done(give(second, std::string(most_kept, 'b')));
    auto waiting = spawn(order.end(second, write_on));
    run();
    waiting.cancel();
    run();
    BOOST_TEST(waiting.done());
    BOOST_TEST(!!waiting.error());
    run_until_done(give_all(first, "a"));
    BOOST_TEST(written() == "a ");
}

BOOST_AUTO_TEST_CASE(one_worker_at_a_time_has_the_turn_to_read)
{
    auto holding = spawn([&]() -> asio::awaitable<void> {
        const auto turn = co_await order.turn_to_read();
        co_await to.change();
    });
    bool has_turn = false;
    auto waiting = spawn([&]() -> asio::awaitable<void> {
        const auto turn = co_await order.turn_to_read();
        has_turn = true;
    });
    run();
    BOOST_TEST(!has_turn);
    to.end_input();
    run();
    BOOST_TEST(has_turn);
    BOOST_TEST(holding.done());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

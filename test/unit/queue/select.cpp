// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S14

#include <sluice/queue/select.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Inside a namespace, because the system has a function of the name of the suite.
namespace sluice::test {

namespace select {

using boost::asio::error::operation_aborted;
using namespace std::chrono_literals;

using queue = sluice::fifo_queue<int>;

struct select_fixture : io_fixture
{
    static std::size_t waiting(const queue& q)
    {
        const queue_stats now = q.stats();
        return now.waiting_producers + now.waiting_consumers;
    }

    void check_nobody_waits(std::source_location where = std::source_location::current())
        const
    {
        check(waiting(a) == 0, "an operation waits on queue a", where);
        check(waiting(b) == 0, "an operation waits on queue b", where);
        check(waiting(meeting) == 0, "an operation waits at the rendezvous", where);
    }

    queue a{ctx, {.capacity = 2, .name = "a"}};
    queue b{ctx, {.capacity = 2, .name = "b"}};
    queue meeting{ctx, {.capacity = 0, .name = "meeting"}};
};

}  // namespace select

BOOST_FIXTURE_TEST_SUITE(select, select_fixture)

// which branch

// The failure is that of the select then, and not of the branch that had won.
BOOST_AUTO_TEST_CASE(cancelled_after_a_branch_has_won_names_no_branch)
{
    auto op = sluice::select(a.dequeue(), b.dequeue())(record.cancellable());
    run();
    BOOST_TEST(b.try_enqueue(1));
    op.cancel(boost::asio::cancellation_type::terminal);
    run();
    op.check_error(operation_aborted).check_value(no_branch);
    BOOST_TEST(!op.value<1>().has_value());
    check_nobody_waits();
    BOOST_TEST(b.try_dequeue().value() == 1);
}

SLUICE_CO_TEST(branch_that_finds_its_partner_at_a_rendezvous_wins_a_tie)  // S14
{
    meeting.async_dequeue([](error_code, const std::optional<int>&) {});
    BOOST_TEST(b.try_enqueue(2));
    int one = 1;
    BOOST_TEST(
        (co_await sluice::select(meeting.enqueue(one), b.dequeue())).index() == 0U
    );

    meeting.async_enqueue(3, [](error_code) {});
    auto given = co_await sluice::select(meeting.dequeue(), b.dequeue());
    BOOST_TEST(std::get<0>(given) == 3);

    meeting.async_enqueue(4, [](error_code) {});
    const std::array<queue*, 2> both{&meeting, &b};
    BOOST_TEST((co_await dequeue_any(both)).first == 0U);
}

SLUICE_CO_TEST(void_result_appears_as_monostate)  // S14
{
    int element = 3;
    const auto taken =
        co_await sluice::select(a.dequeue(), b.enqueue(std::move(element)));
    static_assert(std::is_same_v<
                  std::remove_const_t<decltype(taken)>,
                  std::variant<int, std::monostate>>);
    BOOST_TEST(taken.index() == 1U);
    BOOST_TEST(b.try_dequeue().value() == 3);
}

SLUICE_CO_TEST(all_kinds_of_operations_can_be_branches)
{
    BOOST_TEST(a.try_enqueue(1));
    const int copied = 9;
    const auto taken = co_await sluice::select(
        a.dequeue_many(2),
        a.dequeue_up_to(2),
        meeting.enqueue(copied),
        b.next(),
        a.dequeue_some(5),
        b.dequeue()
    );
    BOOST_TEST(taken.index() == 4U);
    BOOST_TEST(std::get<4>(taken) == std::vector<int>{1});
    check_nobody_waits();
}

BOOST_AUTO_TEST_CASE(both_sides_of_one_rendezvous_are_refused)  // S14
{
    int element = 1;
    const auto refused = [&](auto start) {
        BOOST_CHECK_EXCEPTION(start(), sluice::system_error, [](const auto& error) {
            return error.code() == errc::invalid_argument &&
                   std::string(error.what()).find("queue 'meeting'") != std::string::npos;
        });
    };
    refused([&] { (void)sluice::select(meeting.enqueue(element), meeting.dequeue()); });
    refused([&] {
        (void)sluice::select(a.dequeue(), meeting.next(), meeting.enqueue(element));
    });
    (void)sluice::select(a.enqueue(element), a.dequeue());
    (void)sluice::select(meeting.dequeue(), meeting.dequeue());
    check_nobody_waits();
}

// modifiers

BOOST_AUTO_TEST_CASE(branch_with_a_deadline_of_its_own_is_refused)
{
    const auto is_refusal = [](const system_error& error) {
        return error.code() == errc::invalid_argument &&
               std::string(error.what()).find("within()") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(
        (void)sluice::select(a.dequeue(), b.dequeue().within(1s)),
        system_error,
        is_refusal
    );
}

SLUICE_CO_TEST(invalid_argument_of_a_branch_fails_the_select)
{
    sluice::priority_queue<int> p(ctx, {.capacity = 2});
    auto [ec, branch, none] =
        co_await sluice::select(p.dequeue_many(3), a.dequeue()).as_tuple();
    BOOST_TEST(ec == errc::invalid_argument);
    BOOST_TEST(branch == 0U);
    BOOST_TEST(!none.has_value());
    check_nobody_waits();
}

// which branch, and which come first

SLUICE_CO_TEST(branch_that_failed_is_known_by_its_index)
{
    b.close();
    auto [ec, branch, taken] =
        co_await sluice::select(a.dequeue(), b.dequeue(), meeting.dequeue()).as_tuple();
    BOOST_TEST(ec == errc::end_of_queue);
    BOOST_TEST(branch == 1U);
    BOOST_TEST(!taken.has_value());
}

SLUICE_CO_TEST(branch_is_left_out_unless_its_condition_holds)
{
    a.close();
    BOOST_TEST(b.try_enqueue(7));
    const auto taken = co_await sluice::select(
        when(!a.is_closed(), a.dequeue()),
        when(true, b.dequeue())
    );
    BOOST_TEST(taken.index() == 1U);
    BOOST_TEST(std::get<1>(taken) == 7);

    auto [ec, branch, none] = co_await sluice::select(
                                  when(false, a.dequeue()),
                                  b.dequeue(),
                                  when(false, a.next())
    )
                                  .within(1ms)
                                  .as_tuple();
    BOOST_TEST(ec == errc::timed_out);
    BOOST_TEST(branch == no_branch);
    BOOST_TEST(!none.has_value());
    check_nobody_waits();
}

BOOST_AUTO_TEST_CASE(select_of_which_every_branch_is_left_out_is_refused)
{
    BOOST_CHECK_EXCEPTION(
        (void)sluice::select(when(false, a.dequeue()), when(false, b.dequeue())),
        system_error,
        [](const auto& e) { return e.code() == errc::invalid_argument; }
    );
}

SLUICE_CO_TEST(side_of_a_rendezvous_that_is_left_out_meets_no_other)
{
    BOOST_TEST(a.try_enqueue(1));
    const auto taken = co_await sluice::select(
        when(false, meeting.enqueue(2)),
        meeting.dequeue(),
        a.dequeue()
    );
    BOOST_TEST(taken.index() == 2U);
}

// P5: a branch that is always ready starves no other. Each of 200 draws misses the second branch
// with a probability of one half, so all miss it once in 10 to the power of 60 runs.
SLUICE_CO_TEST(fair_select_takes_each_of_two_ready_branches)
{
    int taken_from[2] = {0, 0};
    for (int i = 0; i < 200; ++i) {
        (void)a.try_enqueue(i);
        (void)b.try_enqueue(i);
        const auto taken = co_await sluice::fair_select(a.dequeue(), b.dequeue());
        ++taken_from[taken.index()];
    }
    BOOST_TEST(taken_from[0] > 0);
    BOOST_TEST(taken_from[1] > 0);
}

SLUICE_CO_TEST(fair_dequeue_any_takes_from_each_of_two_queues)
{
    int taken_from[3] = {0, 0, 0};
    const std::array<queue*, 3> queues{&a, nullptr, &b};
    for (int i = 0; i < 200; ++i) {
        (void)a.try_enqueue(i);
        (void)b.try_enqueue(i);
        const auto [index, element] = co_await sluice::fair_dequeue_any(queues);
        ++taken_from[index];
    }
    BOOST_TEST(taken_from[0] > 0);
    BOOST_TEST(taken_from[1] == 0);
    BOOST_TEST(taken_from[2] > 0);
}

// A select that refers to one element and owns another hands both on as they are.
SLUICE_CO_TEST(branch_that_owns_its_element_may_stand_beside_one_that_refers_to_it)
{
    sluice::fifo_queue<std::unique_ptr<int>> q(ctx, {.capacity = 1});
    auto mine = std::make_unique<int>(1);
    const auto taken = co_await sluice::select(
                           q.emplace(std::make_unique<int>(2)),
                           q.enqueue(std::move(mine))
    )
                           .within(1h);
    BOOST_TEST(taken.index() == 0U);
    BOOST_TEST(*mine == 1);
    BOOST_TEST(**q.try_dequeue() == 2);
}

// dequeue_any

SLUICE_CO_TEST(dequeue_any_ends_with_the_first_queue_that_is_closed_and_empty)
{
    b.close();
    const std::vector<queue*> queues{&a, &b};
    auto [ec, branch, none] = co_await sluice::dequeue_any(queues).as_tuple();
    BOOST_TEST(ec == errc::end_of_queue);
    BOOST_TEST(branch == 1U);
    BOOST_TEST(!none.has_value());
}

SLUICE_CO_TEST(dequeue_any_leaves_out_a_null_pointer)
{
    a.close();
    std::array<queue*, 2> queues{&a, &b};
    BOOST_TEST(b.try_enqueue(7));
    auto [end, ended, none] =
        co_await sluice::dequeue_any(std::array{&a, &meeting}).as_tuple();
    BOOST_TEST(end == errc::end_of_queue);
    BOOST_TEST(ended == 0U);
    BOOST_TEST(!none.has_value());
    queues[0] = nullptr;
    auto [ec, index, element] = co_await sluice::dequeue_any(queues).as_tuple();
    BOOST_TEST(!ec.failed());
    BOOST_TEST(index == 1U);
    BOOST_TEST(element.value() == 7);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

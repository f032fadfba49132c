// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S57 S58

#include "support/allocation_counter.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/queue/priority_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

// Why: what others see and do while an operation of thousands of elements goes on (S57). A task
// that is told between two pieces is told without the lock, so it does then what another
// thread could do at that moment; a queue that kept its lock would wait for itself.

namespace queue_core_pieces {

using fifo = sluice::test::core_driver<>;
using sluice::detail::attempt;

constexpr int many = 5000;
constexpr std::size_t most = many;

std::vector<int> numbers(int first, int last)
{
    std::vector<int> all(static_cast<std::size_t>(last - first + 1));
    std::iota(all.begin(), all.end(), first);
    return all;
}

// What is stored is this.
void check_stored(fifo& q, const std::vector<int>& expected)
{
    sluice::detail::tried_once<fifo::core_type::consumer> all(
        fifo::demand::up_to,
        2 * most
    );
    sluice::test::try_once(q.core(), all);
    BOOST_TEST((all.batch() == expected));
}

// An enqueue_many that completes without waiting, or does not.
template <class Operation>
bool is_ready(fifo& q, Operation& operation)
{
    return q.core()
        .start(operation, fifo::delivery::inline_if_ready, fifo::wait_mode::waits);
}

}  // namespace queue_core_pieces

using namespace queue_core_pieces;

BOOST_AUTO_TEST_SUITE(queue_core_pieces)

BOOST_AUTO_TEST_CASE(others_use_the_queue_while_a_large_batch_goes_in)
{
    for (const std::size_t weight_limit : {sluice::unbounded, 2 * most * sizeof(int)}) {
        fifo q({.capacity = sluice::unbounded, .weight_limit = weight_limit});
        std::size_t in = 0;
        std::optional<int> taken;
        q.dequeue("consumer").when_told([&] {
            in = q.size();
            BOOST_TEST(q.stats().waiting_producers == 1U);
            BOOST_TEST((q.core().try_pop(taken) == attempt::done));
        });
        auto& batch = q.idle_producer("batch", numbers(1, many));
        BOOST_TEST(is_ready(q, batch));
        BOOST_TEST(in > 0U);
        BOOST_TEST(in < most);
        BOOST_TEST(taken.value() == 2);
        BOOST_TEST(q.told() == "consumer");
        check_stored(q, numbers(3, many));
    }
}

BOOST_AUTO_TEST_CASE(no_element_of_another_producer_comes_between_those_of_a_large_batch)
{
    fifo q(sluice::unbounded);
    fifo::producer* late = nullptr;
    q.dequeue("consumer").when_told([&] {
        BOOST_TEST((q.core().try_push(0) == attempt::must_wait));
        late = &q.idle_producer("late", {0});
        BOOST_TEST(!is_ready(q, *late));
    });
    BOOST_TEST(is_ready(q, q.idle_producer("batch", numbers(1, many))));
    BOOST_TEST(late->text() == "ok");
    BOOST_TEST(q.told() == "consumer late");
    std::vector<int> expected = numbers(2, many);
    expected.push_back(0);
    check_stored(q, expected);
}

BOOST_AUTO_TEST_CASE(close_ends_a_large_batch_that_is_under_way)
{
    fifo q(sluice::unbounded);
    q.dequeue("consumer").when_told([&] {
        q.core().close({.mode = sluice::close_mode::cancel_pending});
    });
    auto& batch = q.idle_producer("batch", numbers(1, many));
    BOOST_TEST(is_ready(q, batch));
    BOOST_TEST(batch.error() == sluice::errc::queue_closed);
    BOOST_TEST(batch.accepted() > 0U);
    BOOST_TEST(batch.accepted() + batch.left() == most);
    BOOST_TEST(q.size() == batch.accepted() - 1);
    BOOST_TEST(q.told() == "consumer");  // the batch is told by its own start
}

BOOST_AUTO_TEST_CASE(end_of_a_large_batch_leaves_no_other_operation_unserved)
{
    fifo q(sluice::unbounded);
    q.dequeue("first").when_told([&] {
        q.core().close({.mode = sluice::close_mode::cancel_pending});
    });
    for (int i = 0; i < many; ++i)
        q.dequeue("consumer");
    BOOST_TEST(is_ready(q, q.idle_producer("batch", numbers(1, many))));
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

// The batch may be on the stack of a thread that the context does not know.
BOOST_AUTO_TEST_CASE(large_batch_ends_if_the_context_of_the_queue_dies_meanwhile)
{
    fifo q(sluice::unbounded);
    const int home = 0;
    q.live_in(&home);
    q.dequeue("consumer").when_told([&] { q.core().abandon(&home); });
    auto& batch = q.idle_producer("batch", numbers(1, many));
    BOOST_TEST(is_ready(q, batch));
    BOOST_TEST(batch.error() == boost::asio::error::operation_aborted);
    BOOST_TEST(!batch.abandoned());
}

BOOST_AUTO_TEST_CASE(cancelled_while_it_begins_a_large_batch_that_is_posted_is_told_once)
{
    fifo q(sluice::unbounded);
    auto& batch = q.idle_producer("batch", numbers(1, many));
    q.dequeue("consumer").when_told([&] {
        q.core().cancel(batch, boost::asio::error::operation_aborted);
    });
    q.start(batch);
    BOOST_TEST(batch.error() == boost::asio::error::operation_aborted);
    BOOST_TEST(batch.deliveries() == 1);
    BOOST_TEST(batch.suspensions() == 1);
    BOOST_TEST(q.told() == "consumer batch");
}

BOOST_AUTO_TEST_CASE(limit_that_passes_while_a_large_batch_goes_in_does_not_end_it)
{
    fifo q(sluice::unbounded);
    auto& batch = q.idle_producer("batch", numbers(1, many));
    q.dequeue("consumer").when_told([&] {
        q.core().cancel(batch, sluice::errc::timed_out);
    });
    BOOST_TEST(is_ready(q, batch));
    BOOST_TEST(batch.text() == "ok");
}

BOOST_AUTO_TEST_CASE(limit_that_passes_meanwhile_ends_a_large_batch_that_has_to_wait)
{
    fifo q(most / 2);
    auto& batch = q.idle_producer("batch", numbers(1, many));
    q.dequeue("consumer").when_told([&] {
        q.core().cancel(batch, sluice::errc::timed_out);
    });
    BOOST_TEST(is_ready(q, batch));
    BOOST_TEST(batch.text() == "timed_out, " + std::to_string(most / 2 + 1) + " in");
}

// S3: its elements are there.
BOOST_AUTO_TEST_CASE(limit_that_passes_while_a_large_batch_takes_memory_does_not_end_it)
{
    fifo q(most);
    q.put(numbers(1, many));
    auto& batch = q.idle_consumer("batch", fifo::demand::exactly, most);
    sluice::test::allocation_budget memory;
    bool is_late = false;
    memory.at_next([&] {
        is_late = true;
        q.core().expire(batch);
    });
    {
        const sluice::test::failing_new region(memory);
        BOOST_TEST(is_ready(q, batch));
    }
    BOOST_TEST(is_late);
    BOOST_TEST(batch.error() == sluice::error_code());
    BOOST_TEST((batch.batch() == numbers(1, many)));
}

BOOST_AUTO_TEST_CASE(others_use_the_queue_while_a_large_batch_is_taken)
{
    fifo q(most);
    q.put(numbers(1, many));
    std::size_t left = 0;
    q.enqueue("producer", {0}).when_told([&] {
        left = q.size();
        BOOST_TEST(q.stats().waiting_consumers == 1U);
        BOOST_TEST(q.stats().held + q.size() == most + 1);
        BOOST_TEST((q.core().try_push(-1) == attempt::done));
    });
    auto& batch = q.idle_consumer("batch", fifo::demand::exactly, most);
    BOOST_TEST(is_ready(q, batch));
    BOOST_TEST(left > 0U);
    BOOST_TEST(left < most);
    BOOST_TEST((batch.batch() == numbers(1, many)));
    BOOST_TEST(q.take() == "[0, -1]");
}

BOOST_AUTO_TEST_CASE(batch_of_what_is_there_does_not_take_what_comes_meanwhile)
{
    for (const auto kind : {fifo::demand::some, fifo::demand::up_to}) {
        fifo q(most);
        q.put(numbers(1, many));
        q.enqueue("producer", {0});
        if (kind == fifo::demand::up_to) {
            check_stored(q, numbers(1, many));
        } else {
            auto& batch = q.idle_consumer("batch", kind, 2 * most);
            BOOST_TEST(is_ready(q, batch));
            BOOST_TEST((batch.batch() == numbers(1, many)));
        }
        BOOST_TEST(q.take() == "[0]");
    }
}

BOOST_AUTO_TEST_CASE(sorted_batch_is_taken_as_a_whole)
{
    using store = sluice::priority_store<int, std::less<>>;
    sluice::test::core_driver<int, store> q(most);
    q.put(numbers(1, many));
    auto& producer = q.enqueue("producer", {0});
    BOOST_TEST((q.dequeue_many("batch", most).batch() == numbers(1, many)));
    BOOST_TEST(producer.text() == "ok");
    BOOST_TEST(q.told() == "batch producer");
}

BOOST_AUTO_TEST_CASE(others_use_a_queue_that_is_closed_for_many_consumers)
{
    fifo q(1);
    for (int i = 0; i < many; ++i)
        q.dequeue("consumer");
    BOOST_TEST(q.stats().waiting_consumers == most);
    auto& first = q.idle_consumer("first", fifo::demand::one, 1);
    std::size_t left = 0;
    q.core().cancel_all(boost::asio::error::operation_aborted);
    (void)q.told();
    first.when_told([&] { left = q.stats().waiting_consumers; });
    q.start(first);
    for (int i = 1; i < many; ++i)
        q.dequeue("consumer");
    q.close();
    BOOST_TEST(left > 0U);
    BOOST_TEST(left < most);
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(others_use_a_queue_while_many_operations_are_cancelled)
{
    using core = fifo::core_type;
    const auto cancel = [](core& of) {
        of.cancel_all(boost::asio::error::operation_aborted);
    };
    const auto close = [](core& of) {
        of.close({.mode = sluice::close_mode::cancel_pending});
    };
    for (const std::function<void(core&)>& end :
         {std::function<void(core&)>(cancel), std::function<void(core&)>(close)}) {
        fifo q(1);
        q.put({0});
        std::vector<fifo::producer*> all;
        for (int i = 0; i < many; ++i)
            all.push_back(&q.enqueue("producer", {i}));
        std::ptrdiff_t left = 0;
        all.front()->when_told([&] {
            left = std::ranges::count_if(all, &fifo::producer::is_waiting);
            BOOST_TEST(q.size() == 1U);  // does not wait for the lock
        });
        end(q.core());
        BOOST_TEST(left > 0);
        BOOST_TEST(left < many);
        BOOST_TEST(std::ranges::none_of(all, &fifo::producer::is_waiting));
        BOOST_TEST(q.size() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(batch_that_is_cancelled_with_many_others_gives_back_what_it_held)
{
    fifo q(1);
    auto& batch = q.dequeue_many("batch", 4);
    for (int i = 0; i < many; ++i)
        q.dequeue("consumer");
    q.enqueue("producer", {1, 2, 3});
    BOOST_TEST(batch.text() == "waits [1, 2, 3]");
    std::string taken;
    batch.when_told([&] { taken = q.take(); });
    q.core().cancel_all(
        boost::asio::error::operation_aborted,
        sluice::detail::sides::consumers
    );
    BOOST_TEST(batch.text() == "aborted");
    BOOST_TEST(taken == "[1, 2, 3]");
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(thread_that_comes_meanwhile_does_not_finish_the_work_of_others)
{
    fifo q(sluice::unbounded);
    std::size_t before = 0;
    std::size_t after = 0;
    q.dequeue("consumer").when_told([&] {
        before = q.size();
        q.core().close({});  // serves, and so goes on a little
        after = q.size();
    });
    BOOST_TEST(is_ready(q, q.idle_producer("batch", numbers(1, many))));
    BOOST_TEST(after - before < most / 2);
    BOOST_TEST(q.size() == most - 1);
}

BOOST_AUTO_TEST_CASE(cleared_queue_drops_what_is_stored_and_lets_producers_in)
{
    fifo q(2);
    q.put({1, 2});
    auto& producer = q.enqueue("producer", {3});
    BOOST_TEST(q.core().clear() == 2U);
    q.check_invariants();
    BOOST_TEST(producer.text() == "ok");
    BOOST_TEST(q.stats().dropped == 2U);
    BOOST_TEST(q.take() == "[3]");
}

BOOST_AUTO_TEST_CASE(cleared_and_shrunk_queue_has_room_for_held_elements_and_places)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 300);
    q.enqueue("rows", numbers(1, 290));
    BOOST_TEST(!q.core().try_take_places(1).failed());
    BOOST_TEST(q.core().clear() == 0U);
    q.core().shrink_to_fit();
    q.cancel(batch);
    BOOST_TEST(q.core().fill_place(291));
    check_stored(q, numbers(1, 291));
}

BOOST_AUTO_TEST_SUITE_END()

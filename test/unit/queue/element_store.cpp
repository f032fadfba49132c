// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/element_store.hpp>

#include "support/counted.hpp"
#include "support/printing.hpp"
#include "support/throwing.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::detail::delivery;
using sluice::detail::demand;
using sluice::detail::wait_mode;
using test::counted;
using test::throwing;

namespace {

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

template <class T>
using fifo_of = test::core_driver<T, sluice::fifo_store<T>>;

// All stores that take any element; padding differs from fifo in its batches only.
template <class T>
using stores_of = boost::mpl::list<
    sluice::fifo_store<T>,
    sluice::shuffle_store<T>,
    sluice::priority_store<T, std::less<>>>;

using counted_stores = stores_of<counted>;
using throwing_stores = stores_of<throwing>;

template <class Store>
Store make_store()
{
    typename Store::options_type options;
    options.capacity = 100;
    if constexpr (requires { options.seed; })
        options.seed = 7;
    return Store(options);
}

template <class T, class Store>
void push_all(Store& store, const std::vector<int>& values)
{
    for (const int value : values)
        store.push(T(value));
}

// What is stored, sorted: the order is the business of each store's own test.
template <class Store>
std::vector<int> take_all(Store& store)
{
    std::vector<int> result;
    while (store.size() > 0)
        result.push_back(store.pop().value());
    std::sort(result.begin(), result.end());
    return result;
}

struct without_put_back
{
    using options_type = sluice::queue_options;
    using batch_type = std::vector<int>;
    static constexpr bool whole_batches = false;

    explicit without_put_back(const sluice::queue_options&) {}

    void push(int&&) {}
    int pop() { return 0; }
    void reserve(std::size_t) {}
    [[nodiscard]] std::size_t size() const { return 0; }
    [[nodiscard]] std::size_t available(bool) const { return 0; }
};

struct complete : without_put_back
{
    using without_put_back::without_put_back;
    void put_back(int&&) {}
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(element_store, test::counted_fixture)

BOOST_AUTO_TEST_CASE(concept_is_met_by_the_stores_and_by_nothing_incomplete)
{
    static_assert(sluice::element_store<sluice::fifo_store<int>, int>);
    static_assert(sluice::element_store<sluice::shuffle_store<counted>, counted>);
    static_assert(sluice::element_store<sluice::priority_store<int, std::less<>>, int>);
    static_assert(sluice::element_store<sluice::padding_store<std::string>, std::string>);
    static_assert(!sluice::element_store<sluice::fifo_store<int>, std::string>);
    static_assert(!sluice::element_store<without_put_back, int>);
    static_assert(sluice::element_store<complete, int>);
    BOOST_TEST(complete(sluice::queue_options{}).size() == 0U);
}

// the contract, for every store

BOOST_AUTO_TEST_CASE_TEMPLATE(what_goes_in_comes_out_once, Store, counted_stores)
{
    auto store = make_store<Store>();
    BOOST_TEST(store.size() == 0U);
    push_all<counted>(store, numbers(1, 50));
    BOOST_TEST(store.size() == 50U);
    BOOST_TEST(store.available(false) == 50U);
    BOOST_TEST(this->holding() == 50);
    BOOST_TEST(take_all(store) == numbers(1, 50));
    BOOST_TEST(this->holding() == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(element_put_back_is_stored_again, Store, counted_stores)
{
    auto store = make_store<Store>();
    push_all<counted>(store, numbers(1, 5));
    for (int i = 0; i < 20; ++i)
        store.put_back(store.pop());
    BOOST_TEST(take_all(store) == numbers(1, 5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(destroyed_store_destroys_elements, Store, counted_stores)
{
    {
        auto store = make_store<Store>();
        push_all<counted>(store, numbers(1, 5));
        auto moved = std::move(store);
        BOOST_TEST(moved.size() == 5U);
    }
    this->check_none_alive();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(push_that_throws_changes_nothing, Store, throwing_stores)
{
    bool failed = true;
    int moves = 0;
    for (; failed; ++moves) {
        auto store = make_store<Store>();
        push_all<throwing>(store, numbers(1, 8));
        throwing last(9);
        {
            const test::move_failure nth(static_cast<std::size_t>(moves));
            try {
                store.push(std::move(last));
            } catch (const test::move_error&) {
            }
            failed = nth.fired();
        }
        BOOST_TEST_CONTEXT("with a failure at move " << moves)
        {
            BOOST_TEST(store.size() == (failed ? 8U : 9U));
            BOOST_TEST(last.value() == (failed ? 9 : counted::gone));
            BOOST_TEST(take_all(store) == numbers(1, failed ? 8 : 9));
        }
    }
    BOOST_TEST(moves > 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(pop_that_throws_costs_one_element, Store, throwing_stores)
{
    bool failed = true;
    int moves = 0;
    for (; failed; ++moves) {
        auto store = make_store<Store>();
        push_all<throwing>(store, numbers(1, 8));
        {
            const test::move_failure nth(static_cast<std::size_t>(moves));
            try {
                (void)store.pop();
            } catch (const test::move_error&) {
            }
            failed = nth.fired();
        }
        BOOST_TEST_CONTEXT("with a failure at move " << moves)
        {
            BOOST_TEST(store.size() == 7U);
            const std::vector<int> rest = take_all(store);
            BOOST_TEST(rest.front() > 0);
            BOOST_TEST((std::adjacent_find(rest.begin(), rest.end()) == rest.end()));
        }
    }
    BOOST_TEST(moves > 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(reserve_moves_nothing_that_throws, Store, throwing_stores)
{
    auto store = make_store<Store>();
    push_all<throwing>(store, numbers(1, 8));
    {
        const test::move_failure any(0);
        store.reserve(1000);
        BOOST_TEST(!any.fired());
    }
    BOOST_TEST(take_all(store) == numbers(1, 8));
}

// a queue of elements whose moves throw

BOOST_AUTO_TEST_CASE(failed_enqueue_leaves_the_element_with_its_caller)  // S9
{
    fifo_of<test::throwing> q(4);
    auto& in = q.idle_producer("in", {1});
    {
        const test::move_failure failure(0);
        q.start(in);
        BOOST_TEST(failure.fired());
    }
    BOOST_TEST(in.text() == "element_failed");
    BOOST_TEST(in.rows.front() == 1);
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.stats().enqueued == 0U);
    BOOST_CHECK_THROW(std::rethrow_exception(in.exception_), test::move_error);
    BOOST_TEST(q.put({2}) == 1U);
    BOOST_TEST(q.take() == "[2]");
}

BOOST_AUTO_TEST_CASE(whichever_move_in_fails_all_elements_are_stored_or_with_the_caller
)  // S9
{
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
        fifo_of<test::throwing> q(8);
        q.put({1, 2, 3});
        auto& in = q.idle_producer("in", {4, 5, 6});
        {
            const test::move_failure nth(static_cast<std::size_t>(failures));
            q.start(in);
            failed = nth.fired();
        }
        BOOST_TEST_CONTEXT("with a failure at move " << failures)
        {
            BOOST_TEST(in.text().starts_with(failed ? "element_failed" : "ok"));
            std::vector<int> all;
            auto& stored = q.dequeue_some("stored", 10);
            for (const test::throwing& element : stored.batch())
                all.push_back(element.value());
            BOOST_TEST(all.size() == 3 + in.accepted());
            for (std::size_t i = in.accepted(); i < in.rows.size(); ++i)
                all.push_back(in.rows[i].value());
            BOOST_TEST(all == numbers(1, 6));
        }
    }
    BOOST_TEST(failures > 3);
}

BOOST_AUTO_TEST_CASE(whichever_move_out_fails_the_consumer_is_told_and_the_queue_goes_on
)  // S9
{
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
        fifo_of<test::throwing> q(8);
        q.put({1, 2, 3, 4});
        auto& out = q.idle_consumer("out", demand::exactly, 3);
        {
            const test::move_failure nth(static_cast<std::size_t>(failures));
            q.start(out);
            failed = nth.fired();
        }
        BOOST_TEST_CONTEXT("with a failure at move " << failures)
        {
            BOOST_TEST(out.text().starts_with(failed ? "element_failed" : "[1, 2, 3]"));
            BOOST_TEST(out.held() == (failed ? 0U : 3U));
            // at most the element that could not be moved is lost
            BOOST_TEST(q.size() >= (failed ? 3U : 1U));
            BOOST_TEST(q.put({5}) == 1U);
            auto& rest = q.dequeue_some("rest", 10);
            BOOST_TEST(rest.batch().back() == 5);
        }
    }
    BOOST_TEST(failures > 3);
}

BOOST_AUTO_TEST_CASE(
    waiting_consumer_learns_of_a_move_that_fails_and_the_producer_succeeds
)
{
    fifo_of<test::throwing> q(4);
    auto& out = q.dequeue("out");
    auto& next = q.dequeue("next");
    auto& in = q.idle_producer("in", {1, 2});
    {
        const test::move_failure third(2);  // after both rows have come in
        q.start(in);
        BOOST_TEST(third.fired());
    }
    BOOST_TEST(in.text() == "ok");
    BOOST_TEST(out.text() == "element_failed");
    BOOST_TEST(next.text() == "2");
    BOOST_CHECK_THROW(std::rethrow_exception(out.exception_), test::move_error);
}

BOOST_AUTO_TEST_CASE(rendezvous_move_that_fails_is_the_producers_failure)
{
    fifo_of<test::throwing> q(0);
    auto& out = q.dequeue("out");
    auto& in = q.idle_producer("in", {1});
    {
        const test::move_failure failure(0);
        q.start(in);
        BOOST_TEST(failure.fired());
    }
    BOOST_TEST(in.text() == "element_failed");
    BOOST_TEST(in.rows.front() == 1);
    BOOST_TEST(out.text() == "waits");
    q.enqueue("again", {2});
    BOOST_TEST(out.text() == "2");
}

BOOST_AUTO_TEST_CASE(put_back_that_fails_loses_that_element_only)
{
    fifo_of<test::throwing> q(8);
    auto& batch = q.dequeue_many("batch", 5);
    q.put({1, 2, 3});
    {
        const test::move_failure failure(0);
        q.core().cancel(batch, boost::asio::error::operation_aborted);
        BOOST_TEST(failure.fired());
    }
    BOOST_TEST(batch.text() == "aborted");
    BOOST_TEST(q.size() == 2U);  // 3 goes back first, and fails
    auto& rest = q.dequeue_some("rest", 10);
    BOOST_TEST(rest.elements() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(rendezvous_branch_whose_last_row_fails_gives_back_what_it_held)
{
    sluice::detail::claim word;
    fifo_of<test::throwing> q(0);
    auto& batch = q.idle_consumer("batch", demand::exactly, 2);
    batch.claim_ = &word;
    q.start(batch);
    q.put({1});
    BOOST_TEST(batch.held() == 1U);
    auto& in = q.idle_producer("in", {2});
    {
        const test::move_failure failure(0);
        q.start(in);
        BOOST_TEST(failure.fired());
    }
    BOOST_TEST(in.text() == "element_failed");
    BOOST_TEST(in.rows.front() == 2);
    BOOST_TEST(batch.text() == "element_failed");
    BOOST_TEST(batch.held() == 0U);
    BOOST_TEST(q.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/element_store.hpp>

#include "support/counted.hpp"
#include "support/printing.hpp"
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using test::counted;

namespace element_store {

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

// All stores that take any element; padding differs from fifo in its batches only.
template <class T>
using stores_of = boost::mpl::list<
    sluice::fifo_store<T>,
    sluice::shuffle_store<T>,
    sluice::priority_store<T, std::less<>>>;

using counted_stores = stores_of<counted>;

template <class Store>
Store make_store()
{
    typename Store::options_type options{.capacity = 100};
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

}  // namespace element_store

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
    BOOST_TEST(
        complete(sluice::queue_options{.capacity = sluice::unbounded}).size() == 0U
    );
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

BOOST_AUTO_TEST_CASE_TEMPLATE(returned_element_is_stored_again, Store, counted_stores)
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

BOOST_AUTO_TEST_SUITE_END()

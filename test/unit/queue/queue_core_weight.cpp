// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S26

#include "unit/queue/core_driver.hpp"
#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/waiting/claim.hpp>
#include <sluice/queue/element_weight.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/queue_options.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using sluice::detail::attempt;

namespace queue_core_weight {

// Weighs what it is called.
struct parcel
{
    explicit parcel(int units) : weight(units) {}

    auto operator<=>(const parcel&) const = default;

    friend std::ostream& operator<<(std::ostream& out, const parcel& p)
    {
        return out << p.weight;
    }

    int weight;
};

// Weighs what others may change.
struct shared_parcel
{
    explicit shared_parcel(const int& units) : weight(&units) {}

    const int* weight;
};

using fifo = test::core_driver<parcel, sluice::fifo_store<parcel>>;
using shuffle = test::core_driver<parcel, sluice::shuffle_store<parcel>>;
using light_first =
    test::core_driver<parcel, sluice::priority_store<parcel, std::less<>>>;

sluice::queue_options limited_to(int weight)
{
    return {.capacity = 100, .weight_limit = weight};
}

}  // namespace queue_core_weight

template <>
struct sluice::element_weight<queue_core_weight::parcel>
{
    static std::size_t of(const queue_core_weight::parcel& p) noexcept
    {
        return static_cast<std::size_t>(p.weight);
    }
};

template <>
struct sluice::element_weight<queue_core_weight::shared_parcel>
{
    static std::size_t of(const queue_core_weight::shared_parcel& p) noexcept
    {
        return static_cast<std::size_t>(*p.weight);
    }
};

namespace queue_core_weight {

struct shared : test::core_driver<shared_parcel>
{
    using core_driver::core_driver;

    // There is room.
    void add(const int& weight)
    {
        shared_parcel row(weight);
        sluice::detail::tried_once<core_type::producer> tried(&row);
        test::try_once(core(), tried);
        BOOST_TEST(tried.accepted() == 1U);
    }
};

}  // namespace queue_core_weight

BOOST_AUTO_TEST_SUITE(queue_core_weight)

BOOST_AUTO_TEST_CASE(producer_waits_until_its_element_fits)
{
    fifo q(limited_to(10));
    q.enqueue("six", {6});
    auto& five = q.enqueue("five", {5});
    BOOST_TEST(five.text() == "waits");
    BOOST_TEST(q.stats().weight == 6);
    BOOST_TEST(q.dequeue("first").text() == "6");
    BOOST_TEST(five.text() == "ok");
    BOOST_TEST(q.stats().weight == 5);
}

BOOST_AUTO_TEST_CASE(batch_goes_in_up_to_the_element_that_is_too_heavy)
{
    fifo q(limited_to(10));
    auto& batch = q.enqueue("batch", {3, 4, 4, 1, 2});
    BOOST_TEST(q.stats().size == 2U);
    BOOST_TEST(q.stats().weight == 7U);
    BOOST_TEST(q.stats().high_water == 2U);
    BOOST_TEST(q.dequeue("first").text() == "3");
    BOOST_TEST(q.stats().weight == 9U);
    BOOST_TEST(batch.text() == "waits, 4 in");
    BOOST_TEST(q.dequeue("second").text() == "4");
    BOOST_TEST(q.stats().weight == 7U);
    BOOST_TEST(batch.text() == "ok");
}

BOOST_AUTO_TEST_CASE(batch_of_light_elements_goes_in_up_to_the_capacity)
{
    fifo q({.capacity = 2, .weight_limit = 10});
    q.enqueue("batch", {1, 1, 1});
    BOOST_TEST(q.stats().size == 2U);
    BOOST_TEST(q.stats().high_water == 2U);
}

BOOST_AUTO_TEST_CASE(element_above_the_limit_passes_alone)
{
    fifo q(limited_to(10));
    q.enqueue("light", {1});
    auto& heavy = q.enqueue("heavy", {1000});
    auto& behind = q.enqueue("behind", {1});
    BOOST_TEST(heavy.text() == "waits");
    BOOST_TEST(q.dequeue("a").text() == "1");
    BOOST_TEST(heavy.text() == "ok");
    BOOST_TEST(behind.text() == "waits");
    BOOST_TEST(q.dequeue("b").text() == "1000");
    BOOST_TEST(behind.text() == "ok");
}

BOOST_AUTO_TEST_CASE(fast_path_leaves_weighing_to_a_waiter)
{
    fifo q(limited_to(10));
    BOOST_TEST((q.core().try_push(parcel(6)) == attempt::unclear));
    BOOST_TEST(q.core().try_start(q.idle_producer("six", {6})));
    BOOST_TEST(!q.core().try_start(q.idle_producer("five", {5})));
    BOOST_TEST(q.core().try_start(q.idle_producer("four", {4})));
    BOOST_TEST(q.stats().weight == 10);
    BOOST_TEST(q.core().weight() == 10U);
    std::optional<parcel> taken;
    BOOST_TEST((q.core().try_pop(taken) == attempt::done));
    BOOST_TEST(q.stats().weight == 4);
    BOOST_TEST(q.core().try_start(q.idle_producer("five", {5})));
    BOOST_TEST(q.put({2}) == 0U);
    BOOST_TEST(q.put({1}) == 1U);
}

BOOST_AUTO_TEST_CASE(rendezvous_weighs_nothing)
{
    fifo q(sluice::queue_options{.capacity = 0, .weight_limit = 10});
    auto& heavy = q.enqueue("heavy", {1000});
    auto& taker = q.dequeue("taker");
    BOOST_TEST(heavy.text() == "ok");
    q.cancel(taker);
    BOOST_TEST(q.stats().weight == 0U);
    BOOST_TEST(q.stats().weight_limit == sluice::unbounded);
    BOOST_TEST(q.take() == "[1000]");
}

BOOST_AUTO_TEST_CASE(returned_elements_are_weighed_again)
{
    fifo q(limited_to(10));
    q.enqueue("ten", {10});
    auto& taker = q.dequeue("taker");
    auto& next = q.enqueue("next", {3});
    BOOST_TEST(next.text() == "ok");
    q.cancel(taker);  // its delivery was on the way
    BOOST_TEST(q.stats().weight == 13);
    BOOST_TEST(q.enqueue("behind", {1}).text() == "waits");
    BOOST_TEST(q.take() == "[10, 3, 1]");
    BOOST_TEST(q.stats().weight == 0);

    auto& many = q.dequeue_many("many", 3);
    q.enqueue("two", {2, 2});
    q.cancel(many);
    BOOST_TEST(q.stats().weight == 4);
}

BOOST_AUTO_TEST_CASE(what_stays_behind_in_a_shuffle_queue_does_not_keep_the_missing_out)
{
    shuffle q(sluice::shuffle_queue_options{
        .capacity = 100,
        .min_after_dequeue = 3,
        .seed = 1,
        .weight_limit = 10
    });
    BOOST_TEST(q.enqueue("rows", {5, 5, 5, 5}).text() == "ok");
    auto& more = q.enqueue("more", {1});
    BOOST_TEST(more.text() == "waits");
    BOOST_TEST(q.dequeue("a").text() == "5");
    BOOST_TEST(more.text() == "ok");
    BOOST_TEST(q.stats().weight == 16U);
}

// It could never leave otherwise: all of it has to be stored at the same time (T8, S8).
BOOST_AUTO_TEST_CASE(batch_that_is_stored_as_a_whole_is_let_in)
{
    light_first q(limited_to(10));
    q.enqueue("rows", {8, 8, 8});
    BOOST_TEST(q.stats().size == 1U);
    auto& many = q.dequeue_many("many", 3);
    BOOST_TEST(many.text() == "[8, 8, 8]");
    BOOST_TEST(q.stats().weight == 0);
}

BOOST_AUTO_TEST_CASE(place_is_refused_while_the_queue_is_heavy)
{
    fifo q(limited_to(10));
    q.enqueue("nine", {9});
    BOOST_TEST(!q.core().try_take_places(1).failed());
    q.enqueue("one", {1});
    BOOST_TEST((q.core().try_take_places(1) == errc::queue_full));
    BOOST_TEST(q.core().fill_place(parcel(20)));  // it never waits
    BOOST_TEST(q.stats().weight == 30);
    BOOST_TEST(q.take() == "[9, 1, 20]");
}

BOOST_AUTO_TEST_CASE(weight_is_never_more_than_can_be_counted)
{
    fifo q(limited_to(10));
    BOOST_TEST(!q.core().try_take_places(2).failed());
    BOOST_TEST(q.core().fill_place(parcel(std::numeric_limits<int>::min())));
    BOOST_TEST(q.core().fill_place(parcel(-1)));
    BOOST_TEST(q.stats().weight == std::numeric_limits<std::size_t>::max());
    BOOST_TEST((q.core().try_take_places(1) == errc::queue_full));
}

BOOST_AUTO_TEST_CASE(light_element_behind_a_branch_that_lost_does_not_wait_for_an_attempt
)  // Q2
{
    sluice::detail::claim word;
    fifo q(limited_to(10));
    q.enqueue("five", {5});
    auto& lost = q.idle_producer("lost", {8});
    lost.claim_ = &word;
    q.start(lost);
    q.enqueue("behind", {2});
    BOOST_TEST(word.try_take());
    BOOST_TEST(!q.core().try_take_places(1).failed());
    BOOST_TEST(q.told() == "five behind");
    BOOST_TEST(q.stats().weight == 7);
}

// Elements whose weight changes while they are stored (S26).

BOOST_AUTO_TEST_CASE(an_empty_queue_weighs_nothing_whatever_its_elements_became)
{
    for (const int later : {50, 1}) {
        int weight = 10;  // before the queue, which may weigh it to the end
        shared q(limited_to(100));
        q.add(weight);
        weight = later;
        BOOST_TEST(q.dequeue("out").held() == 1U);
        BOOST_TEST(q.stats().weight == 0U);
    }
}

BOOST_AUTO_TEST_CASE(an_element_that_grew_does_not_make_the_weight_negative)
{
    int grows = 10;
    int stays = 20;
    int small = 1;
    shared q(limited_to(100));
    q.add(grows);
    q.add(stays);
    grows = 1000;
    q.dequeue("grown");
    BOOST_TEST(q.stats().weight == 0U);
    for (int i = 0; i < 5; ++i)
        q.add(small);
    BOOST_TEST(q.size() == 6U);
    BOOST_TEST(q.stats().weight == 5U);
}

// What the library weighs by itself.

BOOST_AUTO_TEST_CASE(strings_and_vectors_weigh_what_they_refer_to)
{
    const std::string text(1000, 'x');
    BOOST_TEST(
        sluice::element_weight<std::string>::of(text) == sizeof(std::string) + 1000
    );
    const std::vector<float> row(10);
    BOOST_TEST(
        sluice::element_weight<std::vector<float>>::of(row) ==
        sizeof(row) + 10 * sizeof(float)
    );
}

BOOST_AUTO_TEST_SUITE_END()

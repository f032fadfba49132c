// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/shrinker.hpp"

#include "model/lock_step.hpp"
#include "model/queue_settings.hpp"
#include "model/random_steps.hpp"
#include "model/step.hpp"
#include "model/step_source.hpp"
#include <sluice/queue/fifo_store.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <utility>

// Whether queues with mistakes are caught, and how little of the steps remains: a rig that
// finds nothing might be blind.

using namespace sluice::model;

namespace shrinker {

using sound_store = sluice::fifo_store<int>;

class loses_the_third : public sound_store
{
public:
    using sound_store::sound_store;

    void push(int&& element)
    {
        if (++pushed_ != 3)
            sound_store::push(std::move(element));
    }

private:
    int pushed_ = 0;
};

class puts_back_at_the_end : public sound_store
{
public:
    using sound_store::sound_store;

    void put_back(int&& element) { push(std::move(element)); }
};

constexpr queue_settings bounded{.kind = queue_kind::fifo, .capacity = 3};

template <class Store>
std::optional<mismatch> run_listed(const steps& list)
{
    listed_steps source(list);
    return lock_step<int, Store>(bounded).run(source);
}

// What random steps find in a hundred queues.
template <class Store>
std::optional<mismatch> find()
{
    dice random(1);
    std::optional<mismatch> found;
    for (int i = 0; i < 100 && !found; ++i) {
        random_steps source(random);
        found = lock_step<int, Store>(bounded).run(source);
    }
    return found;
}

template <class Store>
steps shrink(const mismatch& found)
{
    const sluice::model::shrinker smaller([](const steps& list) {
        return run_listed<Store>(list).has_value();
    });
    return smaller.shrink(found.taken);
}

std::size_t rows_in(const steps& list)
{
    std::size_t rows = 0;
    for (const step& s : list)
        rows += s.what == action::enqueue ? s.count : 0;
    return rows;
}

}  // namespace shrinker

BOOST_AUTO_TEST_SUITE(shrinker)

BOOST_AUTO_TEST_CASE(sound_queue_is_not_accused)
{
    BOOST_TEST(!find<sound_store>().has_value());
}

BOOST_AUTO_TEST_CASE(lost_element_is_found_and_three_rows_show_it)
{
    const auto found = find<loses_the_third>();
    BOOST_TEST_REQUIRE(found.has_value());
    const steps least = shrink<loses_the_third>(*found);
    BOOST_TEST(least.size() <= 3U);
    BOOST_TEST(rows_in(least) == 3U);
    BOOST_TEST(run_listed<loses_the_third>(least).value().what == "size: 2, not 3");
}

// Two rows, a consumer that gets the first and gives it up, and one that gets it then.
BOOST_AUTO_TEST_CASE(element_returned_to_the_wrong_end_is_found_and_a_few_steps_show_it)
{
    const auto found = find<puts_back_at_the_end>();
    BOOST_TEST_REQUIRE(found.has_value());
    const steps least = shrink<puts_back_at_the_end>(*found);
    BOOST_TEST(least.size() <= 5U);
    BOOST_TEST(rows_in(least) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

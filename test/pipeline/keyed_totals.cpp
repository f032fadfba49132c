// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/keyed_totals.hpp"

#include "pipeline/fake_stage_context.hpp"
#include "support/io_fixture.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

// A sum whose size in memory is told. The largest one comes first.
struct sum
{
    std::size_t add(sum&& other) noexcept
    {
        value += other.value;
        return 1;
    }

    template <class Entry>
    [[nodiscard]] static bool comes_before(const Entry& a, const Entry& b)
    {
        return a.second.value > b.second.value;
    }

    int value = 0;
};

struct totals_fixture : io_fixture
{
    using totals = pipeline::keyed_totals<sum>;
    using pairs = std::vector<std::pair<std::string, int>>;

    static std::string key_of(int number)
    {
        return "a key too long for the string itself: " + std::to_string(number);
    }

    // One worker, to which the numbers of a range come.
    static void work(totals& tested, int from, int to)
    {
        totals::table own(tested);
        for (int i = from; i < to; ++i)
            own[key_of(i)].value += i;
        tested.leave(std::move(own));
    }

    asio::awaitable<pairs> given(totals& tested, std::size_t most = 0)
    {
        fake_stage_context context(ctx);
        co_await tested.unite(context);
        co_await tested.rank(context, most, [](sum& each) { each.value *= 10; });
        pairs all;
        while (tested.has_next()) {
            const auto& [key, total] = tested.next();
            all.emplace_back(key, total.value);
        }
        co_return all;
    }

    static std::string error_of(totals& tested, int from, int to)
    {
        try {
            work(tested, from, to);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no error";
    }
};

BOOST_FIXTURE_TEST_SUITE(keyed_totals, totals_fixture)

BOOST_AUTO_TEST_CASE(workers_add_up_and_totals_come_in_their_order)
{
    totals tested(1U << 30U);
    work(tested, 0, 30'000);
    work(tested, 10'000, 40'000);
    work(tested, 20'000, 25'000);
    const pairs all = run_until_done(given(tested));
    BOOST_TEST_REQUIRE(all.size() == 40'000U);
    BOOST_TEST(all.front().first == key_of(24'999));
    BOOST_TEST(all.front().second == 3 * 249'990);
    BOOST_TEST(all.back().second == 0);
    for (std::size_t i = 1; i < all.size(); ++i)
        BOOST_TEST_REQUIRE(all[i - 1].second >= all[i].second);
}

BOOST_AUTO_TEST_CASE(only_the_first_ones_are_given_if_that_is_asked_for)
{
    totals tested(1U << 30U);
    work(tested, 0, 100);
    BOOST_TEST(
        (run_until_done(given(tested, 2)) == pairs{{key_of(99), 990}, {key_of(98), 980}})
    );
}

BOOST_AUTO_TEST_CASE(no_keys_are_no_totals)
{
    totals none(0);
    BOOST_TEST(run_until_done(given(none)).empty());
    work(none, 0, 0);
    BOOST_TEST(run_until_done(given(none)).empty());
}

BOOST_AUTO_TEST_CASE(more_than_the_memory_is_an_error_with_the_number_of_keys)
{
    totals tested(0);
    BOOST_TEST(
        error_of(tested, 0, 1) == "what it keeps of 1 key takes more than its "
                                  "\"memory\", 0 B; raise that, or sort the keys "
                                  "first, with \"command\": \"sort\" as in "
                                  "docs/pipelines/cli.md#more-keys-than-memory-holds"
    );
}

BOOST_AUTO_TEST_CASE(what_totals_take_outside_of_the_table_counts)
{
    totals tested(10'000);
    totals::table own(tested);
    own["a"].value = 1;
    own.grow(5'000);
    BOOST_CHECK_THROW(own.grow(5'000), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(workers_share_the_memory)
{
    totals tested(60'000);
    work(tested, 0, 300);
    BOOST_TEST(error_of(tested, 300, 600).starts_with("what it keeps of "));
    totals alone(60'000);
    BOOST_TEST(error_of(alone, 300, 600) == "no error");
}

BOOST_AUTO_TEST_CASE(tables_that_fit_need_not_fit_while_they_are_brought_together)
{
    totals tested(130'000);
    work(tested, 0, 400);
    work(tested, 400, 800);
    BOOST_CHECK_THROW(run_until_done(given(tested)), std::runtime_error);
    totals same(130'000);
    work(same, 0, 400);
    work(same, 0, 400);
    BOOST_TEST(run_until_done(given(same)).size() == 400U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

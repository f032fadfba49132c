// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/groups.hpp"

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

struct groups_fixture : io_fixture
{
    using groups = pipeline::groups;
    using counts = std::vector<std::pair<std::string, std::uint64_t>>;

    static std::string key_of(int number)
    {
        return "a key too long for the string itself: " + std::to_string(number);
    }

    // One worker, to which the numbers of a range come.
    static void work(groups& tested, int from, int to)
    {
        groups::table own(tested);
        for (int i = from; i < to; ++i)
            own.add(own.at(key_of(i)), {});
        tested.leave(std::move(own));
    }

    asio::awaitable<counts> given(groups& tested)
    {
        fake_stage_context context(ctx);
        co_await tested.unite(context);
        co_await tested.rank(context, [](const pipeline::group& each) {
            return static_cast<long double>(each.count);
        });
        counts all;
        while (const auto* const next = tested.next())
            all.emplace_back(next->first, next->second.count);
        co_return all;
    }

    static std::string error_of(groups& tested, int from, int to)
    {
        try {
            work(tested, from, to);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no error";
    }

    static constexpr std::uint64_t much = 1U << 30U;
};

BOOST_FIXTURE_TEST_SUITE(groups, groups_fixture)

BOOST_AUTO_TEST_CASE(workers_add_up_and_the_largest_group_comes_first)
{
    pipeline::groups tested({.memory = much});
    work(tested, 0, 30'000);
    work(tested, 10'000, 40'000);
    work(tested, 20'000, 25'000);
    const counts all = run_until_done(given(tested));
    BOOST_TEST_REQUIRE(all.size() == 40'000U);
    BOOST_TEST((all.front() == std::pair{key_of(20'000), std::uint64_t{3}}));
    BOOST_TEST((all.back() == std::pair{key_of(9'999), std::uint64_t{1}}));
    for (std::size_t i = 1; i < all.size(); ++i)
        BOOST_TEST_REQUIRE(
            (all[i - 1].second > all[i].second ||
             (all[i - 1].second == all[i].second && all[i - 1].first < all[i].first))
        );
}

BOOST_AUTO_TEST_CASE(only_the_first_ones_are_given_if_that_is_asked_for)
{
    pipeline::groups tested({.memory = much, .top = 2});
    work(tested, 0, 100);
    work(tested, 50, 52);
    BOOST_TEST((run_until_done(given(tested)) == counts{{key_of(50), 2}, {key_of(51), 2}})
    );
}

BOOST_AUTO_TEST_CASE(of_each_place_so_many_are_given)
{
    using namespace std::string_literals;
    pipeline::groups tested({.memory = much, .top = 1, .has_places = true});
    groups::table own(tested);
    for (const std::string& key : {"b\0x"s, "a\0y"s, "b\0z"s, "b\0z"s, "a\0x"s})
        own.add(own.at(key), {});
    tested.leave(std::move(own));
    BOOST_TEST((run_until_done(given(tested)) == counts{{"a\0x"s, 1}, {"b\0z"s, 2}}));
}

BOOST_AUTO_TEST_CASE(no_keys_are_no_groups)
{
    pipeline::groups none({});
    BOOST_TEST(run_until_done(given(none)).empty());
    work(none, 0, 0);
    BOOST_TEST(run_until_done(given(none)).empty());
}

BOOST_AUTO_TEST_CASE(more_than_the_memory_is_an_error_with_the_number_of_keys)
{
    pipeline::groups tested({});
    BOOST_TEST(
        error_of(tested, 0, 1) == "what it keeps of 1 key takes more than its "
                                  "\"memory\", 0 B; raise that, or sort the keys "
                                  "first, with \"command\": \"sort\" as in "
                                  "docs/pipelines/cli.md#more-keys-than-memory-holds"
    );
}

BOOST_AUTO_TEST_CASE(numbers_that_are_kept_take_memory)
{
    const pipeline::json_value one(1);
    const pipeline::found_number found{
        pipeline::value_view(one),
        pipeline::number(std::int64_t{1})
    };
    const auto add_many = [&found](bool keeps) {
        pipeline::groups tested({.memory = 10'000, .fields = 1, .keeps_numbers = keeps});
        groups::table own(tested);
        for (int i = 0; i < 1'000; ++i)
            own.add(own.at("a"), std::span(&found, 1));
    };
    add_many(false);
    BOOST_CHECK_THROW(add_many(true), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(long_numbers_take_memory_while_they_are_the_least_or_the_greatest)
{
    pipeline::groups tested({.memory = 200'000, .fields = 1});
    groups::table own(tested);
    const auto add = [&own](const std::string& key, const std::string& number) {
        const auto view = pipeline::value_view::of_json(number);
        const pipeline::found_number found{view, view.as_number()};
        own.add(own.at(key), std::span(&found, 1));
    };
    const std::string zeros(40'000, '0');
    for (int i = 0; i < 100; ++i)
        add("a", std::to_string(i) + '.' + zeros);
    const auto add_others = [&] {
        for (int i = 0; i < 4; ++i)
            add(key_of(i), "1." + zeros);
    };
    BOOST_CHECK_THROW(add_others(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(long_keys_take_memory_and_stay)
{
    pipeline::groups tested({.memory = 1'500'000});
    groups::table own(tested);
    const auto add = [&own](int number) {
        own.add(own.at(std::string(40'000, 'x') + key_of(number)), {});
        own.add(own.at(key_of(number)), {});
    };
    for (int i = 0; i < 10; ++i)
        add(i);
    tested.leave(std::move(own));
    const counts all = run_until_done(given(tested));
    BOOST_TEST_REQUIRE(all.size() == 20U);
    BOOST_TEST(all[0].first == key_of(0));
    BOOST_TEST(all[19].first == std::string(40'000, 'x') + key_of(9));
    groups::table more(tested);
    const auto add_many = [&more] {
        for (int i = 0; i < 40; ++i)
            more.add(more.at(std::string(40'000, 'y') + key_of(i)), {});
    };
    BOOST_CHECK_THROW(add_many(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(workers_share_the_memory)
{
    pipeline::groups tested({.memory = 65'000});
    work(tested, 0, 300);
    BOOST_TEST(error_of(tested, 300, 600).starts_with("what it keeps of "));
    pipeline::groups alone({.memory = 65'000});
    BOOST_TEST(error_of(alone, 300, 600) == "no error");
}

BOOST_AUTO_TEST_CASE(tables_that_fit_need_not_fit_while_they_are_brought_together)
{
    pipeline::groups tested({.memory = 130'000});
    work(tested, 0, 400);
    work(tested, 400, 800);
    BOOST_CHECK_THROW(run_until_done(given(tested)), std::runtime_error);
    pipeline::groups same({.memory = 130'000});
    work(same, 0, 400);
    work(same, 0, 400);
    BOOST_TEST(run_until_done(given(same)).size() == 400U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

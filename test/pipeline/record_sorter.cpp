// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/record_sorter.hpp"

#include "pipeline/temporary_place.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace record_sorter {

using sluice::pipeline::spill::sorter_options;

using records = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t plenty = 1U << 30U;

// The numbers below `count`, each once, in an order without order.
std::vector<int> shuffled(int count)
{
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i)
        numbers.push_back(i);
    std::minstd_rand dice(7);
    for (std::size_t i = numbers.size(); i > 1; --i)
        std::swap(numbers[i - 1], numbers[dice() % i]);
    return numbers;
}

std::string key_of(int number)
{
    return "the key " + std::to_string(1'000'000 + number);
}

// What is given after numbers have been added.
records sorted(const sorter_options& options, const std::vector<int>& numbers)
{
    sluice::pipeline::spill::record_sorter tested(options);
    for (const int each : numbers) {
        tested.add(key_of(each), std::to_string(each));
        while (tested.is_full() && tested.spill_step()) {}
    }
    while (tested.prepare_step()) {}
    records given;
    for (; tested.has_record(); tested.next()) {
        given.emplace_back(tested.key(), "");
        tested.append_value(given.back().second);
    }
    return given;
}

records first(int count)
{
    records expected;
    for (int i = 0; i < count; ++i)
        expected.emplace_back(key_of(i), std::to_string(i));
    return expected;
}

}  // namespace record_sorter

BOOST_AUTO_TEST_SUITE(record_sorter)

BOOST_AUTO_TEST_CASE(records_come_in_the_order_of_their_keys)
{
    BOOST_TEST((sorted({.memory = plenty}, shuffled(100'000)) == first(100'000)));
    BOOST_TEST(sorted({.memory = plenty}, {}).empty());
}

BOOST_AUTO_TEST_CASE(only_the_first_ones_come_if_that_is_asked_for)
{
    const std::vector<int> numbers = shuffled(50'000);
    for (const int most : {1, 10, 1'000, 20'000, 40'000, 60'000})
        BOOST_TEST_CONTEXT(most)
        {
            const auto wanted = static_cast<std::size_t>(most);
            const records expected = first(std::min(most, 50'000));
            BOOST_TEST((sorted({.memory = plenty, .most = wanted}, numbers) == expected));
            BOOST_TEST((sorted({.memory = 200'000, .most = wanted}, numbers) == expected)
            );
        }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_into_memory_goes_to_disk)
{
    const std::vector<int> numbers = shuffled(20'000);
    // about 40 runs, and in the other case about 1,300
    BOOST_TEST((sorted({.memory = 30'000}, numbers) == first(20'000)));
    BOOST_TEST(
        (sorted({.memory = 1'000, .most_runs_at_once = 8}, numbers) == first(20'000))
    );
    const sluice::test::temporary_place nowhere("/nowhere");
    BOOST_TEST((sorted({.memory = plenty}, numbers) == first(20'000)));
    BOOST_CHECK_THROW((void)sorted({.memory = 30'000}, numbers), std::system_error);
}

BOOST_AUTO_TEST_CASE(few_are_kept_of_many_when_few_are_wanted)
{
    const sluice::test::temporary_place nowhere("/nowhere");
    BOOST_TEST((sorted({.memory = 400'000, .most = 10}, shuffled(100'000)) == first(10)));
}

BOOST_AUTO_TEST_CASE(records_with_equal_keys_all_come)
{
    BOOST_TEST(sorted({.memory = 2'000}, std::vector<int>(500, 3)).size() == 500U);
}

BOOST_AUTO_TEST_SUITE_END()

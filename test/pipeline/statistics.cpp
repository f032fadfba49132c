// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/statistics.hpp"

#include "support/message_of.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

namespace sluice::test {

struct statistics_fixture
{
    using value = pipeline::json_value;

    static pipeline::numbers made_of(std::initializer_list<value> values)
    {
        pipeline::numbers made;
        for (const value& each : values)
            made.add(
                {pipeline::value_view(each), pipeline::value_view(each).as_number()},
                true
            );
        return made;
    }

    static std::string computed(const char* name, std::initializer_list<value> values)
    {
        return pipeline::to_json_text(
            made_of(values).compute(pipeline::statistic(name, "compute"))
        );
    }
};

BOOST_FIXTURE_TEST_SUITE(statistics, statistics_fixture)

BOOST_AUTO_TEST_CASE(sums_of_whole_numbers_are_whole_and_exact)
{
    BOOST_TEST(computed("sum", {1, 2, -5}) == "-2");
    BOOST_TEST(computed("sum", {9'007'199'254'740'993, 1}) == "9007199254740994");
    BOOST_TEST(computed("sum", {1, 0.5}) == "1.5");
    BOOST_TEST(computed("sum", {}) == "0");
}

BOOST_AUTO_TEST_CASE(sum_beyond_64_bits_becomes_floating_point)
{
    const auto most = std::numeric_limits<std::uint64_t>::max();
    const auto least = std::numeric_limits<std::int64_t>::min();
    BOOST_TEST(computed("sum", {most - 1, 1}) == "18446744073709551615");
    BOOST_TEST(computed("sum", {most, 1}) == "1.8446744073709552e+19");
    BOOST_TEST(computed("sum", {most, most, least, least}) == "18446744073709551614");
    BOOST_TEST(computed("sum", {-1, least + 1}) == "-9223372036854775808");
    BOOST_TEST(computed("sum", {-1, least}) == "-9.223372036854776e+18");
}

BOOST_AUTO_TEST_CASE(sum_beyond_the_largest_number_is_an_error)
{
    for (const char* const name : {"sum", "mean"})
        BOOST_TEST(sluice::test::message_of([&] { computed(name, {1.7e308, 1.7e308}); }
        ).starts_with("a sum of numbers is beyond 1.8e308"));
    BOOST_TEST(computed("max", {1.7e308, 1.7e308}) == "1.7e+308");
}

BOOST_AUTO_TEST_CASE(small_numbers_count_beside_large_ones)
{
    BOOST_TEST(computed("sum", {1e16, 0.5, 0.5, -1e16}) == "1");
}

BOOST_AUTO_TEST_CASE(mean_min_and_max)
{
    BOOST_TEST(computed("mean", {1, 2}) == "1.5");
    BOOST_TEST(computed("min", {3, -1.5, 7}) == "-1.5");
    BOOST_TEST(computed("max", {3, -1.5, 7}) == "7");
    for (const char* name : {"mean", "min", "max", "median"})
        BOOST_TEST(computed(name, {}) == "null", name);
}

BOOST_AUTO_TEST_CASE(percentiles_are_numbers_of_the_group)
{
    BOOST_TEST(computed("median", {5, 1, 3}) == "3");
    BOOST_TEST(computed("median", {4, 1, 3, 2}) == "2");
    BOOST_TEST(computed("p0", {5, 1}) == "1");
    BOOST_TEST(computed("p100", {5, 1}) == "5");
    BOOST_TEST(computed("p99.9", {0.25}) == "0.25");
}

BOOST_AUTO_TEST_CASE(percentiles_are_exact)
{
    pipeline::numbers all;
    for (int i = 1; i <= 1000; ++i)
        all.add({pipeline::value_view(), pipeline::number(std::int64_t{i})}, true);
    const auto percentile = [&all](const std::string& percent) {
        return all.compute(pipeline::statistic("p" + percent, "compute"));
    };
    for (int i = 1; i <= 1000; ++i)
        BOOST_TEST(
            percentile(std::to_string(i / 10) + "." + std::to_string(i % 10)) == i
        );
    BOOST_TEST(percentile("55.000001") == 551);
}

BOOST_AUTO_TEST_CASE(parts_add_up)
{
    pipeline::numbers all = made_of({1, 9});
    all.add(made_of({}));
    all.add(made_of({-3, 4}));
    const auto compute = [&all](const char* name) {
        return all.compute(pipeline::statistic(name, "compute")).dump();
    };
    BOOST_TEST(compute("sum") == "11");
    BOOST_TEST(compute("mean") == "2.75");
    BOOST_TEST(compute("min") == "-3");
    BOOST_TEST(compute("max") == "9");
    BOOST_TEST(compute("median") == "1");
}

BOOST_AUTO_TEST_CASE(unknown_names_are_refused)
{
    for (const char* name :
         {"",
          "avg",
          "p",
          "p.",
          "p.5",
          "p101",
          "p100.1",
          "p-1",
          "p-0",
          "pp",
          "p5x",
          "p5.5.5",
          "p1e1",
          "pnan",
          "p5.0000001"})
        BOOST_CHECK_THROW(pipeline::statistic(name, "compute"), pipeline::option_error);
}

BOOST_AUTO_TEST_CASE(large_whole_numbers_are_compared_and_given_exactly)
{
    const std::initializer_list<value> times{
        1'764'331'200'123'456'791,
        1'764'331'200'123'456'789,
        1'764'331'200'123'456'790
    };
    BOOST_TEST(computed("min", times) == "1764331200123456789");
    BOOST_TEST(computed("max", times) == "1764331200123456791");
    BOOST_TEST(computed("median", times) == "1764331200123456790");
    const auto most = std::numeric_limits<std::uint64_t>::max();
    BOOST_TEST(computed("max", {most - 1, most}) == "18446744073709551615");
    BOOST_TEST(computed("median", {most - 1, most}) == "18446744073709551614");
    BOOST_TEST(computed("p100", {most - 1, most}) == "18446744073709551615");
}

BOOST_AUTO_TEST_CASE(large_whole_numbers_stay_exact_among_others)
{
    const std::initializer_list<value> mixed{
        0.5,
        9'007'199'254'740'993,
        -9'007'199'254'740'993
    };
    BOOST_TEST(computed("p0", mixed) == "-9007199254740993");
    BOOST_TEST(computed("median", mixed) == "0.5");
    BOOST_TEST(computed("p100", mixed) == "9007199254740993");
    BOOST_TEST(computed("p100", {0.5, 1e300}) == "1e+300");
}

BOOST_AUTO_TEST_CASE(whole_numbers_among_others_are_kept_as_these)
{
    BOOST_TEST(computed("median", {3, 0.5, 1}) == "1");
    pipeline::numbers all = made_of({5, 1});
    all.add(made_of({2.5}));
    all.add(made_of({7, 8}));
    BOOST_TEST(all.bytes() == 5U * 16);
    BOOST_TEST(all.compute(pipeline::statistic("median", "compute")).dump() == "5");
    BOOST_TEST(all.compute(pipeline::statistic("p40", "compute")).dump() == "2.5");
    all.add(made_of({9'007'199'254'740'993}));
    BOOST_TEST(all.bytes() == 6U * 32);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

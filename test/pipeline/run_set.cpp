// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/run_set.hpp"

#include "pipeline/spill/record_bytes.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace run_set {

using namespace sluice::pipeline::spill;

using records = std::vector<std::pair<std::string, std::string>>;

run written(const std::shared_ptr<sluice::io::unnamed_file>& file, const records& all)
{
    run_writer writer(file);
    for (const auto& [key, value] : all)
        writer.add(key, value);
    return writer.finish();
}

records all_of(sluice::pipeline::spill::run_set& runs)
{
    while (runs.reduce_step()) {}
    records all;
    for (auto merged = runs.merged(); merged.has_record(); merged.next())
        all.emplace_back(merged.record().key(), merged.record().value());
    return all;
}

}  // namespace run_set

BOOST_AUTO_TEST_SUITE(run_set)

BOOST_AUTO_TEST_CASE(runs_are_read_as_one_in_the_order_of_their_keys)
{
    const auto file = std::make_shared<sluice::io::unnamed_file>();
    sluice::pipeline::spill::run_set runs;
    BOOST_TEST(runs.empty());
    runs.add(written(file, {{"", "0"}, {"b", "1"}, {"beginning and more", "2"}}));
    runs.add(written(file, {}));
    runs.add(written(file, {{"a", ""}, {"b", "1"}, {"beginning", "4"}, {"\xff", "5"}}));
    BOOST_TEST(!runs.empty());
    const records expected = {
        {"", "0"},
        {"a", ""},
        {"b", "1"},
        {"b", "1"},
        {"beginning", "4"},
        {"beginning and more", "2"},
        {"\xff", "5"}
    };
    BOOST_TEST((all_of(runs) == expected));
}

BOOST_AUTO_TEST_CASE(records_of_any_size_come_back)
{
    const auto file = std::make_shared<sluice::io::unnamed_file>();
    records all;
    for (const std::size_t size : {0U, 1U, 127U, 128U, 16'383U, 16'384U, 700'000U, 5U})
        all.emplace_back(std::to_string(all.size()), std::string(size, 'v'));
    all.emplace_back(std::string(300'000, 'k'), "long");
    sluice::pipeline::spill::run_set runs;
    runs.add(written(file, all));
    BOOST_TEST((all_of(runs) == all));
}

BOOST_AUTO_TEST_CASE(more_runs_than_may_be_read_at_once_become_fewer)
{
    sluice::pipeline::spill::run_set runs(3);
    records expected;
    for (int i = 10; i < 40; ++i) {
        const records one = {{std::to_string(i), "a"}, {std::to_string(i + 50), "b"}};
        runs.add(written(std::make_shared<sluice::io::unnamed_file>(), one));
        expected.insert(expected.end(), one.begin(), one.end());
    }
    std::ranges::sort(expected);
    BOOST_TEST((all_of(runs) == expected));
}

BOOST_AUTO_TEST_CASE(bytes_of_numbers_are_in_their_order)
{
    const double numbers[] = {
        std::numeric_limits<double>::infinity(),
        1e300,
        2,
        1.5,
        5e-324,
        0,
        -1,
        -1e300,
        -std::numeric_limits<double>::infinity()
    };
    std::string before;
    for (const double each : numbers) {
        std::string bytes;
        append_descending(bytes, each);
        BOOST_TEST_CONTEXT(each)
        {
            BOOST_TEST((before < bytes));
        }
        before = bytes;
    }
    std::string zero;
    std::string negative_zero;
    append_descending(zero, 0.0);
    append_descending(negative_zero, -0.0);
    BOOST_TEST((zero == negative_zero));
}

BOOST_AUTO_TEST_CASE(record_that_is_cut_short_is_refused)
{
    std::string_view bytes = "123";
    BOOST_CHECK_THROW((void)take_raw<std::uint64_t>(bytes), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

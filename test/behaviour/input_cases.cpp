// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D20

// The input producers: the cases of TensorFlow's input_test for input_producer and its relatives.
// docs/guide/input.md says which are left out, and why. Sources of two columns have a struct.

#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/input/batcher.hpp>
#include <sluice/input/input_producer.hpp>
#include <sluice/input/limit_epochs.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace input_cases {

using ints = std::vector<int>;
using strings = std::vector<std::string>;

struct reading
{
    asio::io_context context;
    sluice::coordinator tasks{context};

    template <class T>
    T run(asio::awaitable<T> work)
    {
        auto result = asio::co_spawn(context, std::move(work), asio::use_future);
        context.restart();
        context.run();
        return result.get();
    }

    // One by one to the end, which the tasks have come to, too.
    template <class T>
    std::vector<T> read_all(sluice::input_producer<T>& from)
    {
        const auto take = [](reading& self, sluice::input_producer<T>& input
                          ) -> asio::awaitable<std::vector<T>> {
            std::vector<T> all;
            for (;;) {
                std::optional<T> next = co_await input.next();
                if (!next)
                    break;
                all.push_back(std::move(*next));
            }
            co_await self.tasks.join();
            co_return all;
        };
        from.start(tasks);
        return run(take(*this, from));
    }

    // What one batch of that size has, or nothing at the end.
    template <class T>
    std::vector<T> read_many(sluice::input_producer<T>& from, std::size_t count)
    {
        const auto take = [](sluice::input_producer<T>& input,
                             std::size_t size) -> asio::awaitable<std::vector<T>> {
            auto [error, rows] = co_await input.queue().dequeue_many(size).as_tuple();
            if (error && error != sluice::errc::end_of_queue)
                throw sluice::system_error(error);
            co_return std::move(rows);
        };
        return run(take(from, count));
    }
};

template <class T>
std::vector<T> repeated(const std::vector<T>& list, int times)
{
    std::vector<T> all;
    for (; times > 0; --times)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

const strings be_or_not{"to", "be", "or", "not", "to", "be"};

struct row
{
    std::string name;
    int number;
    auto operator<=>(const row&) const = default;
};

const std::vector<row> rows{{"Alpha", 2}, {"Beta", 3}, {"Delta", 5}, {"Gamma", 7}};

}  // namespace input_cases

BOOST_FIXTURE_TEST_SUITE(input_cases, ::input_cases::reading)

using namespace ::input_cases;

// LimitEpochs.testLimit, with a batcher; the function alone is in the unit tests.
BOOST_AUTO_TEST_CASE(limited_reading_ends)
{
    const auto read = []() -> asio::awaitable<int> { co_return 7; };
    sluice::batcher<int> batches(
        context,
        sluice::limit_epochs(read, 5),
        {.batch_size = 2, .workers = 2, .allow_smaller_final_batch = true}
    );
    batches.start(tasks);
    const auto take = [](sluice::batcher<int>& from) -> asio::awaitable<std::size_t> {
        std::size_t count = 0;
        while (auto batch = co_await from.next())
            count += batch->size();
        co_return count;
    };
    BOOST_TEST(run(take(batches)) == 5U);
}

// InputProducer.testNoShuffle. testNoShapeInference gives the shape of the rows, which is part of
// their type here.
BOOST_AUTO_TEST_CASE(rows_of_two_epochs_in_one_batch)
{
    const std::vector<std::array<int, 4>> table{
        {1, 2, 3, 4},
        {5, 6, 7, 8},
        {9, 10, 11, 12}
    };
    sluice::input_producer<std::array<int, 4>> input(context, table, {.num_epochs = 2});
    input.start(tasks);
    BOOST_TEST((read_many(input, 6) == repeated(table, 2)));
    BOOST_TEST(read_many(input, 1).empty());
    BOOST_TEST(!input.runner()->is_running());
}

// StringInputProducer.testNoShuffle
BOOST_AUTO_TEST_CASE(strings_of_three_epochs)
{
    sluice::input_producer<std::string> input(context, be_or_not, {.num_epochs = 3});
    input.start(tasks);
    BOOST_TEST(read_many(input, 18) == repeated(be_or_not, 3));
    BOOST_TEST(read_many(input, 1).empty());
}

// StringInputProducer.testNullStringPython
BOOST_AUTO_TEST_CASE(empty_list_is_refused_at_construction)
{
    BOOST_CHECK_EXCEPTION(
        (sluice::input_producer<std::string>(context, strings(), {})),
        sluice::system_error,
        [](const auto& e) { return e.code() == sluice::errc::invalid_argument; }
    );
}

// StringInputProducer.testNullString. Here it is the end of the input, and no error.
BOOST_AUTO_TEST_CASE(list_that_is_found_empty_closes_the_queue)
{
    sluice::input_producer<std::string> input(context, [] { return strings(); }, {});
    BOOST_TEST(read_all(input).empty());
    BOOST_TEST(input.queue().is_closed());
    BOOST_TEST(!tasks.should_stop());
}

// StringInputProducer.testConstructionRace
BOOST_AUTO_TEST_CASE(unlimited_reading_goes_on_until_the_stop)
{
    sluice::input_producer<std::string> input(context, be_or_not, {});
    const auto take = [](reading& self, sluice::input_producer<std::string>& from
                      ) -> asio::awaitable<strings> {
        strings all;
        for (int i = 0; i < 12; ++i)
            all.push_back(co_await from.queue().dequeue());
        self.tasks.request_stop();
        co_await self.tasks.join();
        co_return all;
    };
    input.start(tasks);
    BOOST_TEST(run(take(*this, input)) == repeated(be_or_not, 2));
}

// RangeInputProducer.testNoShuffle
BOOST_AUTO_TEST_CASE(numbers_of_three_epochs)
{
    sluice::input_producer<int> input(context, std::views::iota(0, 5), {.num_epochs = 3});
    BOOST_TEST(read_all(input) == repeated(ints{0, 1, 2, 3, 4}, 3));
}

// RangeInputProducer.testShuffle
BOOST_AUTO_TEST_CASE(two_numbers_come_equally_often_in_both_orders)
{
    sluice::input_producer<int> input(
        context,
        std::views::iota(0, 2),
        {.num_epochs = 200, .shuffle = true, .seed = 314159}
    );
    const ints all = read_all(input);
    BOOST_TEST_REQUIRE(all.size() == 400U);
    int ordered = 0;
    for (std::size_t i = 0; i < all.size(); i += 2) {
        BOOST_TEST(all[i] + all[i + 1] == 1);
        ordered += all[i + 1];
    }
    BOOST_TEST(ordered >= 60);
    BOOST_TEST(ordered <= 140);
}

// SliceInputProducer.testNoShuffle
BOOST_AUTO_TEST_CASE(slices_of_two_columns_stay_together)
{
    const std::array names{"Alpha", "Beta", "Delta", "Gamma"};
    const std::array numbers{2, 3, 5, 7};
    const auto slice = [&](std::size_t i) { return row{names[i], numbers[i]}; };
    sluice::input_producer<row> input(
        context,
        std::views::iota(std::size_t{0}, names.size()) | std::views::transform(slice),
        {.num_epochs = 3}
    );
    BOOST_TEST((read_all(input) == repeated(rows, 3)));
}

// SliceInputProducer.testShuffle
BOOST_AUTO_TEST_CASE(all_orders_of_four_slices_come_equally_often)
{
    sluice::input_producer<row> input(
        context,
        rows,
        {.num_epochs = 1200, .shuffle = true, .seed = 161803}
    );
    const std::vector<row> all = read_all(input);
    BOOST_TEST_REQUIRE(all.size() == 4800U);
    std::map<std::vector<row>, int> orders;
    for (auto at = all.begin(); at != all.end(); at += 4) {
        BOOST_TEST((std::set<row>(at, at + 4) == std::set<row>(rows.begin(), rows.end()))
        );
        ++orders[std::vector<row>(at, at + 4)];
    }
    BOOST_TEST(orders.size() == 24U);
    for (const auto& [order, count] : orders) {
        BOOST_TEST(count >= 30);
        BOOST_TEST(count <= 70);
    }
}

BOOST_AUTO_TEST_SUITE_END()

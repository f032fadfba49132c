// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D16

// The bucketer: the cases of TensorFlow's bucket_ops_test. docs/guide/batches.md says which are
// left out, and why.

#include <sluice/error.hpp>
#include <sluice/input/bucketer.hpp>
#include <sluice/io_context_pool.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace bucketer_cases {

// 0, 1 ... below the limit; the workers share it.
class counter
{
public:
    explicit counter(int limit) : limit_(limit) {}

    int take()
    {
        const int number = next_.fetch_add(1);
        if (number >= limit_)
            throw sluice::system_error(sluice::errc::end_of_queue);
        return number;
    }

private:
    const int limit_;
    std::atomic<int> next_ = 0;
};

// Row v: v copies of v, and three texts. Padded are the numbers.
struct row
{
    std::vector<int> numbers;
    std::array<std::string, 3> texts;
};

row row_of(int v)
{
    const std::string text = std::to_string(v);
    return {
        std::vector<int>(static_cast<std::size_t>(v), v),
        {text, text + "x", text + "y"}
    };
}

void pad_rows(std::span<row> rows)
{
    std::size_t longest = 0;
    for (const row& r : rows)
        longest = std::max(longest, r.numbers.size());
    for (row& r : rows)
        r.numbers.resize(longest, -1);
}

// The number of the row, by which all of it is of one piece and padded.
void check_row(const row& r, std::size_t longest)
{
    const int v = std::stoi(r.texts[0]);
    const auto own = std::count(r.numbers.begin(), r.numbers.end(), v);
    const auto padding = std::count(r.numbers.begin(), r.numbers.end(), -1);
    BOOST_TEST(own == v);
    BOOST_TEST(r.numbers.size() == longest);
    BOOST_TEST(own + padding == static_cast<std::ptrdiff_t>(longest));
    BOOST_TEST(r.texts[1] == r.texts[0] + "x");
    BOOST_TEST(r.texts[2] == r.texts[0] + "y");
}

std::vector<int> sequence(int count, int step = 1)
{
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i)
        numbers.push_back(i * step);
    return numbers;
}

template <class Buckets>
asio::awaitable<std::vector<typename Buckets::batch_type>> take_all(Buckets& buckets)
{
    std::vector<typename Buckets::batch_type> all;
    for (;;) {
        auto next = co_await buckets.next();
        if (!next)
            co_return all;
        all.push_back(std::move(*next));
    }
}

template <class Buckets>
auto batches_of(sluice::io_context_pool& pool, Buckets& buckets)
{
    buckets.start(pool);
    auto all = pool.run([&] { return take_all(buckets); });
    pool.join();
    return all;
}

template <class Buckets>
auto batches_of(asio::io_context& context, Buckets& buckets)
{
    buckets.start(context);
    auto all = asio::co_spawn(context, take_all(buckets), asio::use_future);
    context.run();
    return all.get();
}

}  // namespace bucketer_cases

BOOST_AUTO_TEST_SUITE(bucketer_cases)

BOOST_AUTO_TEST_SUITE(bucket)

// testSingleBucket
BOOST_AUTO_TEST_CASE(ten_workers_fill_one_bucket)
{
    sluice::io_context_pool pool(2);
    counter inputs(32);
    const auto read = [&]() -> asio::awaitable<row> {
        const int v = inputs.take();
        co_return row_of(v);
    };
    sluice::padded_bucketer<row> buckets(
        pool,
        read,
        {.length = [](const row&) { return 0; },
         .boundaries = 1,
         .batch_sizes = 32,
         .workers = 10}
    );
    const auto all = batches_of(pool, buckets);
    BOOST_TEST_REQUIRE(all.size() == 1U);
    BOOST_TEST(all[0].bucket == 0U);
    std::vector<int> numbers;
    for (const row& r : all[0].batch) {
        check_row(r, 31);
        numbers.push_back(std::stoi(r.texts[0]));
    }
    std::sort(numbers.begin(), numbers.end());
    BOOST_TEST(numbers == sequence(32));
}

// testBatchSizePerBucket
BOOST_AUTO_TEST_CASE(each_bucket_has_its_batch_size)
{
    asio::io_context context;
    counter inputs(15);
    const auto read = [&]() -> asio::awaitable<int> { co_return inputs.take(); };
    sluice::bucketer<int> buckets(
        context,
        read,
        {.length = [](int v) { return v < 5 ? 0 : 1; },
         .boundaries = 1,
         .batch_sizes = {5, 10}}
    );
    const auto all = batches_of(context, buckets);
    BOOST_TEST_REQUIRE(all.size() == 2U);
    BOOST_TEST(all[0].bucket == 0U);
    BOOST_TEST(all[0].batch == sequence(5));
    BOOST_TEST(all[1].bucket == 1U);
    BOOST_TEST(all[1].batch == (std::vector<int>{5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
}

// testEvenOddBuckets, with twice as many inputs, and testEvenOddBucketsFilterOutAllOdd
BOOST_AUTO_TEST_CASE(rows_left_out_are_in_no_bucket)
{
    for (const bool keeps_odd : {true, false}) {
        asio::io_context context;
        counter inputs(128);
        const auto read = [&inputs, keeps_odd]() -> asio::awaitable<std::optional<int>> {
            const int v = inputs.take();
            co_return v % 2 == 0 || keeps_odd ? std::optional(v) : std::nullopt;
        };
        sluice::bucketer<int> buckets(
            context,
            read,
            {.length = [](int v) { return v % 2; }, .boundaries = 1, .batch_sizes = 32}
        );
        std::vector<int> even;
        std::vector<int> odd;
        for (const auto& [bucket, batch] : batches_of(context, buckets)) {
            BOOST_TEST(batch.size() == 32U);
            std::vector<int>& own = bucket == 0 ? even : odd;
            own.insert(own.end(), batch.begin(), batch.end());
        }
        BOOST_TEST(even == sequence(64, 2));
        BOOST_TEST(odd.size() == (keeps_odd ? 64U : 0U));
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(bucket_by_sequence_length)

// testBucketBySequenceLength, and testBucketBySequenceLengthAllow: rows of six
// lengths from ten workers. TensorFlow's tests take 50 batches of 500 rows and do not see that
// the rest is lost.
BOOST_AUTO_TEST_CASE(every_row_is_delivered_in_a_batch_of_its_length)
{
    constexpr std::array lengths{1, 3, 4, 5, 6, 10};
    constexpr std::array bucket_of_length{0U, 1U, 2U, 3U, 3U, 4U};
    sluice::io_context_pool pool(2);
    counter inputs(500);
    const auto read = [&]() -> asio::awaitable<row> {
        const auto which = static_cast<std::size_t>(inputs.take()) % lengths.size();
        co_return row_of(lengths[which]);
    };
    sluice::padded_bucketer<row> buckets(
        pool,
        read,
        {.length = [](const row& r) { return r.numbers.size(); },
         .boundaries = {3, 4, 5, 10},
         .batch_sizes = 8,
         .workers = 10}
    );
    std::vector<std::size_t> smaller;
    std::vector<std::size_t> rows(5);
    for (const auto& [bucket, batch] : batches_of(pool, buckets)) {
        for (const row& r : batch) {
            const int own = std::stoi(r.texts[0]);
            const auto which = static_cast<std::size_t>(
                std::find(lengths.begin(), lengths.end(), own) - lengths.begin()
            );
            BOOST_TEST(bucket_of_length[which] == bucket);
            check_row(r, batch.front().numbers.size());
        }
        rows[bucket] += batch.size();
        if (batch.size() != 8)
            smaller.push_back(bucket);
    }
    // 84 rows of the first two lengths, 83 of the others
    BOOST_TEST(rows == (std::vector<std::size_t>{84, 84, 83, 166, 83}));
    BOOST_TEST(smaller == (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

// testBucketBySequenceLengthBucketCapacities, of batch sizes
BOOST_AUTO_TEST_CASE(four_sizes_for_five_buckets_are_refused)
{
    asio::io_context context;
    const auto make = [&](const sluice::size_list& sizes) {
        const auto read = []() -> asio::awaitable<std::string> { co_return ""; };
        sluice::bucketer<std::string>(
            context,
            read,
            {.boundaries = {3, 4, 5, 10}, .batch_sizes = sizes}
        );
    };
    BOOST_CHECK_THROW(make({48, 40, 32, 24}), sluice::system_error);
    make({48, 40, 32, 24, 16});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()

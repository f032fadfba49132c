// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The batchers: the cases of TensorFlow's input_test that check the most. What the others check is
// in these, or in unit/input/basic_batcher.cpp. A source of two columns is a struct.

#include <sluice/error.hpp>
#include <sluice/input/batcher.hpp>
#include <sluice/input/padded_batcher.hpp>
#include <sluice/input/shuffle_batcher.hpp>
#include <sluice/io_context_pool.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace batcher_cases {

// 0, 1 ... below the limit; the workers share it.
class counter
{
public:
    explicit counter(int limit) : limit_(limit) {}

    int take()
    {
        const int number = next_->fetch_add(1);
        if (number >= limit_)
            throw sluice::system_error(sluice::errc::end_of_queue);
        return number;
    }

    asio::awaitable<int> operator()() { co_return take(); }

private:
    const int limit_;
    std::shared_ptr<std::atomic<int>> next_ = std::make_shared<std::atomic<int>>(0);
};

// Even numbers only: keep_input.
struct even_counter
{
    counter numbers;

    asio::awaitable<std::optional<int>> operator()()
    {
        const int number = numbers.take();
        co_return number % 2 == 0 ? std::optional<int>(number) : std::nullopt;
    }
};

struct example
{
    int number;
    std::string source;
};

// Source A counts; source B is 99 again and again.
struct source_a
{
    counter numbers;
    asio::awaitable<example> operator()()
    {
        const int number = numbers.take();
        co_return example{number, "a"};
    }
};

struct source_b
{
    counter numbers;
    asio::awaitable<example> operator()()
    {
        numbers.take();
        co_return example{99, "b"};
    }
};

using row = std::vector<std::string>;

// Row i has 1 + i times "a".
struct growing_rows
{
    counter numbers;

    asio::awaitable<row> operator()()
    {
        const auto i = static_cast<std::size_t>(numbers.take());
        co_return row(1 + i, "a");
    }
};

struct long_rows
{
    counter numbers;

    asio::awaitable<row> operator()()
    {
        numbers.take();
        co_return row(99, "b");
    }
};

template <class Batcher>
asio::awaitable<std::vector<typename Batcher::batch_type>> take_all(Batcher& batches)
{
    std::vector<typename Batcher::batch_type> all;
    for (;;) {
        auto batch = co_await batches.next();
        if (!batch)
            break;
        all.push_back(std::move(*batch));
    }
    const auto again = co_await batches.next();
    BOOST_TEST(!again.has_value());
    co_return all;
}

// All batches, of one thread.
template <class Batcher>
auto batches_of(asio::io_context& context, Batcher& batches)
{
    batches.start(context);
    auto all = asio::co_spawn(context, take_all(batches), asio::use_future);
    context.run();
    return all.get();
}

// All batches, of the threads of a pool.
template <class Batcher>
auto batches_of(sluice::io_context_pool& pool, Batcher& batches)
{
    batches.start(pool);
    auto all = pool.run([&] { return take_all(batches); });
    pool.join();
    return all;
}

template <class Batches>
std::vector<std::size_t> sizes_of(const Batches& batches)
{
    std::vector<std::size_t> sizes;
    for (const auto& batch : batches)
        sizes.push_back(batch.size());
    return sizes;
}

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& batches)
{
    std::vector<T> all;
    for (const auto& batch : batches)
        all.insert(all.end(), batch.begin(), batch.end());
    return all;
}

std::vector<int> sorted(std::vector<int> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

// 0, step, 2 * step ...
std::vector<int> sequence(std::size_t count, int step = 1)
{
    std::vector<int> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
        numbers[i] = step * static_cast<int>(i);
    return numbers;
}

std::vector<std::size_t> sizes(std::size_t count, std::size_t each)
{
    return std::vector<std::size_t>(count, each);
}

std::vector<std::size_t> sizes(std::size_t count, std::size_t each, std::size_t last)
{
    auto all = sizes(count, each);
    all.push_back(last);
    return all;
}

std::vector<int> numbers_from(const std::vector<example>& examples, const char* source)
{
    std::vector<int> numbers;
    for (const example& e : examples)
        if (e.source == source)
            numbers.push_back(e.number);
    return numbers;
}

// Each of A once, not in their order, and so many of B.
void check_shuffled_sources(
    const std::vector<example>& examples,
    std::size_t a,
    std::size_t b
)
{
    const std::vector<int> numbers = numbers_from(examples, "a");
    BOOST_TEST(numbers != sequence(a));
    BOOST_TEST(sorted(numbers) == sequence(a));
    BOOST_TEST(numbers_from(examples, "b") == std::vector<int>(b, 99));
}

bool is_mixed(const std::vector<example>& batch)
{
    const auto is_a = [](const example& e) { return e.source == "a"; };
    return std::any_of(batch.begin(), batch.end(), is_a) &&
           !std::all_of(batch.begin(), batch.end(), is_a);
}

void check_padding(const sluice::padded_batch<row>& batch)
{
    const std::size_t longest =
        *std::max_element(batch.lengths().begin(), batch.lengths().end());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        BOOST_TEST(batch[i].size() == longest);
        BOOST_TEST(
            static_cast<std::size_t>(std::count(batch[i].begin(), batch[i].end(), "")) ==
            longest - batch.lengths()[i]
        );
    }
}

// Rows of 1, 2 ... "a" in this order, and so many of 99 "b".
void check_padded_sources(
    const std::vector<sluice::padded_batch<row>>& batches,
    std::size_t a,
    std::size_t b
)
{
    std::vector<std::size_t> of_a;
    std::size_t of_b = 0;
    for (const auto& batch : batches) {
        check_padding(batch);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (batch[i].front() == "a") {
                of_a.push_back(batch.lengths()[i]);
            } else {
                BOOST_TEST(batch.lengths()[i] == 99U);
                ++of_b;
            }
        }
    }
    std::vector<std::size_t> expected(a);
    std::iota(expected.begin(), expected.end(), std::size_t(1));
    BOOST_TEST(of_a == expected);
    BOOST_TEST(of_b == b);
}

}  // namespace batcher_cases

BOOST_AUTO_TEST_SUITE(batcher_cases)

// batch, testOneThreadEnqueueMany
BOOST_AUTO_TEST_CASE(takes_several_examples_of_one_read_in_order)
{
    asio::io_context context;
    auto pairs = [rows = counter(15)]() mutable -> asio::awaitable<std::vector<int>> {
        const int first = 2 * rows.take();
        co_return std::vector<int>{first, first + 1};
    };
    sluice::batcher<int> batches(context, pairs, {.batch_size = 10});
    const auto all = batches_of(context, batches);
    BOOST_TEST(sizes_of(all) == sizes(3, 10));
    BOOST_TEST(joined(all) == sequence(30));
}

// batch, testManyThreads and testMultipleThreadKeepInput
BOOST_AUTO_TEST_CASE(five_workers_read_each_example_once_and_leave_some_out)
{
    sluice::io_context_pool pool(2);
    sluice::batcher<int> batches(
        pool,
        even_counter{counter(60)},
        {.batch_size = 10, .workers = 5}
    );
    const auto all = batches_of(pool, batches);
    BOOST_TEST(sizes_of(all) == sizes(3, 10));
    BOOST_TEST(sorted(joined(all)) == sequence(30, 2));
}

// batch_join, testTwoThreadsDynamicPadSmallerBatch
BOOST_AUTO_TEST_CASE(two_sources_of_rows_keep_their_order_and_end_with_a_smaller_batch)
{
    sluice::io_context_pool pool(2);
    sluice::padded_batcher<row> batches(
        pool,
        {growing_rows{counter(72)}, long_rows{counter(92)}},
        {.batch_size = 5, .allow_smaller_final_batch = true}
    );
    const auto all = batches_of(pool, batches);
    BOOST_TEST(sizes_of(all) == sizes(32, 5, 4));
    check_padded_sources(all, 72, 92);
}

// shuffle_batch_join, testTwoThreadsSmallerBatch, on one thread: which batches mix the sources must
// not depend on chance
BOOST_AUTO_TEST_CASE(two_sources_are_shuffled_and_mixed)
{
    asio::io_context context;
    sluice::shuffle_batcher<example> batches(
        context,
        {source_a{counter(27)}, source_b{counter(37)}},
        {.batch_size = 5,
         .capacity = 32,
         .min_after_dequeue = 16,
         .seed = 223607,
         .allow_smaller_final_batch = true}
    );
    const auto all = batches_of(context, batches);
    BOOST_TEST(sizes_of(all) == sizes(12, 5, 4));
    BOOST_TEST(std::count_if(all.begin(), all.end(), is_mixed) > 1);
    check_shuffled_sources(joined(all), 27, 37);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/allocation_counter.hpp"

#include "support/check.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;

namespace allocation_counter {

// The compiler may leave out an allocation whose memory it sees unused. What has been
// stored here may be used by anyone.
const volatile void* volatile escaped = nullptr;

template <class T>
std::unique_ptr<T> make()
{
    auto object = std::make_unique<T>();
    escaped = object.get();
    return object;
}

struct alignas(128) over_aligned
{
    char bytes[128];
};

}  // namespace allocation_counter

BOOST_AUTO_TEST_SUITE(allocation_counter)

// allocation_counter

BOOST_AUTO_TEST_CASE(all_forms_of_new_are_counted)
{
    const test::allocation_counter counter;

    const auto object = make<int>();
    const auto aligned = make<over_aligned>();
    const std::unique_ptr<int> nothrow{new (std::nothrow) int};
    escaped = nothrow.get();
    const std::unique_ptr<char[]> array{new char[100]};
    escaped = array.get();
    const auto count = counter.count();

    BOOST_TEST(count == 4u);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(aligned.get()) % 128 == 0u);
}

BOOST_AUTO_TEST_CASE(library_code_is_counted)
{
    const test::allocation_counter counter;

    const std::string text(100, 'x');
    const auto count = counter.count();

    BOOST_TEST(count == 1u);
}

BOOST_AUTO_TEST_CASE(memory_of_asio_is_counted)
{
    asio::io_context ctx;
    const test::allocation_counter counter;

    asio::post(ctx, [] {});
    const auto count = counter.count();

    BOOST_TEST(count == 1u);
    ctx.poll();
}

BOOST_AUTO_TEST_CASE(other_threads_are_not_counted)
{
    std::size_t own = 0;
    std::size_t before = 0;
    std::thread thread{[&] {
        const test::allocation_counter counter;
        const auto object = make<int>();
        own = counter.count();
    }};
    const test::allocation_counter counter;
    thread.join();
    before = counter.count();

    BOOST_TEST(own == 1u);
    BOOST_TEST(before == 0u);
}

BOOST_AUTO_TEST_CASE(check_none_passes_and_fails)
{
    test::captured_failures failures;
    const test::allocation_counter counter;

    BOOST_TEST(test::allocation_counter{}.check_none());
    const auto object = make<int>();
    BOOST_TEST(!counter.check_none());

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("allocations"));
}

// failing_new

BOOST_AUTO_TEST_CASE(allocation_in_the_region_fails)
{
    test::allocation_budget budget{1};
    bool thrown = false;
    {
        test::failing_new region{budget};
        const auto first = make<int>();
        try {
            const auto second = make<int>();
        } catch (const test::injected_bad_alloc&) {
            thrown = true;
        }
        const auto third = make<int>();
    }
    const auto outside = make<int>();

    BOOST_TEST(thrown);
    BOOST_TEST(budget.allocations() == 3u);
}

BOOST_AUTO_TEST_CASE(nothrow_new_and_asio_fail_in_the_region)
{
    asio::io_context ctx;
    test::allocation_budget for_new{0};
    test::allocation_budget for_asio{0};
    bool asio_failed = false;

    const int* nothrow = nullptr;
    {
        test::failing_new region{for_new};
        nothrow = new (std::nothrow) int;
        escaped = nothrow;
    }
    try {
        test::failing_new region{for_asio};
        asio::post(ctx, [] {});
    } catch (const std::bad_alloc&) {
        asio_failed = true;
    }

    BOOST_TEST(nothrow == nullptr);
    delete nothrow;
    BOOST_TEST(asio_failed);
}

BOOST_AUTO_TEST_CASE(innermost_region_counts)
{
    test::allocation_budget outer, inner;
    {
        test::failing_new outer_region{outer};
        {
            test::failing_new inner_region{inner};
            make<int>();
        }
        make<int>();
        make<int>();
    }
    BOOST_TEST(inner.allocations() == 1u);
    BOOST_TEST(outer.allocations() == 2u);
}

BOOST_AUTO_TEST_CASE(every_allocation_of_a_region_fails_in_turn)
{
    const auto failures = test::for_each_failure([](test::allocation_budget& budget) {
        std::vector<std::string> texts;
        test::failing_new region{budget};
        texts.emplace_back(100, 'x');
        texts.emplace_back(100, 'y');
    });

    BOOST_TEST(failures == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

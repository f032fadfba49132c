// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/allocation_counter.hpp"

#include "support/check.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <new>
#include <string>
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

}  // namespace allocation_counter

BOOST_AUTO_TEST_SUITE(allocation_counter)

// allocation_counter

BOOST_AUTO_TEST_CASE(memory_of_asio_is_counted)
{
    asio::io_context ctx;
    const test::allocation_counter counter;

    asio::post(ctx, [] {});
    const auto count = counter.count();

    BOOST_TEST(count == 1u);
    ctx.poll();
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

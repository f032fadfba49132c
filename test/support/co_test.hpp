// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/io_fixture.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <source_location>
#include <string_view>
#include <type_traits>

namespace sluice::test {

// Why: most of the library is used by co_await, so most tests read best as coroutines. A
// body that never ends must fail instead of passing because nothing went wrong.

/// Run the body of a coroutine test: fail if it does not end, throw what it threw.
void run_co_test(
    io_fixture& fixture,
    std::string_view name,
    asio::awaitable<void> body,
    std::chrono::nanoseconds limit = patience,
    std::source_location where = std::source_location::current()
);

namespace detail {

template <bool HasIoFixture, class... Fixtures>
struct co_test_bases : Fixtures..., io_fixture
{
};
template <class... Fixtures>
struct co_test_bases<true, Fixtures...> : Fixtures...
{
};

}  // namespace detail

/// What a coroutine test derives from: its fixtures, and an io_fixture unless one of them is.
template <class... Fixtures>
using co_test_base =
    detail::co_test_bases<(std::is_base_of_v<io_fixture, Fixtures> || ...), Fixtures...>;

}  // namespace sluice::test

/// A Boost.Test case whose body is a coroutine that runs on an io_fixture.
/**
 * `SLUICE_CO_TEST(name) { auto x = co_await q.dequeue(); BOOST_TEST(x == 1); }`
 *
 * The body is a member function of the fixtures: `ctx`, `spawn`, `settle` are at hand.
 * The suite's fixture is used if it has one; more can be given: `SLUICE_CO_TEST(name, f)`.
 */
#define SLUICE_CO_TEST(name, ...)                                                  \
    struct name##_co_test                                                          \
        : ::sluice::test::co_test_base<BOOST_AUTO_TEST_CASE_FIXTURE __VA_OPT__(, ) \
                                           __VA_ARGS__>                            \
    {                                                                              \
        ::boost::asio::awaitable<void> body();                                     \
    };                                                                             \
    BOOST_FIXTURE_TEST_CASE(name, name##_co_test)                                  \
    {                                                                              \
        ::sluice::test::run_co_test(*this, #name, this->body());                   \
    }                                                                              \
    ::boost::asio::awaitable<void> name##_co_test::body()

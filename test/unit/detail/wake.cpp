// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/wake.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

using wake_type = sluice::detail::wake;

namespace {

struct wake_fixture
{
    // One that counts its calls in `life`, of which it has a share while it exists.
    wake_type counting()
    {
        wake_type made;
        made.assign([held = life] { ++*held; }, memory);
        return made;
    }

    std::shared_ptr<int> life = std::make_shared<int>(0);
    sluice::detail::post_memory memory;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(wake, wake_fixture)

BOOST_AUTO_TEST_CASE(calls_its_function_and_is_empty_afterwards)
{
    wake_type one = counting();
    BOOST_TEST(static_cast<bool>(one));
    one();
    BOOST_TEST(*life == 1);
    BOOST_TEST(!static_cast<bool>(one));
    BOOST_TEST(life.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(moves_its_function)
{
    wake_type first = counting();
    wake_type second = std::move(first);
    BOOST_TEST(!static_cast<bool>(first));
    BOOST_TEST(life.use_count() == 2);
    second();
    BOOST_TEST(*life == 1);
}

BOOST_AUTO_TEST_CASE(destroys_its_function_uncalled)
{
    {
        const wake_type unused = counting();
        BOOST_TEST(life.use_count() == 2);
    }
    BOOST_TEST(*life == 0);
    BOOST_TEST(life.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(lets_an_exception_pass_and_destroys_the_function)
{
    wake_type failing;
    failing.assign([held = life] { throw std::runtime_error("failed"); }, memory);
    BOOST_CHECK_THROW(failing(), std::runtime_error);
    BOOST_TEST(life.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(posts_its_function_in_the_memory_that_it_was_given)
{
    boost::asio::io_context ctx;
    sluice::test::allocation_budget none{0};
    {
        const sluice::test::failing_new region(none);
        wake_type one = counting();
        one.post(ctx.get_executor());
        BOOST_TEST(!static_cast<bool>(one));
    }
    BOOST_TEST(*life == 0);
    ctx.run();
    BOOST_TEST(*life == 1);
    BOOST_TEST(life.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(holds_what_is_small_and_moves_without_throwing)
{
    const auto small = [pointers = std::array<void*, 2>()] { (void)pointers; };
    const auto large = [pointers = std::array<void*, 3>()] { (void)pointers; };
    struct throwing_move
    {
        throwing_move() = default;
        throwing_move(throwing_move&&) noexcept(false) {}
        void operator()() {}
    };
    static_assert(wake_type::holds<std::remove_const_t<decltype(small)>>);
    static_assert(!wake_type::holds<std::remove_const_t<decltype(large)>>);
    static_assert(!wake_type::holds<throwing_move>);
    BOOST_TEST(!static_cast<bool>(wake_type()));
}

BOOST_AUTO_TEST_SUITE_END()

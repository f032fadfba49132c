// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/sync/interleaving_point.hpp>

#include <sluice/detail/sync/mutex.hpp>

#include <boost/test/unit_test.hpp>

#include <mutex>

// In the builds that have the points, those with the thread sanitizer, a lock passes two.

namespace interleaving_point {

int passed = 0;

[[maybe_unused]] void count() noexcept
{
    ++passed;
}

}  // namespace interleaving_point

BOOST_AUTO_TEST_SUITE(interleaving_point)

BOOST_AUTO_TEST_CASE(hook_is_called_where_there_are_points)
{
    passed = 0;
    int expected = 0;
#ifdef SLUICE_INTERLEAVING_POINTS
    sluice::detail::interleaving_hook = count;
    expected = 3;
#endif
    sluice::detail::interleaving_point();
    {
        sluice::detail::mutex mutex;
        const std::lock_guard lock(mutex);
    }
#ifdef SLUICE_INTERLEAVING_POINTS
    sluice::detail::interleaving_hook = nullptr;
#endif
    BOOST_TEST(passed == expected);
}

BOOST_AUTO_TEST_SUITE_END()

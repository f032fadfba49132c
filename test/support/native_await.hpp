// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/asio_internals.hpp>

#include <boost/test/unit_test.hpp>

namespace sluice::test {

// Why: all tests also run with SLUICE_PORTABLE_AWAIT, which keeps every promise but one: that
// an operation that is ready is awaited at once and without memory (P7). A test that looks at
// this has to say so.

/// Whether operations are awaited at once where they are ready.
#ifdef SLUICE_PORTABLE_AWAIT
inline constexpr bool native_await = false;
#else
inline constexpr bool native_await = true;
#endif

/// Before a test case: it is skipped, for this reason, where awaiting is portable.
/** `BOOST_TEST_DECORATOR(*test::native_await_only("P7"))` */
inline boost::unit_test::decorator::precondition native_await_only(const char* reason)
{
    const auto runs = [reason](boost::unit_test::test_unit_id) {
        boost::test_tools::assertion_result result(native_await);
        result.message() << "portable await: " << reason;
        return result;
    };
    return boost::unit_test::decorator::precondition(runs);
}

}  // namespace sluice::test

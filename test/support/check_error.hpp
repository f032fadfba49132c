// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"
#include "support/printing.hpp"

#include <boost/system/system_error.hpp>

#include <exception>
#include <source_location>

namespace sluice::test {

/// Why: coroutines end with exceptions, and a test wants to compare the code inside.
/**
 * Fails unless the exception is a boost::system::system_error whose code equals `expected`
 * (a code, an enumerator or a condition), at the caller's line.
 */
template <class Expected>
bool check_error(
    const std::exception_ptr& error,
    const Expected& expected,
    std::source_location where = std::source_location::current()
)
{
    try {
        if (error)
            std::rethrow_exception(error);
    } catch (const boost::system::system_error& e) {
        if (e.code() == expected)
            return check(true, "", where);
    } catch (...) {
        // Reported below.
    }
    fail("ended with " + to_text(error) + ", not " + to_text(expected), where);
    return false;
}

}  // namespace sluice::test

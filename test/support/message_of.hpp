// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <concepts>
#include <exception>
#include <string>

namespace sluice::test {

// The text of an exception.
inline std::string message_of(const std::exception_ptr& exception)
{
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

// The text of what a call throws.
template <std::invocable Call>
std::string message_of(const Call& call)
{
    try {
        call();
    } catch (...) {
        return message_of(std::current_exception());
    }
    return "no exception";
}

}  // namespace sluice::test

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

// Text that is shown to people. Names and data come from anywhere, and a terminal obeys what it
// is sent.
namespace sluice::text {

// The text in one line, without effect on a terminal: control characters, bytes that are not
// UTF-8, and what changes the direction of writing become escapes such as \n, \x1b or \u202e.
[[nodiscard]] std::string printable(std::string_view text);

// The same for a text of several lines: the ends of lines and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

// What an exception says of itself.
inline std::string message_of(const std::exception_ptr& exception)
{
    try {
        std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
        return "out of memory";
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

}  // namespace sluice::text

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <boost/asio/error.hpp>

#include <string>

namespace sluice::test {

// Why: outcomes that a test compares are read more often than messages are.

/// "queue_closed", "aborted" and so on; the message of a code that a core does not use.
inline std::string short_name(const error_code& code)
{
    if (code == boost::asio::error::operation_aborted)
        return "aborted";
    if (code == errc::queue_closed)
        return "queue_closed";
    if (code == errc::end_of_queue)
        return "end_of_queue";
    if (code == errc::timed_out)
        return "timed_out";
    if (code == errc::invalid_argument)
        return "invalid_argument";
    if (code == errc::element_failed)
        return "element_failed";
    if (code == errc::input_failed)
        return "input_failed";
    return code.message();
}

}  // namespace sluice::test

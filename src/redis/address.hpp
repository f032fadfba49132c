// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <string_view>

namespace sluice::redis::detail {

// Where a server is, and who asks.
struct address
{
    std::string host;  // empty: a Unix socket
    std::string port;
    std::string path;  // of the Unix socket
    std::string user;
    std::string password;
    std::string database = "0";

    // Without the password.
    [[nodiscard]] std::string shown() const;
};

// Throws errc::invalid_argument with the remedy.
[[nodiscard]] address parse_address(std::string_view url);

}  // namespace sluice::redis::detail

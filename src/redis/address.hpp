// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sluice::redis::detail {

// What TLS needs besides: files in the format PEM.
struct tls_settings
{
    std::string ca_file;           // empty: what the system trusts
    std::string certificate_file;  // of this client; empty: none
    std::string key_file;
    std::string server_name;  // in the certificate of the server; empty: the host
    bool verifies = true;
};

// Where a server is, and who asks.
struct address
{
    std::string host;  // empty: a Unix socket
    std::string port;
    std::string path;  // of the Unix socket
    std::string user;
    std::string password;
    std::string database = "0";
    std::optional<tls_settings> tls;  // empty: none

    // Without the password.
    [[nodiscard]] std::string shown() const;
};

// Throws errc::invalid_argument with the remedy.
[[nodiscard]] address parse_address(std::string_view url);

}  // namespace sluice::redis::detail

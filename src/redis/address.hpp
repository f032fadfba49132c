// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

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

// What an address looks like, for messages.
inline constexpr std::string_view address_forms =
    "redis://user:password@host:port/database, rediss://... for TLS or "
    "unix:/path?database=0&user=name&password=secret";

// An address that cannot be understood; errc::invalid_argument with the remedy.
class wrong_address : public system_error
{
public:
    wrong_address(std::string shown, std::string why);

    // The address without user, password and options.
    [[nodiscard]] const std::string& shown() const noexcept { return shown_; }

    // Such as "has no host".
    [[nodiscard]] const std::string& why() const noexcept { return why_; }

private:
    std::string shown_;
    std::string why_;
};

// Throws wrong_address.
[[nodiscard]] address parse_address(std::string_view url);

}  // namespace sluice::redis::detail

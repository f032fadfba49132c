// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>

namespace sluice::test {

/// Certificates of a test, in a temporary folder: an authority, and what it has signed. The command
/// openssl makes them.
class certificates
{
public:
    certificates();
    certificates(const certificates&) = delete;
    certificates& operator=(const certificates&) = delete;
    ~certificates();

    /// Whether the command openssl is on this machine.
    static bool can_be_made();

    /// For suites: they are skipped where it is not.
    static boost::test_tools::assertion_result precondition(boost::unit_test::test_unit_id
    );

    /// The one who has signed the others.
    [[nodiscard]] std::string authority() const { return folder_ / "authority.pem"; }

    /// Of a server with the address 127.0.0.1 and the name redis.test.
    [[nodiscard]] std::string server() const { return folder_ / "server.pem"; }
    [[nodiscard]] std::string server_key() const { return folder_ / "server.key"; }

    /// Of a client.
    [[nodiscard]] std::string client() const { return folder_ / "client.pem"; }
    [[nodiscard]] std::string client_key() const { return folder_ / "client.key"; }

private:
    void make(const std::string& name, const std::string& options) const;

    std::filesystem::path folder_;
};

}  // namespace sluice::test

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/redis/certificates.hpp"

#include <cstdlib>
#include <stdexcept>

namespace sluice::test {
namespace {

bool runs(const std::string& command)
{
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

bool certificates::can_be_made()
{
    return runs("openssl version");
}

boost::test_tools::assertion_result certificates::precondition(
    boost::unit_test::test_unit_id /*unit*/
)
{
    boost::test_tools::assertion_result result(can_be_made());
    result.message() << "the command openssl is not on this machine (Debian: openssl)";
    return result;
}

certificates::certificates()
{
    std::string pattern = std::filesystem::temp_directory_path() / "sluice-tls-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr)
        throw std::runtime_error("mkdtemp failed");
    folder_ = pattern;
    const std::string signing = "-CA " + authority() + " -CAkey " +
                                (folder_ / "authority.key").string();
    make("authority", "");
    make("server", signing + " -addext subjectAltName=DNS:redis.test,IP:127.0.0.1");
    make("client", signing);
}

certificates::~certificates()
{
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void certificates::make(const std::string& name, const std::string& options) const
{
    const std::string path = folder_ / name;
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
        "-subj /CN=" +
        name + " -keyout " + path + ".key -out " + path + ".pem " + options;
    if (!runs(command))
        throw std::runtime_error("this failed: " + command);
}

}  // namespace sluice::test

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/address.hpp"

#include "support/message_of.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace test = sluice::test;
using sluice::redis::detail::address_forms;
using sluice::redis::detail::parse_address;
using sluice::redis::detail::wrong_address;

BOOST_AUTO_TEST_SUITE(address)

BOOST_AUTO_TEST_CASE(tcp_address_has_defaults)
{
    const auto plain = parse_address("redis://example.org");
    BOOST_TEST(plain.host == "example.org");
    BOOST_TEST(plain.port == "6379");
    BOOST_TEST(plain.database == "0");
    BOOST_TEST(plain.user.empty());
    BOOST_TEST(plain.shown() == "redis://example.org:6379");

    const auto full = parse_address("redis://me:a%40b%2Fc:d@[::1]:7000/12");
    BOOST_TEST(full.user == "me");
    BOOST_TEST(full.password == "a@b/c:d");
    BOOST_TEST(full.host == "::1");
    BOOST_TEST(full.port == "7000");
    BOOST_TEST(full.database == "12");
    BOOST_TEST(full.shown() == "redis://me@[::1]:7000/12");

    BOOST_TEST(parse_address("redis://:hunter2@h/").password == "hunter2");
}

BOOST_AUTO_TEST_CASE(unix_address_has_options)
{
    const auto plain = parse_address("unix:/run/redis.sock");
    BOOST_TEST(plain.path == "/run/redis.sock");
    BOOST_TEST(plain.host.empty());
    const auto full = parse_address("unix:///s?database=2&user=me&password=p%26w");
    BOOST_TEST(full.path == "/s");
    BOOST_TEST(full.database == "2");
    BOOST_TEST(full.user == "me");
    BOOST_TEST(full.password == "p&w");
}

BOOST_AUTO_TEST_CASE(encrypted_address_has_options)
{
    const auto plain = parse_address("rediss://example.org");
    BOOST_TEST(plain.tls.value().verifies);
    BOOST_TEST(plain.tls->ca_file.empty());
    BOOST_TEST(plain.shown() == "rediss://example.org:6379");
    BOOST_TEST(!parse_address("redis://example.org").tls.has_value());

    const auto full = parse_address(
        "rediss://me:a?b@h:7000/2?ca_file=/c%26a.pem&certificate_file=/me.pem&"
        "key_file=/me.key&server_name=redis.test&verify=no"
    );
    BOOST_TEST(full.password == "a?b");
    BOOST_TEST(full.port == "7000");
    BOOST_TEST(full.database == "2");
    const auto& tls = full.tls.value();
    BOOST_TEST(tls.ca_file == "/c&a.pem");
    BOOST_TEST(tls.certificate_file == "/me.pem");
    BOOST_TEST(tls.key_file == "/me.key");
    BOOST_TEST(tls.server_name == "redis.test");
    BOOST_TEST(!tls.verifies);
    BOOST_TEST(full.shown() == "rediss://me@h:7000/2");
}

BOOST_AUTO_TEST_CASE(mistakes_are_named_without_the_password)
{
    const auto message = [](const std::string& url) {
        return test::message_of([&] { (void)parse_address(url); });
    };
    const auto check = [&](const std::string& url, const std::string& words) {
        BOOST_TEST_CONTEXT(url)
        {
            BOOST_TEST(message(url).find(words) != std::string::npos);
            BOOST_TEST(message(url).find("hunter2") == std::string::npos);
        }
    };
    check("redis://:hunter2@h:99999", "write " + std::string(address_forms));
    check("localhost", "begins with none of");
    check("rediss://:hunter2@h?tls=1", "unknown option 'tls'");
    check("rediss://:hunter2@h?verify=maybe", "value of 'verify' other than yes or no");
    check(
        "rediss://:hunter2@h?key_file=/k",
        "must give certificate_file and key_file together"
    );
    check("redis://:hunter2@h?ca_file=/c", "has options");
    check("redis://:hunter2@", "has no host");
    check("redis://:hunter2@h:99999", "a port");
    check("redis://h:", "a port");
    check("redis://h/x", "a database");
    check("redis://[::1", "[ without a ]");
    check("redis://u:hunter2%4@h", "two hexadecimal digits");
    check("redis://:hunter2", "'redis://:...' has no host");
    check("redis://me:hunter2", "'redis://me:...' has a port");
    check("redis://me:hunter2/1?x=y", "has options");
    check("me:hunter2@h", "'...@h' begins with none of");
    check("redis://h:99999", "'redis://h:99999' has a port");
    check("unix:", "has no path");
    check("unix:/s?password=hunter2@x&x=1", "'unix:/s' has the unknown option 'x'");
    check("unix:/s?hunter2", "an option without a value");
    check("unix:/s?tls=1", "unknown option 'tls'");
}

BOOST_AUTO_TEST_CASE(parts_of_a_mistake_have_no_password)
{
    try {
        (void)parse_address("rediss://me:hunter2@h:99999?verify=no");
        BOOST_ERROR("no error");
    } catch (const wrong_address& error) {
        BOOST_TEST((error.code() == sluice::errc::invalid_argument));
        BOOST_TEST(error.shown() == "rediss://...@h:99999");
        BOOST_TEST(error.why() == "has a port that is not a number up to 65535");
    }
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/redis/reserved_port.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::test {

/// A redis-server of a test: in a temporary folder, on a port of its own, ended by its process id.
class redis_server
{
public:
    /// Starts it and waits until it is ready. The arguments are those of redis-server.
    explicit redis_server(std::vector<std::string> arguments = {});
    redis_server(const redis_server&) = delete;
    redis_server& operator=(const redis_server&) = delete;
    ~redis_server();

    /// Whether there is a redis-server on this machine.
    static bool is_installed();

    /// For suites: they are skipped where there is none.
    static boost::test_tools::assertion_result precondition(boost::unit_test::test_unit_id
    );

    /// Its address, by way of the Unix socket.
    [[nodiscard]] std::string url() const;

    [[nodiscard]] std::string tcp_url(const std::string& user_and_password = {}) const;

    [[nodiscard]] unsigned short port() const { return port_.number(); }

    /// SIGKILL.
    void kill();

    /// Starts it again, in the same folder and on the same port.
    void start();

    void pause();
    void go_on();

    /// Runs a command by itself; what the server answers, in redis-cli's words.
    std::string run(const std::string& command) const;

private:
    std::filesystem::path folder_;
    std::vector<std::string> arguments_;
    reserved_port port_;
    pid_t process_ = -1;
    int log_ = -1;
};

/// A server for the cases of a suite.
struct redis_server_fixture
{
    /// One server for the whole program; each case gives its queues names of their own.
    static redis_server& shared_server();
};

}  // namespace sluice::test

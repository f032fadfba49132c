// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/redis/redis_server.hpp"

#include <fcntl.h>
#include <signal.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::test {
namespace {

std::string path_of_server()
{
    for (const char* const folder :
         {"/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"})
        if (::access((std::string(folder) + "redis-server").c_str(), X_OK) == 0)
            return std::string(folder) + "redis-server";
    return {};
}

}  // namespace

bool redis_server::is_installed()
{
    return !path_of_server().empty();
}

boost::test_tools::assertion_result redis_server::precondition(
    boost::unit_test::test_unit_id /*unit*/
)
{
    boost::test_tools::assertion_result result(is_installed());
    result.message() << "there is no redis-server on this machine (Debian: redis-server)";
    return result;
}

redis_server::redis_server(std::vector<std::string> arguments)
    : arguments_(std::move(arguments))
{
    std::string pattern = std::filesystem::temp_directory_path() / "sluice-redis-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr)
        throw std::runtime_error("mkdtemp failed");
    folder_ = pattern;
    start();
}

redis_server::~redis_server()
{
    kill();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void redis_server::start()
{
    std::vector<std::string> words{
        path_of_server(),
        "--port",
        std::to_string(port()),
        "--bind",
        "127.0.0.1",
        "--unixsocket",
        folder_ / "socket",
        "--dir",
        folder_,
        "--save",
        "",
        "--logfile",
        "",
        "--daemonize",
        "no"
    };
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    std::array<int, 2> output{};
    if (::pipe2(output.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("pipe failed");
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(output[1], 1);
        ::dup2(output[1], 2);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(output[1]);
    std::string log;
    std::array<char, 4096> some{};
    while (log.find("eady to accept connections") == std::string::npos) {
        const auto size = ::read(output[0], some.data(), some.size());
        if (size <= 0)
            throw std::runtime_error("redis-server did not start: " + log);
        log.append(some.data(), static_cast<std::size_t>(size));
    }
    // It goes on writing: into a pipe without a reader it may, but for the first 64 KiB only.
    log_ = output[0];
    ::fcntl(log_, F_SETFL, O_NONBLOCK);
}

void redis_server::kill()
{
    if (process_ <= 0)
        return;
    ::kill(process_, SIGKILL);
    int status = 0;
    ::waitpid(process_, &status, 0);
    ::close(log_);
    process_ = -1;
}

void redis_server::pause()
{
    ::kill(process_, SIGSTOP);
}

void redis_server::go_on()
{
    ::kill(process_, SIGCONT);
}

std::string redis_server::url() const
{
    return "unix:" + (folder_ / "socket").string();
}

std::string redis_server::tcp_url(const std::string& user_and_password) const
{
    return "redis://" + (user_and_password.empty() ? "" : user_and_password + '@') +
           "127.0.0.1:" + std::to_string(port());
}

std::string redis_server::run(const std::string& command) const
{
    const std::string line = "redis-cli -p " + std::to_string(port()) + ' ' + command +
                             " 2>&1";
    std::FILE* const pipe = ::popen(line.c_str(), "r");
    std::string answer;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
        answer += static_cast<char>(c);
    ::pclose(pipe);
    while (answer.ends_with('\n'))
        answer.pop_back();
    return answer;
}

redis_server& redis_server_fixture::shared_server()
{
    static redis_server server;
    return server;
}

}  // namespace sluice::test

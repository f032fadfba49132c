// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows how a coroutine waits for a function that blocks: the function runs on a thread pool of
// its own and answers through a queue. The coroutine stays where it is, so a stop ends the wait.
// Expect: "0 characters", "cannot open /no/such/file", then "stopped, and the call goes on".

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <fstream>
#include <future>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

//[call_blocking
template <class Function>
asio::awaitable<std::invoke_result_t<Function&>> call_blocking(
    asio::thread_pool& blocking,
    Function function
)
{
    using answer_queue = sluice::fifo_queue<std::invoke_result_t<Function&>>;
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    // Shared, because a stop may end this coroutine while the function runs.
    auto answer =
        std::make_shared<answer_queue>(executor, sluice::queue_options{.capacity = 1});
    asio::post(blocking, [answer, function = std::move(function)]() mutable {
        try {
            (void)answer->try_enqueue(function());
        } catch (...) {
            answer->close(std::current_exception());
        }
    });
    co_return co_await answer->dequeue();
}
//]

std::string read_file(const std::string& path)
{
    std::ifstream file{path};
    if (!file)
        throw std::runtime_error("cannot open " + path);
    return {std::istreambuf_iterator<char>{file}, {}};
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    asio::thread_pool blocking{1};  // its destructor waits for the calls
    const auto read = [&](std::string path) {
        return call_blocking(blocking, [path] { return read_file(path); });
    };
    const std::string text = co_await read("/dev/null");
    std::cout << text.size() << " characters\n";
    try {
        (void)co_await read("/no/such/file");
    } catch (const std::runtime_error& error) {
        std::cout << error.what() << '\n';
    }

    std::promise<int> gate;
    const auto open = [opened = gate.get_future().share()] { return opened.get(); };
    co_await sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.spawn("caller", call_blocking(blocking, open));
        tasks.request_stop();
    });  // does not wait for the call
    std::cout << "stopped, and the call goes on\n";
    gate.set_value(1);
}

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A program that loads its plug-in at run time. If sluice is a static library both have a copy of
// it, and each works with the objects of the other.
#include "plugin.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <dlfcn.h>

#include <cstdio>

namespace {

boost::asio::awaitable<void> count_to_ten(sluice::fifo_queue<int>& numbers)
{
    for (int number = 1; number <= 10; ++number)
        co_await numbers.enqueue(number);
    numbers.close();
}

}  // namespace

int main(int argc, char** argv)
{
    void* const plugin = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) {
        std::puts(dlerror());
        return 2;
    }
    auto* const add_up = reinterpret_cast<add_up_function*>(dlsym(plugin, "plugin_add_up")
    );

    boost::asio::io_context context;
    sluice::fifo_queue<int> numbers{context, {.capacity = 2}};
    int sum = 0;
    add_up(context, numbers, sum);
    boost::asio::co_spawn(context, count_to_ten(numbers), boost::asio::detached);
    context.run();
    std::printf("the plug-in has added up %d\n", sum);
    return sum == 55 ? 0 : 1;
}

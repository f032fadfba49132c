// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/workload.hpp"

#include <latch>
#include <thread>
#include <vector>

namespace sluice::bench {

void rethrow(const std::exception_ptr& error)
{
    if (error)
        std::rethrow_exception(error);
}

double run(boost::asio::io_context& context, std::size_t threads)
{
    std::latch ready(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i)
        others.emplace_back([&] {
            ready.arrive_and_wait();
            context.run();
        });
    // Before they begin: the others may be done before we are scheduled again.
    const auto start = bench_clock::now();
    ready.arrive_and_wait();
    context.run();
    others.clear();
    return since(start);
}

}  // namespace sluice::bench

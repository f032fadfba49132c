// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a runner with five different operations and one consumer: each of five groups
// lowers its own loss by a random amount, the consumer prints the loss and the mean over
// the groups for 100 steps. An error on either side stops both and comes out of join().
// Expect: 100 lines "step 99 group 4 loss 8.012 mean 8.345". With the option
// --fail-runner or --fail-consumer: the error message of that side and exit code 1. With
// --logdir DIR the losses and the graph of the program are also written there, for TensorBoard.

#include "../co_main.hpp"
#include <sluice/report.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

struct progress
{
    std::size_t group;
    double loss;
};

using progress_queue = sluice::fifo_queue<progress>;

constexpr double initial_loss = 10;

// The operation of one group: each call lowers the loss a little and reports it.
auto lower_loss(progress_queue& reports, std::size_t group, bool fail)
{
    std::mt19937 random{static_cast<unsigned>(group)};
    return [=, &reports, loss = initial_loss]() mutable -> asio::awaitable<void> {
        loss -= std::uniform_real_distribution{0.0, 0.2}(random);
        if (fail && loss < 9)
            throw std::runtime_error("group " + std::to_string(group) + " diverged");
        co_await reports.enqueue({group, loss});
    };
}

using summaries = std::optional<sluice::summary_writer>;

// A directory only if there is an option --logdir.
void open_summaries(summaries& log, const arguments& args)
{
    const auto option = std::ranges::find(args, "--logdir");
    if (option == args.end())
        return;
    if (option + 1 == args.end())
        throw std::invalid_argument("--logdir needs a directory");
    log.emplace(*(option + 1));
}

//[summaries
void write_losses(summaries& log, int step, const progress& report, double mean)
{
    if (!log)
        return;
    log->scalar("loss/group_" + std::to_string(report.group), report.loss, step);
    log->scalar("loss/mean", mean, step);
}

void write_graph(summaries& log)
{
    if (!log)
        return;
    sluice::flow_graph program{
        .nodes =
            {{"reports", "fifo_queue", {{"capacity", "10"}}}, {"print_losses", "task"}},
        .edges = {{"reports", "print_losses"}}
    };
    for (int group = 0; group < 5; ++group) {
        const std::string name = "lower_loss/group_" + std::to_string(group);
        program.nodes.push_back({name, "queue_runner"});
        program.edges.push_back({name, "reports"});
    }
    log->graph(program);
}
//]

//[five_losses
asio::awaitable<void> print_losses(progress_queue& reports, summaries& log, bool fail)
{
    std::array<double, 5> losses;
    losses.fill(initial_loss);
    for (int step = 0; step < 100; ++step) {
        const progress report = co_await reports.dequeue();
        const auto [group, loss] = report;
        losses[group] = loss;
        const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / 5;
        write_losses(log, step, report, mean);
        std::printf("step %d group %zu loss %.3f mean %.3f\n", step, group, loss, mean);
        if (fail && step == 50)
            throw std::runtime_error("the display is broken");
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const bool fail_runner = std::ranges::count(args, "--fail-runner") > 0;
    const bool fail_consumer = std::ranges::count(args, "--fail-consumer") > 0;
    summaries log;
    open_summaries(log, args);
    write_graph(log);

    progress_queue reports{pool, {.capacity = 10, .name = "reports"}};
    std::vector<sluice::queue_runner::operation> groups;
    for (std::size_t group = 0; group < 5; ++group)
        groups.push_back(lower_loss(reports, group, fail_runner));

    sluice::queue_runner runner{reports, std::move(groups)};
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        runner.start(tasks);
        co_await print_losses(reports, log, fail_consumer);
        tasks.request_stop();
    });  // throws the first error, whichever side had it
}
//]

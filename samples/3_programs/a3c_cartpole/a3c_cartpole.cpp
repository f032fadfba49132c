// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows the asynchronous advantage actor-critic (A3C; V. Mnih and others, 2016): several actors
// play in environments of their own and send gradients through a bounded queue to a learner. It
// publishes copies of its weights; an actor takes the latest one for its next steps. A scope
// stops all of them when the learner is satisfied, on Ctrl-C, and if one of them fails.
// Expect: a progress line on a terminal, then "solved: 60123 steps, 412 episodes, mean return of
// the last 100: 195.2", and the steps per second. If the target is not reached: "gave up: ..." and
// exit code 1. --help lists the options.

#include "learner.hpp"
#include "options.hpp"
#include "player.hpp"
#include "shared_weights.hpp"
#include <sluice.hpp>
#include <sluice/report.hpp>

#include <boost/asio/awaitable.hpp>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

using update_queue = sluice::fifo_queue<update>;

//[actor
// The operation of one actor: each call plays some steps and sends what they teach. If the learner
// is behind, the queue is full and the actor waits, so no gradient is of very old weights.
auto make_actor(update_queue& updates, const shared_weights& shared, player self)
{
    return [&updates, &shared, self]() mutable -> asio::awaitable<void> {
        const auto network = shared.get();
        const rollout played = self.play(*network);
        update next{
            .learned = learn(*network, played.steps),
            .steps = static_cast<std::uint32_t>(played.steps.size()),
            .episode_return = played.episode_return
        };
        co_await updates.enqueue(std::ref(next));
    };
}

asio::awaitable<void> learn_from(update_queue& updates, learner& central)
{
    while (!central.is_done())
        central.take(co_await updates.dequeue(), updates.size());
}

asio::awaitable<void> train(
    sluice::io_context_pool& pool,
    const options& chosen,
    shared_weights& shared,
    learner& central
)
{
    update_queue updates{pool, {.capacity = chosen.actors, .name = "updates"}};
    std::vector<sluice::queue_runner::operation> actors;
    for (std::uint32_t number = 0; number < chosen.actors; ++number)
        actors.push_back(make_actor(updates, shared, player(chosen.seed, number)));
    sluice::queue_runner runner{updates, std::move(actors)};
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        tasks.request_stop_on_signal({SIGINT, SIGTERM});
        runner.start(tasks);
        co_await learn_from(updates, central);
        tasks.request_stop();
    });
}
//]

sluice::flow_graph draw(const options& chosen)
{
    const std::string capacity = std::to_string(chosen.actors);
    sluice::flow_graph program{
        .nodes =
            {{"updates", "fifo_queue", {{"capacity", capacity}}}, {"learner", "task"}},
        .edges = {{"updates", "learner"}}
    };
    for (std::uint32_t number = 0; number < chosen.actors; ++number) {
        const std::string name = "actors/" + std::to_string(number);
        program.nodes.push_back({name, "queue_runner"});
        program.edges.push_back({name, "updates"});
        program.edges.push_back({"learner", name});  // the weights
    }
    return program;
}

std::unique_ptr<sluice::summary_writer> open_log(const options& chosen)
{
    if (chosen.logdir.empty())
        return nullptr;
    auto log = std::make_unique<sluice::summary_writer>(chosen.logdir);
    log->graph(draw(chosen));
    log->text(
        "options",
        std::to_string(chosen.actors) + " actors on " + std::to_string(chosen.threads) +
            " threads, seed " + std::to_string(chosen.seed)
    );
    return log;
}

bool run(const options& chosen)
{
    const auto log = open_log(chosen);
    std::mt19937 random{chosen.seed};
    shared_weights shared{weights(random)};
    learner central{chosen, shared, log.get()};
    sluice::io_context_pool pool{chosen.threads};
    pool.run(train(pool, chosen, shared, central));
    central.print_result();
    if (log)
        log->flush();  // throws if the disk was full
    return central.reached_target();
}

int main(int argc, char** argv)
{
    try {
        const options chosen = parse_options({argv + 1, argv + argc});
        if (chosen.help) {
            print_usage(std::cout);
            return EXIT_SUCCESS;
        }
        return run(chosen) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::cerr << "sample_a3c_cartpole: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}

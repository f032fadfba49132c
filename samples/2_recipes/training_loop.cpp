// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a training loop as it runs in production: the examples in a new random order for each
// epoch, four workers that read them, and the loop, which takes mini-batches. The end of the input
// ends the loop quietly; a worker that fails ends everything with its exception; Ctrl-C ends the
// training early. 3_programs/data_loader goes on after it was killed.
// The data are real: softmax regression learns the digits set, a fifth is held out.
// Expect: the falling loss, at the end the accuracy, at least 0.94 (else exit code 1).
// Options: --epochs N     how often to read each example (30)
//          --fail-after N the reader fails after N examples: exit code 1 and its message
//          --data FILE    the examples

#include "../co_main.hpp"
#include "digits.hpp"
#include "softmax_regression.hpp"

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>

constexpr float learning_rate = 0.5F;
constexpr double required_accuracy = 0.94;

struct options
{
    std::size_t epochs = 30;
    std::size_t fail_after = std::numeric_limits<std::size_t>::max();
    std::filesystem::path data = std::filesystem::path{__FILE__}.parent_path() /
                                 "../data/digits.csv.gz";
};

options parse(const arguments& args)
{
    options result;
    for (std::size_t i = 0; i < args.size(); i += 2) {
        if (i + 1 == args.size())
            throw std::invalid_argument(std::string{args[i]} + " needs a value");
        const std::string_view value = args[i + 1];
        const auto number = [&] {
            std::size_t n = 0;
            const auto end = value.data() + value.size();
            if (std::from_chars(value.data(), end, n).ptr != end)
                throw std::invalid_argument(std::string{value} + " is not a number");
            return n;
        };
        if (args[i] == "--epochs")
            result.epochs = number();
        else if (args[i] == "--fail-after")
            result.fail_after = number();
        else if (args[i] == "--data")
            result.data = value;
        else
            throw std::invalid_argument("unknown option " + std::string{args[i]});
    }
    return result;
}

//[training_loop
asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const options opts = parse(args);
    const auto [training, test] = digits::hold_out_a_fifth(digits::read(opts.data));

    sluice::input_producer<digits::example> examples{
        pool,
        training,
        {.num_epochs = opts.epochs, .shuffle = true, .seed = 42, .name = "examples"}
    };
    std::atomic<std::size_t> count = 0;
    const auto read = [&]() -> asio::awaitable<digits::example> {
        const digits::example next = co_await examples.queue().dequeue();
        const std::size_t number = count++;
        if (number == opts.fail_after)
            throw std::runtime_error("cannot read example " + std::to_string(number));
        co_return next;
    };
    sluice::batcher<digits::example> batches{
        pool,
        read,
        {.batch_size = 32, .workers = 4, .capacity = 128, .name = "batches"}
    };

    softmax_regression model;
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        tasks.request_stop_on_signal({SIGINT, SIGTERM});
        examples.start(tasks);
        batches.start(tasks);
        double loss = 0;
        for (int step = 1; const auto batch = co_await batches.next(); ++step) {
            loss += model.train(*batch, learning_rate);
            if (step % 100 == 0) {
                std::printf("step %4d  loss %.3f\n", step, loss / 100);
                loss = 0;
            }
        }
    });  // throws the first error, such as that of a failed reader

    const double accuracy = model.accuracy(test);
    std::printf("accuracy %.3f on %zu held-out examples\n", accuracy, test.size());
    if (accuracy < required_accuracy)
        throw std::runtime_error("the accuracy is below 0.94");
}
//]

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a training loop as it runs in production: four workers read examples into a
// shuffle queue until all epochs have been read, the loop takes mini-batches. The end of
// the input closes the queue and ends the loop quietly; a worker that fails ends
// everything with its exception; Ctrl-C ends the training early.
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
#include <exception>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

constexpr std::size_t batch_size = 32;
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

// Gives the examples, epoch after epoch, to any number of workers at once.
class epoch_reader
{
public:
    epoch_reader(std::span<const digits::example> examples, const options& opts)
        : examples_{examples},
          end_{examples.size() * opts.epochs},
          fail_at_{opts.fail_after}
    {
    }

    const digits::example& next()
    {
        const std::size_t position = position_++;
        if (position == fail_at_)
            throw std::runtime_error("cannot read example " + std::to_string(position));
        if (position >= end_)
            throw sluice::system_error{sluice::errc::end_of_queue};
        return examples_[position % examples_.size()];
    }

private:
    std::span<const digits::example> examples_;
    std::size_t end_;
    std::size_t fail_at_;
    std::atomic<std::size_t> position_ = 0;
};

using example_queue = sluice::shuffle_queue<digits::example>;

//[training_loop
asio::awaitable<void> train(softmax_regression& model, example_queue& examples)
{
    double loss = 0;
    for (int step = 1;; ++step) {  // end_of_queue leaves the loop when all has been read
        const auto batch = co_await examples.dequeue_many(batch_size);
        loss += model.train(batch, learning_rate);
        if (step % 100 == 0) {
            std::printf("step %4d  loss %.3f\n", step, loss / 100);
            loss = 0;
        }
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const options opts = parse(args);
    const auto [training, test] = digits::hold_out_a_fifth(digits::read(opts.data));

    example_queue examples{
        pool,
        {.capacity = 1024, .min_after_dequeue = 512, .seed = 42, .name = "examples"}
    };
    epoch_reader reader{training, opts};
    sluice::queue_runner runner{
        examples,
        [&]() -> asio::awaitable<void> { co_await examples.enqueue(reader.next()); },
        4
    };

    softmax_regression model;
    sluice::coordinator coord{pool};
    coord.request_stop_on_signal({SIGINT, SIGTERM});
    try {
        runner.start(coord);
        co_await train(model, examples);
    } catch (...) {
        // The end of the input is a clean stop, anything else is an error.
        coord.request_stop(std::current_exception());
    }
    co_await coord.join();  // rethrows the first error, such as that of a failed runner

    const double accuracy = model.accuracy(test);
    std::printf("accuracy %.3f on %zu held-out examples\n", accuracy, test.size());
    if (accuracy < required_accuracy)
        throw std::runtime_error("the accuracy is below 0.94");
}
//]

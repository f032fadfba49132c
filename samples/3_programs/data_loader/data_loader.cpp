// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows how to feed a training run that goes on where it stood after it was killed: the lines of
// all files in a new random order for each epoch, read and parsed by four workers that keep the
// order, in batches. Each example carries its position, and that of the last example of a batch
// is saved with the model that has learned from it. So a run that is killed, even by kill -9, and
// started again sees the batches of a run that was not. The steps since the last checkpoint are
// made again, in the same way.
// Expect: a line for each step, with the loss and the labels of its batch.
// Options: --state FILE    the checkpoint (needed)
//          --epochs N      how often to read each example (3)
//          --save-every N  steps between two checkpoints (10)
//          FILE...         lines of 64 pixels and a label, for instance parts of the digits:
//              zcat samples/data/digits.csv.gz | split -l 300 - /tmp/digits_

#include "../../2_recipes/digits.hpp"
#include "../../co_main.hpp"
#include "checkpoint.hpp"
#include "line_files.hpp"

#include <boost/asio/thread_pool.hpp>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

constexpr float learning_rate = 0.5F;

struct options
{
    std::filesystem::path state;
    std::uint64_t epochs = 3;
    int save_every = 10;
    std::vector<std::filesystem::path> files;
};

options parse(const arguments& args)
{
    options result;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (!args[i].starts_with("--")) {
            result.files.emplace_back(args[i]);
            continue;
        }
        if (i + 1 == args.size())
            throw std::invalid_argument(std::string{args[i]} + " needs a value");
        const std::string value{args[++i]};
        if (args[i - 1] == "--state")
            result.state = value;
        else if (args[i - 1] == "--epochs")
            result.epochs = std::stoull(value);
        else if (args[i - 1] == "--save-every")
            result.save_every = std::stoi(value);
        else
            throw std::invalid_argument("unknown option " + std::string{args[i - 1]});
    }
    if (result.state.empty() || result.files.empty() || result.save_every < 1)
        throw std::invalid_argument("give --state FILE and the files of the examples");
    return result;
}

using line = sluice::positioned<line_files::line>;
using example = sluice::positioned<digits::example>;

void train(checkpoint& state, const std::vector<example>& batch)
{
    std::vector<digits::example> examples;
    std::string labels;
    const char* end = "";
    for (const example& each : batch) {
        examples.push_back(each.value);
        labels += std::to_string(each.value.label);
        if (each.ends_epoch())
            end = "  end of an epoch";
    }
    const double loss = state.model.train(examples, learning_rate);
    state.position = batch.back().next;
    ++state.step;
    std::printf(
        "step %d  loss %.9g  labels %s%s\n",
        state.step,
        loss,
        labels.c_str(),
        end
    );
    std::fflush(stdout);
}

//[data_loader
asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const options opts = parse(args);
    const line_files files{opts.files};
    checkpoint state = load(opts.state);

    sluice::input_producer<line> lines{
        pool,
        files.lines(),
        {.num_epochs = opts.epochs,
         .shuffle = true,
         .seed = 7,
         .start_at = state.position,
         .name = "lines"}
    };
    asio::thread_pool disk{4};
    const auto read = [&](line which) -> asio::awaitable<example> {
        const std::string text = co_await sluice::run_blocking(disk, [&] {
            return files.read(which.value);
        });
        co_return example{digits::parse(text), which.next};
    };
    sluice::producer<example> examples{
        pool,
        lines,
        read,
        {.workers = 4, .ordered = true, .capacity = 128, .name = "examples"}
    };
    const auto take = [&]() -> asio::awaitable<example> {
        example next = co_await examples.queue().dequeue();
        co_return next;
    };
    sluice::batcher<example> batches{pool, take, {.batch_size = 32, .name = "batches"}};

    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        tasks.request_stop_on_signal({SIGINT, SIGTERM});
        lines.start(tasks);
        examples.start(tasks);
        batches.start(tasks);
        while (const auto batch = co_await batches.next()) {
            train(state, *batch);
            if (state.step % opts.save_every == 0)
                save(state, opts.state);
        }
    });  // throws the first error, such as a line that is no example
    save(state, opts.state);
}
//]

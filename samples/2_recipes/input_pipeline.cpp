// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows an input pipeline of TensorFlow 1.x, ported: a producer of file names with a
// number of epochs, two readers, shuffled mini-batches with a smaller last one, and a
// scope with its coordinator. The model is a straight line, which the data in data/line_*.csv
// lie on.
// Expect: the line, how many batches there were, and the size of the last one.

#include "../co_main.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

//[model
struct example
{
    double x;
    double y;
};

example parse(const std::string& line)  // instead of tf.decode_csv
{
    std::size_t comma = 0;
    const double x = std::stod(line, &comma);
    return {x, std::stod(line.substr(comma + 1))};
}

struct model
{
    double weight = 0;
    double bias = 0;
    int batches = 0;
    std::size_t last_batch = 0;

    void train(const std::vector<example>& batch)  // instead of session.run(train_op)
    {
        for (const auto& [x, y] : batch) {
            const double error = weight * x + bias - y;
            weight -= 0.1 * error * x;
            bias -= 0.1 * error;
        }
        ++batches;
        last_batch = batch.size();
    }
};
//]

//[input_pipeline
asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    const std::filesystem::path data = std::filesystem::path{__FILE__}.parent_path() /
                                       "../data";
    const std::vector<std::string> files{data / "line_1.csv", data / "line_2.csv"};

    // tf.train.string_input_producer(files, num_epochs=100, shuffle=True)
    sluice::input_producer<std::string> names{
        pool,
        files,
        {.num_epochs = 100, .shuffle = true, .seed = 42, .name = "names"}
    };

    // tf.TextLineReader
    const auto read = [&]() -> asio::awaitable<std::vector<example>> {
        const std::string name = co_await names.queue().dequeue();  // its end is ours
        std::ifstream file{name};
        if (!file)
            throw std::runtime_error("cannot read " + name);
        std::vector<example> examples;
        for (std::string text; std::getline(file, text);)
            examples.push_back(parse(text));
        co_return examples;
    };

    // tf.train.shuffle_batch(..., num_threads=2, ...)
    sluice::shuffle_batcher<example> batches{
        pool,
        read,
        {.batch_size = 8,
         .workers = 2,
         .capacity = 64,
         .min_after_dequeue = 16,
         .seed = 42,
         .allow_smaller_final_batch = true,
         .name = "examples"}
    };

    model line;
    co_await sluice::with_tasks(pool, [&](auto& coord) -> asio::awaitable<void> {
        // tf.train.start_queue_runners(coord=coord)
        names.start(coord);
        batches.start(coord);
        while (const auto batch = co_await batches.next())
            line.train(*batch);
    });  // throws the first error, also that of a reader

    std::printf("weight %.1f, bias %.1f\n", line.weight, line.bias);
    std::printf("%d batches, %zu examples in the last\n", line.batches, line.last_batch);
}
//]

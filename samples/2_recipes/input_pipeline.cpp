// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows an input pipeline of TensorFlow 1.x, ported: a producer of file names with a
// number of epochs, two readers, a shuffle queue, mini-batches with a smaller last one, and
// a coordinator. The model is a straight line, which the data in data/line_*.csv lie on.
// Expect: the line, how many batches there were, and the size of the last one.

#include "../co_main.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <random>
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
    sluice::fifo_queue<std::string> names{pool, {.capacity = 32, .name = "names"}};
    auto produce =
        [&, random = std::mt19937{42}, epoch = 0]() mutable -> asio::awaitable<bool> {
        std::vector<std::string> shuffled = files;  // enqueue_many moves its elements
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        co_await names.enqueue_many(shuffled);
        co_return ++epoch < 100;  // false: the input has ended
    };

    // tf.TextLineReader and tf.train.shuffle_batch(..., num_threads=2, capacity=64,
    // min_after_dequeue=16)
    sluice::shuffle_queue<example> examples{
        pool,
        {.capacity = 64, .min_after_dequeue = 16, .seed = 42, .name = "examples"}
    };
    auto read = [&]() -> asio::awaitable<void> {
        const std::string name = co_await names.dequeue(
        );  // its end is the end of a reader
        std::ifstream file{name};
        if (!file)
            throw std::runtime_error("cannot read " + name);
        for (std::string line; std::getline(file, line);)
            co_await examples.enqueue(parse(line));
    };

    // tf.train.start_queue_runners(coord=coord)
    sluice::coordinator coord{pool};
    sluice::queue_runner producer{names, produce};
    sluice::queue_runner readers{examples, read, 2};
    producer.start(coord);
    readers.start(coord);

    model line;
    try {
        // allow_smaller_final_batch=True; False is dequeue_many(8)
        while (!coord.should_stop())
            line.train(co_await examples.dequeue_up_to(8));
    } catch (...) {
        // the end of the input, tf.errors.OutOfRangeError, is a clean stop
        coord.request_stop(std::current_exception());
    }
    co_await coord.join();  // rethrows the error of a reader

    std::printf("weight %.1f, bias %.1f\n", line.weight, line.bias);
    std::printf("%d batches, %zu examples in the last\n", line.batches, line.last_batch);
}
//]

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Writes summaries of every kind into a directory, for event_files.py to read. The file names what
// is unusual about each. With a step it goes on from there.

#include <sluice/report/summary_writer.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

void write_all_kinds(sluice::summary_writer& log)
{
    using limits = std::numeric_limits<double>;
    for (int step = 0; step < 100; ++step)
        log.scalar("loss/train", std::exp(-step / 10.0), step);
    log.scalar("edges", limits::quiet_NaN(), -1);
    log.scalar("edges", limits::infinity(), std::numeric_limits<std::int64_t>::max());
    log.scalar("edges", 1e-45, std::numeric_limits<std::int64_t>::min());
    log.scalar("Größe \xff", 1, 0);

    std::vector<double> waves;
    for (int i = 0; i < 1000; ++i)
        waves.push_back(std::sin(i));
    log.histogram("waves", waves, 3);
    log.histogram("one value", std::vector{2.5, 2.5}, 3);
    log.histogram("nothing", {}, 3);

    log.text("note", "**bold** and \xc3\x28", 5);
    log.text("long", std::string(100'000, 'x'));

    log.graph(
        {.nodes =
             {{"input/read", "queue_runner", {{"workers", "2"}}},
              {"input/lines", "fifo_queue", {{"capacity", "64"}}},
              {"train: ^1", "task"}},
         .edges = {{"input/read", "input/lines"}, {"input/lines", "train: ^1"}}}
    );
}

// As a program that was ended and goes on from a checkpoint.
std::string write_from(std::int64_t step, const std::string& directory)
{
    sluice::summary_writer log{directory, {.resume_step = step}};
    for (; step < 100; ++step)
        log.scalar("loss/train", 0.5, step);
    return log.path().string();
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc == 3) {
        std::cout << write_from(std::stoll(argv[2]), argv[1]) << '\n';
        return EXIT_SUCCESS;
    }
    if (argc != 2)
        return EXIT_FAILURE;
    sluice::summary_writer log{argv[1]};
    write_all_kinds(log);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([&log, thread] {
            for (int step = 0; step < 250; ++step)
                log.scalar("thread/" + std::to_string(thread), step, step);
        });
    for (std::thread& thread : threads)
        thread.join();
    std::cout << log.path().string() << '\n';
}

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <chrono>

// A pipeline of three runners in the middle of its work: `read` fills `lines`, two workers
// of `split` fill `words`, `count` empties it. Half of the input has been read in 10 s.
inline sluice::metrics::snapshot sample_snapshot()
{
    using namespace std::chrono_literals;
    sluice::metrics::snapshot sample;
    sample.name = "word_count";
    sample.state = sluice::metrics::run_state::running;
    sample.elapsed = 10s;
    sample.queues = {
        {.name = "lines",
         .type = "fifo",
         .stats =
             {.size = 128,
              .capacity = 256,
              .waiting_producers = 1,
              .high_water = 256,
              .enqueued = 12'128,
              .dequeued = 12'000},
         .waits_to_enqueue = 118,
         .waits_to_dequeue = 3},
        {.name = "words",
         .type = "fifo",
         .stats =
             {.capacity = 16,
              .waiting_consumers = 1,
              .high_water = 9,
              .enqueued = 50'000,
              .dequeued = 50'001,
              .returned = 1},
         .waits_to_dequeue = 900},
    };
    sample.runners = {
        {.name = "read",
         .stage = "read",
         .to = {"lines"},
         .workers = 1,
         .running = 1,
         .waiting_to_enqueue = 1,
         .items_out = 12'128,
         .busy = 2s,
         .blocked_on_enqueue = 8s,
         .progress = 0.5},
        {.name = "split",
         .stage = "split_words",
         .from = "lines",
         .to = {"words"},
         .workers = 2,
         .running = 2,
         .items_in = 12'000,
         .items_out = 50'000,
         .busy = 19s,
         .blocked_on_dequeue = 1s},
        {.name = "count",
         .stage = "count",
         .from = "words",
         .workers = 1,
         .running = 1,
         .waiting_to_dequeue = 1,
         .items_in = 50'000,
         .busy = 4s,
         .blocked_on_dequeue = 6s},
    };
    return sample;
}

// The same with `lines` on a server, which has been heard 250 ms ago.
inline sluice::metrics::snapshot sample_with_a_server()
{
    using namespace std::chrono_literals;
    sluice::metrics::snapshot sample = sample_snapshot();
    sample.queues[0].type = "redis";
    sample.queues[0].remote = sluice::metrics::remote_figures{
        .pending = 16,
        .oldest_age = 2100ms,
        .redelivered = 5,
        .dead = 3,
        .dead_letters = 2,
        .lost = 1,
        .read_ago = 250ms
    };
    return sample;
}

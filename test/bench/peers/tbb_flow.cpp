// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/peers/peer.hpp"
#include "bench/work.hpp"

#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

// Three nodes that keep the order, and a limiter that admits as many items as two queues have
// room for.

namespace sluice::bench {

double perform(const task& what, std::size_t items)
{
    if (what.work != "stages")
        refuse(what);
    namespace tbb = oneapi::tbb;
    namespace flow = tbb::flow;
    const tbb::global_control threads(
        tbb::global_control::max_allowed_parallelism,
        what.form.threads
    );
    flow::graph graph;
    item next = 0;
    item last = 0;
    flow::input_node<item> read(graph, [&](tbb::flow_control& control) -> item {
        if (next == items) {
            control.stop();
            return 0;
        }
        return work(next++, what.steps);
    });
    flow::limiter_node<item> limiter(graph, 2 * what.form.capacity);
    flow::function_node<item, item> change(graph, flow::serial, [&](item value) {
        return work(value, what.steps);
    });
    flow::function_node<item, flow::continue_msg> write(
        graph,
        flow::serial,
        [&](item value) {
            last = work(value, what.steps);
            return flow::continue_msg();
        }
    );
    flow::make_edge(read, limiter);
    flow::make_edge(limiter, change);
    flow::make_edge(change, write);
    flow::make_edge(write, limiter.decrementer());
    const auto start = bench_clock::now();
    read.activate();
    graph.wait_for_all();
    const double taken = since(start);
    check_last(last, items, what.steps);
    return taken;
}

}  // namespace sluice::bench

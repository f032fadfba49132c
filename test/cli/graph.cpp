// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/commands.hpp"
#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace cli = sluice::cli;

namespace graph {

sluice::pipeline::pipeline_description sample()
{
    sluice::pipeline::pipeline_description description;
    description.name = "words \"and\" more";
    description.queues = {
        {.name = "lines", .capacity = 8},
        {.name = "<words>", .type = sluice::pipeline::queue_type::shuffle, .capacity = 16}
    };
    description.runners = {
        {.name = "read", .stage = "read", .to = {"lines"}},
        {.name = "split_words",
         .stage = "split_words",
         .from = "lines",
         .to = {"<words>"},
         .workers = 4},
        {.name = "most", .stage = "count", .from = "<words>"}
    };
    return description;
}

}  // namespace graph

BOOST_AUTO_TEST_SUITE(graph)

BOOST_AUTO_TEST_CASE(dot_has_a_node_for_each_part_and_an_arrow_for_each_end)
{
    BOOST_TEST(
        cli::to_dot(sample()) ==
        "digraph \"words \\\"and\\\" more\" {\n"
        "    rankdir=LR;\n"
        "    node [fontname=\"sans-serif\"];\n"
        "    \"runner read\" [label=\"read\", shape=box];\n"
        "    \"runner split_words\" [label=\"split_words\\n4 workers\", shape=box];\n"
        "    \"runner most\" [label=\"most (count)\", shape=box];\n"
        "    \"queue lines\" [label=\"lines\\ncapacity 8\", shape=box, style=rounded];\n"
        "    \"queue <words>\" [label=\"<words>\\nshuffle, capacity 16\", shape=box, "
        "style=rounded];\n"
        "    \"runner read\" -> \"queue lines\";\n"
        "    \"queue lines\" -> \"runner split_words\";\n"
        "    \"runner split_words\" -> \"queue <words>\";\n"
        "    \"queue <words>\" -> \"runner most\";\n"
        "}\n"
    );
}

BOOST_AUTO_TEST_CASE(several_queues_have_an_arrow_each_and_bytes_a_unit)
{
    auto described = sample();
    described.queues[1].overflow = sluice::overflow::drop_newest;
    described.queues[0].capacity = sluice::unbounded;
    described.queues[0].memory = {64 << 20};
    described.runners[1].to = {"<words>", "lines"};
    described.runners[1].ordered = true;
    const std::string text = cli::to_dot(described);
    for (const char* const part :
         {"lines\\ncapacity 64 MiB\"",
          "shuffle, capacity 16, drop_newest\"",
          "split_words\\n4 workers, ordered\"",
          "    \"runner split_words\" -> \"queue <words>\";\n"
          "    \"runner split_words\" -> \"queue lines\";\n"})
        BOOST_TEST((text.find(part) != std::string::npos), part << " in " << text);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/commands.hpp"

#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cli = sluice::cli;
namespace pipeline = sluice::pipeline;

namespace commands {

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

struct shout_options
{
    std::string suffix = "!";
    std::int64_t times = 1;
    std::string mode = "loud";
    std::vector<std::string> words;
};

class shout : public pipeline::transform
{
public:
    explicit shout(shout_options options) : options_(std::move(options)) {}
    void apply(pipeline::element&& in, std::vector<pipeline::element>& out) const override
    {
        out.emplace_back(in.text() + options_.suffix);
    }

private:
    shout_options options_;
};

pipeline::stage_registry sample_stages()
{
    pipeline::stage_registry stages;
    stages.add<shout>(
        {.name = "shout",
         .summary = "appends an exclamation mark",
         .takes = pipeline::element_kind::text,
         .gives = pipeline::element_kind::text,
         .details = "Louder than whisper."},
        pipeline::stage_options<shout_options>()
            .optional("suffix", &shout_options::suffix, "what to append")
            .optional("times", &shout_options::times, "how often", {.minimum = 1})
            .optional("mode", &shout_options::mode, "how", {.choices = {"loud", "mute"}})
            .required("words", &shout_options::words, "which")
    );
    return stages;
}

std::string printed(const std::string& name)
{
    return cli::stages_command(name, sample_stages());
}

}  // namespace commands

BOOST_AUTO_TEST_SUITE(commands)

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

BOOST_AUTO_TEST_CASE(without_a_name_it_lists_all)
{
    BOOST_TEST(printed("") == "shout  appends an exclamation mark\n");
}

BOOST_AUTO_TEST_CASE(with_a_name_it_explains_the_options)
{
    BOOST_TEST(
        printed("shout") ==
        R"(shout: appends an exclamation mark
takes text, gives text

options
  suffix  text, default "!": what to append
  times   integer, default 1, at least 1: how often
  mode    text, default "loud", loud | mute: how
  words   texts, required: which

Louder than whisper.
)"
    );
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_refused_with_the_nearest)
{
    BOOST_CHECK_EXCEPTION(
        printed("shoud"),
        cli::command_error,
        [](const cli::command_error& error) {
            return std::string(error.what()).find("did you mean \"shout\"?") !=
                   std::string::npos;
        }
    );
}

BOOST_AUTO_TEST_SUITE_END()

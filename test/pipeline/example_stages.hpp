// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Stages for tests of descriptions: they have options of every type and are never run.
namespace sluice::test {

struct no_options
{
};

template <class Options>
class described_stage : public pipeline::stage
{
public:
    explicit described_stage(Options options) : options_(std::move(options)) {}

    [[nodiscard]] boost::asio::awaitable<void> work(pipeline::stage_context&) override
    {
        co_return;
    }

protected:
    const Options& options() const noexcept { return options_; }

private:
    Options options_;
};

using simple_stage = described_stage<no_options>;

struct read_options
{
    std::vector<std::string> files;
    std::int64_t epochs = 1;
    std::string order = "file";
    std::optional<std::chrono::nanoseconds> pause;
};

using read_stage = described_stage<read_options>;

struct match_options
{
    std::string pattern;
    double share = 1.0;
    bool invert = false;
    nlohmann::json extra = nullptr;
};

// Refuses one pattern in its constructor, as a stage with regular expressions does.
class match_stage : public described_stage<match_options>
{
public:
    explicit match_stage(match_options options) : described_stage(std::move(options))
    {
        if (this->options().pattern == "(")
            throw pipeline::option_error("pattern", "\"(\"", "a regular expression");
    }

    [[nodiscard]] bool can_keep_order() const noexcept override { return true; }
};

inline pipeline::stage_registry example_stages()
{
    using enum pipeline::element_kind;
    pipeline::stage_registry stages;
    stages.add<read_stage>(
        {.name = "read_lines", .summary = "reads lines", .takes = none, .gives = text},
        pipeline::stage_options<read_options>()
            .required("files", &read_options::files, "what to read")
            .optional("epochs", &read_options::epochs, "how often", {.minimum = 1})
            .optional(
                "order",
                &read_options::order,
                "in which order",
                {.choices = {"file", "random"}}
            )
            .optional("pause", &read_options::pause, "how long to wait between epochs")
    );
    stages.add<match_stage>(
        {.name = "match", .summary = "passes lines on", .takes = text, .gives = same},
        pipeline::stage_options<match_options>()
            .required("pattern", &match_options::pattern, "which lines")
            .optional(
                "share",
                &match_options::share,
                "how many of them",
                {.minimum = 0, .maximum = 1}
            )
            .optional("invert", &match_options::invert, "the others")
            .optional("extra", &match_options::extra, "anything")
    );
    const pipeline::stage_options<no_options> none_at_all;
    const auto add = [&](const char* name,
                         pipeline::element_kind takes,
                         pipeline::element_kind gives) {
        stages.add<simple_stage>(
            {.name = name, .summary = "a test", .takes = takes, .gives = gives},
            none_at_all
        );
    };
    add("numbers", none, value);
    add("parse", text, value);
    add("pass", any, same);
    add("group", any, text);
    add("ungroup", text, any);
    add("sum", value, none);
    add("print", any, none);
    stages.add<simple_stage>(
        {.name = "archive",
         .summary = "stores lines, and may report them",
         .takes = text,
         .gives = text,
         .output_is_optional = true},
        none_at_all
    );
    return stages;
}

// A description with every key.
constexpr std::string_view example_description = R"({
  "name": "word_count",
  "description": "counts words",
  "threads": 2,
  "coordinator": { "stop_grace_period": "1.5s" },
  "queues": {
    "lines": { "type": "fifo", "capacity": 64 },
    "words": { "type": "shuffle", "capacity": 4096, "min_after_dequeue": 512, "seed": 7 },
    "jobs": { "type": "priority", "by": "/size", "capacity": "1 MiB" },
    "rows": { "type": "padding", "capacity": 8, "overflow": "drop_oldest" }
  },
  "runners": [
    {
      "name": "read",
      "stage": "read_lines",
      "options": { "files": ["a.txt", "b.txt"], "order": "random", "pause": "10ms" },
      "to": "lines"
    },
    {
      "name": "split",
      "stage": "match",
      "options": { "pattern": "[a-z]+", "share": 0.5, "invert": true, "extra": [1] },
      "from": "lines",
      "to": "words",
      "workers": 4, "ordered": true
    },
    { "stage": "parse", "from": "words", "to": "jobs" },
    { "stage": "group", "from": "jobs", "to": "rows" },
    { "stage": "print", "from": "rows" }
  ]
}
)";

// What is wrong with a description; nothing if it is accepted.
inline std::vector<pipeline::problem> problems_of(
    std::string_view text,
    const std::vector<pipeline::description_override>& overrides = {}
)
{
    static const pipeline::stage_registry stages = example_stages();
    try {
        (void)pipeline::read_description(text, stages, overrides);
    } catch (const pipeline::description_error& error) {
        return error.problems();
    }
    return {};
}

// The same, a line each.
inline std::string mistakes_of(
    std::string_view text,
    const std::vector<pipeline::description_override>& overrides = {}
)
{
    std::string lines;
    for (const pipeline::problem& mistake : problems_of(text, overrides))
        lines += to_string(mistake) + '\n';
    return lines;
}

}  // namespace sluice::test

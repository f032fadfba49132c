// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/commands.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cli = sluice::cli;
namespace pipeline = sluice::pipeline;

namespace stages_command {

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

}  // namespace stages_command

BOOST_AUTO_TEST_SUITE(stages_command)

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

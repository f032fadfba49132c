// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/example_stages.hpp"
#include "pipeline/schema_validator.hpp"
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/read_description.hpp>

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace description_schema {

using namespace sluice::pipeline;
using nlohmann::json;
using sluice::test::example_description;
using sluice::test::problems_of;

// What the reader checks and no schema can: how values fit to each other, and what only the
// constructor of a stage knows.
constexpr std::array beyond_a_schema = {
    R"(the name of a queue in "queues")",
    R"(another queue than "from")",
    "runners of different names",
    "less than the capacity",
    "a JSON pointer such as",
    "a regular expression",
    "a runner with",
    "elements of the kind",
    "because",
    "each queue once",
    "queues that end one after the other"
};

bool is_beyond_a_schema(const problem& mistake)
{
    return std::any_of(
        beyond_a_schema.begin(),
        beyond_a_schema.end(),
        [&mistake](std::string_view text) {
            return mistake.expected.find(text) != std::string::npos;
        }
    );
}

const sluice::test::schema_validator& validator()
{
    static const sluice::test::schema_validator validator(
        json(sluice::pipeline::description_schema(sluice::test::example_stages()))
    );
    return validator;
}

// Whether reader and schema judge alike. Returns the judgement.
bool judge(const json& document)
{
    const std::vector<problem> problems = problems_of(document.dump());
    const bool right = std::all_of(problems.begin(), problems.end(), is_beyond_a_schema);
    const bool accepted = validator().accepts(document);
    if (right != accepted)
        BOOST_ERROR(
            "the schema " << (accepted ? "accepts" : "refuses") << " and the reader says "
                          << (problems.empty() ? "nothing" : to_string(problems[0]))
                          << ": " << document.dump()
        );
    return right;
}

// All pointers into a document.
std::vector<json::json_pointer> pointers_into(const json& document)
{
    std::vector<json::json_pointer> pointers{json::json_pointer()};
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        const json::json_pointer pointer = pointers[i];
        const json& value = document.at(pointer);
        if (value.is_structured())
            for (const auto& [name, member] : value.items())
                pointers.push_back(
                    value.is_array() ? pointer / std::stoul(name) : pointer / name
                );
    }
    return pointers;
}

const json example = json::parse(example_description);

std::string text_of(const char* file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace description_schema

BOOST_AUTO_TEST_SUITE(description_schema)

BOOST_AUTO_TEST_CASE(example_is_accepted)
{
    BOOST_TEST(judge(example));
}

BOOST_AUTO_TEST_CASE(schema_and_reader_agree_about_every_value_at_every_place)
{
    const std::vector<json> values = {
        nullptr,
        true,
        -1,
        0,
        1,
        7,
        1.5,
        2.0,
        0.25,
        1e17,
        1e30,
        1024,
        1025,
        2'147'483'648,
        2'147'483'649,
        9'223'372'036'854'775'807,
        9'223'372'036'854'775'808U,
        "",
        "x",
        "5s",
        "5 s",
        "64 MiB",
        "64",
        "fifo",
        "shuffle",
        "priority",
        "print",
        "read_lines",
        "match",
        "file",
        "drop_newest",
        "lines",
        json::array(),
        json::object(),
        json::array({"x"}),
        json::array({1}),
        {{"x", 1}},
        {{"files", "x"}},
        {{"pattern", "x"}}
    };
    // A sanitizer has enough of every seventh: no two of them touch other memory.
    constexpr std::size_t stride = SLUICE_SLOWDOWN > 1 ? 7 : 1;
    std::size_t right = 0;
    std::size_t wrong = 0;
    std::size_t next = 0;
    for (const json::json_pointer& pointer : pointers_into(example))
        for (const json& value : values) {
            if (next++ % stride != 0)
                continue;
            json changed = example;
            changed.at(pointer) = value;
            ++(judge(changed) ? right : wrong);
        }
    BOOST_TEST(right > 100u / stride);
    BOOST_TEST(wrong > 1000u / stride);
}

BOOST_AUTO_TEST_CASE(schema_and_reader_agree_about_what_is_missing)
{
    for (const json::json_pointer& pointer : pointers_into(example)) {
        if (pointer.empty())
            continue;
        json changed = example;
        json& parent = changed.at(pointer.parent_pointer());
        if (parent.is_object())
            parent.erase(pointer.back());
        else
            parent.erase(std::stoul(pointer.back()));
        judge(changed);
    }
}

BOOST_AUTO_TEST_CASE(schema_and_reader_agree_about_what_is_added)
{
    for (const json::json_pointer& pointer : pointers_into(example))
        for (const char* const name :
             {"zzz",
              "name",
              "type",
              "seed",
              "by",
              "capacity",
              "min_after_dequeue",
              "memory",
              "overflow",
              "files"}) {
            json changed = example;
            if (!changed.at(pointer).is_object())
                continue;
            changed.at(pointer).emplace(name, 1);
            judge(changed);
        }
}

BOOST_AUTO_TEST_CASE(schema_and_reader_agree_about_numbers_and_lengths)
{
    for (const std::size_t count : {0U, 1U, 999U, 1000U, 1001U}) {
        json many_queues = example;
        while (many_queues["queues"].size() < count)
            many_queues["queues"]["q" + std::to_string(many_queues["queues"].size())] =
                json::object();
        BOOST_TEST(judge(many_queues) == (count <= 1000));

        json many_runners = {{"runners", json::array()}};
        while (many_runners["runners"].size() < count)
            many_runners["runners"].push_back({{"stage", "print"}});
        BOOST_TEST(judge(many_runners) == (count >= 1 && count <= 1000));
    }
    for (const std::size_t length : {0U, 1U, 100U, 101U}) {
        std::string name;
        for (std::size_t i = 0; i < length; ++i)
            name += "\xc3\xa4";
        json long_name = example;
        long_name["queues"][name] = json::object();
        BOOST_TEST(judge(long_name) == (length >= 1 && length <= 100));
    }
}

BOOST_AUTO_TEST_CASE(published_file_is_the_schema_of_the_builtin_stages)
{
    stage_registry stages;
    add_builtin_stages(stages);
    const std::string schema = sluice::pipeline::description_schema(stages).dump(2) +
                               '\n';
    BOOST_TEST(
        (text_of(SLUICE_SCHEMA_FILE) == schema),
        "docs/pipeline.schema.json is not up to date; renew it: "
        "sluice schema > docs/pipeline.schema.json"
    );
}

BOOST_AUTO_TEST_SUITE_END()

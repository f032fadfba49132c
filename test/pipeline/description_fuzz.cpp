// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/example_stages.hpp"
#include <sluice/io_context_pool.hpp>
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/check_structure.hpp>
#include <sluice/pipeline/output.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Ten thousand descriptions that were right before something happened to them.

namespace description_fuzz {

using namespace sluice::pipeline;
using json = nlohmann::ordered_json;
using sluice::metrics::run_state;

constexpr std::string_view word_count = R"({
  "name": "word_count",
  "queues": { "lines": { "capacity": 64 }, "words": { "type": "shuffle", "seed": 1 } },
  "runners": [
    { "stage": "read", "options": { "files": ["*.hpp"] }, "to": "lines" },
    { "stage": "split_words", "from": "lines", "to": "words", "workers": 2 },
    { "stage": "count", "options": { "top": 20 }, "from": "words" }
  ]
})";

// Touches nothing outside, whatever becomes of it.
constexpr std::string_view numbers = R"({
  "name": "numbers",
  "queues": { "numbers": { "capacity": 8 }, "batches": {}, "mixed": { "type": "shuffle" } },
  "runners": [
    { "stage": "range", "options": { "to": 100 }, "to": "numbers", "workers": 2 },
    { "stage": "batch", "options": { "size": 3 }, "from": "numbers", "to": "batches" },
    { "stage": "unbatch", "from": "batches", "to": "mixed" },
    { "stage": "count", "options": { "top": 3 }, "from": "mixed" }
  ]
})";

class mutator
{
public:
    explicit mutator(std::uint64_t seed) : random_(seed) {}

    // A text with one to four changes.
    std::string change(std::string text)
    {
        for (std::size_t count = 1 + below(4); count > 0; --count) {
            json document = json::parse(text, nullptr, false);
            if (document.is_discarded() || below(3) == 0)
                change_text(text);
            else
                text = changed_value(std::move(document)).dump(2);
        }
        return text;
    }

    // Something that a user may set on the command line.
    description_override random_override(const std::string& text)
    {
        const json document = json::parse(text, nullptr, false);
        if (document.is_discarded() || below(4) == 0)
            return {random_bytes(), random_bytes()};
        return {random_pointer(document).to_string(), random_value().dump()};
    }

    std::size_t below(std::size_t limit) { return random_() % limit; }

private:
    void change_text(std::string& text)
    {
        const std::size_t at = below(text.size() + 1);
        const std::size_t length = below(20);
        switch (below(7)) {
        case 0:
            text.resize(at);
            break;
        case 1:
            if (at < text.size())
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            break;
        case 2:
            text.insert(at, random_bytes());
            break;
        case 3:
            text.erase(at, length);
            break;
        case 4:
            text.insert(below(text.size() + 1), text.substr(at, length));
            break;
        case 5:
            text.insert(at, random_piece());
            break;
        default:
            // a name a second time, in an object behind this place
            text.insert(behind_brace(text, at), R"("type": "fifo", "type": "fifo",)");
        }
    }

    static std::size_t behind_brace(const std::string& text, std::size_t from)
    {
        const std::size_t brace = text.find('{', from);
        return brace == std::string::npos ? text.size() : brace + 1;
    }

    std::string random_bytes()
    {
        std::string bytes(1 + below(4), ' ');
        for (char& byte : bytes)
            byte = static_cast<char>(below(256));
        return bytes;
    }

    std::string random_piece()
    {
        const std::array<std::string, 14> pieces = {
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "null",
            "1e999",
            "-",
            "\\ud800",
            "\"\xff\"",
            std::string(200, '['),
            "123456789012345678901234567890"
        };
        return pieces[below(pieces.size())];
    }

    json random_value()
    {
        static const std::vector<json> values = {
            nullptr,
            true,
            0,
            -1,
            1,
            3,
            1e300,
            1e18,
            18446744073709551615U,
            2147483648,
            0.5,
            "",
            "x",
            "5s",
            "fifo",
            "shuffle",
            "priority",
            "padding",
            "lines",
            "words",
            "count",
            "pass",
            "(",
            "/",
            "~",
            std::string(1000, 'x'),
            "\xc3\xa4",
            json::array(),
            json::object(),
            {"x", 1},
            {{"x", {{"y", 1}}}},
            nested(150),
            {{"type", "fifo"}}
        };
        return values[below(values.size())];
    }

    static json nested(std::size_t depth)
    {
        json value = 1;
        for (std::size_t i = 0; i < depth; ++i)
            value = json::array({std::move(value)});
        return value;
    }

    json changed_value(json document)
    {
        json& value = document[random_pointer(document)];
        switch (below(5)) {
        case 0:
            value = random_value();
            break;
        case 1: {
            json copy = document.at(random_pointer(document));
            value = std::move(copy);
            break;
        }
        case 2: {
            // either may be inside of the other
            const auto a = random_pointer(document);
            const auto b = random_pointer(document);
            json old_a = document.at(a);
            json old_b = document.at(b);
            document.at(a) = std::move(old_b);
            if (document.contains(b))
                document.at(b) = std::move(old_a);
            break;
        }
        case 3:
            if (value.is_structured() && !value.empty())
                value.erase(
                    std::next(value.begin(), static_cast<int>(below(value.size())))
                );
            break;
        default:
            if (value.is_object())
                value[below(2) == 0 ? "capacity" : "nmae"] = random_value();
            else if (value.is_array())
                value.push_back(random_value());
        }
        return document;
    }

    json::json_pointer random_pointer(const json& document)
    {
        json::json_pointer pointer;
        const json* value = &document;
        while (value->is_structured() && !value->empty() && below(5) != 0) {
            const std::size_t index = below(value->size());
            const auto member = std::next(value->begin(), static_cast<int>(index));
            if (value->is_array())
                pointer /= index;
            else
                pointer /= member.key();
            value = &*member;
        }
        return pointer;
    }

    std::mt19937_64 random_;
};

std::size_t count_lines(const std::string& text)
{
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool has_name_twice(const std::vector<problem>& problems)
{
    return std::any_of(problems.begin(), problems.end(), [](const problem& mistake) {
        return mistake.hint == "remove one of the two";
    });
}

// Every problem says something about a place that exists.
void check_problems(const std::string& text, const std::vector<problem>& problems)
{
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    const bool has_places = !document.is_discarded() && !has_name_twice(problems);
    const std::size_t lines = count_lines(text);
    BOOST_TEST(!problems.empty());
    BOOST_TEST(std::is_sorted(
        problems.begin(),
        problems.end(),
        [](const problem& a, const problem& b) { return a.line < b.line; }
    ));
    for (const problem& mistake : problems) {
        const std::string words = to_string(mistake);
        BOOST_TEST(mistake.line <= lines, words);
        BOOST_TEST(!mistake.found.empty(), words);
        BOOST_TEST(!mistake.expected.empty(), words);
        BOOST_TEST(words.find('\0') == std::string::npos, words);
        if (mistake.line == 0 || !has_places)
            continue;
        const nlohmann::json::json_pointer pointer(mistake.pointer);
        BOOST_TEST(document.contains(pointer), words);
    }
}

// With sanitizers, fuzz.description tries more of them than this.
constexpr std::size_t share = SLUICE_SLOWDOWN > 1 ? 5 : 1;

struct judgements
{
    std::size_t accepted = 0;
    std::size_t refused = 0;
};

void judge(
    const std::string& text,
    const stage_registry& stages,
    const std::vector<description_override>& overrides,
    judgements& so_far
)
{
    try {
        const auto checked = sluice::pipeline::read_description(text, stages, overrides);
        const pipeline_description& description = checked.description();
        ++so_far.accepted;
        BOOST_TEST(!description.runners.empty());
        BOOST_TEST(sluice::pipeline::check_structure(description, stages).empty());
    } catch (const description_error& error) {
        ++so_far.refused;
        if (overrides.empty())
            check_problems(text, error.problems());
        BOOST_TEST(!error.problems().empty());
    }
}

judgements judge_mutations(
    std::string_view original,
    const stage_registry& stages,
    std::size_t count,
    std::uint64_t seed
)
{
    mutator mutations(seed);
    judgements so_far;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string text = mutations.change(std::string(original));
        std::vector<description_override> overrides;
        if (mutations.below(10) == 0)
            overrides.push_back(mutations.random_override(text));
        BOOST_TEST_CONTEXT("seed " << seed << ", description " << i)
        judge(text, stages, overrides, so_far);
    }
    return so_far;
}

}  // namespace description_fuzz

BOOST_AUTO_TEST_SUITE(description_fuzz)

BOOST_AUTO_TEST_CASE(mutated_descriptions_are_accepted_or_refused_with_a_place)
{
    const judgements result = judge_mutations(
        sluice::test::example_description,
        sluice::test::example_stages(),
        1000 / share,
        20261121
    );
    BOOST_TEST(result.accepted > 25u / share);
    BOOST_TEST(result.refused > 500u / share);
}

BOOST_AUTO_TEST_CASE(mutated_descriptions_of_builtin_stages_as_well)
{
    stage_registry stages;
    add_builtin_stages(stages);
    judgements unchanged;
    judge(std::string(word_count), stages, {}, unchanged);
    BOOST_TEST(unchanged.accepted == 1u);

    const judgements result = judge_mutations(word_count, stages, 1500 / share, 5);
    BOOST_TEST(result.accepted > 10u / share);
    BOOST_TEST(result.refused > 750u / share);
}

// Works, ends with an error, or is stopped after a while, because it counts to 10^18.
void run_for_a_while(sluice::pipeline::checked_description checked)
{
    sluice::io_context_pool pool(2);
    memory_output out;
    running_pipeline pipeline(pool.get_executor(), std::move(checked), out);
    auto end = boost::asio::co_spawn(
        pool.get_executor(),
        pipeline.run(),
        boost::asio::use_future
    );
    const auto count_all = [&pipeline] {
        std::uint64_t all = 0;
        for (const sluice::metrics::queue_snapshot& queue : pipeline.snapshot().queues)
            all += queue.stats.enqueued;
        return all;
    };
    while (end.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
        if (count_all() > 10'000)
            pipeline.request_stop();
    try {
        end.get();
    } catch (const std::exception& error) {
        BOOST_TEST(error.what() != std::string());
    }
    BOOST_TEST((pipeline.snapshot().state == run_state::done));
}

BOOST_AUTO_TEST_CASE(mutated_descriptions_that_are_accepted_run_or_fail)
{
    stage_registry stages;
    add_builtin_stages(stages);
    mutator mutations(11);
    std::size_t runs = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        const std::string text = mutations.change(std::string(numbers));
        try {
            auto checked = sluice::pipeline::read_description(text, stages);
            BOOST_TEST_CONTEXT("description " << i << ": " << text)
            run_for_a_while(std::move(checked));
            ++runs;
        } catch (const description_error& error) {
            BOOST_TEST(!error.problems().empty());
        }
    }
    BOOST_TEST(runs > 10u);
}

// Sizes that would take minutes or gigabytes if anything were quadratic.

BOOST_AUTO_TEST_CASE(large_descriptions_are_refused_all_the_same)
{
    std::string members;
    for (int i = 0; i < 2'000; ++i)
        members += "\"m" + std::to_string(i) + "\": {},\n";
    const std::string long_name(100'000, 'x');
    const std::string texts[] = {
        "{" + members + "\"runners\": [{}]}",
        "{\"queues\": {" + members + "\"q\": {}}, \"runners\": [{\"stage\": \"print\"}]}",
        "{\"runners\": [{\"stage\": \"print\", \"options\": {" + members + "\"q\": 1}}]}",
        "{\"queues\": {\"" + long_name + "\": {" + members +
            "\"q\": 1}}, \"runners\": [{}]}",
        "{\"runners\": [{\"stage\": \"" + long_name + "\"}]}",
        std::string(100'000, '['),
        std::string(100'000, '\xff'),
        "{\"threads\": " + std::string(100'000, '9') + "}"
    };
    const stage_registry stages = sluice::test::example_stages();
    for (const std::string& text : texts) {
        judgements so_far;
        judge(text, stages, {}, so_far);
        BOOST_TEST(so_far.refused == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

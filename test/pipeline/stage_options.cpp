// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_options.hpp>

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stage_options {

using namespace std::chrono_literals;
using namespace sluice::pipeline;
using nlohmann::json;
using sluice::pipeline::problem;  // there is a suite of that name, too

struct inherited_text
{
    std::string text = "a";
};

struct all_types : inherited_text
{
    std::vector<std::string> texts = {"b"};
    std::int64_t integer = 1;
    double number = 0.5;
    bool flag = true;
    std::chrono::nanoseconds duration = 5s;
    sluice::pipeline::byte_size size = {2'048};
    json anything = nullptr;
    std::optional<std::int64_t> maybe;
};

enum class colour : unsigned char
{
    red,
    green
};

const char* to_string(colour value)
{
    switch (value) {
    case colour::red:
        return "red";
    case colour::green:
        return "green";
    }
    return "unknown";
}

struct colours
{
    colour first = colour::green;
    std::optional<colour> second = {};
};

sluice::pipeline::stage_options<all_types> options_of_all_types()
{
    sluice::pipeline::stage_options<all_types> options;
    options.optional("text", &all_types::text, "t", {.choices = {"a", "bcd"}})
        .optional("texts", &all_types::texts, "ts")
        .optional("integer", &all_types::integer, "i", {.minimum = -2, .maximum = 9})
        .optional("number", &all_types::number, "n", {.maximum = 1.5})
        .optional("flag", &all_types::flag, "f")
        .optional("duration", &all_types::duration, "d")
        .optional("size", &all_types::size, "s")
        .optional("json", &all_types::anything, "j")
        .optional("maybe", &all_types::maybe, "m", {.minimum = 0});
    return options;
}

all_types read(const json& given)
{
    std::vector<problem> problems;
    all_types values = options_of_all_types().read(given, problems);
    for (const problem& mistake : problems)
        BOOST_ERROR(to_string(mistake));
    return values;
}

std::string mistakes_of(const json& given)
{
    std::vector<problem> problems;
    (void)options_of_all_types().read(given, problems);
    std::string lines;
    for (const problem& mistake : problems)
        lines += to_string(mistake) + '\n';
    return lines;
}

}  // namespace stage_options

BOOST_AUTO_TEST_SUITE(stage_options)

BOOST_AUTO_TEST_CASE(option_without_what_it_needs_is_a_mistake)
{
    sluice::pipeline::stage_options<all_types> options;
    options.optional("text", &all_types::text, "t")
        .optional("texts", &all_types::texts, "ts", {.needs = {"json", "maybe"}})
        .optional("flag", &all_types::flag, "f", {.needs = {"text"}, .needed_text = "a"})
        .optional("json", &all_types::anything, "j")
        .optional("maybe", &all_types::maybe, "m")
        .optional("more", &all_types::integer, "m", {.needs = {"flag"}});
    const auto mistake = [&options](const json& given) -> std::string {
        std::vector<problem> problems;
        (void)options.read(given, problems);
        BOOST_REQUIRE(problems.size() < 2U);
        return problems.empty() ? "" : to_string(problems.front());
    };
    const std::string no_others =
        R"(/texts: found ["x"], expected no such option, unless )"
        R"(there is "json" or "maybe")";
    BOOST_TEST(mistake({{"texts", {"x"}}}) == no_others);
    BOOST_TEST(mistake({{"texts", {"x"}}, {"json", json::array()}}) == no_others);
    BOOST_TEST(mistake({{"texts", {"x"}}, {"json", 0}}) == "");
    BOOST_TEST(mistake({{"texts", {"x"}}, {"maybe", 1}}) == "");
    BOOST_TEST(mistake({{"flag", true}}) == "");  // "text" is "a" by default
    BOOST_TEST(mistake({{"more", 1}}) == "");     // "flag" is true by default
    BOOST_TEST(
        mistake({{"more", 1}, {"flag", false}}) ==
        R"(/more: found 1, expected no such option, unless there is "flag")"
    );
    BOOST_TEST(
        mistake({{"text", "b"}, {"flag", true}}) ==
        R"(/flag: found true, expected no such option, unless "text" is "a")"
    );
}

BOOST_AUTO_TEST_CASE(what_is_given_is_read)
{
    const all_types values = read(
        {{"text", "bcd"},
         {"texts", {"x", "y"}},
         {"integer", -2},
         {"number", 1},
         {"flag", false},
         {"duration", "250ms"},
         {"size", "64 kB"},
         {"json", {{"k", 1}}},
         {"maybe", 7}}
    );
    BOOST_TEST(values.text == "bcd");
    BOOST_TEST((values.texts == std::vector<std::string>{"x", "y"}));
    BOOST_TEST(values.integer == -2);
    BOOST_TEST(values.number == 1.0);
    BOOST_TEST(!values.flag);
    BOOST_TEST((values.duration == 250ms));
    BOOST_TEST(values.size.count == 64'000U);
    BOOST_TEST((values.anything == json{{"k", 1}}));
    BOOST_TEST(values.maybe.value() == 7);
}

BOOST_AUTO_TEST_CASE(what_is_left_out_keeps_its_default)
{
    const all_types values = read(json::object());
    BOOST_TEST(values.text == "a");
    BOOST_TEST((values.texts == std::vector<std::string>{"b"}));
    BOOST_TEST(values.integer == 1);
    BOOST_TEST((values.duration == 5s));
    BOOST_TEST(values.size.count == 2'048U);
    BOOST_TEST(!values.maybe);
}

BOOST_AUTO_TEST_CASE(one_string_counts_as_an_array_of_one)
{
    BOOST_TEST((read({{"texts", "x"}}).texts == std::vector<std::string>{"x"}));
    BOOST_TEST(read({{"texts", json::array()}}).texts.empty());
}

BOOST_AUTO_TEST_CASE(a_number_with_an_empty_fraction_is_whole)
{
    BOOST_TEST(read({{"integer", 3.0}}).integer == 3);
    BOOST_TEST(read({{"maybe", 1e3}}).maybe.value() == 1000);
}

BOOST_AUTO_TEST_CASE(a_size_may_be_a_number_of_bytes)
{
    BOOST_TEST(read({{"size", 0}}).size.count == 0U);
    BOOST_TEST(read({{"size", 1e6}}).size.count == 1'000'000U);
    BOOST_TEST(read({{"size", "1000"}}).size.count == 1'000U);
}

BOOST_AUTO_TEST_CASE(enumerators_are_read_by_their_names)
{
    sluice::pipeline::stage_options<colours> options;
    options.optional("first", &colours::first, "f", {.choices = {"red", "green"}})
        .optional("second", &colours::second, "s");
    BOOST_TEST(options.infos()[0].default_value == "green");
    BOOST_TEST((options.infos()[0].type == option_type::text));
    BOOST_TEST(options.infos()[1].default_value.is_null());

    std::vector<problem> problems;
    const colours read = options.read({{"first", "red"}, {"second", "green"}}, problems);
    BOOST_TEST(problems.empty());
    BOOST_TEST((read.first == colour::red));
    BOOST_TEST((read.second == colour::green));

    (void)options.read({{"first", "rde"}}, problems);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(
        to_string(problems[0]) ==
        "/first: found \"rde\", expected red or green; did you mean \"red\"?"
    );
    for (const json& wrong : {json("unknown"), json(0), json(nullptr)}) {
        problems.clear();
        (void)options.read({{"second", wrong}}, problems);
        BOOST_TEST(problems.size() == 1u, wrong);
    }
}

BOOST_AUTO_TEST_CASE(infos_describe_the_options)
{
    const auto options = options_of_all_types();
    const std::vector<option_info>& infos = options.infos();
    BOOST_TEST_REQUIRE(infos.size() == 9u);
    BOOST_TEST(infos[0].name == "text");
    BOOST_TEST((infos[0].type == option_type::text));
    BOOST_TEST(infos[0].default_value == "a");
    BOOST_TEST(infos[0].limits.choices.size() == 2u);
    BOOST_TEST((infos[1].type == option_type::texts));
    BOOST_TEST((infos[2].type == option_type::integer));
    BOOST_TEST((infos[3].type == option_type::number));
    BOOST_TEST((infos[4].type == option_type::flag));
    BOOST_TEST((infos[5].type == option_type::duration));
    BOOST_TEST(infos[5].default_value == "5s");
    BOOST_TEST((infos[6].type == option_type::size));
    BOOST_TEST(infos[6].default_value == "2 KiB");
    BOOST_TEST((infos[7].type == option_type::json));
    BOOST_TEST((infos[8].type == option_type::integer));
    BOOST_TEST(infos[8].default_value.is_null());
    BOOST_TEST(!infos[8].required);
}

BOOST_AUTO_TEST_CASE(wrong_types_are_told)
{
    BOOST_TEST(mistakes_of({{"text", 1}}) == "/text: found 1, expected a or bcd\n");
    BOOST_TEST(
        mistakes_of({{"texts", {1}}}) ==
        "/texts: found an array, expected a string or an array of strings\n"
    );
    BOOST_TEST(
        mistakes_of({{"integer", "1"}}) ==
        "/integer: found \"1\", expected a whole number from -2 to 9\n"
    );
    BOOST_TEST(
        mistakes_of({{"integer", 1.5}}) ==
        "/integer: found 1.5, expected a whole number from -2 to 9\n"
    );
    BOOST_TEST(
        mistakes_of({{"maybe", 18446744073709551615U}}) ==
        "/maybe: found 18446744073709551615, expected a whole number between -2^63 and "
        "2^63\n"
    );
    BOOST_TEST(
        mistakes_of({{"maybe", 1e19}}) ==
        "/maybe: found 1e+19, expected a whole number between -2^63 and 2^63\n"
    );
    BOOST_TEST(
        mistakes_of({{"number", true}}) ==
        "/number: found true, expected a number of at most 1.5\n"
    );
    BOOST_TEST(mistakes_of({{"flag", 0}}) == "/flag: found 0, expected true or false\n");
    BOOST_TEST(
        mistakes_of({{"duration", 5}}) == "/duration: found 5, expected a duration such "
                                          "as \"250ms\", \"1.5s\" or \"2m\", of at "
                                          "most six digits before the point\n"
    );
    for (const json& found : {json("64 MiBs"), json(-1), json(0.5), json(true)})
        BOOST_TEST(
            mistakes_of({{"size", found}}) == "/size: found " + found.dump() +
                                                  ", expected a size such as \"64 MiB\", "
                                                  "with B, kB, MB, GB, KiB, MiB or GiB, "
                                                  "or a number of bytes\n"
        );
    BOOST_TEST(
        mistakes_of({{"maybe", nullptr}}) ==
        "/maybe: found null, expected a whole number of at least 0\n"
    );
}

BOOST_AUTO_TEST_CASE(values_outside_the_limits_are_told)
{
    BOOST_TEST(
        mistakes_of({{"text", "bce"}}) ==
        "/text: found \"bce\", expected a or bcd; did you mean \"bcd\"?\n"
    );
    BOOST_TEST(
        mistakes_of({{"integer", 10}}) ==
        "/integer: found 10, expected a whole number from -2 to 9\n"
    );
    BOOST_TEST(
        mistakes_of({{"number", 1.75}}) ==
        "/number: found 1.75, expected a number of at most 1.5\n"
    );
    BOOST_TEST(
        mistakes_of({{"maybe", -1}}) ==
        "/maybe: found -1, expected a whole number of at least 0\n"
    );
}

BOOST_AUTO_TEST_CASE(unknown_names_are_told)
{
    BOOST_TEST(
        mistakes_of({{"flags", true}, {"a/b", 1}}) ==
        "/a~1b: found \"a/b\", expected text, texts, integer, number, flag, duration, "
        "size, json or "
        "maybe\n"
        "/flags: found \"flags\", expected text, texts, integer, number, flag, duration, "
        "size, json "
        "or maybe; did you mean \"flag\"?\n"
    );
}

BOOST_AUTO_TEST_CASE(missing_names_are_told)
{
    sluice::pipeline::stage_options<all_types> options;
    options.required("text", &all_types::text, "what to say");
    std::vector<problem> problems;
    (void)options.read(json::object(), problems);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(
        to_string(problems[0]) ==
        "/text: found no \"text\", expected \"text\" (what to say)"
    );
}

BOOST_AUTO_TEST_CASE(a_stage_without_options_takes_none)
{
    const sluice::pipeline::stage_options<all_types> none;
    std::vector<problem> problems;
    (void)none.read({{"x", 1}}, problems);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(to_string(problems[0]) == "/x: found \"x\", expected nothing here");
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/jq_program.hpp"

#include <sluice/pipeline/stage_options.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

using json = pipeline::json_value;
using pipeline::element;
using program = pipeline::jq_program;

struct jq_program_fixture
{
    static std::string result(const std::string& text, const json& input)
    {
        return only_result(text, element(input)).dump();
    }

    static json only_result(const std::string& text, const element& input)
    {
        const std::vector<json> all = program(text, "program").run(input);
        BOOST_TEST_REQUIRE(all.size() == 1U);
        return all.front();
    }

    static std::string error(const std::string& text, const json& input)
    {
        program tested(text, "program");
        try {
            (void)tested.run(element(input));
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no error";
    }

    static std::string refusal(const std::string& text)
    {
        try {
            const program tested(text, "program");
        } catch (const pipeline::option_error& error) {
            return error.what();
        }
        return "no error";
    }
};

BOOST_FIXTURE_TEST_SUITE(jq_program, jq_program_fixture)

BOOST_AUTO_TEST_CASE(program_has_one_input)
{
    BOOST_TEST(result("[inputs]", 1) == "[]");
    BOOST_TEST(
        error("input", 1)
            .ends_with(
                ": there is no further input, because it runs once for each element"
            )
    );
    BOOST_TEST(error("error(\"break\")", 1).ends_with(": break"));
}

BOOST_AUTO_TEST_CASE(numbers_that_stay_as_they_are_written_are_numbers)
{
    const json price{{"price", pipeline::written_number("1.10")}};
    BOOST_TEST(result(".price * 2", price) == "2.2");
    BOOST_TEST(result(".price", price) == "1.1");
}

BOOST_AUTO_TEST_CASE(members_keep_the_order_in_which_they_were_made)
{
    BOOST_TEST(result("{z: 1, a: 2}", nullptr) == R"({"z":1,"a":2})");
}

BOOST_AUTO_TEST_CASE(program_gives_any_number_of_results)
{
    program tested(".[]", "program");
    BOOST_TEST((tested.run(element(json{1, "a"})) == std::vector<json>{1, "a"}));
    BOOST_TEST(tested.run(element(json::array())).empty());
}

BOOST_AUTO_TEST_CASE(values_of_all_types_come_back_as_they_went_in)
{
    const json all = {
        {"null", nullptr},
        {"flags", {true, false}},
        {"numbers", {0, -1, 1.5, 9007199254740992, -0.0, 1e300}},
        {"texts", {"", "\xc3\xa9\"\\", std::string("a\0b", 3)}},
        {"empty", {json::array(), json::object()}}
    };
    BOOST_TEST(result(".", all) == all.dump());
}

BOOST_AUTO_TEST_CASE(texts_are_strings)
{
    BOOST_TEST(only_result("length", element("abc")) == 3);
}

BOOST_AUTO_TEST_CASE(whole_numbers_beyond_those_of_floating_point_are_rounded)
{
    const auto largest = std::numeric_limits<std::int64_t>::max();
    BOOST_TEST(result(".", largest) == "9.223372036854776e+18");
}

BOOST_AUTO_TEST_CASE(numbers_that_json_has_not_are_null_or_the_largest)
{
    BOOST_TEST(result("[nan, infinite]", nullptr) == "[null,1.7976931348623157e+308]");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_replaced)
{
    BOOST_TEST(only_result(".", element("caf\xe9")) == "caf\xef\xbf\xbd");
}

BOOST_AUTO_TEST_CASE(error_shows_program_and_input)
{
    BOOST_TEST(
        error(".a.b", {{"a", 5}}) ==
        R"(cannot evaluate ".a.b" for {"a":5}: Cannot index number with string "b")"
    );
    BOOST_TEST(
        error(R"(error({"code": 1}))", 2).ends_with(R"(: {"code":1})"),
        error(R"(error({"code": 1}))", 2)
    );
}

BOOST_AUTO_TEST_CASE(program_runs_again_after_an_error)
{
    program tested("1, error", "program");
    BOOST_CHECK_THROW((void)tested.run(element("x")), std::runtime_error);
    program other("if . == 0 then error(\"zero\") else . end", "program");
    BOOST_CHECK_THROW((void)other.run(element(json(0))), std::runtime_error);
    BOOST_TEST((other.run(element(json(1))) == std::vector<json>{1}));
}

BOOST_AUTO_TEST_CASE(halt_is_an_error_with_its_message)
{
    const std::string halts =
        "`halt` is not supported, because it would end the whole program";
    BOOST_TEST(error("halt", 1).ends_with(halts));
    BOOST_TEST(error("\"bad\" | halt_error", 1).ends_with(halts + ": bad"));
    BOOST_TEST(
        error("{\"code\": 1} | halt_error(3)", 1).ends_with(halts + R"(: {"code":1})")
    );
    for (const char* const text :
         {"if . == 1 then halt else . end",
          "if . == 1 then \"bad\" | halt_error else . end"}) {
        program tested(text, "program");
        BOOST_CHECK_THROW((void)tested.run(element(json(1))), std::runtime_error);
        for (const int next : {2, 3})  // libjq aborted here
            BOOST_TEST((tested.run(element(json(next))) == std::vector<json>{next}));
    }
}

// libjq called a function that was not set.
BOOST_AUTO_TEST_CASE(debug_gives_its_input)
{
    BOOST_TEST(result("debug | .a", {{"a", 1}}) == "1");
}

// libjq aborted at the first three.
BOOST_AUTO_TEST_CASE(modules_are_refused_with_what_to_do)
{
    for (const char* const text :
         {"include \"x\"; .",
          "import \"x\" as $x; .",
          "module {}; import \"x\" as x; .",
          "import \"x\" as x {search: \".\"}; ."}) {
        BOOST_TEST(
            refusal(text) == "a jq program (it cannot be, include or import a module; "
                             "write the definitions into it)",
            text
        );
    }
}

BOOST_AUTO_TEST_CASE(result_nested_too_deeply_is_an_error)
{
    const auto message = error("reduce range(1000) as $i (0; [.])", 1);
    BOOST_TEST(message == "the result is nested deeper than 500 levels");
    const std::string of_500 = "reduce range(499) as $i ([]; [.])";
    BOOST_TEST(result(of_500, 1).size() == 1000U);
    BOOST_TEST(error("[" + of_500 + "]", 1) == message);
}

BOOST_AUTO_TEST_CASE(text_that_is_no_program_is_refused_with_the_reason)
{
    BOOST_TEST(refusal(".a |") == "a jq program (syntax error, unexpected $end)");
    BOOST_TEST(refusal("unknown(1)") == "a jq program (unknown/1 is not defined)");
    BOOST_TEST(
        refusal(R"(city == "Rome")") ==
        "a jq program (city/0 is not defined; a field of that name is .city)"
    );
    BOOST_TEST(refusal("a::b") == "a jq program (a::b/0 is not defined)");
    const std::string empty = R"(a jq program (it is empty; "." gives what comes in))";
    BOOST_TEST(refusal("") == empty);
    BOOST_TEST(refusal(" \n") == empty);
    BOOST_TEST(
        refusal(std::string("1\0)", 3)) ==
        "a jq program (it has the character NUL, at which jq would end)"
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

struct json_lines_fixture : stage_fixture
{
    temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(json_lines, json_lines_fixture)

BOOST_AUTO_TEST_CASE(each_line_is_a_value)
{
    const auto path = folder.write("file", "{\"n\": 1}\r\n\n \t\n[2]\n\"x\"\nnull");
    const auto values = result_of("json_lines", {{"files", path}});
    BOOST_REQUIRE(values.size() == 4u);
    BOOST_TEST(values[0].to_json() == (json{{"n", 1}}));
    BOOST_TEST(values[1].to_json() == json::array({2}));
    BOOST_TEST(values[2].to_json() == json("x"));
    BOOST_TEST(values[3].to_json() == json());
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_an_error_with_file_line_and_column)
{
    const auto path = folder.write("file", "1\n\n{\"a\": }\n");
    const auto error = error_of("json_lines", {{"files", path}});
    BOOST_TEST(error.starts_with(path + ", line 3: no JSON: column 7: "), error);
}

BOOST_AUTO_TEST_CASE(number_out_of_range_is_an_error_with_file_and_line)
{
    const auto path = folder.write("file", "1\n{\"x\": 1e999}\n");
    BOOST_TEST(
        error_of("json_lines", {{"files", path}}) ==
        path + ", line 2: a number is beyond the range of floating point"
    );
}

BOOST_AUTO_TEST_CASE(text_behind_a_nul_byte_is_not_dropped)
{
    const auto path = folder.write("file", std::string("{\"a\":1}\0{\"b\":2}\n", 16));
    BOOST_TEST(
        error_of("json_lines", {{"files", path}}) ==
        path + ", line 1: no JSON: column 8: a NUL byte"
    );
}

BOOST_AUTO_TEST_CASE(file_in_utf16_is_an_error_with_what_to_do)
{
    for (const std::string mark : {"\xff\xfe", "\xfe\xff"}) {
        const auto path = folder.write("file", mark + "1\n");
        BOOST_TEST(
            error_of("json_lines", {{"files", path}}) ==
            path + ", line 1: no JSON: it is in UTF-16, by its first bytes; "
                   "`iconv -f UTF-16 -t UTF-8` makes UTF-8 of it"
        );
    }
}

BOOST_AUTO_TEST_CASE(members_and_numbers_stay_as_they_are_written)
{
    const std::string line = R"({"b":1.10,"a":[12345678901234567890123,-0,1e3]})";
    const auto path = folder.write("file", line);
    BOOST_TEST(lines_of("json_lines", {{"files", path}}) == texts{line});
}

BOOST_AUTO_TEST_CASE(name_twice_in_one_object_is_an_error_with_file_and_line)
{
    const auto path = folder.write("file", "1\n{\"a\":1,\"a\":2}\n");
    BOOST_TEST(
        error_of("json_lines", {{"files", path}}) ==
        path + ", line 2: the name \"a\" twice in one object"
    );
}

BOOST_AUTO_TEST_CASE(lines_are_counted_for_each_file)
{
    folder.write("all/1", "1\n2\n3\n");
    const auto path = folder.write("all/2", "x");
    const auto error = error_of("json_lines", {{"files", folder.path("all")}});
    BOOST_TEST(error.starts_with(path + ", line 1: "), error);
}

BOOST_AUTO_TEST_CASE(invalid_utf8_is_an_error)
{
    const auto path = folder.write("file", "\"\xff\"\n");
    const auto error = error_of("json_lines", {{"files", path}});
    BOOST_TEST(holds(error, "line 1: no JSON"), error);
}

BOOST_AUTO_TEST_CASE(brackets_in_strings_are_not_nested)
{
    const auto path = folder.write("file", "[\"\\\"" + std::string(1000, '[') + "\"]\n");
    BOOST_TEST(result_of("json_lines", {{"files", path}}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_an_error)
{
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    const auto path = folder.write("file", deep);
    const auto error = error_of("json_lines", {{"files", path}});
    BOOST_TEST(error == path + ", line 1: nested deeper than 500 levels");
}

BOOST_AUTO_TEST_CASE(line_that_is_no_json_can_be_left_out)
{
    const auto path = folder.write("file", "1\n{\"a\"\n2\n");
    BOOST_TEST(skipped_by("json_lines", {{"files", path}})
                   .front()
                   .starts_with("{\"a\": " + path + ", line 2: no JSON: column 5"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

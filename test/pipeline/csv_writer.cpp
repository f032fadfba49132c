// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_writer.hpp"

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

struct csv_writer_fixture : stage_fixture
{
    json with_path(json options) const
    {
        options["path"] = folder.path("out");
        options["format"] = "csv";
        return options;
    }

    static std::vector<element> to_values(const std::vector<json>& values)
    {
        return {values.begin(), values.end()};
    }

    std::string written(const json& options, const std::vector<json>& values)
    {
        (void)result_of("write", with_path(options), to_values(values));
        return folder.read("out");
    }

    // What a line of JSON becomes that was read from a file.
    std::string written_line(const std::string& line)
    {
        const json options = {
            {"files", folder.write("in", line)},
            {"format", "json_lines"}
        };
        (void)result_of("write", with_path(json::object()), result_of("read", options));
        return folder.read("out");
    }

    std::vector<element> read_again()
    {
        return result_of("read", {{"files", folder.path("out")}, {"format", "csv"}});
    }

    std::string error(const json& options, const std::vector<json>& values)
    {
        return error_of("write", with_path(options), to_values(values));
    }

    temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(csv_writer, csv_writer_fixture)

BOOST_AUTO_TEST_CASE(columns_are_written_in_their_order)
{
    const json options = {{"columns", {"id", "/at/city", "n"}}};
    BOOST_TEST(
        written(
            options,
            {{{"id", 1}, {"at", {{"city", "A, B"}}}, {"n", 1.5}, {"other", true}},
             {{"id", nullptr}, {"n", {1, "x"}}}}
        ) == "id,/at/city,n\n1,\"A, B\",1.5\n,,\"[1,\"\"x\"\"]\"\n"
    );
}

BOOST_AUTO_TEST_CASE(numbers_are_written_as_they_were_read)
{
    BOOST_TEST(
        written(json::object(), {{{"n", pipeline::written_number("1.10")}}}) ==
        "n\n1.10\n"
    );
}

BOOST_AUTO_TEST_CASE(without_columns_they_are_those_of_the_first_value)
{
    BOOST_TEST(
        written(json::object(), {{{"a/b", 1}, {"c", "x"}}, {{"c", "y"}}}) ==
        "a/b,c\n1,x\n,y\n"
    );
}

BOOST_AUTO_TEST_CASE(field_that_would_be_lost_is_an_error)
{
    const auto message =
        error(json::object(), {{{"a", 1}, {"b", 1}}, {{"a", 1}, {"c", 1}}});
    BOOST_TEST(message.starts_with("cannot write to " + folder.path("out")));
    BOOST_TEST(
        holds(
            message,
            R"(: {"a":1,"c":1} has a field for which there is no column; name all in)"
        ),
        message
    );
}

BOOST_AUTO_TEST_CASE(arrays_are_written_whole)
{
    const std::vector<json> rows = {{1, "x"}, {2, ""}};
    BOOST_TEST(written(json::object(), rows) == "1,x\n2,\n");
    BOOST_TEST(written({{"columns", {"a", "b"}}}, rows) == "a,b\n1,x\n2,\n");
    const auto message = error({{"columns", {"a", "b", "c"}}}, rows);
    BOOST_TEST(holds(message, "a field for each column, but got [1,\"x\"]"), message);
}

BOOST_AUTO_TEST_CASE(header_can_be_left_out_and_the_separator_chosen)
{
    const json options = {{"columns", {"a", "b"}}, {"header", false}, {"separator", ";"}};
    BOOST_TEST(written(options, {{{"a", "1;2"}, {"b", "3,4"}}}) == "\"1;2\";3,4\n");
}

BOOST_AUTO_TEST_CASE(empty_input_has_a_header_only)
{
    BOOST_TEST(written({{"columns", {"a", "b"}}}, {}) == "a,b\n");
    BOOST_TEST(written(json::object(), {}) == "");
}

BOOST_AUTO_TEST_CASE(single_empty_field_is_no_empty_line)
{
    BOOST_TEST(written({{"columns", "a"}, {"header", false}}, {{{"a", ""}}}) == "\"\"\n");
}

BOOST_AUTO_TEST_CASE(what_was_written_is_read_again)
{
    const std::vector<json> values = {
        {{"id", "007"}, {"text", "say \"x\", or\nnot"}},
        {{"id", ""}, {"text", "\r"}}
    };
    BOOST_TEST(
        written(json::object(), values) ==
        "id,text\n007,\"say \"\"x\"\", or\nnot\"\n,\"\r\"\n"
    );
    BOOST_TEST((read_again() == to_values(values)));
}

BOOST_AUTO_TEST_CASE(name_that_begins_as_files_may_is_read_again)
{
    for (const std::string mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}) {
        const std::vector<json> values = {{{mark + "id", "x"}}};
        BOOST_TEST(written(json::object(), values) == '"' + mark + "id\"\nx\n");
        if (mark == "\xef\xbb\xbf")  // as a name the others are not UTF-8
            BOOST_TEST((read_again() == to_values(values)));
    }
}

BOOST_AUTO_TEST_CASE(columns_find_their_fields_in_any_order)
{
    const json options = {{"columns", {"/c/d", "b", "/b", "c", "x"}}};
    const json value = {{"a", 1}, {"b", 2}, {"c", {{"d", 3}}}};
    const std::string line = "3,2,2,\"{\"\"d\"\":3}\",\n";
    BOOST_TEST(
        written(options, {value, {{"c", {{"d", 3}}}, {"b", 2}}}) ==
        "/c/d,b,/b,c,x\n" + line + line
    );
}

// Some 10^10 steps if each column was looked for from the beginning.
BOOST_AUTO_TEST_CASE(very_many_fields_are_each_looked_at_once)
{
    json object = json::object();
    json array;
    auto& members = object.get_ref<json::object_t&>();
    for (int i = 0; i < 100'000; ++i) {
        members.emplace_back(std::to_string(i), i);
        array.push_back(i);
    }
    const std::string row = array.dump().substr(1, array.dump().size() - 2) + '\n';
    for (const std::string& result :
         {written(json::object(), {object}), written_line(object.dump())})
        BOOST_CHECK(result == row + row);
    BOOST_CHECK(written_line(array.dump()) == row);
}

BOOST_AUTO_TEST_CASE(texts_are_an_error)
{
    const auto message = error_of("write", with_path(json::object()), to_elements({"x"}));
    BOOST_TEST(holds(message, ": it takes a value, but got the text x"), message);
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("write", with_path({{"separator", "ab"}})) == "/separator");
    BOOST_TEST(problem_of("write", with_path({{"columns", ""}})) == "/columns");
    BOOST_TEST(problem_of("write", with_path({{"columns", {"b", "b"}}})) == "/columns");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_parser.hpp"

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

struct csv_parser_fixture : stage_fixture
{
    static json csv(json options)
    {
        options["format"] = "csv";
        return options;
    }

    // The records of a file, as JSON.
    texts read(const std::string& content, json options = json::object())
    {
        options["files"] = folder.write("file.csv", content);
        return lines_of("read", csv(options));
    }

    std::string error(const std::string& content, json options = json::object())
    {
        options["files"] = folder.write("file.csv", content);
        const std::string message = error_of("read", csv(options));
        const std::string path = folder.path("file.csv");
        BOOST_TEST(message.starts_with(path), message);
        return message.substr(std::min(path.size(), message.size()));
    }

    temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(csv_parser, csv_parser_fixture)

BOOST_AUTO_TEST_CASE(records_become_objects_with_the_names_of_the_header)
{
    BOOST_TEST(
        read("name,n\nx,1\ny,2") ==
        (texts{R"({"name":"x","n":"1"})", R"({"name":"y","n":"2"})"})
    );
}

BOOST_AUTO_TEST_CASE(columns_replace_the_names_of_the_header)
{
    BOOST_TEST(
        read("a,b\nx,1\n", {{"columns", {"c", "d"}}}) == (texts{R"({"c":"x","d":"1"})"})
    );
}

BOOST_AUTO_TEST_CASE(columns_name_fields_of_files_without_header)
{
    BOOST_TEST(
        read("x,1\n", {{"columns", {"c", "d"}}, {"header", false}}) ==
        (texts{R"({"c":"x","d":"1"})"})
    );
}

BOOST_AUTO_TEST_CASE(records_without_names_become_arrays)
{
    BOOST_TEST(
        read("x,1\ny\n", {{"header", false}}) == (texts{R"(["x","1"])", R"(["y"])"})
    );
}

BOOST_AUTO_TEST_CASE(each_file_has_a_header)
{
    folder.write("all/1", "a\n1\n");
    folder.write("all/2", "b\n2\n");
    BOOST_TEST(
        lines_of("read", csv({{"files", folder.path("all")}})) ==
        (texts{R"({"a":"1"})", R"({"b":"2"})"})
    );
}

BOOST_AUTO_TEST_CASE(quoted_fields_hold_everything)
{
    const std::string content = "a,b\r\n\"x,\"\"y\"\"\r\nz\",\"\"\r\n";
    BOOST_TEST(read(content) == (texts{R"({"a":"x,\"y\"\r\nz","b":""})"}));
}

BOOST_AUTO_TEST_CASE(quotes_inside_plain_fields_stay)
{
    BOOST_TEST(
        read("5\" disk,x\n", {{"header", false}}) == (texts{R"(["5\" disk","x"])"})
    );
}

BOOST_AUTO_TEST_CASE(empty_fields_and_lines_are_told_apart)
{
    BOOST_TEST(
        read("\n,\n\r\n\"\"\n,x\r\n", {{"header", false}}) ==
        (texts{R"(["",""])", R"([""])", R"(["","x"])"})
    );
}

BOOST_AUTO_TEST_CASE(fields_are_texts_and_stay_as_they_are_written)
{
    BOOST_TEST(
        read("12e4,1.10,-0,007,12345678901234567890123,\"1\"\n", {{"header", false}}) ==
        (texts{R"(["12e4","1.10","-0","007","12345678901234567890123","1"])"})
    );
}

BOOST_AUTO_TEST_CASE(numbers_of_the_columns_that_are_named_stay_as_they_are_written)
{
    BOOST_TEST(
        read("id,price,n\n007,1.10,12e4\n8,\"-0\",9\n", {{"numbers", {"n", "price"}}}) ==
        (texts{R"({"id":"007","price":1.10,"n":12e4})", R"({"id":"8","price":-0,"n":9})"})
    );
}

BOOST_AUTO_TEST_CASE(fields_of_columns_of_numbers_that_are_no_numbers_stay_texts)
{
    BOOST_TEST(
        read(
            "-1,1.5e3,007,1x,+1,.5,5., 1,-,0x1,n/a,,1e999,12345678901234567890123\n",
            {{"header", false}, {"numbers", true}}
        ) ==
        (texts{R"([-1,1.5e3,"007","1x","+1",".5","5."," 1","-","0x1","n/a","","1e999",)"
               "12345678901234567890123]"})
    );
}

BOOST_AUTO_TEST_CASE(column_of_numbers_that_is_not_there_is_an_error)
{
    BOOST_TEST(
        error("a,b\n1,2\n", {{"numbers", {"c"}}}) ==
        ", line 1: there is no column \"c\", which \"numbers\" names"
    );
}

BOOST_AUTO_TEST_CASE(records_may_end_with_carriage_returns)
{
    const texts expected{R"({"a":"1","b":"x\ry"})", R"({"a":"2","b":""})"};
    BOOST_TEST(read("a,b\r1,\"x\ry\"\r\r2,\r") == expected);
    BOOST_TEST(read("a,b\r\n1,\"x\ry\"\r\n\r\n2,\r\n") == expected);
    BOOST_TEST(error("a,b\r1,2\r3\r") == ", line 3: 1 field for 2 columns");
    BOOST_TEST(error("a,b\r\n1,2\r\n3\r\n") == ", line 3: 1 field for 2 columns");
}

BOOST_AUTO_TEST_CASE(columns_keep_their_order)
{
    BOOST_TEST(read("b,c,a\n1,2,3\n") == (texts{R"({"b":"1","c":"2","a":"3"})"}));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_kept)
{
    folder.write("latin1.csv", "city\ncaf\xe9\n");
    const auto records = result_of("read", csv({{"files", folder.path("latin1.csv")}}));
    BOOST_REQUIRE(records.size() == 1u);
    BOOST_TEST(records.front().to_json().at("city") == "caf\xe9");
}

BOOST_AUTO_TEST_CASE(columns_replace_a_header_with_a_name_twice)
{
    BOOST_TEST(
        read("a,a\n1,2\n", {{"columns", {"a", "b"}}}) == (texts{R"({"a":"1","b":"2"})"})
    );
}

BOOST_AUTO_TEST_CASE(other_separators_are_possible)
{
    BOOST_TEST(
        read("a,b\tc\n", {{"header", false}, {"separator", "\t"}}) ==
        (texts{R"(["a,b","c"])"})
    );
}

BOOST_AUTO_TEST_CASE(file_in_utf16_is_refused_with_what_to_do)
{
    for (const std::string mark : {"\xff\xfe", "\xfe\xff"}) {
        const auto path = folder.write("file", mark + "a,b\n1,2\n");
        BOOST_TEST(
            error_of("read", csv({{"files", path}})) ==
            path + ", line 1: it is in UTF-16, by its first bytes; `iconv -f UTF-16 -t "
                   "UTF-8` "
                   "makes UTF-8 of it"
        );
    }
}

BOOST_AUTO_TEST_CASE(byte_order_mark_is_left_out)
{
    BOOST_TEST(read("\xef\xbb\xbf\"a\"\n1\n") == (texts{R"({"a":"1"})"}));
    BOOST_TEST(
        read("\xef\xbb\xbf"
             "a\n1\n") == (texts{R"({"a":"1"})"})
    );
}

BOOST_AUTO_TEST_CASE(empty_file_and_mere_header_give_nothing)
{
    BOOST_TEST(read("") == texts());
    BOOST_TEST(read("", {{"numbers", {"a"}}}) == texts());
    BOOST_TEST(read("a,b\n") == texts());
    BOOST_TEST(read("\n\n") == texts());
}

BOOST_AUTO_TEST_CASE(records_across_pieces_are_whole)
{
    const std::string huge(200'000, 'x');
    const auto lines = read("\"" + huge + "\",1\n", {{"header", false}});
    BOOST_TEST((lines == texts{"[\"" + huge + "\",\"1\"]"}));
}

BOOST_AUTO_TEST_CASE(wrong_number_of_fields_is_an_error_with_the_line)
{
    BOOST_TEST(error("a,b\n\"1\n2\",3\n4\n") == ", line 4: 1 field for 2 columns");
}

BOOST_AUTO_TEST_CASE(header_that_is_not_utf8_is_an_error_because_json_cannot_hold_it)
{
    BOOST_TEST(
        error("caf\xe9\n1\n") == ", line 1: the name \"caf\\xe9\" of a column is not "
                                 "UTF-8; give all names in \"columns\""
    );
    BOOST_TEST(read("caf\xe9\n1\n", {{"columns", "a"}}) == texts{R"({"a":"1"})"});
}

BOOST_AUTO_TEST_CASE(header_with_a_name_twice_is_an_error_with_the_line)
{
    BOOST_TEST(error("\na,b,a\n1,2,3\n") == ", line 2: several columns are called \"a\"");
}

BOOST_AUTO_TEST_CASE(open_quote_is_an_error_with_the_line_where_the_record_began)
{
    BOOST_TEST(error("a\n1\n\"2\n3\n") == ", line 3: a quote is opened and never closed");
}

BOOST_AUTO_TEST_CASE(text_behind_a_quote_is_an_error)
{
    BOOST_TEST(holds(error("a\n\"1\"2\n"), ", line 2: text behind a closing quote"));
}

BOOST_AUTO_TEST_CASE(long_options_are_quoted_by_their_beginnings)
{
    const std::string many(200'000, 'x');
    const std::vector<json> options = {
        {{"files", "x"}, {"separator", many}},
        {{"files", "x"}, {"columns", {many, many}}}
    };
    for (const json& each : options) {
        const std::string message = to_string(full_problem_of("read", csv(each)));
        BOOST_TEST(message.size() < 500U, message.substr(0, 500));
    }
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    for (const char* wrong : {"", "ab", "\"", "\n", "\r", "\xc3"})
        BOOST_TEST(
            problem_of("read", csv({{"files", "x"}, {"separator", wrong}})) ==
            "/separator"
        );
    BOOST_TEST(
        problem_of("read", csv({{"files", "x"}, {"comment", "\""}})) == "/comment"
    );
    BOOST_TEST(
        problem_of("read", csv({{"files", "x"}, {"columns", {"a", "a"}}})) == "/columns"
    );
    const std::vector<json> wrong = {
        {{"numbers", "price"}},
        {{"numbers", {1}}},
        {{"numbers", {"a"}}, {"header", false}},
        {{"numbers", {"b"}}, {"columns", {"a"}}}
    };
    for (json each : wrong) {
        each["files"] = "x";
        BOOST_TEST(problem_of("read", csv(each)) == "/numbers", each);
    }
}

BOOST_AUTO_TEST_CASE(records_that_are_wrong_can_be_left_out)
{
    const std::string content = "a,b\n1,2\n3\n4,\"x\"y\"\nz,5\n6,7\n8,\"open\n";
    const auto path = folder.write("file.csv", content);
    const json options = {{"files", path}, {"numbers", false}};
    BOOST_TEST(
        kept_by("read", csv(options)) ==
        (texts{R"({"a":"1","b":"2"})", R"({"a":"z","b":"5"})", R"({"a":"6","b":"7"})"})
    );
    BOOST_TEST(
        skipped_by("read", csv(options)) ==
        (texts{
            "3: " + path + ", line 3: 1 field for 2 columns",
            "4,\"x\"y\": " + path +
                ", line 4: text behind a closing quote; a quote inside quotes is written "
                "twice",
            "8,\"open: " + path + ", line 7: a quote is opened and never closed"
        })
    );
}

BOOST_AUTO_TEST_CASE(record_that_is_left_out_ends_with_any_line_end)
{
    const std::string path = folder.write("file.csv", "a\n\"x\"y\r1\r\"x\"y\r\n2\n");
    const json options = {{"files", path}};
    BOOST_TEST(skipped_by("read", csv(options)).size() == 2U);
}

BOOST_AUTO_TEST_CASE(record_above_the_limit_can_be_left_out)
{
    const std::string path = folder.write(
        "file.csv",
        "a,b\n1,2\n3,\"" + std::string(300'000, 'x') + "\"\n5,6\n"
    );
    const json options = {{"files", path}, {"longest_record", "64 KiB"}};
    const auto skipped = skipped_by("read", csv(options));
    BOOST_REQUIRE(skipped.size() == 1U);
    BOOST_TEST(
        skipped.front() == "3,\"" + std::string(997, 'x') + ": " + path +
                               ", line 3: it goes on for more than 64 KiB, which "
                               "\"longest_record\" of the source can raise"
    );
    BOOST_TEST(
        kept_by("read", csv(options)) ==
        (texts{R"({"a":"1","b":"2"})", R"({"a":"5","b":"6"})"})
    );
}

BOOST_AUTO_TEST_CASE(limit_of_a_record_is_exact_wherever_it_stands)
{
    const std::string longest = "1," + std::string(98, 'x');
    for (int before = 2610; before <= 2630; ++before) {  // a read ends at 256 KiB
        std::string text = "a,b\n";
        for (int i = 0; i < before; ++i)
            text += "1," + std::string(97, 'y') + "\n";
        const auto path =
            folder.write("file.csv", text + longest + "\r\n" + longest + "x\r\n");
        const auto skipped =
            skipped_by("read", csv({{"files", path}, {"longest_record", 100}}));
        BOOST_REQUIRE(skipped.size() == 1U);
        const std::string where = path + ", line " + std::to_string(before + 3) + ": ";
        BOOST_TEST(holds(skipped.front(), where + "it goes on for more than 100 B"));
    }
}

BOOST_AUTO_TEST_CASE(only_the_first_line_of_a_record_above_the_limit_is_left_out)
{
    for (const std::size_t size : {7'000U, 70'000U, 700'000U}) {
        const std::string field = std::string(size, 'x') + "\n7,8\n9";
        const auto path = folder.write("file.csv", "a,b\n1,\"" + field + "\"\n3,4\n");
        const json options = {{"files", path}, {"longest_record", 2000}};
        BOOST_TEST(
            kept_by("read", csv(options)) ==
            (texts{R"({"a":"7","b":"8"})", R"({"a":"3","b":"4"})"})
        );
        BOOST_TEST(skipped_by("read", csv(options)).size() == 2U);  // and 9"
    }
}

BOOST_AUTO_TEST_CASE(stray_quote_costs_its_line_and_not_the_rest)
{
    const auto path = folder.write("file.csv", "a,b\n1,\"2\n3,4\n5,\"6\"\n7,8\n");
    const json options = {{"files", path}};
    BOOST_TEST(
        kept_by("read", csv(options)) ==
        (texts{R"({"a":"3","b":"4"})", R"({"a":"5","b":"6"})", R"({"a":"7","b":"8"})"})
    );
    BOOST_TEST(
        skipped_by("read", csv(options)) ==
        texts{
            "1,\"2: " + path +
            ", line 2: text behind a closing quote; a quote inside quotes is written "
            "twice; the record goes on to line 4"
        }
    );
}

BOOST_AUTO_TEST_CASE(preamble_comments_and_short_records_can_be_allowed)
{
    const std::string file = "made by x\n\n# note\na,b\n1,2\n#3,4\n5\n\"#6\",7\n";
    BOOST_TEST(
        read(file, {{"skip_lines", 2}, {"comment", "#"}, {"short_records", "fill"}}) ==
        (texts{R"({"a":"1","b":"2"})", R"({"a":"5","b":null})", R"({"a":"#6","b":"7"})"})
    );
    BOOST_TEST(
        error("a\n1,2\n", {{"short_records", "fill"}}) ==
        ", line 2: 2 fields for 1 column"
    );
}

BOOST_AUTO_TEST_CASE(record_that_is_wrong_is_left_out_once)
{
    const auto path = folder.write(
        "file.csv",
        "a,b\n" + std::string(30, 'x') + ",\"y\"z" + std::string(200'000, 'z') + "\n1,2\n"
    );
    const json options = {{"files", path}, {"longest_record", 60}};
    BOOST_TEST(skipped_by("read", csv(options)).size() == 1U);
    BOOST_TEST(kept_by("read", csv(options)) == texts{R"({"a":"1","b":"2"})"});
}

BOOST_AUTO_TEST_CASE(record_of_empty_fields_has_a_limit_too)
{
    const std::string path =
        folder.write("file.csv", "a\n" + std::string(1'100'000, ','));
    const auto error = error_of("read", csv({{"files", path}}));
    BOOST_TEST(holds(error, path + ", line 2: more than a million fields"), error);
}

BOOST_AUTO_TEST_CASE(header_that_is_wrong_is_an_error_all_the_same)
{
    const json options = {{"files", folder.write("file.csv", "a,a\n1,2\n")}};
    const auto tested = make("read", csv(options));
    fake_stage_context context(ctx);
    context.action = pipeline::error_action::skip;
    BOOST_CHECK_THROW(run_until_done(run_stage(*tested, context)), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

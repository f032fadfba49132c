// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S45

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"
#include <sluice/pipeline/read_description.hpp>

#include <boost/test/unit_test.hpp>

#include <sqlite3.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sqlite {

using sluice::pipeline::element_key;
using sluice::test::fake_stage_context;
using sluice::test::holds;
using sluice::test::stage_fixture;
using sluice::test::texts;

struct fixture : stage_fixture
{
    using keys = std::vector<element_key>;

    [[nodiscard]] json options(const json& others = json::object()) const
    {
        json all = {{"path", folder.path("db")}, {"table", "t"}};
        all.update(others);
        return all;
    }

    void add(std::vector<element> elements, const json& others = json::object())
    {
        (void)result_of("sqlite", options(others), std::move(elements));
    }

    std::string error(std::vector<element> elements, const json& others = json::object())
    {
        return error_of("sqlite", options(others), std::move(elements));
    }

    // What a process adds that takes elements from a queue on a server.
    void add_from(const std::string& queue, const texts& input, const keys& with)
    {
        const auto tested = make("sqlite", options());
        fake_stage_context context(ctx, to_elements(input));
        context.queue = queue;
        context.input_keys = with;
        run_until_done(run_stage(*tested, context));
    }

    // Runs SQL, and gives the first column of each row.
    texts sql(const std::string& statement) const
    {
        sqlite3* opened = nullptr;
        sqlite3_open(folder.path("db").c_str(), &opened);
        const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database(
            opened,
            &sqlite3_close
        );
        texts found;
        const auto keep = [](void* to, int, char** values, char**) {
            static_cast<texts*>(to)->emplace_back(values[0] != nullptr ? values[0] : "");
            return 0;
        };
        const int result = sqlite3_exec(opened, statement.c_str(), keep, &found, nullptr);
        BOOST_TEST(result == SQLITE_OK, sqlite3_errmsg(opened));
        return found;
    }

    // How the database shows what one element became in the only column of a table.
    std::string stored(element given)
    {
        sql("DROP TABLE IF EXISTS t");
        add({std::move(given)}, {{"columns", {"a"}}});
        return sql("SELECT typeof(a) || ' ' || quote(a) FROM t").front();
    }

    static element parsed(const std::string& text)
    {
        return element(sluice::pipeline::json_value::parse(text));
    }

    sluice::test::temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(sqlite, fixture)

BOOST_AUTO_TEST_CASE(members_of_the_first_object_become_columns)
{
    add({parsed(R"({"id": 1, "city": "Ulm"})"), parsed(R"({"city": "Bonn"})")});
    BOOST_TEST(sql("SELECT id || city FROM t WHERE id") == texts{"1Ulm"});
    BOOST_TEST(sql("SELECT city FROM t WHERE id IS NULL") == texts{"Bonn"});
}

BOOST_AUTO_TEST_CASE(named_columns_are_taken_from_where_they_are)
{
    const json named = {{"columns", {"id", "/at/city"}}};
    add({parsed(R"({"at": {"city": "Ulm"}, "id": 7, "other": 0})")}, named);
    BOOST_TEST(sql("SELECT \"/at/city\" || id FROM t") == texts{"Ulm7"});
}

BOOST_AUTO_TEST_CASE(elements_of_an_array_stand_in_the_columns_in_their_order)
{
    add({parsed(R"([1, "x"])")}, {{"columns", {"a", "b"}}});
    BOOST_TEST(sql("SELECT a || b FROM t") == texts{"1x"});
    BOOST_TEST(
        error({parsed("[1]")}, {{"columns", {"a", "b"}}}) ==
        "cannot write to " + folder.path("db") +
            ": it takes objects, or arrays with a field for each column, but got [1]"
    );
}

BOOST_AUTO_TEST_CASE(what_is_no_object_stands_in_the_only_column)
{
    add({element("line"), parsed("5")});
    BOOST_TEST(sql("SELECT value FROM t") == (texts{"line", "5"}));
}

BOOST_AUTO_TEST_CASE(table_that_another_process_made_meanwhile_has_the_columns)
{
    const auto tested = make("sqlite", options());
    fake_stage_context context(ctx);
    context.keeps_open = true;
    const auto adding = spawn([&] { return tested->work(context); });
    while (context.reads == 0)  // it has opened the database
        ctx.run_one();
    sql("CREATE TABLE t (id, note)");
    context.add_input(parsed(R"({"id": 1})"));
    context.add_input(parsed(R"({"id": 2, "note": "y"})"));
    context.end_input();
    run_until_done(adding);
    BOOST_TEST(sql("SELECT id || ifnull(note, '') FROM t") == (texts{"1", "2y"}));
}

BOOST_AUTO_TEST_CASE(database_that_was_locked_too_long_has_failed_for_all_workers)
{
    sql("CREATE TABLE t (a)");
    const auto tested = make("sqlite", options({{"lock_timeout", "1ms"}}));
    const auto message = [&] {
        fake_stage_context context(ctx, {parsed(R"({"a": 1})")});
        try {
            run_until_done(tested->work(context));
        } catch (const std::runtime_error& failure) {
            return std::string(failure.what());
        }
        return std::string("no error");
    };
    sqlite3* other = nullptr;
    sqlite3_open(folder.path("db").c_str(), &other);
    sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    const std::string first = message();
    BOOST_TEST(holds(first, "database is locked"), first);
    sqlite3_close(other);
    BOOST_TEST(message() == first);
    BOOST_TEST(sql("SELECT a FROM t").empty());
}

BOOST_AUTO_TEST_CASE(columns_of_a_batch_that_was_undone_are_forgotten)
{
    const auto tested = make("sqlite", options());
    fake_stage_context failing(ctx, {parsed(R"({"a": 1})"), parsed(R"({"b": 1})")});
    fake_stage_context other(ctx, {parsed(R"({"b": 2})")});
    BOOST_CHECK_THROW(run_until_done(tested->work(failing)), std::runtime_error);
    run_until_done(tested->work(other));
    BOOST_TEST(sql("SELECT b FROM t") == texts{"2"});
}

BOOST_AUTO_TEST_CASE(table_that_is_there_has_the_columns)
{
    sql("CREATE TABLE t (id INTEGER PRIMARY KEY, city TEXT)");
    add({parsed(R"({"city": "Ulm"})"), parsed(R"({"city": "Bonn", "id": 9})")});
    BOOST_TEST(sql("SELECT id || city FROM t") == (texts{"1Ulm", "9Bonn"}));
    BOOST_TEST(
        holds(error({parsed(R"({"town": "Ulm"})")}), "for which there is no column")
    );
}

BOOST_AUTO_TEST_CASE(values_keep_their_types)
{
    BOOST_TEST(stored(parsed(R"({"a": null})")) == "null NULL");
    BOOST_TEST(stored(parsed(R"({"b": 1})")) == "null NULL");
    BOOST_TEST(stored(parsed(R"({"a": true})")) == "integer 1");
    BOOST_TEST(stored(parsed(R"({"a": false})")) == "integer 0");
    BOOST_TEST(stored(parsed(R"({"a": 1.5})")) == "real 1.5");
    BOOST_TEST(stored(element(json{{"a", 2.0}})) == "real 2.0");  // as of a mean
    BOOST_TEST(stored(element(json{{"a", INFINITY}})) == "null NULL");
    BOOST_TEST(stored(parsed(R"({"a": "12"})")) == "text '12'");
    BOOST_TEST(stored(parsed(R"({"a": [1, {"b": 2}]})")) == "text '[1,{\"b\":2}]'");
    BOOST_TEST(stored(element("it's")) == "text 'it''s'");
}

BOOST_AUTO_TEST_CASE(whole_numbers_of_64_bits_are_exact_and_larger_ones_keep_their_digits)
{
    for (const std::string number : {"9223372036854775807", "-9223372036854775808"})
        BOOST_TEST(stored(parsed(number)) == "integer " + number);
    BOOST_TEST(stored(parsed("9223372036854775808")) == "text '9223372036854775808'");
    const element minus_zero(sluice::pipeline::written_number("-0"));
    BOOST_TEST(stored(minus_zero) == "integer 0");
    const element read(sluice::pipeline::written_number("12345678901234567890123"));
    BOOST_TEST(stored(read) == "text '12345678901234567890123'");
}

BOOST_AUTO_TEST_CASE(text_that_is_none_for_a_database_keeps_its_bytes)
{
    BOOST_TEST(stored(element("\xff")) == "blob X'FF'");
    BOOST_TEST(stored(element(std::string("a\0b", 3))) == "blob X'610062'");
}

BOOST_AUTO_TEST_CASE(names_may_have_any_characters)
{
    const json odd = {{"table", "a\"b; --"}, {"columns", {"sel ect\""}}};
    add({element("x")}, odd);
    BOOST_TEST(sql(R"(SELECT "sel ect""" FROM "a""b; --")") == texts{"x"});
}

BOOST_AUTO_TEST_CASE(names_that_nothing_can_have_are_an_error)
{
    BOOST_TEST(
        error({element("x")}, {{"table", "sqlite_x"}}) ==
        "cannot write to the table \"sqlite_x\" of " + folder.path("db") +
            ": object name reserved for internal use: sqlite_x"
    );
    BOOST_TEST(problem_of("sqlite", options({{"path", ""}})) == "/path");
    BOOST_TEST(problem_of("sqlite", options({{"columns", {"/~2"}}})) == "/columns");
}

BOOST_AUTO_TEST_CASE(empty_input_makes_the_table_if_its_columns_are_named)
{
    add({}, {{"columns", {"a"}}});
    BOOST_TEST(sql("SELECT count(*) FROM t") == texts{"0"});
}

BOOST_AUTO_TEST_CASE(batch_that_fails_adds_nothing_and_those_before_stay)
{
    add({element("before")});
    sql("CREATE UNIQUE INDEX i ON t (value)");
    BOOST_TEST(
        error({element("new"), element("before")}) ==
        "cannot add before to the table \"t\" of " + folder.path("db") +
            ": UNIQUE constraint failed: t.value"
    );
    BOOST_TEST(sql("SELECT value FROM t") == texts{"before"});
}

BOOST_AUTO_TEST_CASE(failure_of_one_worker_is_not_that_of_another)
{
    const auto tested = make("sqlite", options({{"columns", {"a"}}}));
    fake_stage_context failing(ctx, {parsed("[]")});
    fake_stage_context other(ctx, {element("x")});
    BOOST_CHECK_THROW(run_until_done(tested->work(failing)), std::runtime_error);
    run_until_done(tested->work(other));
    BOOST_TEST(sql("SELECT a FROM t") == texts{"x"});
}

BOOST_AUTO_TEST_CASE(rule_of_a_table_can_leave_out_what_is_there)
{
    sql("CREATE TABLE t (value UNIQUE ON CONFLICT IGNORE)");
    add({element("x"), element("y"), element("x")});
    BOOST_TEST(sql("SELECT value FROM t") == (texts{"x", "y"}));
}

BOOST_AUTO_TEST_CASE(file_that_is_no_database_is_an_error_and_stays)
{
    const std::string text(4096, 'x');
    const auto path = folder.write("db", text);
    BOOST_TEST(
        error({element("x")}) == "cannot write to the table \"t\" of " + path +
                                     ": file is not a database; choose another name"
    );
    BOOST_TEST(folder.read("db") == text);
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_an_error)
{
    for (const char* const path : {"-", "/dev/null", "/tmp"})
        BOOST_TEST(holds(error({}, {{"path", path}}), "that is no file"), path);
    BOOST_TEST(
        error({}, {{"path", folder.path("missing/db")}}) ==
        "cannot open the table \"t\" of " + folder.path("missing/db") +
            ": unable to open database file: No such file or directory"
    );
}

BOOST_AUTO_TEST_CASE(name_that_sqlite_takes_for_something_else_is_that_of_a_file)
{
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    add({element("x")}, {{"path", ":memory:"}});
    std::filesystem::current_path(before);
    BOOST_TEST(std::filesystem::file_size(folder.path(":memory:")) > 0u);
}

BOOST_AUTO_TEST_CASE(locked_database_is_an_error_with_the_remedy)
{
    add({element("x")});
    sqlite3* opened = nullptr;
    sqlite3_open(folder.path("db").c_str(), &opened);
    sqlite3_exec(opened, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr);
    const std::string found = error({element("y")}, {{"lock_timeout", "1ms"}});
    sqlite3_close(opened);
    BOOST_TEST(
        found == "cannot write to the table \"t\" of " + folder.path("db") +
                     ": database is locked; end the other program, or raise "
                     "\"lock_timeout\": Device or resource busy"
    );
    BOOST_TEST(sql("SELECT value FROM t") == texts{"x"});
}

BOOST_AUTO_TEST_CASE(wrong_name_of_a_column_is_an_error_with_both_names)
{
    sql("CREATE TABLE t (price)");
    BOOST_TEST(
        error({}, {{"columns", {"prize"}}}) == "cannot write to the table \"t\" of " +
                                                   folder.path("db") +
                                                   ": table t has no column named prize"
    );
}

// Elements that come again

BOOST_AUTO_TEST_CASE(element_that_is_delivered_again_is_not_added_again)
{
    add_from("jobs", {"one", "two"}, {{5, 1}, {5, 2}});
    add_from("jobs", {"two", "three", "one"}, {{5, 2}, {5, 3}, {5, 1}});
    BOOST_TEST(sql("SELECT value FROM t") == (texts{"one", "two", "three"}));
}

BOOST_AUTO_TEST_CASE(equal_element_with_another_key_or_queue_is_added)
{
    add_from("jobs", {"one", "one"}, {{5, 1}, {5, 2}});
    add_from("jobs", {"one"}, {{6, 1}});  // the queue was made anew
    add_from("others", {"one"}, {{5, 1}});
    BOOST_TEST(sql("SELECT count(*) FROM t") == texts{"4"});
}

BOOST_AUTO_TEST_CASE(key_of_an_element_that_fails_is_not_kept)
{
    sql("CREATE TABLE t (value CHECK (value != 'bad'))");
    BOOST_CHECK_THROW(
        add_from("jobs", {"good", "bad"}, {{5, 1}, {5, 2}}),
        std::runtime_error
    );
    add_from("jobs", {"good"}, {{5, 1}});
    BOOST_TEST(sql("SELECT value FROM t") == texts{"good"});
}

// Descriptions

BOOST_AUTO_TEST_CASE(runners_may_share_a_database_but_not_replace_it)
{
    const auto problem = [this](const std::string& second) {
        const std::string text = R"({"queues": {"in": {}},
            "runners": [{"stage": "range", "options": {"to": 3}, "to": "in"},
                        {"stage": "sqlite", "from": "in",
                         "options": {"path": "out", "table": "a"}},
                        {"from": "in", )" +
                                 second + "}]}";
        try {
            (void)sluice::pipeline::read_description(text, stages);
        } catch (const std::exception& failure) {
            return std::string(failure.what());
        }
        return std::string();
    };
    BOOST_TEST(
        problem(R"("stage": "sqlite", "options": {"path": "out", "table": "b"})") == ""
    );
    for (const char* const file : {"./out", "out-journal"})
        BOOST_TEST(holds(
            problem(
                R"("stage": "write", "options": {"path": ")" + std::string(file) + R"("})"
            ),
            "may write it, too"
        ));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sqlite

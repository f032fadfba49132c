// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/file_sink.hpp"

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

namespace file_sink {

struct fixture : sluice::test::stage_fixture
{
    // What one process appends.
    void append(json options, std::vector<element> elements)
    {
        options.update({{"path", folder.path("out")}, {"append", true}});
        (void)result_of("write", options, std::move(elements));
    }

    sluice::test::temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(file_sink, fixture)

BOOST_AUTO_TEST_CASE(
    elements_are_in_the_file_before_others_are_read_and_so_may_be_acknowledged
)
{
    json options = {{"path", folder.path("out")}};
    BOOST_TEST(!make("write", options)->can_acknowledge());
    options["append"] = true;
    const auto tested = make("write", options);
    BOOST_TEST(tested->can_acknowledge());
    sluice::test::fake_stage_context context(ctx, to_elements({"a"}));
    context.keeps_open = true;
    const auto writing = spawn([&] { return tested->work(context); });
    while (context.reads < 2)
        ctx.run_one();
    BOOST_TEST(folder.read("out") == "a\n");
    context.end_input();
    run_until_done(writing);
}

BOOST_AUTO_TEST_CASE(names_of_columns_are_appended_to_an_empty_file_only)
{
    for (const char* const value : {"x", "y"})
        append({{"format", "csv"}}, {element(json{{"a", value}})});
    BOOST_TEST(folder.read("out") == "a\nx\ny\n");
    const auto message = error_of(
        "write",
        {{"format", "csv"}, {"path", folder.path("out")}, {"append", true}},
        {element(json{{"b", "z"}})}
    );
    BOOST_TEST(sluice::test::holds(message, "so it has other columns"), message);
    BOOST_TEST(folder.read("out") == "a\nx\ny\n");
}

BOOST_AUTO_TEST_CASE(record_of_csv_that_a_kill_has_cut_inside_quotes_goes)
{
    folder.write("out", "a\n\"x\ny\"\n\"z");
    append({{"format", "csv"}}, {element(json{{"a", "new"}})});
    BOOST_TEST(folder.read("out") == "a\n\"x\ny\"\nnew\n");
}

BOOST_AUTO_TEST_CASE(empty_input_appends_nothing_but_the_names_of_columns)
{
    append(json::object(), {});
    BOOST_TEST(folder.read("out") == "");
    append({{"format", "csv"}, {"columns", {"a"}}}, {});
    BOOST_TEST(folder.read("out") == "a\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace file_sink

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S45

#include "pipeline/stages/once_writer.hpp"

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"
#include <sluice/pipeline/read_description.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace once_writer {

using sluice::pipeline::element_key;
using sluice::test::fake_stage_context;
using sluice::test::holds;
using sluice::test::stage_fixture;
using sluice::test::texts;

// Sinks with "exactly_once", as the stages use it.
struct fixture : stage_fixture
{
    using keys = std::vector<element_key>;

    // One run of a process, which ends or, without an end, is killed after its last commit.
    void run(
        const std::string& format,
        json options,
        const texts& input,
        const keys& with,
        bool to_the_end = true
    )
    {
        options["path"] = folder.path("out");
        options["format"] = format;
        options["exactly_once"] = true;
        const auto tested = make("write", options);
        fake_stage_context context(ctx, to_elements(input));
        context.queue = queue;
        context.input_keys = with;
        run_until_done(to_the_end ? run_stage(*tested, context) : tested->work(context));
    }

    void write(const texts& input, const keys& with, bool to_the_end = true)
    {
        run("lines", json::object(), input, with, to_the_end);
    }

    std::string problem(const std::string& runner) const
    {
        const std::string text =
            R"({"name": "p", "queues": {"in": {"type": "redis", "url": "redis://a"},
                                        "here": {}},
                "runners": [{"stage": "range", "options": {"to": 3}, "to": "in"},
                            {"stage": "range", "options": {"to": 3}, "to": "here"},
                            {"stage": "discard", "from": "here"},
                            {"stage": "write", )" +
            runner + R"(, "options": {"path": "out", "exactly_once": true}}]})";
        try {
            (void)sluice::pipeline::read_description(text, stages);
        } catch (const std::exception& error) {
            return error.what();
        }
        return {};
    }

    std::string queue = "jobs";
    sluice::test::temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(once_writer, fixture)

BOOST_AUTO_TEST_CASE(element_that_is_delivered_again_is_not_written_again)
{
    write({"one", "two"}, {{5, 1}, {5, 2}}, false);
    write({"two", "three", "one"}, {{5, 2}, {5, 3}, {5, 1}});
    BOOST_TEST(folder.read("out") == "one\ntwo\nthree\n");
}

BOOST_AUTO_TEST_CASE(equal_element_with_another_key_is_written)
{
    write({"one", "one"}, {{5, 1}, {5, 2}});
    write({"one"}, {{6, 1}});  // the queue was made anew
    BOOST_TEST(folder.read("out") == "one\none\none\n");
}

BOOST_AUTO_TEST_CASE(names_of_columns_are_written_once)
{
    const json columns = {{"columns", {"a"}}};
    run("csv", columns, {}, {});
    BOOST_TEST(folder.read("out") == "a\n");
    const auto tested = make(
        "write",
        {{"format", "csv"},
         {"columns", {"a"}},
         {"path", folder.path("out")},
         {"exactly_once", true}}
    );
    fake_stage_context context(ctx, {element(json{{"a", 7}})});
    context.queue = queue;
    context.input_keys = {{5, 1}};
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(folder.read("out") == "a\n7\n");
}

BOOST_AUTO_TEST_CASE(file_with_other_columns_is_refused_and_stays)
{
    run("csv", {{"columns", {"a", "b"}}}, {}, {});
    const auto is_refused = [this](const json& options) {
        BOOST_CHECK_EXCEPTION(
            run("csv", options, {}, {}),
            std::runtime_error,
            [](const std::exception& error) {
                return holds(error.what(), "so it has other columns");
            }
        );
    };
    is_refused({{"columns", {"b", "a"}}});
    is_refused({{"columns", {"a", "b", "c"}}});
    is_refused({{"columns", {"a", "b"}}, {"separator", ";"}});
    BOOST_TEST(folder.read("out") == "a,b\n");
    run("csv", {{"columns", {"a", "b"}}}, {}, {});
    BOOST_TEST(folder.read("out") == "a,b\n");
}

BOOST_AUTO_TEST_CASE(file_of_another_queue_is_refused)
{
    write({"one"}, {{5, 1}});
    queue = "others";
    BOOST_CHECK_EXCEPTION(
        write({"two"}, {{5, 2}}),
        std::runtime_error,
        [](const std::exception& error) {
            return holds(
                error.what(),
                "is the record of queue 'jobs', not of queue 'others'"
            );
        }
    );
}

BOOST_AUTO_TEST_CASE(element_without_a_key_is_refused)
{
    BOOST_CHECK_THROW(write({"one"}, {}), std::logic_error);
}

BOOST_AUTO_TEST_CASE(options_that_do_not_go_together_are_refused)
{
    const json once = {{"path", "out"}, {"exactly_once", true}};
    json compressed = once;
    compressed["gzip"] = true;
    BOOST_TEST(problem_of("write", compressed) == "/gzip");
    json records = once;
    records["format"] = "csv";
    BOOST_TEST(problem_of("write", records) == "/columns");
}

BOOST_AUTO_TEST_CASE(input_that_it_cannot_recognise_is_refused)
{
    BOOST_TEST(problem(R"("from": "in")").empty());
    const auto is_refused = [this](const std::string& runner, const std::string& where) {
        const std::string found = problem(runner);
        return holds(found, where) && holds(found, "recognises what is delivered again");
    };
    BOOST_TEST(is_refused(R"("from": "here")", "/runners/3/from"));
    BOOST_TEST(is_refused(R"("from": "in", "copies": 2)", "/runners/3/copies"));
    BOOST_TEST(
        is_refused(R"("from": "in", "acknowledge": "taken")", "/runners/3/acknowledge")
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace once_writer

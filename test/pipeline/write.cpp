// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <sys/stat.h>

namespace sluice::test::write_tests {

struct write_fixture : stage_fixture
{
    void write(const json& options, const texts& input)
    {
        (void)result_of("write", options, to_elements(input));
    }

    std::string printed(const json& options)
    {
        const auto tested = make("write", options);
        fake_stage_context context(ctx, to_elements({"a \"text\""}));
        context.input.emplace_back(json("string"));
        context.input.emplace_back(json{{"n", 1.5}});
        context.input.emplace_back(json{"x", 2});
        run_until_done(run_stage(*tested, context));
        return context.printed.text();
    }

    [[nodiscard]] std::filesystem::perms permissions(const std::string& name) const
    {
        return std::filesystem::status(folder.path(name)).permissions();
    }

    temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(write, write_fixture)

// What an element becomes

BOOST_AUTO_TEST_CASE(lines_are_texts_as_they_are_and_other_values_as_json)
{
    const std::string lines = "a \"text\"\nstring\n{\"n\":1.5}\n[\"x\",2]\n";
    BOOST_TEST(printed(json::object()) == lines);
    BOOST_TEST(printed({{"path", "-"}}) == lines);
}

BOOST_AUTO_TEST_CASE(json_lines_are_json_of_everything)
{
    BOOST_TEST(
        printed({{"format", "json_lines"}}) ==
        "\"a \\\"text\\\"\"\n\"string\"\n{\"n\":1.5}\n[\"x\",2]\n"
    );
}

BOOST_AUTO_TEST_CASE(elements_become_lines)
{
    write({{"path", folder.path("out")}}, {"one", "", "two"});
    BOOST_TEST(folder.read("out") == "one\n\ntwo\n");
    BOOST_TEST(folder.entries() == 1u);
}

BOOST_AUTO_TEST_CASE(newline_in_a_text_is_refused_escaped_or_kept)
{
    const auto path = folder.path("out");
    const auto error = error_of("write", {{"path", path}}, to_elements({"a\nb"}));
    BOOST_TEST(holds(error, "holds a newline"), error);
    write({{"path", path}, {"newlines", "escape"}}, {"a\nb"});
    BOOST_TEST(folder.read("out") == "a\\nb\n");
    write({{"path", path}, {"newlines", "keep"}}, {"a\nb"});
    BOOST_TEST(folder.read("out") == "a\nb\n");
}

BOOST_AUTO_TEST_CASE(bytes_that_json_cannot_hold_are_refused_or_replaced)
{
    json options{{"path", folder.path("out")}};
    const auto is_refused = [&](const element& given) {
        const auto error = error_of("write", options, {given});
        BOOST_TEST(
            error.starts_with(
                "cannot write to " + folder.path("out") +
                R"(: the text "caf\xe9" is not UTF-8, which JSON has to be; "invalid_utf8")"
            ),
            error
        );
    };
    options["format"] = "json_lines";
    is_refused(element("caf\xe9"));
    options["format"] = "csv";
    const element record(json{{"a", {"caf\xe9"}}});
    is_refused(record);
    options["invalid_utf8"] = "replace";
    (void)result_of("write", options, {record});
    BOOST_TEST(folder.read("out") == "a\n\"[\"\"caf\xef\xbf\xbd\"\"]\"\n");
    options["format"] = "json_lines";
    write(options, {"caf\xe9"});
    BOOST_TEST(folder.read("out") == "\"caf\xef\xbf\xbd\"\n");
}

BOOST_AUTO_TEST_CASE(option_of_another_format_is_a_problem_that_says_so)
{
    BOOST_TEST(
        to_string(full_problem_of("write", {{"format", "csv"}, {"newlines", "keep"}})) ==
        R"(/newlines: found "keep", expected no such option, unless "format" is "lines")"
    );
    const std::map<std::string, json> options{
        {"columns", {"a"}},
        {"header", false},
        {"separator", ";"}
    };
    for (const auto& [name, value] : options)
        BOOST_TEST(
            full_problem_of("write", {{"format", "json_lines"}, {name, value}})
                .expected == R"(no such option, unless "format" is "csv")"
        );
    BOOST_TEST(problem_of("write", {{"format", "xml"}}) == "/format");
}

// Standard output

BOOST_AUTO_TEST_CASE(what_is_printed_is_there_at_once_and_after_a_drain)
{
    for (const char* format : {"lines", "csv"}) {
        const auto tested = make("write", {{"format", format}});
        fake_stage_context context(ctx, {element(json{{"n", 1}})});
        context.keeps_open = true;
        const auto printing = spawn([&] { return tested->work(context); });
        run_until([&] { return context.reads == 2; });
        const std::string all = context.printed.text();
        BOOST_TEST(!all.empty());
        BOOST_TEST(tested->can_acknowledge());
        context.request_stop();
        context.end_input();
        run_until_done(printing);
        run_until_done(tested->finish(context));
        BOOST_TEST(context.printed.text() == all);
        BOOST_TEST(tested->partial_result() == "");
    }
}

BOOST_AUTO_TEST_CASE(gzip_is_printed_whole_at_the_end)
{
    const json options{{"gzip", true}};
    BOOST_TEST(!make("write", options)->can_acknowledge());
    const auto path = folder.write("out", printed(options));
    BOOST_TEST(lines_of("read", {{"files", path}}).size() == 4U);
}

BOOST_AUTO_TEST_CASE(error_of_what_is_printed_names_standard_output)
{
    const auto error = error_of("write", json::object(), to_elements({"a\nb"}));
    BOOST_TEST(holds(
        error,
        "cannot write to standard output: the text \"a\\nb\" holds a newline"
    ));
}

// Files

BOOST_AUTO_TEST_CASE(empty_input_makes_an_empty_file)
{
    write({{"path", folder.path("out")}}, {});
    BOOST_TEST(std::filesystem::file_size(folder.path("out")) == 0u);
}

BOOST_AUTO_TEST_CASE(gzip_is_what_gzip_reads)
{
    const texts lines(20'000, "the same line again");
    write({{"path", folder.path("out")}, {"gzip", true}}, lines);
    BOOST_TEST(folder.read("out").size() < 20'000u);
    BOOST_TEST((lines_of("read", {{"files", folder.path("out")}}) == lines));
}

BOOST_AUTO_TEST_CASE(file_that_is_there_is_replaced_at_the_end)
{
    folder.write("out", "old");
    const auto tested = make("write", {{"path", folder.path("out")}});
    fake_stage_context context(ctx, to_elements({"new"}));
    run_until_done(tested->work(context));
    run_until_done(tested->finish(context));
    BOOST_TEST(folder.read("out") == "old");
    tested->publish();
    BOOST_TEST(folder.read("out") == "new\n");
}

BOOST_AUTO_TEST_CASE(unfinished_stage_leaves_nothing)
{
    folder.write("out", "old");
    auto tested = make("write", {{"path", folder.path("out")}});
    fake_stage_context context(ctx, to_elements({"new"}));
    run_until_done(tested->work(context));
    BOOST_TEST(folder.entries() == 2u);
    tested.reset();
    BOOST_TEST(folder.entries() == 1u);
    BOOST_TEST(folder.read("out") == "old");
}

BOOST_AUTO_TEST_CASE(drained_run_puts_its_part_aside)
{
    folder.write("out", "old");
    const auto tested = make("write", {{"path", folder.path("out")}});
    fake_stage_context context(ctx, to_elements({"part"}));
    run_until_done(tested->work(context));
    context.request_stop();
    run_until_done(tested->finish(context));
    tested->publish();
    BOOST_TEST(folder.read("out") == "old");
    BOOST_TEST(folder.read("out.partial") == "part\n");
}

BOOST_AUTO_TEST_CASE(abandoned_stage_leaves_nothing_although_a_worker_runs)
{
    const auto tested = make("write", {{"path", folder.path("out")}});
    fake_stage_context context(ctx, to_elements({"new"}));
    context.keeps_open = true;
    const auto writing = spawn([&] { return tested->work(context); });
    while (context.reads < 2)
        ctx.run_one();
    BOOST_TEST(folder.entries() == 1u);
    tested->abandon();
    BOOST_TEST(folder.entries() == 0u);
    context.end_input();
    run_until_done(writing);
}

BOOST_AUTO_TEST_CASE(link_stays_a_link)
{
    folder.write("real", "old");
    std::filesystem::create_symlink(folder.path("real"), folder.path("link"));
    write({{"path", folder.path("link")}}, {"new"});
    BOOST_TEST(std::filesystem::is_symlink(folder.path("link")));
    BOOST_TEST(folder.read("real") == "new\n");
}

BOOST_AUTO_TEST_CASE(link_to_a_file_that_is_not_there_yet_stays_a_link)
{
    std::filesystem::create_directory(folder.path("deep"));
    std::filesystem::create_symlink("../real", folder.path("deep/second"));
    std::filesystem::create_symlink("deep/second", folder.path("link"));
    write({{"path", folder.path("link")}}, {"new"});
    BOOST_TEST(std::filesystem::is_symlink(folder.path("link")));
    BOOST_TEST(std::filesystem::is_symlink(folder.path("deep/second")));
    BOOST_TEST(folder.read("real") == "new\n");
}

BOOST_AUTO_TEST_CASE(links_in_a_circle_are_an_error_with_the_path)
{
    const auto path = folder.path("link");
    std::filesystem::create_symlink("link", path);
    BOOST_TEST(
        error_of("write", {{"path", path}}) ==
        "cannot open " + path + ": Too many levels of symbolic links"
    );
}

BOOST_AUTO_TEST_CASE(replaced_file_keeps_its_permissions)
{
    using std::filesystem::perms;
    for (const perms kept : {perms{0600}, perms{0444}, perms{0777}}) {
        std::filesystem::permissions(folder.write("out", "old"), kept);
        write({{"path", folder.path("out")}}, {"new"});
        BOOST_TEST((permissions("out") == kept));
        std::filesystem::remove(folder.path("out"));
    }
}

BOOST_AUTO_TEST_CASE(new_file_has_the_usual_permissions)
{
    const mode_t mask = ::umask(0027);
    write({{"path", folder.path("out")}}, {"new"});
    ::umask(mask);
    BOOST_TEST((permissions("out") == std::filesystem::perms{0640}));
}

BOOST_AUTO_TEST_CASE(workers_share_the_file)
{
    const auto tested = make("write", {{"path", folder.path("out")}});
    fake_stage_context first(ctx, to_elements({"x"}));
    fake_stage_context second(ctx, to_elements({"x"}));
    const auto a = spawn([&] { return tested->work(first); });
    const auto b = spawn([&] { return tested->work(second); });
    run_until_done(a);
    run_until_done(b);
    run_until_done(tested->finish(first));
    tested->publish();
    BOOST_TEST(folder.read("out") == "x\nx\n");
}

BOOST_AUTO_TEST_CASE(device_is_written_to_as_it_is)
{
    write({{"path", "/dev/null"}}, {"x"});
    BOOST_TEST(std::filesystem::is_character_file("/dev/null"));
}

BOOST_AUTO_TEST_CASE(full_device_is_an_error_with_its_path)
{
    BOOST_TEST(
        error_of("write", {{"path", "/dev/full"}}, to_elements({"x"})) ==
        "cannot write to /dev/full: No space left on device"
    );
}

BOOST_AUTO_TEST_CASE(missing_folder_is_an_error_with_the_path)
{
    const auto path = folder.path("missing/out");
    BOOST_TEST(
        error_of("write", {{"path", path}}) ==
        "cannot open " + path + ": No such file or directory"
    );
}

BOOST_AUTO_TEST_CASE(path_of_no_file_is_a_problem)
{
    BOOST_TEST(problem_of("write", {{"path", ""}}) == "/path");
    BOOST_TEST(problem_of("write", {{"path", "folder/"}}) == "/path");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test::write_tests

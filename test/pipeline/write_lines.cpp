// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <memory>
#include <sys/stat.h>

namespace sluice::test {

struct write_lines_fixture : stage_fixture
{
    void write(const json& options, const texts& input)
    {
        (void)result_of("write_lines", options, to_elements(input));
    }

    [[nodiscard]] std::filesystem::perms permissions(const std::string& name) const
    {
        return std::filesystem::status(folder.path(name)).permissions();
    }

    temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(write_lines, write_lines_fixture)

BOOST_AUTO_TEST_CASE(elements_become_lines)
{
    write({{"path", folder.path("out")}}, {"one", "", "two"});
    BOOST_TEST(folder.read("out") == "one\n\ntwo\n");
    BOOST_TEST(folder.entries() == 1u);
}

BOOST_AUTO_TEST_CASE(newline_in_a_text_is_refused_escaped_or_kept)
{
    const auto path = folder.path("out");
    const auto error = error_of("write_lines", {{"path", path}}, to_elements({"a\nb"}));
    BOOST_TEST(holds(error, "holds a newline"), error);
    write({{"path", path}, {"newlines", "escape"}}, {"a\nb"});
    BOOST_TEST(folder.read("out") == "a\\nb\n");
    write({{"path", path}, {"newlines", "keep"}}, {"a\nb"});
    BOOST_TEST(folder.read("out") == "a\nb\n");
}

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
    BOOST_TEST((lines_of("text_lines", {{"files", folder.path("out")}}) == lines));
}

BOOST_AUTO_TEST_CASE(file_that_is_there_is_replaced_at_the_end)
{
    folder.write("out", "old");
    const auto tested = make("write_lines", {{"path", folder.path("out")}});
    fake_stage_context context(ctx, to_elements({"new"}));
    run_until_done(tested->work(context));
    BOOST_TEST(folder.read("out") == "old");
    run_until_done(tested->finish(context));
    BOOST_TEST(folder.read("out") == "new\n");
}

BOOST_AUTO_TEST_CASE(unfinished_stage_leaves_nothing)
{
    folder.write("out", "old");
    auto tested = make("write_lines", {{"path", folder.path("out")}});
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
    const auto tested = make("write_lines", {{"path", folder.path("out")}});
    fake_stage_context context(ctx, to_elements({"part"}));
    run_until_done(tested->work(context));
    context.request_stop();
    run_until_done(tested->finish(context));
    BOOST_TEST(folder.read("out") == "old");
    BOOST_TEST(folder.read("out.partial") == "part\n");
}

BOOST_AUTO_TEST_CASE(abandoned_stage_leaves_nothing_although_a_worker_runs)
{
    const auto tested = make("write_lines", {{"path", folder.path("out")}});
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
        error_of("write_lines", {{"path", path}}) ==
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
    const auto tested = make("write_lines", {{"path", folder.path("out")}});
    fake_stage_context first(ctx, to_elements({"x"}));
    fake_stage_context second(ctx, to_elements({"x"}));
    const auto a = spawn([&] { return tested->work(first); });
    const auto b = spawn([&] { return tested->work(second); });
    run_until_done(a);
    run_until_done(b);
    run_until_done(tested->finish(first));
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
        error_of("write_lines", {{"path", "/dev/full"}}, to_elements({"x"})) ==
        "cannot write to /dev/full: No space left on device"
    );
}

BOOST_AUTO_TEST_CASE(missing_folder_is_an_error_with_the_path)
{
    const auto path = folder.path("missing/out");
    BOOST_TEST(
        error_of("write_lines", {{"path", path}}) ==
        "cannot open " + path + ": No such file or directory"
    );
}

BOOST_AUTO_TEST_CASE(path_of_no_file_is_a_problem)
{
    BOOST_TEST(problem_of("write_lines", {{"path", ""}}) == "/path");
    BOOST_TEST(problem_of("write_lines", {{"path", "folder/"}}) == "/path");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

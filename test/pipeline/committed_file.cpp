// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/committed_file.hpp"

#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace committed_file {

using notes = std::vector<std::string>;
using opened = sluice::io::committed_file;
namespace fs = std::filesystem;

struct fixture
{
    // The notes of what was committed before.
    notes open(opened& file, const std::string& title = "tests") const
    {
        notes told;
        file.open(title, [&told](std::string_view note) { told.emplace_back(note); });
        return told;
    }

    // Opens a file and closes it.
    notes reopen() const
    {
        opened file(path);
        return open(file);
    }

    std::string error_of_opening(const std::string& title = "tests") const
    {
        opened file(path);
        try {
            (void)open(file, title);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "no error";
    }

    void commit_three() const
    {
        opened file(path);
        (void)open(file);
        file.commit("one\n", "a");
        file.commit("two\n", "b c");
        file.commit("three\n", "");
    }

    sluice::test::temporary_folder folder;
    const std::string path = folder.path("out");
    const std::string record = path + ".commits";
};

BOOST_FIXTURE_TEST_SUITE(committed_file, fixture)

BOOST_AUTO_TEST_CASE(what_was_committed_is_there_with_its_notes_when_it_is_opened_again)
{
    commit_three();
    opened file(path);
    BOOST_TEST(open(file) == (notes{"a", "b c", ""}), boost::test_tools::per_element());
    BOOST_TEST(!file.is_empty());
    file.commit("four\n", "d");
    BOOST_TEST(folder.read("out") == "one\ntwo\nthree\nfour\n");
}

BOOST_AUTO_TEST_CASE(new_file_is_empty)
{
    opened file(path);
    BOOST_TEST(open(file).empty());
    BOOST_TEST(file.is_empty());
    BOOST_TEST(folder.read("out").empty());
}

// The record is written last, so a process that is killed leaves any part of its last line.
BOOST_AUTO_TEST_CASE(death_at_any_byte_of_a_record_leaves_whole_commits)
{
    commit_three();
    const std::string full = folder.read("out.commits");
    const notes all{"a", "b c", ""};
    const std::vector<std::string>
        contents{"", "one\n", "one\ntwo\n", "one\ntwo\nthree\n"};
    for (std::size_t size = full.find('\n') + 1; size <= full.size(); ++size) {
        folder.write("out", contents.back());
        folder.write("out.commits", full.substr(0, size));
        const notes told = reopen();
        BOOST_TEST(
            told == notes(all.begin(), all.begin() + static_cast<int>(told.size())),
            boost::test_tools::per_element()
        );
        BOOST_TEST(folder.read("out") == contents[told.size()]);
        BOOST_TEST(reopen() == told, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(data_without_a_commit_is_cut_off)
{
    commit_three();
    folder.write("out", "one\ntwo\nthree\nfou");
    BOOST_TEST(reopen().size() == 3u);
    BOOST_TEST(folder.read("out") == "one\ntwo\nthree\n");
}

BOOST_AUTO_TEST_CASE(death_before_the_first_commit_leaves_an_empty_file)
{
    folder.write("out.commits", "sluice com");  // of its first line
    BOOST_TEST(reopen().empty());
    folder.write("out", "on");
    BOOST_TEST(reopen().empty());
    BOOST_TEST(folder.read("out").empty());
}

BOOST_AUTO_TEST_CASE(file_of_another_program_is_refused_and_stays)
{
    folder.write("out", "mine");
    BOOST_TEST(error_of_opening().ends_with("remove it, or choose another name"));
    BOOST_TEST(folder.read("out") == "mine");
    BOOST_TEST(!fs::exists(record));
    folder.write("out.commits", "notes of mine\n");
    BOOST_TEST(error_of_opening().starts_with(record + " is no record of commits"));
}

BOOST_AUTO_TEST_CASE(record_of_something_else_is_refused)
{
    commit_three();
    BOOST_TEST(
        error_of_opening("others") == record + " is the record of tests, not of others"
    );
}

BOOST_AUTO_TEST_CASE(file_that_was_changed_is_refused)
{
    commit_three();
    folder.write("out", "one\ntwo\nth");
    BOOST_TEST(error_of_opening().starts_with(
        path + " has 10 bytes, and its record says that 14 were committed"
    ));
    folder.write("out", "one\ntwo\nTHREE\n");
    BOOST_TEST(error_of_opening().starts_with(
        path + " does not end with what was committed last"
    ));
}

BOOST_AUTO_TEST_CASE(record_that_was_changed_in_the_middle_is_refused)
{
    commit_three();
    std::string text = folder.read("out.commits");
    text.replace(text.find("b c"), 3, "b d");
    folder.write("out.commits", text);
    BOOST_TEST(error_of_opening() == record + " is damaged in the middle");
}

BOOST_AUTO_TEST_CASE(second_process_is_refused)
{
    opened first(path);
    (void)open(first);
    BOOST_TEST(
        error_of_opening() ==
        path + " is being written by another process, which has its record locked"
    );
}

BOOST_AUTO_TEST_CASE(nothing_is_committed_after_a_failure)
{
    opened file(path);
    (void)open(file);
    file.commit("one\n", "a");
    folder.write("out", "one\nmore");  // by another program
    BOOST_CHECK_THROW(file.commit("two\n", "b"), std::exception);
    folder.write("out", "one\n");
    BOOST_CHECK_THROW(file.commit("two\n", "b"), std::exception);
    BOOST_TEST(folder.read("out") == "one\n");
}

BOOST_AUTO_TEST_CASE(device_is_refused)
{
    opened file("/dev/null");
    BOOST_CHECK_THROW((void)open(file), std::exception);
    BOOST_TEST(!fs::exists("/dev/null.commits"));
}

BOOST_AUTO_TEST_CASE(record_is_beside_the_file_to_which_a_link_leads)
{
    fs::create_directory(folder.path("there"));
    fs::create_symlink("there/real", path);
    commit_three();
    BOOST_TEST(folder.read("there/real") == "one\ntwo\nthree\n");
    BOOST_TEST(fs::exists(folder.path("there/real.commits")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace committed_file

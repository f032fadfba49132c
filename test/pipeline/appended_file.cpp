// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S62

#include "io/appended_file.hpp"

#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sluice::test {

extern std::function<void(int descriptor)> on_sync;  // in the test of result_file

}  // namespace sluice::test

namespace appended_file {

std::atomic<int> syncs = 0;          // how often a file was synced
std::atomic<int> error_of_sync = 0;  // fails in place of that, if it is set

}  // namespace appended_file

// In place of that of the system.
extern "C" int fdatasync(int descriptor)
{
    errno = appended_file::error_of_sync;
    const auto result = errno == 0 ? ::syscall(SYS_fdatasync, descriptor) : -1;
    ++appended_file::syncs;
    appended_file::syncs.notify_all();
    return static_cast<int>(result);
}

namespace appended_file {

using sluice::io::append_rules;

struct fixture : sluice::test::temporary_folder
{
    // What one process appends.
    void append(
        const std::string& records,
        append_rules rules = {},
        const std::string& head = "",
        std::optional<char> separator = std::nullopt
    ) const
    {
        sluice::io::appended_file file(path("out"), separator, rules);
        file.open();
        file.write(head, records);
        file.sync();
    }

    [[nodiscard]] std::string error(const std::function<void()>& action) const
    {
        try {
            action();
        } catch (const std::exception& failure) {
            return failure.what();
        }
        return "no error";
    }
};

BOOST_FIXTURE_TEST_SUITE(appended_file, fixture)

BOOST_AUTO_TEST_CASE(records_are_behind_those_that_are_there)
{
    append("a\n");
    append("b\nc\n");
    BOOST_TEST(read("out") == "a\nb\nc\n");
}

BOOST_AUTO_TEST_CASE(record_is_in_the_file_when_it_was_written)
{
    sluice::io::appended_file file(path("out"), std::nullopt, {});
    file.open();
    file.write("", "a\n");
    BOOST_TEST(read("out") == "a\n");
}

BOOST_AUTO_TEST_CASE(head_is_at_the_beginning_of_each_file)
{
    const append_rules small{.max_size = 6};
    append("", small, "h\n");
    append("1\n", small, "h\n");
    append("2\n3\n", small, "h\n");
    BOOST_TEST(read("out") == "h\n2\n3\n");
    BOOST_TEST(read("out.1") == "h\n1\n");
}

BOOST_AUTO_TEST_CASE(file_with_another_head_is_refused_and_stays)
{
    write("out", "a;b\n1;2\n");
    const auto message = error([&] { append("3,4\n", {}, "a,b\n"); });
    BOOST_TEST(
        message == path("out") +
                       " does not begin with a,b, so it has other columns; name "
                       "those that it has, or choose another name"
    );
    BOOST_TEST(read("out") == "a;b\n1;2\n");
}

BOOST_AUTO_TEST_CASE(record_that_is_not_complete_is_cut_off)
{
    write("out", "a\nb\nc");
    append("d\n");
    BOOST_TEST(read("out") == "a\nb\nd\n");
}

BOOST_AUTO_TEST_CASE(newline_inside_quotes_completes_no_record)
{
    write("out", "a\n\"b\nc\"\n\"d\"\"e");
    append("f\n", {}, "", ',');
    BOOST_TEST(read("out") == "a\n\"b\nc\"\nf\n");
}

// They may be records, and a reader gives them.
BOOST_AUTO_TEST_CASE(lines_behind_a_quote_that_is_not_closed_are_not_cut_off)
{
    const std::string whole = "a\n\"5 pipe\n2,b\n3,c\n";
    write("out", whole);
    BOOST_TEST(
        error([&] { append("4,d\n", {}, "", ','); }) ==
        path("out") + " has lines behind a quote that is not closed, from byte 2 on; "
                      "close it, or cut them off"
    );
    BOOST_TEST(read("out") == whole);
}

BOOST_AUTO_TEST_CASE(quote_inside_a_field_hides_no_record)
{
    write("out", "id,name\n1,5\" pipe\n2,\"a \"\"b\"\"\"\n3,b\"\n4,\"c");
    append("5,d\n", {}, "id,name\n", ',');
    BOOST_TEST(read("out") == "id,name\n1,5\" pipe\n2,\"a \"\"b\"\"\"\n3,b\"\n5,d\n");
}

BOOST_AUTO_TEST_CASE(file_with_another_head_is_not_cut_off)
{
    write("out", "first\nlast without its end");
    BOOST_TEST(error([&] { append("1,a\n", {}, "id,name\n", ','); }
    ).starts_with(path("out") + " does not begin with id,name"));
    BOOST_TEST(read("out") == "first\nlast without its end");
}

BOOST_AUTO_TEST_CASE(file_without_a_complete_record_is_refused_and_stays)
{
    write("out", "picture");
    BOOST_TEST(
        error([&] { append("a\n"); }) ==
        path("out") + " has no complete line; remove it, or choose another name"
    );
    BOOST_TEST(read("out") == "picture");
}

BOOST_AUTO_TEST_CASE(full_file_gets_a_number_and_the_oldest_goes)
{
    const append_rules rules{.max_size = 4, .keep = 2};
    for (const char* const record : {"a\n", "b\n", "c\n", "d\n", "e\n", "f\n", "g\n"})
        append(record, rules);
    BOOST_TEST(read("out") == "g\n");
    BOOST_TEST(read("out.1") == "e\nf\n");
    BOOST_TEST(read("out.2") == "c\nd\n");
    BOOST_TEST(entries() == 3u);
}

BOOST_AUTO_TEST_CASE(empty_write_begins_no_file)
{
    const append_rules rules{.max_size = 4, .keep = 1};
    write("out", "too long\n");
    write("out.1", "old\n");
    append("", rules);
    BOOST_TEST(read("out") == "too long\n");
    BOOST_TEST(read("out.1") == "old\n");
}

BOOST_AUTO_TEST_CASE(full_file_is_looked_at_before_it_gets_a_number)
{
    const append_rules rules{.max_size = 4};
    for (const std::string wrong : {"picture", "a;b\n1;2\n"}) {
        write("out", wrong);
        BOOST_TEST(error([&] { append("3,4\n", rules, "a,b\n"); }) != "no error");
        BOOST_TEST(read("out") == wrong);
    }
    BOOST_TEST(entries() == 1U);
    write("out", "a\nb\nhalf");
    append("c\n", rules);
    BOOST_TEST(read("out.1") == "a\nb\n");
    write("out", "d\nhalf");
    append("e\n", rules);  // there is room
    BOOST_TEST(read("out") == "d\ne\n");
    BOOST_TEST(read("out.1") == "a\nb\n");
}

BOOST_AUTO_TEST_CASE(records_that_are_larger_than_a_file_are_not_divided)
{
    append("a\n", {.max_size = 3});
    append("bcdef\n", {.max_size = 3});
    BOOST_TEST(read("out") == "bcdef\n");
    BOOST_TEST(read("out.1") == "a\n");
}

BOOST_AUTO_TEST_CASE(file_that_was_renamed_or_removed_is_begun_anew)
{
    sluice::io::appended_file file(path("out"), std::nullopt, {});
    file.open();
    file.write("h\n", "a\n");
    std::filesystem::rename(path("out"), path("old"));
    file.write("h\n", "b\n");
    BOOST_TEST(read("old") == "h\na\n");
    BOOST_TEST(read("out") == "h\nb\n");
    std::filesystem::remove(path("out"));
    file.write("h\n", "c\n");
    BOOST_TEST(read("out") == "h\nc\n");
}

BOOST_AUTO_TEST_CASE(second_process_is_refused)
{
    sluice::io::appended_file file(path("out"), std::nullopt, {});
    file.open();
    BOOST_TEST(
        error([&] { append("a\n"); }) ==
        path("out") + " is being written by another process, which has it locked"
    );
}

BOOST_AUTO_TEST_CASE(link_is_followed_and_numbers_are_beside_its_file)
{
    std::filesystem::create_directory(path("folder"));
    std::filesystem::create_symlink("folder/file", path("out"));
    append("a\n", {.max_size = 1});
    append("b\n", {.max_size = 1});
    BOOST_TEST(read("folder/file") == "b\n");
    BOOST_TEST(read("folder/file.1") == "a\n");
    BOOST_TEST(std::filesystem::is_symlink(path("out")));
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_refused)
{
    BOOST_REQUIRE(::mkfifo(path("out").c_str(), 0600) == 0);
    BOOST_TEST(
        error([&] { append("a\n"); }) ==
        path("out") + " is no file, and is appended to anyway; leave out \"append\""
    );
}

BOOST_AUTO_TEST_CASE(name_of_standard_output_is_refused_although_that_is_a_file)
{
    sluice::io::appended_file file("/dev/stdout", std::nullopt, {});
    BOOST_TEST(
        error([&] { file.open(); }) ==
        "/dev/stdout is no file, and is appended to anyway; leave out \"append\""
    );
}

BOOST_AUTO_TEST_CASE(what_another_user_has_put_into_a_shared_folder_is_refused)
{
    namespace fs = std::filesystem;
    sluice::test::temporary_folder safe;
    safe.write("victim", "kept\n");
    fs::permissions(path(), fs::perms::all | fs::perms::sticky_bit);
    const auto refusal = "cannot open " + path("out") + ": Permission denied";
    constexpr uid_t other_user = 65534;
    for (const bool is_link : {true, false}) {
        if (is_link)
            fs::create_symlink(safe.path("victim"), path("out"));
        else
            write("out", "bait\n");
        if (::lchown(path("out").c_str(), other_user, other_user) != 0) {
            BOOST_TEST_MESSAGE("only root can give files away");
            return;
        }
        BOOST_TEST(error([&] { append("a\n"); }) == refusal);
        fs::remove(path("out"));
    }
    BOOST_TEST(safe.read("victim") == "kept\n");
}

BOOST_AUTO_TEST_CASE(write_that_fails_leaves_no_part_of_its_records)
{
    sluice::io::appended_file file(path("out"), std::nullopt, {});
    file.open();
    file.write("", "a\n");
    struct rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small{.rlim_cur = 4, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto message = error([&] { file.write("", "bcdefg\n"); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    BOOST_TEST(message == "cannot write to " + path("out") + ": File too large");
    BOOST_TEST(read("out") == "a\n");
    file.write("", "h\n");
    BOOST_TEST(read("out") == "a\nh\n");
}

BOOST_AUTO_TEST_CASE(disk_has_what_was_written_without_another_write)
{
    sluice::io::appended_file file(
        path("out"),
        std::nullopt,
        {.sync_interval = std::chrono::milliseconds(1)}
    );
    file.open();
    for (const char* const record : {"a\n", "b\n"}) {
        const int before = syncs;
        file.write("", record);
        syncs.wait(before);
    }
    error_of_sync = EIO;
    const int before = syncs;
    file.write("", "c\n");
    syncs.wait(before);
    error_of_sync = 0;
    // The disk has perhaps lost it, which the next attempt does not know.
    for (int i = 0; i < 2; ++i)
        BOOST_TEST(error([&] {
                       file.write("", "d\n");
                   }) == "cannot write to " + path("out") + ": Input/output error");
    BOOST_TEST(read("out") == "a\nb\nc\n");
}

BOOST_AUTO_TEST_CASE(disk_has_each_write_if_the_interval_is_zero)
{
    sluice::io::appended_file file(
        path("out"),
        std::nullopt,
        {.sync_interval = std::chrono::seconds(0)}
    );
    file.open();
    for (int i = 0; i < 3; ++i) {
        const int before = syncs;
        file.write("", "a\n");
        BOOST_TEST(syncs == before + 1);
    }
}

BOOST_AUTO_TEST_CASE(disk_has_the_name_of_each_new_file)
{
    int folders = 0;
    sluice::test::on_sync = [&folders](int descriptor) {
        struct stat status{};
        folders += ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode) ? 1 : 0;
    };
    sluice::io::appended_file file(path("out"), std::nullopt, {.max_size = 4});
    file.open();
    BOOST_TEST(folders == 1);
    file.write("", "one\n");
    BOOST_TEST(folders == 1);
    file.write("", "two\n");  // in another file
    BOOST_TEST(folders == 2);
    sluice::test::on_sync = nullptr;
}

BOOST_AUTO_TEST_CASE(long_interval_delays_no_end)
{
    append("a\n", {.sync_interval = std::chrono::hours(1000)});
    BOOST_TEST(read("out") == "a\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace appended_file

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/input_file.hpp"

#include "io/io.hpp"
#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace sluice::test {

// What gives EAGAIN although it is ready, as /proc/kmsg does; 0: nothing.
std::atomic<ino_t> dry_file = 0;
std::atomic<int> dry_reads = 0;

struct input_file_fixture : stage_fixture
{
    ~input_file_fixture() { dry_file = 0; }

    void make_dry(const std::string& path) const
    {
        dry_reads = 0;
        dry_file = io::identity_of(path)->inode;
    }

    temporary_folder folder;
};

}  // namespace sluice::test

// In place of that of the C library.
extern "C" ssize_t read(int descriptor, void* bytes, std::size_t size)
{
    using sluice::test::dry_file;
    struct stat status{};
    if (dry_file != 0 && ::fstat(descriptor, &status) == 0 && status.st_ino == dry_file) {
        ++sluice::test::dry_reads;
        errno = EAGAIN;
        return -1;
    }
    return ::syscall(SYS_read, descriptor, bytes, size);
}

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(input_file, input_file_fixture)

BOOST_AUTO_TEST_CASE(file_that_is_cut_while_it_is_read_is_an_error)
{
    const std::string path = folder.write("log", std::string(100, 'x'));
    std::array<char, 60> buffer{};
    pipeline::input_file file(path, buffer);
    BOOST_TEST(file.read()->size() == 60U);
    std::filesystem::resize_file(path, 20);
    const auto is_told = [&](const std::runtime_error& error) {
        return error.what() ==
               "cannot read " + path +
                   " to its end: it was cut while it was read, after 60 of "
                   "100 bytes; what rotates it should rename it instead";
    };
    BOOST_CHECK_EXCEPTION((void)file.read(), std::runtime_error, is_told);
}

BOOST_AUTO_TEST_CASE(file_that_is_cut_after_its_end_was_read_is_whole)
{
    const std::string path = folder.write("log", "text");
    std::array<char, 60> buffer{};
    pipeline::input_file file(path, buffer);
    BOOST_TEST(*file.read() == "text");
    std::filesystem::resize_file(path, 0);
    BOOST_TEST(!file.read().has_value());
}

BOOST_AUTO_TEST_CASE(file_of_the_kernel_that_is_shorter_than_it_says_is_whole)
{
    const std::string path = "/sys/devices/system/cpu/online";
    if (!std::filesystem::exists(path))
        return;
    std::array<char, 60> buffer{};
    pipeline::input_file file(path, buffer);
    BOOST_TEST(!file.read()->empty());
    BOOST_TEST(!file.read().has_value());
}

BOOST_AUTO_TEST_CASE(source_whose_file_is_cut_gives_no_part_of_a_line)
{
    std::string lines;
    for (int i = 0; i < 20'000; ++i)
        lines += "a line of the log\n";
    const std::string path = folder.write("log", lines);
    const auto tested = make("read", {{"files", path}});
    fake_stage_context context(ctx);
    context.before_write = [&] { std::filesystem::resize_file(path, 100); };
    BOOST_CHECK_THROW(run_until_done(run_stage(*tested, context)), std::runtime_error);
    BOOST_TEST(!context.output.empty());
    for (const element& each : context.output)
        BOOST_TEST_REQUIRE(each.text() == "a line of the log");
}

BOOST_AUTO_TEST_CASE(drain_ends_a_source_whose_file_says_that_it_is_ready_and_is_not)
{
    const std::string path = folder.write("dry", "text\n");
    const auto tested = make("read", {{"files", path}});
    fake_stage_context context(ctx);
    make_dry(path);
    const auto worker = spawn([&] { return tested->work(context); });
    run_until([] { return dry_reads > 1; });
    context.request_stop();
    run_until_done(worker);
    BOOST_TEST(context.output.empty());
}

BOOST_AUTO_TEST_CASE(file_that_was_dry_is_read_when_there_is_something)
{
    const std::string path = folder.write("dry", "text\n");
    const auto tested = make("read", {{"files", path}});
    fake_stage_context context(ctx);
    make_dry(path);
    const auto worker = spawn([&] { return tested->work(context); });
    run_until([] { return dry_reads > 1; });
    dry_file = 0;
    run_until_done(worker);
    BOOST_TEST(to_texts(std::move(context.output)) == (texts{"text"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

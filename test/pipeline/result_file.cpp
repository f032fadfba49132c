// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/result_file.hpp"

#include "io/io.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <filesystem>
#include <functional>
#include <latch>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::test {

std::function<void(int descriptor)> on_sync;  // called before a file is synced

}  // namespace sluice::test

namespace {

int error_of_sync = 0;  // fails in place of that, if it is set
std::function<void()>
    on_no_reader;  // called once, when a pipe without a reader was not opened

}  // namespace

// In place of that of the system.
extern "C" int fsync(int descriptor)
{
    if (sluice::test::on_sync)
        sluice::test::on_sync(descriptor);
    errno = error_of_sync;
    return error_of_sync == 0 ? static_cast<int>(::syscall(SYS_fsync, descriptor)) : -1;
}

// In place of that of the system.
extern "C" int open(const char* path, int flags, ...)
{
    std::va_list others;
    va_start(others, flags);
    const auto mode = (flags & O_CREAT) != 0 ? va_arg(others, mode_t) : 0;
    va_end(others);
    const auto opened = ::syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (opened < 0 && errno == ENXIO && on_no_reader) {
        std::exchange(on_no_reader, nullptr)();
        errno = ENXIO;
    }
    return static_cast<int>(opened);
}

namespace sluice::test {

struct result_file_fixture : temporary_folder
{
    // Names but those of results that are not complete.
    [[nodiscard]] std::vector<std::string> finished() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path()))
            if (!io::is_unfinished(entry.path().filename().string()))
                names.push_back(entry.path().filename());
        return names;
    }

    // The name of the only result that is not complete.
    [[nodiscard]] std::string unfinished() const
    {
        for (const auto& entry : std::filesystem::directory_iterator(path()))
            if (io::is_unfinished(entry.path().filename().string()))
                return entry.path().filename();
        return {};
    }

    void replace(const std::string& name, const std::string& content = "new") const
    {
        io::result_file file(path(name));
        file.open();
        file.write(content);
        file.complete();
    }

    [[nodiscard]] std::string error_of_opening(const std::string& name) const
    {
        io::result_file file(path(name));
        try {
            file.open();
        } catch (const std::exception& error) {
            return error.what();
        }
        return "no error";
    }

    [[nodiscard]] struct stat status(const std::string& name) const
    {
        struct stat result{};
        BOOST_REQUIRE(::stat(path(name).c_str(), &result) == 0);
        return result;
    }
};

// What another thread does when open() has begun to wait for the reader of a pipe.
class during_the_wait
{
public:
    explicit during_the_wait(std::function<void()> action)
        : thread_([this, action = std::move(action)] {
              begun_.wait();
              action();
          })
    {
        on_no_reader = [this] { begun_.count_down(); };
    }

    during_the_wait(const during_the_wait&) = delete;
    during_the_wait& operator=(const during_the_wait&) = delete;

    ~during_the_wait() { end(); }

    // It has done so also if there was no wait.
    void end()
    {
        if (std::exchange(on_no_reader, nullptr))
            begun_.count_down();
        if (thread_.joinable())
            thread_.join();
    }

private:
    std::latch begun_{1};
    std::jthread thread_;
};

constexpr uid_t other_user = 65534;

BOOST_FIXTURE_TEST_SUITE(result_file, result_file_fixture)

BOOST_AUTO_TEST_CASE(result_is_there_when_it_is_complete)
{
    io::result_file file(path("out"));
    file.open();
    file.write("new");
    BOOST_TEST(finished().empty());
    file.complete();
    BOOST_TEST(read("out") == "new");
    BOOST_TEST(entries() == 1u);
}

// Else a loss of power could leave the name with an empty file.
BOOST_AUTO_TEST_CASE(result_is_synced_before_it_gets_its_name)
{
    write("out", "old");
    std::vector<std::string> at_the_sync;
    on_sync = [&](int descriptor) {
        BOOST_TEST(
            std::filesystem::file_size("/proc/self/fd/" + std::to_string(descriptor)) == 3
        );
        at_the_sync.push_back(read("out"));
    };
    replace("out", "new");
    on_sync = nullptr;
    BOOST_TEST(
        at_the_sync == std::vector<std::string>{"old"},
        boost::test_tools::per_element()
    );
    BOOST_TEST(read("out") == "new");
}

BOOST_AUTO_TEST_CASE(result_that_is_not_complete_leaves_what_was_there)
{
    write("out", "old");
    {
        io::result_file file(path("out"));
        file.open();
        file.write("new");
    }
    BOOST_TEST(read("out") == "old");
    BOOST_TEST(entries() == 1u);
}

BOOST_AUTO_TEST_CASE(result_of_which_a_part_is_missing_stands_aside)
{
    write("out", "old");
    io::result_file file(path("out"));
    file.open();
    file.write("part");
    BOOST_TEST(file.publish_aside());
    BOOST_TEST(read("out") == "old");
    BOOST_TEST(io::name_of_partial(path("out")) == path("out.partial"));
    BOOST_TEST(read("out.partial") == "part");
    BOOST_TEST(entries() == 2u);
}

BOOST_AUTO_TEST_CASE(discarded_result_gets_no_name_also_if_a_writer_is_left)
{
    io::result_file file(path("out"));
    file.open();
    file.discard();
    BOOST_TEST(entries() == 0u);
    file.write("on");
    file.complete();
    BOOST_TEST(entries() == 0u);
}

BOOST_AUTO_TEST_CASE(result_that_another_program_has_replaced_meanwhile_is_an_error)
{
    write("out", "old");
    io::result_file file(path("out"));
    file.open();
    file.write("own");
    write("other", "other");
    const std::string temporary = unfinished();
    std::filesystem::rename(path("other"), path(temporary));
    const auto is_told = [&](const std::runtime_error& error) {
        return error.what() == "cannot write to " + path("out") +
                                   ": another program has removed or replaced " +
                                   temporary + ", which was to become it";
    };
    BOOST_CHECK_EXCEPTION(file.complete(), std::runtime_error, is_told);
    BOOST_TEST(read("out") == "old");
}

// So that the part of a result can be kept under its own name.
BOOST_AUTO_TEST_CASE(name_that_leaves_no_room_for_that_of_its_part_is_an_error)
{
    const std::string longest(247, 'n');
    replace(longest);
    BOOST_TEST(read(longest) == "new");
    io::result_file part(path(longest));
    part.open();
    BOOST_TEST(part.publish_aside());
    BOOST_TEST(entries() == 2u);

    std::filesystem::create_symlink(longest + "n", path("link"));
    for (const std::string& name : {longest + "n", std::string("link")}) {
        io::result_file file(path(name));
        BOOST_CHECK_EXCEPTION(file.open(), std::runtime_error, [&](const auto& error) {
            return error.what() == "cannot open " + path(name) +
                                       ": with \".partial\", which a part of it would "
                                       "get, its name has more than 255 bytes";
        });
    }
    BOOST_TEST(entries() == 3u);
}

BOOST_AUTO_TEST_CASE(error_of_the_disk_comes_before_the_name)
{
    io::result_file file(path("out"));
    file.open();
    error_of_sync = EIO;
    BOOST_CHECK_EXCEPTION(file.flush(), std::system_error, [this](const auto& error) {
        return error.what() == "cannot write to " + path("out") + ": Input/output error";
    });
    error_of_sync = 0;
}

BOOST_AUTO_TEST_CASE(name_that_is_too_long_is_an_error_that_says_so)
{
    const std::string name = path(std::string(300, 'n'));
    io::result_file file(name);
    BOOST_CHECK_EXCEPTION(file.open(), std::runtime_error, [&](const auto& error) {
        return error.what() == "cannot open " + name + ": File name too long";
    });
}

// Leftovers ---------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(leftover_of_a_killed_process_is_removed_and_blocks_no_other)
{
    // as its death does it: the file stays, the lock does not
    io::result_file killed(path("out"));
    killed.open();
    const std::string name = unfinished();
    std::filesystem::rename(path(name), path("away"));
    killed.discard();
    std::filesystem::rename(path("away"), path(name));
    BOOST_TEST(unfinished() == name);

    // while it is locked it is no leftover
    replace("out");
    BOOST_TEST(unfinished() == name);

    std::filesystem::copy_file(path(name), path(".sluice-1.part"));  // not locked
    replace("out");
    BOOST_TEST(unfinished() == name);
    BOOST_TEST(entries() == 2u);
}

BOOST_AUTO_TEST_CASE(two_writers_of_one_name_do_not_disturb_each_other)
{
    io::result_file first(path("out"));
    io::result_file second(path("out"));
    first.open();
    second.open();
    first.write("first");
    second.write("second");
    first.complete();
    BOOST_TEST(read("out") == "first");
    second.complete();
    BOOST_TEST(read("out") == "second");
    BOOST_TEST(entries() == 1u);
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_leftover_stays)
{
    write("x.sluice-1.part", "");
    write(".sluice-1.part.gz", "");
    std::filesystem::create_directory(path(".sluice-2.part"));
    std::filesystem::create_symlink("x.sluice-1.part", path(".sluice-3.part"));
    replace("out");
    BOOST_TEST(entries() == 5u);
}

// Descriptors -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(descriptor_is_written_to_and_not_replaced)
{
    const std::string log = write("log", "old\n");
    const io::unique_descriptor open(::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)
    );
    for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
        io::result_file file(folder + std::to_string(open.get()));
        file.open();
        file.write("new\n");
        file.complete();
    }
    BOOST_TEST(read("log") == "old\nnew\nnew\n");
}

BOOST_AUTO_TEST_CASE(file_that_is_standard_error_already_is_written_to)
{
    const std::string log = write("log", "old\n");
    const io::unique_descriptor kept(::dup(STDERR_FILENO));
    const io::unique_descriptor open(::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)
    );
    ::dup2(open.get(), STDERR_FILENO);
    replace("log", "report\n");
    constexpr std::string_view later = "later\n";
    const bool is_written = ::write(STDERR_FILENO, later.data(), later.size()) > 0;
    ::dup2(kept.get(), STDERR_FILENO);
    BOOST_TEST(is_written);
    BOOST_TEST(read("log") == "old\nreport\nlater\n");
}

struct pipe_fixture : result_file_fixture
{
    pipe_fixture() { BOOST_REQUIRE(::mkfifo(path("out").c_str(), 0600) == 0); }

    [[nodiscard]] io::unique_descriptor start_reading() const
    {
        constexpr int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
        return io::unique_descriptor(::open(path("out").c_str(), flags));
    }

    static std::string read_from(const io::unique_descriptor& reader)
    {
        std::array<char, 8> got{};
        const auto size = ::read(reader.get(), got.data(), got.size());
        return size > 0 ? std::string(got.data(), static_cast<std::size_t>(size)) : "";
    }

    [[nodiscard]] std::string message() const
    {
        return "cannot open " + path("out") +
               ": it is a pipe that no program reads; start one that does";
    }
};

BOOST_FIXTURE_TEST_CASE(pipe_that_is_read_is_written_to_and_stays, pipe_fixture)
{
    const auto reader = start_reading();
    replace("out", "new");
    BOOST_TEST(read_from(reader) == "new");
    BOOST_TEST(S_ISFIFO(status("out").st_mode));
}

BOOST_FIXTURE_TEST_CASE(
    pipe_without_a_reader_is_an_error_if_no_stop_can_come,
    pipe_fixture
)
{
    BOOST_TEST(error_of_opening("out") == message());
}

BOOST_FIXTURE_TEST_CASE(pipe_is_opened_when_its_reader_comes, pipe_fixture)
{
    io::unique_descriptor reader;
    during_the_wait coming([&] { reader = start_reading(); });
    const std::stop_source stop;
    io::result_file file(path("out"));
    file.open(stop.get_token());
    coming.end();
    file.write("new");
    file.complete();
    BOOST_TEST(read_from(reader) == "new");
}

BOOST_FIXTURE_TEST_CASE(stop_during_the_wait_for_the_reader_is_an_error, pipe_fixture)
{
    std::stop_source stop;
    const during_the_wait stopping([&] { stop.request_stop(); });
    io::result_file file(path("out"));
    BOOST_CHECK_EXCEPTION(
        file.open(stop.get_token()),
        io::no_reader,
        [this](const auto& error) { return error.what() == message(); }
    );
}

BOOST_FIXTURE_TEST_CASE(stop_before_the_wait_for_the_reader_is_an_error, pipe_fixture)
{
    std::stop_source stop;
    stop.request_stop();
    io::result_file file(path("out"));
    BOOST_CHECK_THROW(file.open(stop.get_token()), io::no_reader);
}

// Rights ------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(missing_folder_and_folder_in_the_way_are_errors_with_the_path)
{
    BOOST_TEST(
        error_of_opening("no/out") ==
        "cannot open " + path("no/out") + ": No such file or directory"
    );
    BOOST_TEST(error_of_opening("") == "cannot open " + path("") + ": Is a directory");
}

struct shared_folder_fixture : result_file_fixture
{
    shared_folder_fixture()
    {
        namespace fs = std::filesystem;
        fs::permissions(path(), fs::perms::all | fs::perms::sticky_bit);
    }

    // False if this user may not do so.
    [[nodiscard]] bool give_away(const std::string& name) const
    {
        return ::lchown(path(name).c_str(), other_user, other_user) == 0;
    }
};

BOOST_AUTO_TEST_CASE(owner_and_permissions_of_a_replaced_file_stay)
{
    write("out", "old");
    BOOST_REQUIRE(::chmod(path("out").c_str(), 0640) == 0);
    if (::chown(path("out").c_str(), other_user, other_user) != 0) {
        BOOST_TEST_MESSAGE("only root can give files away");
        return;
    }
    replace("out");
    const struct stat now = status("out");
    BOOST_TEST(now.st_uid == other_user);
    BOOST_TEST(now.st_gid == other_user);
    BOOST_TEST((now.st_mode & 0777U) == 0640u);
    BOOST_TEST(read("out") == "new");
}

BOOST_FIXTURE_TEST_CASE(
    file_that_another_user_has_put_into_a_shared_folder_is_refused,
    shared_folder_fixture
)
{
    write("out", "bait");
    if (!give_away("out")) {
        BOOST_TEST_MESSAGE("only root can give files away");
        return;
    }
    BOOST_TEST(error_of_opening("out").starts_with(
        "cannot replace " + path("out") + ": it belongs to another user"
    ));
    BOOST_TEST(entries() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
    link_that_another_user_has_put_into_a_shared_folder_is_refused,
    shared_folder_fixture
)
{
    temporary_folder safe;
    safe.write("victim", "kept");
    std::filesystem::create_symlink(safe.path("victim"), path("out"));
    if (!give_away("out")) {
        BOOST_TEST_MESSAGE("only root can give files away");
        return;
    }
    BOOST_TEST(
        error_of_opening("out") == "cannot open " + path("out") + ": Permission denied"
    );
    BOOST_TEST(safe.read("victim") == "kept");
}

BOOST_AUTO_TEST_CASE(link_that_is_put_in_the_way_after_the_opening_is_replaced_itself)
{
    write("victim", "kept");
    io::result_file file(path("out"));
    file.open();
    file.write("new");
    std::filesystem::create_symlink("victim", path("out"));
    file.complete();
    BOOST_TEST(read("victim") == "kept");
    BOOST_TEST(!std::filesystem::is_symlink(path("out")));
    BOOST_TEST(read("out") == "new");
}

BOOST_AUTO_TEST_CASE(link_in_the_path_that_is_bent_after_the_opening_leads_nowhere_else)
{
    std::filesystem::create_directory(path("here"));
    std::filesystem::create_directory(path("there"));
    std::filesystem::create_symlink("here", path("link"));
    io::result_file file(path("link/out"));
    file.open();
    std::filesystem::remove(path("link"));
    std::filesystem::create_symlink("there", path("link"));
    file.complete();
    BOOST_TEST(std::filesystem::exists(path("here/out")));
    BOOST_TEST(!std::filesystem::exists(path("there/out")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test

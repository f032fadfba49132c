// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/report_file.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <unistd.h>

namespace cli = sluice::cli;
namespace fs = std::filesystem;

namespace {

// A folder of this test, removed at its end.
class folder
{
public:
    folder()
    {
        std::string name = (fs::temp_directory_path() / "sluice-XXXXXX").string();
        BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~folder() { fs::remove_all(path_); }
    [[nodiscard]] std::string file(const char* name) const { return path_ / name; }
    [[nodiscard]] auto count() const
    {
        return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
    }

private:
    fs::path path_;
};

std::string content(const std::string& name)
{
    std::ifstream file(name);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_file)

BOOST_AUTO_TEST_CASE(a_file_is_written_and_replaced)
{
    const folder temporary;
    const std::string name = temporary.file("report.json");
    cli::write_report_file(name, "first, long\n");
    cli::write_report_file(name, "second\n");
    BOOST_TEST(content(name) == "second\n");
    BOOST_TEST(temporary.count() == 1);
}

BOOST_AUTO_TEST_CASE(a_failure_names_the_file_and_the_reason)
{
    const folder temporary;
    const std::string name = temporary.file("missing") + "/report.json";
    BOOST_CHECK_EXCEPTION(
        cli::write_report_file(name, "x"),
        std::system_error,
        [&](const std::system_error& error) {
            const std::string text = error.what();
            return text.find(name) != std::string::npos &&
                   text.find("No such file") != std::string::npos;
        }
    );
}

BOOST_AUTO_TEST_CASE(a_device_is_written_directly)
{
    BOOST_CHECK_EXCEPTION(
        cli::write_report_file("/dev/full", "x"),
        std::system_error,
        [](const std::system_error& error) {
            return error.code() == std::errc::no_space_on_device;
        }
    );
    cli::write_report_file("/dev/null", "x");
    BOOST_TEST(fs::is_character_file("/dev/null"));
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "description_file.hpp"

#include "command_error.hpp"
#include "pipeline/input/standard_input_claim.hpp"
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <unistd.h>

namespace sluice::cli {

namespace {

// Closes what it has opened, and only that.
class input_file
{
public:
    explicit input_file(const std::string& name)
        : is_own_(name != "-"),
          descriptor_(is_own_ ? ::open(name.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO)
    {
        if (descriptor_ < 0)
            fail();
    }
    input_file(const input_file&) = delete;
    input_file& operator=(const input_file&) = delete;
    ~input_file()
    {
        if (is_own_)
            ::close(descriptor_);
    }

    std::string read_all()
    {
        std::string text;
        std::array<char, 65536> buffer{};
        for (;;) {
            const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                fail();
            if (count == 0)
                return text;
            text.append(buffer.data(), static_cast<std::size_t>(count));
        }
    }

private:
    [[noreturn]] static void fail()
    {
        throw std::system_error(errno, std::generic_category());
    }

    bool is_own_;
    int descriptor_;
};

std::string display_name(const std::string& file)
{
    return file == "-" ? "standard input" : file;
}

std::string read_text(const std::string& file)
{
    try {
        if (file == "-")
            static const pipeline::standard_input_claim until_the_end;
        return input_file(file).read_all();
    } catch (const std::system_error& error) {
        throw command_error(
            exit_status::refused,
            "sluice: cannot read " + display_name(file) + ": " + error.code().message()
        );
    }
}

}  // namespace

pipeline::checked_description load_description(
    const description_arguments& arguments,
    const pipeline::stage_registry& stages
)
{
    const std::string text = read_text(arguments.file);
    try {
        return pipeline::read_description(text, stages, arguments.overrides);
    } catch (const pipeline::description_error& error) {
        std::string lines;
        for (const pipeline::problem& mistake : error.problems())
            lines += (lines.empty() ? "" : "\n") + display_name(arguments.file) + ": " +
                     to_string(mistake);
        throw command_error(exit_status::refused, lines);
    }
}

}  // namespace sluice::cli

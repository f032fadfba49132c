// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "observation.hpp"

#include "io/same_file.hpp"
#include "text/printable.hpp"
#include <sluice/report/prometheus.hpp>

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sluice::cli {

namespace {

// Its reader would take the end of the first figures for the end of all.
void expect_no_pipe(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_fifo(path, ignored) && !io::descriptor_named(path))
        throw std::runtime_error(fmt::format(
            "cannot replace {}: it is a pipe; give --metrics the name of a file",
            text::printable(path)
        ));
}

void replace(const std::string& path, const std::string& content)
{
    expect_no_pipe(path);
    io::result_file file(path);
    file.open();
    file.write(content);
    file.complete();
}

[[noreturn]] void refuse(const std::exception& error)
{
    throw command_error(fmt::format("sluice: {}", error.what()));
}

}  // namespace

metrics_file::metrics_file(std::string path) : path_(io::path_of_result(std::move(path)))
{
    try {
        expect_no_pipe(path_);
        io::result_file(path_).open();
    } catch (const std::exception& error) {
        refuse(error);
    }
}

void metrics_file::update(const metrics::snapshot& now) noexcept
{
    try {
        error_.clear();
        replace(path_, report::to_prometheus(now));
    } catch (const std::exception& error) {
        error_ = error.what();
    }
}

trace_file::trace_file(const std::string& path, std::string pipeline)
    : file_(path), events_(std::move(pipeline))
{
    try {
        file_.open();
    } catch (const std::exception& error) {
        refuse(error);
    }
}

void trace_file::write()
{
    file_.write(events_.to_json());
    file_.complete();
}

}  // namespace sluice::cli

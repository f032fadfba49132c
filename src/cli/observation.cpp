// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "observation.hpp"

#include <sluice/report/prometheus.hpp>

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace sluice::cli {

namespace {

void replace(const std::string& path, const std::string& content)
{
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

metrics_file::metrics_file(std::string path) : path_(std::move(path))
{
    try {
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

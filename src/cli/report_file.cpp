// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace sluice::cli {

namespace {

void write(const std::string& name, std::string_view text)
{
    errno = 0;
    std::ofstream file(name, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    if (!file)
        throw std::system_error(
            errno != 0 ? errno : EIO,
            std::generic_category(),
            "cannot write to " + name
        );
}

}  // namespace

void write_report_file(const std::string& name, std::string_view text)
{
    namespace fs = std::filesystem;
    if (fs::exists(name) && !fs::is_regular_file(name))
        return write(name, text);

    const std::string unfinished = name + ".unfinished";
    try {
        write(unfinished, text);
        fs::rename(unfinished, name);
    } catch (...) {
        std::remove(unfinished.c_str());
        throw;
    }
}

}  // namespace sluice::cli

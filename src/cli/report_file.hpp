// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <string_view>

namespace sluice::cli {

// Writes a file under its name only when it is complete. Throws std::system_error whose
// message names the file. What is no regular file, such as /dev/stderr, is written directly.
void write_report_file(const std::string& name, std::string_view text);

}  // namespace sluice::cli

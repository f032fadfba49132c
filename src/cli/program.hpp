// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "exit_status.hpp"

#include <string>
#include <vector>

namespace sluice::cli {

// The program, from its arguments on. An error ends it with a message.
[[nodiscard]] exit_status run_program(const std::vector<std::string>& arguments);

}  // namespace sluice::cli

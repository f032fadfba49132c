// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>

namespace sluice {

/// The options of a monitor.
struct monitor_options
{
    /// The name of the program in reports.
    std::string name = "sluice";
};

}  // namespace sluice

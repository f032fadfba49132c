// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/record_parser.hpp"

#include <string>
#include <vector>

namespace sluice::pipeline {

// Makes a value of each line that is JSON; empty lines are left out.
class json_line_parser final : public line_parser
{
    void add(std::string&& line, std::vector<element>& out) override;
};

}  // namespace sluice::pipeline

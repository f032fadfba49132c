// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Makes elements of the content of files, which comes in pieces. Each worker has one of its
// own; it reads one file after the other.
class record_parser
{
public:
    record_parser() = default;
    record_parser(const record_parser&) = delete;
    record_parser& operator=(const record_parser&) = delete;
    virtual ~record_parser() = default;

    // The next file begins; its name is for messages.
    virtual void begin(const std::string& /*name*/) {}

    // Appends the elements that are complete with this piece.
    virtual void parse(std::string_view piece, std::vector<element>& out) = 0;

    // The file has ended; appends what ends with it.
    virtual void end(std::vector<element>& out) = 0;
};

}  // namespace sluice::pipeline

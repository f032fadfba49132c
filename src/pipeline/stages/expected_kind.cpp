// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/expected_kind.hpp"

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t shown_length = 120;

[[noreturn]] void fail(const element& given, const char* stage, element_kind expected)
{
    throw std::runtime_error(
        std::string(stage) + " takes a " + to_string(expected) + ", but got the " +
        to_string(given.kind()) + ' ' + shown(given) +
        "; put a stage before it that makes one of the other"
    );
}

}  // namespace

std::string& expect_text(element& given, const char* stage)
{
    if (!given.is_text())
        fail(given, stage, element_kind::text);
    return given.text();
}

nlohmann::json& expect_value(element& given, const char* stage)
{
    if (given.kind() != element_kind::value)
        fail(given, stage, element_kind::value);
    return given.value();
}

std::string shown(element given)
{
    std::string text = std::move(given).to_text();
    if (text.size() > shown_length)
        text.replace(shown_length, std::string::npos, "...");
    return text;
}

}  // namespace sluice::pipeline

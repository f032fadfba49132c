// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace sluice::pipeline {

// Where a field of a JSON value is: the name of a member such as "size", or a JSON pointer
// (RFC 6901) such as "/file/size" to one that lies deeper.
class field_path
{
public:
    // Throws option_error with the name of the option if this is no such text.
    field_path(const std::string& written, const char* option);

    // As it was written.
    [[nodiscard]] const std::string& written() const noexcept { return written_; }

    // The field, or null if the value has none there.
    [[nodiscard]] nlohmann::json* find(nlohmann::json& value) const;
    [[nodiscard]] const nlohmann::json* find(const nlohmann::json& value) const;

    // The field, which is made if need be; throws if the value is nothing that has fields.
    [[nodiscard]] nlohmann::json& make(nlohmann::json& value) const;

private:
    std::string written_;
    nlohmann::json::json_pointer pointer_;
};

}  // namespace sluice::pipeline

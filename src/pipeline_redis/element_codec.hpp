// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <string>
#include <string_view>

namespace sluice::pipeline {

// How an element of a pipeline becomes bytes on a server.
//
// A text is its own bytes, so that programs of any kind can share a queue with a pipeline. All
// else, and a text that begins with the byte 1, is that byte, a letter, a newline and the content:
//
//   t  a text
//   j  a JSON value
struct element_codec
{
    // Throws std::runtime_error for a JSON value that is not UTF-8.
    [[nodiscard]] static std::string encode(const element& content);

    // Throws std::runtime_error for what encode() does not give.
    [[nodiscard]] static element decode(std::string_view bytes);
};

}  // namespace sluice::pipeline

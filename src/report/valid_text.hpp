// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <string_view>

namespace sluice::report {

// The text in UTF-8; U+FFFD stands for each byte that is not. Readers refuse a message, and with it
// the rest of the file, if a string in it is not UTF-8.
[[nodiscard]] std::string valid_text(std::string_view text);

}  // namespace sluice::report

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <span>
#include <string_view>

namespace sluice::page {

// A file of the page, as it is in src/page/assets/.
struct page_asset
{
    std::string_view name;
    std::string_view content;
};

// All of them.
[[nodiscard]] std::span<const page_asset> page_assets();

}  // namespace sluice::page

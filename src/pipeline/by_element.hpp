// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>
#include <vector>

namespace sluice::pipeline {

// What a stage could not process, and why.
struct refused_element
{
    element content;
    std::string reason;
};

// Appends to the vector what the element becomes, or throws.
using element_function = std::function<void(element&&, std::vector<element>&)>;

// The work of a stage that treats each element by itself: reads, applies and writes until the
// input ends. An element for which the function throws is left out, if the runner says so.
[[nodiscard]] boost::asio::awaitable<void> work_by_element(
    stage_context& context,
    const element_function& apply
);

}  // namespace sluice::pipeline

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue_end.hpp>

#include <cstddef>
#include <string>

namespace sluice {

/// A queue that was registered with a coordinator when that stopped.
struct closed_queue
{
    std::string name;      ///< as constructed
    queue_end end;         ///< who closed it, and why
    std::size_t left = 0;  ///< elements that consumers have not taken yet
};

/// A text such as "queue 'rows' closed by a stop after the error 'disk full', with 3 elements
/// left".
[[nodiscard]] std::string to_string(const closed_queue& queue);

}  // namespace sluice

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/remote_queues.hpp"

namespace sluice::cli {

pipeline::remote_queue_factory remote_queues()
{
    return nullptr;
}

std::string mistake_in_address(const std::string& /*url*/)
{
    return {};
}

}  // namespace sluice::cli

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/remote_queues.hpp"

namespace sluice::cli {

pipeline::remote_queue_factory remote_queues()
{
    return nullptr;
}

pipeline::address_check remote_addresses()
{
    return nullptr;
}

std::string shown_address(const std::string& /*url*/)
{
    return {};
}

}  // namespace sluice::cli

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/remote_queues.hpp"

#include "pipeline_redis/redis_queues.hpp"
#include "redis/address.hpp"
#include <sluice/error.hpp>

namespace sluice::cli {

pipeline::remote_queue_factory remote_queues()
{
    return pipeline::redis_queues();
}

std::string mistake_in_address(const std::string& url)
{
    try {
        static_cast<void>(redis::detail::parse_address(url));
        return {};
    } catch (const system_error& error) {
        return error.what();
    }
}

}  // namespace sluice::cli

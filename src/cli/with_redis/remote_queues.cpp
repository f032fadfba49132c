// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/remote_queues.hpp"

#include "pipeline_redis/redis_queues.hpp"
#include "redis/address.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace sluice::cli {

namespace {

std::optional<pipeline::problem> judge(const std::string& url)
try {
    static_cast<void>(redis::detail::parse_address(url));
    return std::nullopt;
} catch (const redis::detail::wrong_address& error) {
    return pipeline::problem{
        .found = fmt::format("\"{}\"", error.shown()),
        .expected = std::string(redis::detail::address_forms),
        .hint = "it " + error.why()
    };
}

}  // namespace

pipeline::remote_queue_factory remote_queues()
{
    return pipeline::redis_queues();
}

pipeline::address_check remote_addresses()
{
    return judge;
}

}  // namespace sluice::cli

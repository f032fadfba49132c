// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/redis_connection.hpp>

#include "redis/address.hpp"
#include "redis/client.hpp"

namespace sluice::redis {

connection::connection(
    const executor_type& executor,
    std::string_view url,
    connection_options options
)
    : executor_(executor)
{
    auto server = detail::parse_address(url);
    address_ = server.shown();
    client_ = std::make_shared<detail::client>(executor, std::move(server), options);
    client_->start();
}

connection::~connection()
{
    client_->stop();
}

}  // namespace sluice::redis

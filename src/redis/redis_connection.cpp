// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/redis_connection.hpp>

#include "redis/address.hpp"
#include "redis/client.hpp"
#include "redis/tls_stream.hpp"

namespace sluice::redis {

connection::connection(
    const executor_type& executor,
    std::string_view url,
    connection_options options
)
    : executor_(executor)
{
    auto server = detail::parse_address(url);
    if (server.tls)  // now, because later no operation may report it
        static_cast<void>(detail::make_tls_context(*server.tls));
    address_ = server.shown();
    client_ = std::make_shared<detail::client>(executor, std::move(server), options);
    client_->start();
}

connection::~connection()
{
    client_->stop();
}

bool connection::is_connected() const noexcept
{
    return client_->is_connected();
}

std::string connection::problem() const
{
    return client_->problem();
}

std::string connection::warning() const
{
    return client_->warning();
}

}  // namespace sluice::redis

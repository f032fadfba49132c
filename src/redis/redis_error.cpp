// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/redis_error.hpp>

#include <cstdint>
#include <string>

namespace sluice::redis {
namespace {

constexpr std::uint64_t redis_category_id = 0x71c5d8e02b94fa36;  // see src/error.cpp

class redis_category_type final : public error_category
{
public:
    constexpr redis_category_type() noexcept : error_category(redis_category_id) {}

    const char* name() const noexcept override { return "sluice.redis"; }

    std::string message(int value) const override
    {
        switch (static_cast<errc>(value)) {
        case errc::connection_failed:
            return "the server cannot be reached or cannot serve; check that it runs and "
                   "is "
                   "not a replica, and the address (redis::errc::connection_failed)";
        case errc::connection_closed:
            return "the connection of the queue has been destroyed; keep it as long as "
                   "its queues (redis::errc::connection_closed)";
        case errc::access_denied:
            return "the server rejected the user or the password, or the user lacks a "
                   "right; correct the "
                   "address, or give the user the rights in "
                   "docs/guide/redis.md#run-the-server (redis::errc::access_denied)";
        case errc::unsupported_server:
            return "the server does not support functions; use Redis 7.0 or newer "
                   "(redis::errc::unsupported_server)";
        case errc::server_full:
            return "the server has no memory left for elements; raise maxmemory or lower "
                   "the capacities (redis::errc::server_full)";
        case errc::queue_mismatch:
            return "the queue is on the server with other options; use the same options "
                   "or "
                   "another name (redis::errc::queue_mismatch)";
        case errc::lease_expired:
            return "the lease has expired, and another consumer has the element or has "
                   "acknowledged it; use a longer lease or extend it "
                   "(redis::errc::lease_expired)";
        case errc::server_error:
            return "the server answered with an error (redis::errc::server_error)";
        case errc::tls_failed:
            return "TLS handshake failed; see the message for which side "
                   "refused, and the options of the address in docs/guide/redis.md "
                   "(redis::errc::tls_failed)";
        case errc::producer_fenced:
            return "another process enqueues under the name of this producer, or the "
                   "server has lost elements of it; open the queue again and go on at "
                   "position() (redis::errc::producer_fenced)";
        case errc::elements_lost:
            return "the server has lost elements of the queue; check that the "
                   "maxmemory-policy of the "
                   "server is noeviction, that it keeps its data, and that only sluice "
                   "changes its keys (redis::errc::elements_lost)";
        }
        return "unknown error of sluice.redis";
    }
};

}  // namespace

const error_category& redis_category() noexcept
{
    static const redis_category_type category;
    return category;
}

error_code make_error_code(errc code) noexcept
{
    return {static_cast<int>(code), redis_category()};
}

}  // namespace sluice::redis

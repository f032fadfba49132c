// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "redis/address.hpp"
#include "redis/link.hpp"
#include "redis/strand.hpp"

#include <string>

// The first commands of a connection. All are called on the strand of the link, before
// link::read(), and throw a system_error.
namespace sluice::redis::detail {

// Throws what the server has answered if it is an error.
void check_answer(const reply& answer, const char* what);
void check_answer(const owned_reply& answer, const char* what);

// Says who asks, and chooses the database.
awaitable<void> log_in(link& to, address server);

// Makes a link one for events. That the user has no right to this channel is no error: it may have
// one to others.
awaitable<void> begin_events(link& to, std::string channel);

// Whether it is an error because the user must not be told of any events.
[[nodiscard]] bool denies_events(const reply& answer);

// Brings the functions to the server, unless it has them.
awaitable<void> load_functions(link& to);

}  // namespace sluice::redis::detail

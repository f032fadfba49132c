// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/queue/broadcast.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>

struct quote
{
    std::string text;
};

boost::asio::awaitable<void> tell(sluice::broadcast<quote>& news)
{
#ifdef SLUICE_CONTROL
    const quote named{"text"};
    co_await news.publish(named);
#else
    co_await news.publish(quote{"text"});
#endif
}

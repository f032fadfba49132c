// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A part of a program that uses Asio, and does not know of sluice or its settings.
#include <boost/asio/io_context.hpp>

void run(boost::asio::io_context& context)
{
    context.run();
}

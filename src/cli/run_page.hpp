// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/page/live_page.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace sluice::cli {

// The page of --serve, on an event loop that goes on for it after the run.
class run_page
{
public:
    run_page(
        boost::asio::io_context& control,
        const serve_arguments& arguments,
        live_page::snapshot_function snapshot,
        live_page_options options  // without the address and the port
    );

    // What the user opens.
    [[nodiscard]] std::string url() const { return page_.control_url(); }

    // Runs the stopped event loop with the final state: as long as was asked for, and otherwise
    // long enough for the pages that are open to get it. A stop of the event loop ends it.
    void linger(const std::function<void(const std::string&)>& note);

private:
    boost::asio::io_context& control_;
    std::optional<std::chrono::nanoseconds> linger_;
    boost::asio::steady_timer end_;
    live_page page_;
};

}  // namespace sluice::cli

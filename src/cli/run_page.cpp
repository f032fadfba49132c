// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_page.hpp"

#include "timers.hpp"

#include <utility>

namespace sluice::cli {

namespace {

live_page_options placed(live_page_options options, const serve_arguments& arguments)
{
    options.address = arguments.address;
    options.port = arguments.port;
    options.allowed_hosts = arguments.allowed_hosts;
    return options;
}

}  // namespace

run_page::run_page(
    boost::asio::io_context& control,
    const serve_arguments& arguments,
    live_page::snapshot_function snapshot,
    live_page_options options
)
    : control_(control),
      linger_(arguments.linger),
      end_(control),
      page_(control, std::move(snapshot), placed(std::move(options), arguments))
{
}

void run_page::linger(const std::function<void(const std::string&)>& note)
{
    if (!linger_ && page_.viewers() == 0)
        return;
    const auto two_snapshots = 2 * live_page_options().interval;
    const auto time = linger_.value_or(std::chrono::nanoseconds(two_snapshots));
    if (time != time.max())
        after(end_, time, [this] { control_.stop(); });
    if (linger_)
        note("the page stays at " + page_.url() + "; press Ctrl-C to end it");
    control_.restart();
    control_.run();
}

}  // namespace sluice::cli

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sluice {

/// What a user who looks at a live page may do to the program.
struct page_action
{
    /// In the address, `/api/actions/NAME`: letters, digits, `-`, `_` and `.`.
    std::string name = {};
    /// On the button.
    std::string label = {};
    /// Does it. Called on the executor of the page; must not wait. What it throws is answered with
    /// the status 500.
    std::function<void()> run = {};
    /// The runner that it is about, with which the page shows it; empty: the whole program.
    std::string runner = {};
    /// Whether it is offered while that runner is paused; otherwise while it is not.
    bool for_paused = false;
    /// Whether it is for what runs. Then it is offered no more once metrics::is_over() of the
    /// state, and answered with the status 409. Set it to false for one that helps afterwards.
    bool until_end = true;
};

/// The options of a live page.
struct live_page_options
{
    /// Where it listens: an IP address, or "localhost". An address that other machines reach shows
    /// them everything that the page shows; there is neither a password nor encryption.
    std::string address = "127.0.0.1";

    /// The port; 0 lets the system choose a free one.
    unsigned short port = 0;

    /// Names besides that of the address under which the page may be asked for, such as
    /// "build7.example.org" or the name of a service in Compose or Kubernetes; without a port.
    /// Requests for other names are refused; see live_page.
    std::vector<std::string> allowed_hosts = {};

    /// How often open pages get a new snapshot. Nothing is looked at while no page is open.
    std::chrono::milliseconds interval{300};

    /// How many connections there may be at a time, 6 for a page that is being loaded and 1 for an
    /// open one. Further ones get the status 503.
    std::size_t max_connections = 32;

    /// Gives the trace so far, for `/trace.json`; none by default. Called as the snapshot function,
    /// such as `[&recorder] { return recorder.to_json(); }` for a trace_recorder that lives as long
    /// as the page.
    std::function<std::string()> trace = {};

    /// What the page offers as buttons; nothing by default.
    std::vector<page_action> actions = {};
};

}  // namespace sluice

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>
#include <sluice/page/live_page_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace sluice {

/// A page in the browser that shows what a program does while it does it.
/**
 * Text that scrolls by does not show which of twenty queues is full. A live page draws queues as
 * tanks and runners with what their workers do, says in words what limits the flow, who waits for
 * what and since when, and shows the first error in full. It is served by the program itself, on
 * its event loop, and needs nothing from elsewhere: no other files, programs or networks.
 *
 * @par Example
 * @code
 * sluice::monitor watch{pool, {.name = "importer"}};
 * watch.add(lines);
 * auto page = watch.serve({.port = 8080});
 * std::cerr << "watch it on " << page.url() << '\n';
 * @endcode
 *
 * @par Addresses
 * | path | has |
 * |---|---|
 * | `/` | the page |
 * | `/api/state` | the snapshot as JSON, as report::to_json() |
 * | `/events` | the same, again and again, as server-sent events named `state` |
 * | `/metrics` | the metrics, as Prometheus reads them |
 * | `/trace.json` | the trace so far, if live_page_options::trace gives one; otherwise 404 |
 * | `/healthz` | "ok": the event loop runs; whatever `Host` says, for probes |
 * | `/api/actions` | the actions as JSON; `POST /api/actions/NAME` runs one |
 *
 * @par Security
 * By default it is reached from the same machine only. A request for anything but `/healthz` is
 * refused (421) if its `Host` is neither the address nor localhost nor in
 * live_page_options::allowed_hosts, so that a page of another site cannot read this one by a name
 * that leads here (DNS rebinding). An action needs the token that only control_url() has, and a
 * browser must send it from this page. Requests are limited in size and time, and connections in
 * number.
 *
 * @par Cost
 * Nothing but an open socket while no page is open. Otherwise a snapshot per interval, whatever the
 * number of pages. A page that is read too slowly misses snapshots, and is disconnected when it has
 * not taken one within 10 seconds; at most one snapshot is kept in memory for all of them.
 *
 * @par Object lifetime
 * The destructor stops serving: afterwards neither the snapshot function nor an action is called.
 * It waits for one that runs on another thread. While the page lives, `io_context::run()` does not
 * return. The page may die before or after its execution
 * context.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: observers from any thread.
 */
class live_page
{
public:
    /// The type of the executor.
    using executor_type = boost::asio::any_io_executor;
    /// Gives the state of everything; called on the executor, one call at a time.
    using snapshot_function = std::function<metrics::snapshot()>;

    /// Listens, and serves as soon as the event loop runs.
    /**
     * Programs with a monitor call monitor::serve() instead.
     *
     * @param executor  the event loop; the page has no thread of its own, and uses a strand.
     * @param snapshot  what is shown.
     * @param options   where to listen, and what is allowed.
     * @throws system_error errc::invalid_argument if the address is none, the interval is not
     *         positive, no connection is allowed, an allowed host is no name, or an action has a
     *         name with other characters or that of another one; the message says which.
     * @throws system_error of the system, with the address in the message, if it cannot listen
     *         there: the port is in use, or may not be used.
     * @par Exception safety  strong.
     */
    live_page(
        const executor_type& executor,
        snapshot_function snapshot,
        live_page_options options = {}
    );

    /// The same with the executor of an io_context, a thread_pool, an io_context_pool or anything
    /// else that has one.
    template <class Context>
        requires requires(Context& context) {
            { context.get_executor() } -> std::convertible_to<executor_type>;
        }
    live_page(
        Context& context,
        snapshot_function snapshot,
        live_page_options options = {}
    )
        : live_page(
              executor_type(context.get_executor()),
              std::move(snapshot),
              std::move(options)
          )
    {
    }

    /// Moves the page; the other one may only be assigned to or destroyed.
    live_page(live_page&& other) noexcept;
    /// Stops serving, and moves the page.
    live_page& operator=(live_page&& other) noexcept;
    ~live_page();

    /// Where the page is, such as `http://127.0.0.1:8080/`.
    [[nodiscard]] std::string url() const;

    /// The same with the token that allows the actions behind a `#`, which browsers do not send;
    /// url() if there are no actions. A user who knows it can use them, so show it to no other.
    [[nodiscard]] std::string control_url() const;

    /// The port.
    [[nodiscard]] unsigned short port() const noexcept;

    /// How many pages are open.
    [[nodiscard]] std::size_t viewers() const noexcept;

private:
    class state;
    std::unique_ptr<state> state_;
};

}  // namespace sluice

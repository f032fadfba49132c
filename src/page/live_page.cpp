// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/page/live_page.hpp>

#include "page_server.hpp"
#include <sluice/error.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/report/prometheus.hpp>
#include <sluice/report/snapshot_json.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace sluice {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

[[noreturn]] void refuse(const std::string& mistake)
{
    throw system_error(errc::invalid_argument, "live page: " + mistake);
}

asio::ip::address parse_address(const std::string& text)
{
    if (text == "localhost")
        return asio::ip::address_v4::loopback();
    error_code ec;
    const auto address = asio::ip::make_address(text, ec);
    if (ec)
        refuse("'" + text + "' is no IP address; write one such as 127.0.0.1 or ::1");
    return address;
}

// Without a port, because it is not that which is compared.
bool is_host(std::string_view name)
{
    return !name.empty() && name.find_first_of(":/ ") == std::string_view::npos;
}

bool is_name_of_action(std::string_view name)
{
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    });
}

void check(const live_page_options& options)
{
    if (options.interval <= options.interval.zero())
        refuse("the interval must be positive");
    if (options.max_connections == 0)
        refuse("max_connections must be at least 1");
    for (const std::string& each : options.allowed_hosts)
        if (!is_host(each))
            refuse("the allowed host '" + each + "' must be a name without a port");
    std::set<std::string_view> known;
    for (const page_action& each : options.actions) {
        if (!is_name_of_action(each.name))
            refuse(
                "the action '" + each.name +
                "' must be named by letters, digits, '-', '_' and '.'"
            );
        if (!known.insert(each.name).second)
            refuse("there are two actions '" + each.name + "'");
        if (!each.run)
            refuse("the action '" + each.name + "' has no function");
    }
}

std::string to_text(const tcp::endpoint& endpoint)
{
    const std::string address = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" +
           std::to_string(endpoint.port());
}

tcp::acceptor listen(const asio::any_io_executor& executor, const tcp::endpoint& endpoint)
{
    tcp::acceptor acceptor(asio::make_strand(executor));
    error_code ec;
    const auto failed = [&ec] { return static_cast<bool>(ec); };
    acceptor.open(endpoint.protocol(), ec);
    if (!failed())
        acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
    if (!failed())
        acceptor.bind(endpoint, ec);
    if (!failed())
        acceptor.listen(asio::socket_base::max_listen_connections, ec);
    if (failed()) {
        const bool is_taken = ec == asio::error::address_in_use;
        throw system_error(
            error_code(ec.value(), ec.category()),  // without the place in Asio
            "live page: cannot listen on " + to_text(endpoint) +
                (is_taken ? "; choose another port, or 0 for one that is free" : "")
        );
    }
    return acceptor;
}

// The address by which a browser on this machine reaches it.
tcp::endpoint reachable(const tcp::endpoint& endpoint)
{
    if (!endpoint.address().is_unspecified())
        return endpoint;
    if (endpoint.address().is_v6())
        return {asio::ip::address_v6::loopback(), endpoint.port()};
    return {asio::ip::address_v4::loopback(), endpoint.port()};
}

}  // namespace

// The server is owned by its operations, and so by the execution context. What the program gave is
// cleared here, so that it is not used after the page whatever the context does.
class live_page::state
{
public:
    state(
        const executor_type& executor,
        snapshot_function snapshot,
        live_page_options options
    )
    {
        check(options);
        const tcp::endpoint wanted(parse_address(options.address), options.port);
        tcp::acceptor acceptor = listen(executor, wanted);
        const tcp::endpoint bound = acceptor.local_endpoint();
        port_ = bound.port();
        url_ = "http://" + to_text(reachable(bound)) + "/";
        if (!options.actions.empty())
            token_ = page::make_token();
        calls_ = std::make_shared<calls>(page::page_calls{
            .state = [snapshot] { return report::to_json(snapshot()); },
            .metrics = [snapshot] { return report::to_prometheus(snapshot()); },
            .trace = std::move(options.trace),
            .is_over = [snapshot] { return metrics::is_over(snapshot().state); },
            .actions = std::move(options.actions)
        });
        const auto server = std::make_shared<page::page_server>(
            std::move(acceptor),
            page::page_content(
                page::host_rules(bound.address(), std::move(options.allowed_hosts)),
                token_,
                calls_
            ),
            page::page_server::limits{options.interval, options.max_connections}
        );
        server->start();
        server_ = server;
    }

    state(const state&) = delete;
    state& operator=(const state&) = delete;

    ~state()
    {
        calls_->clear();
        if (const auto server = server_.lock())
            server->stop();
    }

    [[nodiscard]] std::string url() const { return url_; }

    [[nodiscard]] std::string control_url() const
    {
        return token_.empty() ? url_ : url_ + "#token=" + token_;
    }

    [[nodiscard]] unsigned short port() const noexcept { return port_; }

    [[nodiscard]] std::size_t viewers() const noexcept
    {
        const auto server = server_.lock();
        return server ? server->viewers() : 0;
    }

private:
    using calls = page::guarded_calls<page::page_calls>;

    unsigned short port_ = 0;
    std::string url_;
    std::string token_;
    std::shared_ptr<calls> calls_;
    std::weak_ptr<page::page_server> server_;
};

live_page::live_page(
    const executor_type& executor,
    snapshot_function snapshot,
    live_page_options options
)
    : state_(std::make_unique<state>(executor, std::move(snapshot), std::move(options)))
{
}

live_page monitor::serve(const live_page_options& options) const
{
    return {executor_, snapshot_function(), options};
}

live_page::live_page(live_page&& other) noexcept = default;

live_page& live_page::operator=(live_page&& other) noexcept = default;

live_page::~live_page() = default;

std::string live_page::url() const
{
    return state_->url();
}

std::string live_page::control_url() const
{
    return state_->control_url();
}

unsigned short live_page::port() const noexcept
{
    return state_->port();
}

std::size_t live_page::viewers() const noexcept
{
    return state_->viewers();
}

}  // namespace sluice

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "host_rules.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace sluice::page {

namespace asio = boost::asio;

namespace {

bool are_equal_names(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool is_port(std::string_view text)
{
    unsigned short port = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size();
}

// Without the port; empty if the field is none.
std::string_view name_in(std::string_view host)
{
    const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
    if (bracket == std::string_view::npos)
        return {};
    const std::size_t colon = host.find(':', bracket);
    if (colon != std::string_view::npos) {
        if (!is_port(host.substr(colon + 1)))
            return {};
        host = host.substr(0, colon);
    }
    if (bracket == 0)
        return host;
    return host.ends_with(']') ? host.substr(1, host.size() - 2) : std::string_view();
}

}  // namespace

host_rules::host_rules(asio::ip::address bound, std::vector<std::string> allowed)
    : bound_(std::move(bound)), allowed_(std::move(allowed))
{
}

bool host_rules::allows(std::string_view host) const
{
    const std::string_view name = name_in(host);
    if (name.empty())
        return false;
    if (are_equal_names(name, "localhost"))
        return true;
    const bool is_named = std::ranges::any_of(allowed_, [name](const std::string& each) {
        return are_equal_names(name, each);
    });
    if (is_named)
        return true;
    boost::system::error_code ec;
    const auto address = asio::ip::make_address(std::string(name), ec);
    return !ec && allows_address(address);
}

// Where it listens on all addresses, any may be the one by which it was reached; a name cannot be
// made to lead to an address that is written out.
bool host_rules::allows_address(const asio::ip::address& address) const
{
    return address.is_loopback() || address == bound_ || bound_.is_unspecified();
}

}  // namespace sluice::page

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/ip/address.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sluice::page {

// Which names a request may have in `Host`.
/*
 * A name of another owner may lead to this machine, and its scripts may then read what
 * is served under that name. They cannot choose what the browser says in `Host`, so only names that
 * lead nowhere else are accepted: those of the loopback, the address itself, and what the program
 * allows. The port does not matter, because it changes where it is forwarded.
 */
class host_rules
{
public:
    host_rules(boost::asio::ip::address bound, std::vector<std::string> allowed);

    // Takes a field such as "localhost:8080" or "[::1]".
    [[nodiscard]] bool allows(std::string_view host) const;

private:
    [[nodiscard]] bool allows_address(const boost::asio::ip::address& address) const;

    boost::asio::ip::address bound_;
    std::vector<std::string> allowed_;
};

}  // namespace sluice::page

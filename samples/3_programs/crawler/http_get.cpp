// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "http_get.hpp"

#include <boost/asio.hpp>

#include <cstddef>
#include <stdexcept>

namespace asio = boost::asio;
using asio::ip::tcp;

url parse_url(std::string_view text)
{
    constexpr std::string_view scheme = "http://";
    if (!text.starts_with(scheme))
        throw std::invalid_argument("not a URL of http: " + std::string{text});
    text.remove_prefix(scheme.size());
    const std::size_t slash = text.find('/');
    url found{std::string{text.substr(0, slash)}, "/"};
    if (slash != std::string_view::npos)
        found.path = text.substr(slash, text.find('#') - slash);
    return found;
}

asio::awaitable<http_response> http_get(url address)
{
    constexpr std::size_t longest = 1 << 20;
    const std::size_t colon = address.host.find(':');
    const std::string name = address.host.substr(0, colon);
    const std::string port = colon == std::string::npos ? "80"
                                                        : address.host.substr(colon + 1);
    const std::string request = "GET " + address.path +
                                " HTTP/1.0\r\nHost: " + address.host + "\r\n\r\n";

    const auto executor = co_await asio::this_coro::executor;
    tcp::resolver resolver{executor};
    tcp::socket socket{executor};
    const auto endpoints =
        co_await resolver.async_resolve(name, port, asio::use_awaitable);
    co_await asio::async_connect(socket, endpoints, asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
    std::string text;
    const auto [error, size] = co_await asio::async_read(
        socket,
        asio::dynamic_buffer(text, longest),
        asio::as_tuple(asio::use_awaitable)
    );
    if (error != asio::error::eof)
        throw boost::system::system_error(
            error ? error : make_error_code(boost::system::errc::message_size)
        );

    const std::size_t status = text.find(' ');
    const std::size_t end = text.find("\r\n\r\n");
    if (!text.starts_with("HTTP/") || end == std::string::npos || status > end)
        throw std::runtime_error("no answer in HTTP");
    co_return http_response{std::stoi(text.substr(status + 1, 3)), text.substr(end + 4)};
}

std::vector<url> links_of(const url& page, const std::string& body)
{
    constexpr std::string_view mark = "href=\"";
    std::vector<url> links;
    for (auto at = body.find(mark); at != std::string::npos; at = body.find(mark, at)) {
        at += mark.size();
        const std::string target = body.substr(at, body.find('"', at) - at);
        if (target.starts_with("http://"))
            links.push_back(parse_url(target));
        else if (target.starts_with('/'))
            links.push_back(parse_url("http://" + page.host + target));
    }
    return links;
}

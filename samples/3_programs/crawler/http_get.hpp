// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// As much of HTTP as the crawler needs. A program that does more uses a library.

#pragma once

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>
#include <vector>

struct url
{
    std::string host;  // with its port
    std::string path;

    [[nodiscard]] std::string text() const { return "http://" + host + path; }
};

// Throws std::invalid_argument if it is not http://host[:port][/path].
url parse_url(std::string_view text);

struct http_response
{
    int status = 0;
    std::string body;
};

boost::asio::awaitable<http_response> http_get(url address);

// The pages to which a page links: absolute ones, and those that begin with a slash.
std::vector<url> links_of(const url& page, const std::string& body);

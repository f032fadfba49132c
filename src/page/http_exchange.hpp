// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>

namespace sluice::page {

// What a client asks for, without the protocol around it. Fields that it has not sent are empty.
struct http_request
{
    std::string method = {};
    std::string target = {};
    std::string host = {};
    std::string origin = {};
    std::string authorization = {};
};

struct http_answer
{
    unsigned status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body = {};
    std::string allow = {};        // methods, for status 405
    bool is_event_stream = false;  // instead of a body: events until one side ends it
};

}  // namespace sluice::page

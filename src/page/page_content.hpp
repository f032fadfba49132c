// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "guarded_calls.hpp"
#include "host_rules.hpp"
#include "http_exchange.hpp"
#include <sluice/page/live_page_options.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::page {

// What is served besides the files of the page.
struct page_calls
{
    std::function<std::string()> state = {};    // JSON in one line
    std::function<std::string()> metrics = {};  // for Prometheus
    std::function<std::string()> trace = {
    };  // Chrome trace events; null if there are none
    std::function<bool()> is_over = [] { return false; };  // see page_action::until_end
    std::vector<page_action> actions = {};
};

// Answers requests. It knows no sockets; safe to use from any thread.
class page_content
{
public:
    page_content(
        host_rules hosts,
        std::string token,  // of the actions
        std::shared_ptr<const guarded_calls<page_calls>> calls
    );

    [[nodiscard]] http_answer answer(const http_request& request) const;

    // A snapshot as a server-sent event; empty if there is none any more.
    [[nodiscard]] std::string state_event() const;

    // The fields that every answer has: a browser is to load nothing from elsewhere, keep nothing
    // and give nothing to other pages.
    struct field
    {
        std::string_view name;
        std::string_view value;
    };
    [[nodiscard]] static const std::vector<field>& common_fields();

private:
    [[nodiscard]] http_answer answer_get(std::string_view path) const;
    [[nodiscard]] http_answer answer_page() const;
    [[nodiscard]] http_answer answer_trace() const;
    [[nodiscard]] http_answer answer_call(
        std::string_view type,
        std::function<std::string()> page_calls::* call
    ) const;
    [[nodiscard]] http_answer answer_post(
        std::string_view path,
        const http_request& request
    ) const;
    [[nodiscard]] bool has_trace() const;
    [[nodiscard]] http_answer list_actions() const;
    [[nodiscard]] http_answer run_action(std::string_view name) const;
    [[nodiscard]] bool has_token(std::string_view authorization) const;

    host_rules hosts_;
    std::string token_;
    std::shared_ptr<const guarded_calls<page_calls>> calls_;
};

// Whether two texts are equal, in a time that does not tell where they differ.
[[nodiscard]] bool are_equal_secrets(std::string_view a, std::string_view b) noexcept;

// 128 random bits, as text.
[[nodiscard]] std::string make_token();

}  // namespace sluice::page

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "page_content.hpp"

#include "page_assets.hpp"
#include "report/json_writer.hpp"
#include <sluice/report/prometheus.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <random>
#include <utility>

namespace sluice::page {

namespace {

constexpr std::string_view json_type = "application/json; charset=utf-8";
constexpr std::string_view actions_path = "/api/actions";

http_answer refuse(unsigned status, std::string reason)
{
    return {.status = status, .body = std::move(reason) + "\n"};
}

http_answer refuse_method(std::string allowed)
{
    http_answer answer = refuse(405, "this method is not allowed here; use " + allowed);
    answer.allow = std::move(allowed);
    return answer;
}

std::string_view type_of(std::string_view file)
{
    const std::array<std::pair<std::string_view, std::string_view>, 4> types{{
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
    }};
    for (const auto& [ending, type] : types)
        if (file.ends_with(ending))
            return type;
    return "application/octet-stream";
}

http_answer answer_asset(std::string_view path)
{
    const std::string_view name = path.substr(1);
    const auto files = page_assets();
    const auto found = std::ranges::find(files, name, &page_asset::name);
    if (found == files.end())
        return refuse(404, "not found");
    return {.type = std::string(type_of(name)), .body = std::string(found->content)};
}

// A browser says from where a page asks; other programs say nothing.
bool is_own_origin(const http_request& request)
{
    return request.origin.empty() || request.origin == "http://" + request.host;
}

}  // namespace

page_content::page_content(
    host_rules hosts,
    std::string token,
    std::shared_ptr<const guarded_calls<page_calls>> calls
)
    : hosts_(std::move(hosts)), token_(std::move(token)), calls_(std::move(calls))
{
}

http_answer page_content::answer(const http_request& request) const
{
    const std::string_view path =
        std::string_view(request.target).substr(0, request.target.find('?'));
    const bool is_read = request.method == "GET" || request.method == "HEAD";
    // It has no secret and changes nothing, and probes send no Host, or that of a balancer.
    if (path == "/healthz" && is_read)
        return {.body = "ok\n"};
    if (request.host.empty())
        return refuse(400, "the request needs one field Host");
    if (!hosts_.allows(request.host))
        return refuse(
            421,
            "this page is not served under this name; use the IP address of the machine, "
            "or forward the port and use localhost; --allow-host of the command allows "
            "the "
            "name, and allowed_hosts of the options of a page"
        );
    if (!request.target.starts_with('/'))
        return refuse(400, "the target of the request is no path");
    if (request.method == "POST")
        return answer_post(path, request);
    if (!is_read)
        return refuse_method("GET, HEAD");
    return answer_get(path);
}

http_answer page_content::answer_get(std::string_view path) const
{
    if (path == "/events")
        return {.type = "text/event-stream", .is_event_stream = true};
    if (path == actions_path)
        return list_actions();
    if (path == "/api/state")
        return answer_call(json_type, &page_calls::state);
    if (path == "/metrics")
        return answer_call(report::prometheus_content_type, &page_calls::metrics);
    if (path == "/trace.json")
        return answer_trace();
    return path == "/" ? answer_page() : answer_asset(path);
}

// The file, with a link to the trace if there is one.
http_answer page_content::answer_page() const
{
    http_answer answer = answer_asset("/index.html");
    if (has_trace())
        answer.body.insert(
            answer.body.rfind("</nav>"),
            " <a href=\"trace.json\" download>Trace</a>"
        );
    return answer;
}

bool page_content::has_trace() const
{
    bool result = false;
    calls_->with([&result](const page_calls& calls) {
        result = static_cast<bool>(calls.trace);
    });
    return result;
}

http_answer page_content::answer_trace() const
{
    if (!has_trace())
        return refuse(
            404,
            "no trace is recorded; start the command with --trace FILE, or give the "
            "page one in live_page_options::trace"
        );
    return answer_call(json_type, &page_calls::trace);
}

http_answer page_content::answer_call(
    std::string_view type,
    std::function<std::string()> page_calls::* call
) const
{
    http_answer answer{.type = std::string(type)};
    const bool is_alive = calls_->with([&](const page_calls& calls) {
        answer.body = (calls.*call)();
    });
    return is_alive ? answer : refuse(503, "the program has stopped serving this page");
}

http_answer page_content::answer_post(std::string_view path, const http_request& request)
    const
{
    const std::size_t name = actions_path.size() + 1;
    if (!path.starts_with(actions_path) || path.size() <= name || path[name - 1] != '/')
        return refuse_method("GET, HEAD");
    if (token_.empty())
        return refuse(403, "this page allows no actions");
    if (!is_own_origin(request))
        return refuse(403, "actions are for this page only");
    if (!has_token(request.authorization))
        return refuse(403, "this action needs the token of the page");
    return run_action(path.substr(name));
}

http_answer page_content::list_actions() const
{
    report::json_writer list;
    list.begin_array();
    calls_->with([&list](const page_calls& calls) {
        for (const page_action& each : calls.actions)
            list.begin_object()
                .member("name", each.name)
                .member("label", each.label)
                .name("runner", each.runner)
                .member("for_paused", each.for_paused)
                .member("until_end", each.until_end)
                .end_object();
    });
    list.end_array();
    return {.type = std::string(json_type), .body = list.take()};
}

http_answer page_content::run_action(std::string_view name) const
{
    http_answer answer = refuse(404, "there is no action of this name");
    calls_->with([&](const page_calls& calls) {
        const auto found = std::ranges::find(calls.actions, name, &page_action::name);
        if (found == calls.actions.end())
            return;
        try {
            if (found->until_end && calls.is_over()) {
                answer =
                    refuse(409, "the run has ended; there is nothing left to do this to");
                return;
            }
            found->run();
            answer = {.status = 204};
        } catch (const std::exception& error) {
            answer = refuse(500, error.what());
        }
    });
    return answer;
}

bool page_content::has_token(std::string_view authorization) const
{
    constexpr std::string_view scheme = "Bearer ";
    return authorization.starts_with(scheme) &&
           are_equal_secrets(authorization.substr(scheme.size()), token_);
}

std::string page_content::state_event() const
{
    std::string event;
    calls_->with([&event](const page_calls& calls) {
        event = "event: state\ndata: " + calls.state() + "\n\n";
    });
    return event;
}

const std::vector<page_content::field>& page_content::common_fields()
{
    static const std::vector<field> fields{
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
         "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
         "'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"},
    };
    return fields;
}

bool are_equal_secrets(std::string_view a, std::string_view b) noexcept
{
    if (a.size() != b.size())
        return false;
    unsigned char difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
    return difference == 0;
}

std::string make_token()
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::random_device random;
    std::string token;
    while (token.size() < 32)
        token += digits[random() % digits.size()];
    return token;
}

}  // namespace sluice::page

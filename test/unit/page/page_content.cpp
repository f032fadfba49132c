// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "page/page_content.hpp"

#include "page/page_assets.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace page_content {

namespace page = sluice::page;

// Serves a state and two actions, one of which throws.
struct fixture
{
    int starts = 0;
    bool is_over = false;
    std::shared_ptr<page::guarded_calls<page::page_calls>> calls =
        std::make_shared<page::guarded_calls<page::page_calls>>(page::page_calls{
            .state = [] { return std::string("{\"name\":\"x\"}"); },
            .metrics = [] { return std::string("metric 1\n"); },
            .trace = [] { return std::string("{\"traceEvents\":[]}"); },
            .is_over = [this] { return is_over; },
            .actions =
                {{.name = "start", .label = "Start \"it\"", .run = [this] { ++starts; }},
                 {.name = "fail",
                  .label = "Fail",
                  .run = [] { throw std::runtime_error("no"); },
                  .runner = "r",
                  .for_paused = true,
                  .until_end = false}}
        });
    page::page_content content{
        page::host_rules(boost::asio::ip::address_v4::loopback(), {}),
        "secret",
        calls
    };

    page::http_answer get(std::string target) const
    {
        return content.answer(
            {.method = "GET", .target = std::move(target), .host = "localhost"}
        );
    }

    page::http_answer post(
        std::string target,
        std::string authorization = "Bearer secret",
        std::string origin = {}
    ) const
    {
        return content.answer(
            {.method = "POST",
             .target = std::move(target),
             .host = "localhost:8080",
             .origin = std::move(origin),
             .authorization = std::move(authorization)}
        );
    }
};

BOOST_FIXTURE_TEST_SUITE(page_content, fixture)

BOOST_AUTO_TEST_CASE(each_address_has_its_content_and_type)
{
    BOOST_TEST(get("/healthz").body == "ok\n");
    BOOST_TEST(get("/api/state?pretty").body == "{\"name\":\"x\"}");
    BOOST_TEST(get("/api/state").type == "application/json; charset=utf-8");
    BOOST_TEST(get("/metrics").body == "metric 1\n");
    BOOST_TEST(get("/metrics").type == "text/plain; version=0.0.4; charset=utf-8");
    BOOST_TEST(get("/trace.json").body == "{\"traceEvents\":[]}");
    BOOST_TEST(get("/trace.json").type == "application/json; charset=utf-8");
    BOOST_TEST(get("/events").is_event_stream);
    BOOST_TEST(get("/").type == "text/html; charset=utf-8");
    BOOST_TEST(get("/page.js").type == "text/javascript; charset=utf-8");
}

BOOST_AUTO_TEST_CASE(an_event_is_framed_in_two_fields_and_a_blank_line)
{
    BOOST_TEST(content.state_event() == "event: state\ndata: {\"name\":\"x\"}\n\n");
}

BOOST_AUTO_TEST_CASE(files_refer_only_to_files_that_are_served)
{
    for (const page::page_asset& file : page::page_assets()) {
        BOOST_TEST(get("/" + std::string(file.name)).body == file.content);
        for (const char* outside :
             {"http://", "https://", "//cdn", "@import", "url(//"}) {
            std::string text(file.content);
            for (const std::string& own : {std::string("http://www.w3.org/2000/svg")})
                for (auto at = text.find(own); at != text.npos; at = text.find(own))
                    text.erase(at, own.size());
            BOOST_TEST(text.find(outside) == text.npos, file.name << " has " << outside);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_page_leads_to_a_trace_only_if_there_is_one)
{
    BOOST_TEST(get("/").body.find("href=\"trace.json\"") != std::string::npos);
    calls = std::make_shared<page::guarded_calls<page::page_calls>>(page::page_calls{});
    content = page::page_content(
        page::host_rules(boost::asio::ip::address_v4::loopback(), {}),
        {},
        calls
    );
    BOOST_TEST(get("/").body.find("href=\"trace.json\"") == std::string::npos);
    BOOST_TEST(get("/trace.json").status == 404U);
    BOOST_TEST(get("/trace.json").body.starts_with("no trace is recorded; start"));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_not_found)
{
    for (const char* target : {"/nothing", "/assets/page.js", "/../page.js", "//"})
        BOOST_TEST(get(target).status == 404U);
    BOOST_TEST(get("http://localhost/").status == 400U);
}

BOOST_AUTO_TEST_CASE(other_hosts_and_methods_are_refused)
{
    BOOST_TEST(content.answer({.method = "GET", .target = "/"}).status == 400U);
    const page::http_request rebound{
        .method = "GET",
        .target = "/",
        .host = "evil.example"
    };
    BOOST_TEST(content.answer(rebound).status == 421U);
    // what users of the command can do comes first
    BOOST_TEST(
        content.answer(rebound).body ==
        "this page is not served under this name; use the IP address of the machine, or "
        "forward the port and use localhost; --allow-host of the command allows the "
        "name, "
        "and allowed_hosts of the options of a page\n"
    );
    for (const char* method : {"PUT", "DELETE", "OPTIONS", "TRACE"}) {
        const auto answer = content.answer(
            {.method = method, .target = "/", .host = "localhost"}
        );
        BOOST_TEST(answer.status == 405U);
        BOOST_TEST(answer.allow == "GET, HEAD");
    }
    BOOST_TEST(post("/api/state").status == 405U);
}

BOOST_AUTO_TEST_CASE(an_action_runs_only_with_the_token_and_from_the_page_itself)
{
    const std::string start = "/api/actions/start";
    BOOST_TEST(post(start, "").status == 403U);
    BOOST_TEST(post(start, "Bearer ").status == 403U);
    BOOST_TEST(post(start, "Bearer Secret").status == 403U);
    BOOST_TEST(post(start, "Bearer secret1").status == 403U);
    BOOST_TEST(post(start, "Bearer secret", "http://evil.example").status == 403U);
    BOOST_TEST(post(start, "Bearer secret", "null").status == 403U);
    BOOST_TEST(post("/api/actionsXstart").status == 405U);
    BOOST_TEST(get(start).status == 404U);
    BOOST_TEST(starts == 0);

    BOOST_TEST(post(start).status == 204U);
    BOOST_TEST(post(start, "Bearer secret", "http://localhost:8080").status == 204U);
    BOOST_TEST(starts == 2);
}

BOOST_AUTO_TEST_CASE(an_action_that_throws_or_is_unknown_says_so)
{
    BOOST_TEST(post("/api/actions/fail").status == 500U);
    BOOST_TEST(post("/api/actions/fail").body == "no\n");
    BOOST_TEST(post("/api/actions/other").status == 404U);
    BOOST_TEST(
        get("/api/actions").body ==
        R"([{"name":"start","label":"Start \"it\"","runner":null,"for_paused":false,"until_end":true},)"
        R"({"name":"fail","label":"Fail","runner":"r","for_paused":true,"until_end":false}])"
    );
}

BOOST_AUTO_TEST_CASE(an_action_for_what_runs_is_refused_once_the_run_has_ended)
{
    is_over = true;
    BOOST_TEST(post("/api/actions/start").status == 409U);
    BOOST_TEST(
        post("/api/actions/start").body ==
        "the run has ended; there is nothing left to do this to\n"
    );
    BOOST_TEST(starts == 0);
    BOOST_TEST(post("/api/actions/fail").status == 500U);  // runs, also then
}

// Probes of load balancers.
BOOST_AUTO_TEST_CASE(health_is_told_whatever_the_host_and_nothing_else_is)
{
    for (const char* host : {"", "evil.example", "10.0.0.7:8080"}) {
        for (const char* method : {"GET", "HEAD"})
            BOOST_TEST(
                content.answer({.method = method, .target = "/healthz?x", .host = host})
                    .body == "ok\n"
            );
        BOOST_TEST(
            content.answer({.method = "POST", .target = "/healthz", .host = host})
                .status != 200U
        );
        for (const char* target :
             {"/", "/api/state", "/metrics", "/events", "/healthz/", "/api/actions"})
            BOOST_TEST(
                content.answer({.method = "GET", .target = target, .host = host})
                        .status >= 400U,
                target
            );
    }
}

BOOST_AUTO_TEST_CASE(without_a_token_no_action_runs)
{
    const page::page_content shown(
        page::host_rules(boost::asio::ip::address_v4::loopback(), {}),
        "",
        calls
    );
    const page::http_request request{
        .method = "POST",
        .target = "/api/actions/start",
        .host = "localhost",
        .authorization = "Bearer "
    };
    BOOST_TEST(shown.answer(request).status == 403U);
    BOOST_TEST(starts == 0);
}

BOOST_AUTO_TEST_CASE(after_clear_nothing_of_the_program_is_called)
{
    calls->clear();
    BOOST_TEST(get("/api/state").status == 503U);
    BOOST_TEST(content.state_event() == "");
    BOOST_TEST(post("/api/actions/start").status == 404U);
    BOOST_TEST(starts == 0);
}

BOOST_AUTO_TEST_CASE(tokens_differ_and_secrets_are_compared_in_full)
{
    BOOST_TEST(page::make_token().size() == 32U);
    BOOST_TEST(page::make_token() != page::make_token());
    BOOST_TEST(page::are_equal_secrets("abc", "abc"));
    BOOST_TEST(!page::are_equal_secrets("abc", "abd"));
    BOOST_TEST(!page::are_equal_secrets("abc", "xbc"));
    BOOST_TEST(!page::are_equal_secrets("abc", "abcd"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace page_content

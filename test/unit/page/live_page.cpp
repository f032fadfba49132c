// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/page/live_page.hpp>

#include "support/message_of.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using asio::ip::tcp;
using sluice::live_page;

namespace live_page_cases {

using page_type = sluice::live_page;  // the suite has its name

// A client that speaks HTTP by hand, and blocks; the page has the threads of a pool.
class client
{
public:
    explicit client(const page_type& page) : client(page.port()) {}

    explicit client(unsigned short port) { connect(port); }

    // The system keeps at most about that much that it has not read.
    client(const page_type& page, int receive_buffer)
    {
        socket_.open(tcp::v4());
        socket_.set_option(tcp::socket::receive_buffer_size(receive_buffer));
        connect(page.port());
    }

    void send(std::string_view text) { asio::write(socket_, asio::buffer(text)); }

    // Empty if the connection ends before.
    std::string read_to(std::string_view mark)
    {
        boost::system::error_code ec;
        std::size_t searched = 0;
        while (read_.find(mark, searched) == read_.npos) {
            searched = read_.size() - std::min(read_.size(), mark.size());
            char piece[65536];
            const std::size_t size = socket_.read_some(asio::buffer(piece), ec);
            if (ec)
                return {};
            read_.append(piece, size);
        }
        const std::size_t end = read_.find(mark, searched) + mark.size();
        std::string result = read_.substr(0, end);
        read_.erase(0, end);
        return result;
    }

    // All that comes until the other side ends the connection.
    std::string read_all()
    {
        boost::system::error_code ec;
        std::string rest;
        asio::read(socket_, asio::dynamic_buffer(rest), ec);
        return std::exchange(read_, {}) + rest;
    }

private:
    void connect(unsigned short port)
    {
        socket_.connect({asio::ip::address_v4::loopback(), port});
    }

    asio::io_context context_;
    tcp::socket socket_{context_};
    std::string read_;
};

std::string request(
    std::string_view line,
    std::string_view fields = "Host: localhost\r\n"
)
{
    return std::string(line) + " HTTP/1.1\r\n" + std::string(fields) + "\r\n";
}

// The answer to one request, after which the connection ends.
std::string answer(
    const page_type& page,
    std::string_view line,
    std::string fields = "Host: localhost\r\n"
)
{
    client asker(page);
    asker.send(request(line, fields + "Connection: close\r\n"));
    return asker.read_all();
}

bool is_status(const std::string& answer, std::string_view status)
{
    return answer.starts_with("HTTP/1.1 " + std::string(status) + " ");
}

std::string body_of(const std::string& answer)
{
    const std::size_t end = answer.find("\r\n\r\n");
    return end == answer.npos ? "" : answer.substr(end + 4);
}

struct fixture
{
    std::atomic<unsigned> looks = 0;
    std::string name = "x";
    sluice::io_context_pool pool{2};

    // The number of looks is the size of its queue.
    page_type::snapshot_function counter()
    {
        return [this] {
            sluice::metrics::snapshot now;
            now.name = name;
            now.queues.push_back({.name = "looks", .stats = {.size = ++looks}});
            return now;
        };
    }
};

BOOST_FIXTURE_TEST_SUITE(live_page, fixture)

BOOST_AUTO_TEST_CASE(an_address_that_is_none_is_refused_with_the_remedy)
{
    for (const char* address : {"", "example.org", "127.0.0.1:80", "256.0.0.1"}) {
        const std::string message = sluice::test::message_of([&] {
            page_type page(pool, counter(), {.address = address});
        });
        BOOST_TEST(
            message.find("is no IP address; write one such as") != message.npos,
            message
        );
    }
}

BOOST_AUTO_TEST_CASE(a_port_in_use_is_refused_with_the_remedy)
{
    const page_type first(pool, counter());
    const std::string message = sluice::test::message_of([&] {
        page_type second(pool, counter(), {.port = first.port()});
    });
    const std::string expected = "cannot listen on 127.0.0.1:" +
                                 std::to_string(first.port()) +
                                 "; choose another port, or 0 for one that is free";
    BOOST_TEST(message.find(expected) != message.npos, message);
}

BOOST_AUTO_TEST_CASE(options_that_make_no_sense_are_refused)
{
    using sluice::page_action;
    const auto nothing = [] {};
    const auto refuses = [&](sluice::live_page_options options) {
        BOOST_CHECK_EXCEPTION(
            page_type(pool, counter(), std::move(options)),
            sluice::system_error,
            [](const auto& error) {
                return error.code() == sluice::errc::invalid_argument;
            }
        );
    };
    refuses({.interval = {}});
    refuses({.max_connections = 0});
    refuses({.actions = {{.name = "a b", .label = "", .run = nothing}}});
    refuses({.actions = {{.name = "", .label = "", .run = nothing}}});
    refuses({.actions = {{.name = "a", .label = ""}}});
    refuses(
        {.actions =
             {{.name = "a", .label = "", .run = nothing},
              {.name = "a", .label = "", .run = nothing}}}
    );
}

BOOST_AUTO_TEST_CASE(the_url_leads_to_the_page)
{
    const page_type page(pool, counter());
    BOOST_TEST(page.url() == "http://127.0.0.1:" + std::to_string(page.port()) + "/");
    BOOST_TEST(page.control_url() == page.url());
    const std::string got = answer(page, "GET /");
    BOOST_TEST(is_status(got, "200"), got);
    BOOST_TEST(got.find("Content-Security-Policy: default-src 'none';") != got.npos);
    BOOST_TEST(body_of(got).starts_with("<!DOCTYPE html>"));
    BOOST_TEST(looks == 0U);  // before the first look
}

BOOST_AUTO_TEST_CASE(state_and_metrics_are_those_of_the_snapshot)
{
    const page_type page(pool, counter());
    const std::string state = body_of(answer(page, "GET /api/state"));
    BOOST_TEST(state.find("\"name\":\"looks\"") != state.npos, state);
    BOOST_TEST(state.find("\"size\":1,") != state.npos, state);
    const std::string metrics = body_of(answer(page, "GET /metrics"));
    BOOST_TEST(metrics.find("sluice_queue_size{") != metrics.npos, metrics);
    BOOST_TEST(looks == 2U);
}

BOOST_AUTO_TEST_CASE(a_connection_is_used_again_and_a_head_has_no_body)
{
    const page_type page(pool, counter());
    client asker(page);
    asker.send(request("HEAD /healthz"));
    BOOST_TEST(
        asker.read_to("\r\n\r\n").find("Content-Length: 3\r\n") != std::string::npos
    );
    asker.send(request("GET /healthz") + request("GET /nothing"));
    BOOST_TEST(is_status(asker.read_to("\r\n\r\nok\n"), "200"));
    BOOST_TEST(is_status(asker.read_to("\r\n\r\n"), "404"));
}

BOOST_AUTO_TEST_CASE(requests_that_are_too_large_or_no_http_are_refused)
{
    const page_type page(pool, counter());
    const std::string host = "Host: localhost\r\n";
    const std::string large(9000, 'x');
    BOOST_TEST(is_status(answer(page, "GET /", host + "X: " + large + "\r\n"), "431"));
    BOOST_TEST(is_status(answer(page, "GET /" + large), "431"));
    BOOST_TEST(is_status(answer(page, "GET /", host + "Content-Length: 2000\r\n"), "413")
    );
    BOOST_TEST(is_status(answer(page, "nonsense"), "400"));
}

// As load balancers send it.
BOOST_AUTO_TEST_CASE(probe_of_http_1_0_without_a_host_is_answered)
{
    const page_type page(pool, counter());
    client prober(page);
    prober.send("GET /healthz HTTP/1.0\r\n\r\n");
    const std::string health = prober.read_all();
    BOOST_TEST(is_status(health, "200"));
    BOOST_TEST(body_of(health) == "ok\n");
    client other(page);
    other.send("GET /metrics HTTP/1.0\r\n\r\n");
    BOOST_TEST(is_status(other.read_all(), "400"));
    BOOST_TEST(looks == 0U);
}

BOOST_AUTO_TEST_CASE(allowed_hosts_are_names_under_which_the_page_is_served)
{
    const page_type page(pool, counter(), {.allowed_hosts = {"importer"}});
    BOOST_TEST(is_status(answer(page, "GET /metrics", "Host: importer:8080\r\n"), "200"));
    BOOST_TEST(is_status(answer(page, "GET /metrics", "Host: exporter\r\n"), "421"));
    for (const char* host : {"", "importer:8080", "http://importer"}) {
        const std::string message = sluice::test::message_of([&] {
            page_type refused(pool, counter(), {.allowed_hosts = {host}});
        });
        BOOST_TEST(
            message.find("must be a name without a port") != message.npos,
            message
        );
    }
}

BOOST_AUTO_TEST_CASE(an_action_after_the_end_of_the_run_is_refused)
{
    std::atomic<int> runs = 0;
    const page_type page(
        pool,
        [] {
            sluice::metrics::snapshot ended;
            ended.state = sluice::metrics::run_state::drained;
            return ended;
        },
        {.actions = {{.name = "go", .label = "Go", .run = [&] { ++runs; }}}}
    );
    const std::string url = page.control_url();
    const std::string permit = "Host: localhost\r\nAuthorization: Bearer " +
                               url.substr(url.find('=') + 1) + "\r\n";
    BOOST_TEST(is_status(answer(page, "POST /api/actions/go", permit), "409"));
    BOOST_TEST(runs == 0);
}

BOOST_AUTO_TEST_CASE(requests_for_other_hosts_are_refused)
{
    const page_type page(pool, counter());
    BOOST_TEST(is_status(answer(page, "GET /api/state", "Host: evil.example\r\n"), "421")
    );
    BOOST_TEST(is_status(answer(page, "GET /api/state", ""), "400"));
    const std::string two = "Host: localhost\r\nHost: evil.example\r\n";
    BOOST_TEST(is_status(answer(page, "GET /api/state", two), "400"));
    BOOST_TEST(looks == 0U);
}

BOOST_AUTO_TEST_CASE(an_action_is_run_once_by_a_request_with_the_token)
{
    std::atomic<int> runs = 0;
    const page_type page(
        pool,
        counter(),
        {.actions = {{.name = "go", .label = "Go", .run = [&] { ++runs; }}}}
    );
    const std::string mark = "#token=";
    const std::string url = page.control_url();
    BOOST_REQUIRE(url.starts_with(page.url() + mark));
    const std::string token = url.substr(url.find(mark) + mark.size());
    const std::string host = "Host: localhost\r\n";
    BOOST_TEST(is_status(answer(page, "POST /api/actions/go", host), "403"));
    BOOST_TEST(runs == 0);
    const std::string permit = "Authorization: Bearer " + token + "\r\n";
    BOOST_TEST(is_status(answer(page, "POST /api/actions/go", host + permit), "204"));
    BOOST_TEST(runs == 1);
}

BOOST_AUTO_TEST_CASE(events_go_on_while_a_browser_watches_and_stop_afterwards)
{
    page_type page(pool, counter(), {.interval = std::chrono::milliseconds(1)});
    {
        client viewer(page);
        viewer.send(request("GET /events"));
        const std::string head = viewer.read_to("\r\n\r\n");
        BOOST_TEST(head.find("Content-Type: text/event-stream\r\n") != head.npos, head);
        BOOST_TEST(viewer.read_to("\n\n") == "retry: 1000\n\n");
        for (int i = 0; i < 3; ++i) {
            const std::string event = viewer.read_to("\n\n");
            BOOST_TEST(event.starts_with("event: state\ndata: {"), event);
            BOOST_TEST(event.ends_with("}\n\n"));
            BOOST_TEST(std::ranges::count(event, '\n') == 3);
        }
        BOOST_TEST(page.viewers() == 1U);
    }
    while (page.viewers() > 0)  // it is noticed by a write that fails
        std::this_thread::yield();
}

BOOST_AUTO_TEST_CASE(who_does_not_read_holds_up_no_other_and_misses_events)
{
    name.assign(20'000, 'n');
    std::optional<page_type> page;
    page.emplace(
        pool,
        counter(),
        sluice::live_page_options{.interval = std::chrono::milliseconds(1)}
    );
    client asleep(*page, 4096);
    asleep.send(request("GET /events"));
    client awake(*page);
    awake.send(request("GET /events"));
    awake.read_to("\r\n\r\n");
    std::size_t got = 0;
    while (page->viewers() < 2)
        got += awake.read_to("\n\n").size();
    for (int i = 0; i < 100; ++i)
        got += awake.read_to("\n\n").size();
    BOOST_TEST(page->viewers() == 2U);
    page.reset();
    BOOST_TEST(asleep.read_all().size() < got / 2);  // what the system has kept for it
}

BOOST_AUTO_TEST_CASE(connections_beyond_the_limit_are_refused_and_free_ones_used_again)
{
    const page_type page(pool, counter(), {.max_connections = 2});
    std::optional<client> first(page.port());
    first->send(request("GET /healthz"));
    first->read_to("ok\n");
    client second(page);
    second.send(request("GET /healthz"));
    second.read_to("ok\n");
    BOOST_TEST(is_status(client(page).read_all(), "503"));
    first.reset();
    while (!is_status(answer(page, "GET /healthz"), "200"))
        std::this_thread::yield();
}

BOOST_AUTO_TEST_CASE(destroying_the_page_ends_its_connections_and_frees_the_port)
{
    std::optional<page_type> page(std::in_place, pool, counter());
    const unsigned short port = page->port();
    client viewer(*page);
    viewer.send(request("GET /events"));
    viewer.read_to("data: ");
    client idle(*page);
    idle.send(request("GET /healthz"));
    idle.read_to("ok\n");
    page.reset();
    const unsigned looks_before = looks;
    viewer.read_all();
    BOOST_TEST(idle.read_all() == "");
    BOOST_TEST(looks == looks_before);
    page.emplace(pool, counter(), sluice::live_page_options{.port = port});
    BOOST_TEST(is_status(answer(*page, "GET /healthz"), "200"));
}

BOOST_AUTO_TEST_CASE(an_action_may_destroy_the_page)
{
    std::optional<page_type> page;
    page.emplace(
        pool,
        counter(),
        sluice::live_page_options{
            .actions = {{.name = "end", .label = "End", .run = [&] { page.reset(); }}}
        }
    );
    const std::string url = page->control_url();
    client asker(*page);
    asker.send(request(
        "POST /api/actions/end",
        "Host: localhost\r\nAuthorization: Bearer " + url.substr(url.find('=') + 1) +
            "\r\n"
    ));
    asker.read_all();
    BOOST_TEST(!page.has_value());
}

// How far the page has come with its connections when something dies.
enum class progress
{
    listening,
    accepted,
    watched
};

std::vector<std::unique_ptr<client>> connect(
    asio::io_context& context,
    const page_type& page,
    progress how_far
)
{
    std::vector<std::unique_ptr<client>> clients;
    if (how_far == progress::listening)
        return clients;
    for (int i = 0; i < 2; ++i) {
        clients.push_back(std::make_unique<client>(page));
        if (how_far == progress::watched)
            clients.back()->send(request("GET /events"));
    }
    const std::size_t viewers = how_far == progress::watched ? clients.size() : 0;
    while (page.viewers() < viewers)
        context.run_one();
    context.poll();
    return clients;
}

BOOST_AUTO_TEST_CASE(page_and_context_may_die_in_any_order)
{
    for (const auto how_far :
         {progress::listening, progress::accepted, progress::watched})
        for (const bool page_first : {true, false})
            for (const bool runs_between : {true, false}) {
                auto context = std::make_unique<asio::io_context>();
                std::optional<page_type> page(std::in_place, *context, counter());
                const auto clients = connect(*context, *page, how_far);
                if (page_first)
                    page.reset();
                else
                    context.reset();
                if (page_first && runs_between)
                    context->poll();
                const unsigned looks_before = looks;
                context.reset();
                page.reset();
                BOOST_TEST(looks == looks_before);
                for (const auto& each : clients)
                    each->read_all();  // ends
            }
}

BOOST_AUTO_TEST_CASE(a_page_that_was_stopped_lets_the_context_end)
{
    asio::io_context context;
    std::optional<page_type> page(std::in_place, context, counter());
    const auto clients = connect(context, *page, progress::watched);
    page.reset();
    context.restart();
    context.run();  // returns
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(snapshot_exception_gives_500_and_keeps_serving)
{
    bool throws = true;
    const page_type page(pool, [&] {
        if (throws)
            throw std::runtime_error("no memory");
        return sluice::metrics::snapshot{.name = "well"};
    });
    const std::string failed = answer(page, "GET /api/state");
    BOOST_TEST(is_status(failed, "500"), failed);
    BOOST_TEST(body_of(failed) == "no memory\n");
    throws = false;
    BOOST_TEST(is_status(answer(page, "GET /api/state"), "200"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace live_page_cases

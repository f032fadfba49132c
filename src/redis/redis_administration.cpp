// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/redis_administration.hpp>

#include "redis/address.hpp"
#include "redis/link.hpp"
#include "redis/log_in.hpp"
#include "redis/status_of.hpp"
#include "redis/strand.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <utility>

namespace sluice::redis {

namespace asio = boost::asio;
using detail::awaitable;
using detail::check_answer;
using detail::command;
using detail::owned_reply;
using detail::reply;

namespace {

constexpr std::string_view key_begin = "sluice:{";
constexpr std::string_view meta_end = "}:meta";

std::string prefix_of(const std::string& name)
{
    return std::string(key_begin) + name + '}';
}

// A connection for a few commands.
class session
{
public:
    explicit session(const detail::strand_type& home)
        : link_(std::make_shared<detail::link>(home)), limit_(home)
    {
    }

    session(const session&) = delete;
    session& operator=(const session&) = delete;

    ~session()
    {
        limit_.cancel();
        link_->close();
    }

    // Closing the socket ends what waits on it.
    awaitable<void> begin(const detail::address& server, std::chrono::milliseconds limit)
    {
        limit_.expires_after(limit);
        limit_.async_wait([to = link_](const error_code& error) {
            if (!error.failed())
                to->close("connect_timeout passed");
        });
        co_await link_->connect(server);
        co_await log_in(*link_, server);
        co_await load_functions(*link_);
    }

    awaitable<owned_reply> ask(command text, const char* what)
    {
        owned_reply answer = co_await link_->exchange(std::move(text));
        check_answer(answer, what);
        co_return answer;
    }

    // Null if there is no such queue.
    template <class... Arguments>
    awaitable<owned_reply> call(
        const char* function,
        std::string prefix,
        Arguments... arguments
    )
    {
        const command text("FCALL", function, "1", prefix, arguments...);
        owned_reply answer = co_await link_->exchange(text);
        if (reply(answer.get()).is_error("NOQUEUE"))
            co_return nullptr;
        check_answer(answer, function);
        co_return answer;
    }

private:
    std::shared_ptr<detail::link> link_;
    asio::steady_timer limit_;
};

queue_kind kind_of(std::string_view name)
{
    if (name == "priority")
        return queue_kind::priority;
    return name == "shuffle" ? queue_kind::shuffle : queue_kind::fifo;
}

awaitable<std::optional<queue_info>> look_at(session& to, std::string name)
{
    const auto status = co_await to.call("sluice_1_status", prefix_of(name));
    if (status == nullptr)
        co_return std::nullopt;
    queue_info found;
    found.status = detail::status_of(reply(status.get()));
    const command text(
        "HMGET",
        prefix_of(name) + ":meta",
        "kind",
        "max_deliveries",
        "min_after_dequeue",
        "retry_delay",
        "max_retry_delay"
    );
    const auto meta = co_await to.ask(text, "HMGET");
    const reply fields(meta.get());
    found.name = std::move(name);
    found.kind = kind_of(fields[0].text());
    found.max_deliveries = static_cast<std::uint32_t>(fields[1].number());
    found.min_after_dequeue = static_cast<std::size_t>(fields[2].number());
    found.retry_delay = std::chrono::milliseconds(fields[3].number());
    found.max_retry_delay = std::chrono::milliseconds(fields[4].number());
    co_return found;
}

// A scan may give a key more than once.
awaitable<std::vector<std::string>> names_of_queues(session& to)
{
    std::vector<std::string> names;
    std::string cursor = "0";
    do {
        // keys of other types are of other programs
        const command text(
            "SCAN",
            cursor,
            "MATCH",
            "sluice:{*}:meta",
            "COUNT",
            "1000",
            "TYPE",
            "hash"
        );
        const auto answer = co_await to.ask(text, "SCAN");
        const reply page(answer.get());
        cursor = page[0].text();
        for (std::size_t i = 0; i < page[1].size(); ++i) {
            std::string_view key = page[1][i].text();
            key.remove_prefix(key_begin.size());
            key.remove_suffix(meta_end.size());
            names.emplace_back(key);
        }
    } while (cursor != "0");
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    co_return names;
}

awaitable<std::vector<queue_info>> look_at_all(session& to)
{
    std::vector<queue_info> all;
    const auto names = co_await names_of_queues(to);
    for (const std::string& name : names)
        if (auto found = co_await look_at(to, name))  // or it was deleted just now
            all.push_back(std::move(*found));
    co_return all;
}

// In one step with the news that this is no loss, for processes that use it or its dead letters:
// without one there is not the other.
awaitable<bool> remove_keys(session& to, std::string name)
{
    static constexpr std::array parts{
        ":meta",
        ":data",
        ":ready",
        ":leased",
        ":tries",
        ":ended",
        ":dead:meta",
        ":dead:data",
        ":dead:ready",
        ":dead:leased",
        ":dead:tries",
        ":dead:why"
    };
    const std::string prefix = prefix_of(name);
    command removal("UNLINK");
    for (const char* const part : parts)
        removal.add(prefix + part);
    co_await to.ask(command("MULTI"), "MULTI");
    co_await to.ask(command("PUBLISH", prefix + ":events", "d"), "PUBLISH");
    co_await to.ask(command("PUBLISH", prefix + ":dead:events", "d"), "PUBLISH");
    co_await to.ask(std::move(removal), "UNLINK");
    const auto done = co_await to.ask(command("EXEC"), "EXEC");
    co_return reply(done.get())[2].number() > 0;
}

// A letter of `:dead:why`.
std::string reason_of(std::string_view letter)
{
    if (letter == "r")
        return "its consumer returned it";
    return letter == "e" ? "its lease ended" : "";
}

peeked_element element_of(const reply& answer)
{
    constexpr std::size_t digits_of_time = 13;
    const std::string_view stored = answer[2].text();
    peeked_element found{
        .bytes = std::string(stored.substr(std::min(digits_of_time, stored.size()))),
        .deliveries = static_cast<std::uint32_t>(answer[1].number())
    };
    // of a dead letter: deliveries, letter, priority
    const std::string_view why = answer[3].text();
    if (const auto space = why.find(' '); space != why.npos) {
        std::from_chars(why.data(), why.data() + space, found.deliveries);
        found.reason = reason_of(why.substr(space + 1, 1));
    }
    return found;
}

awaitable<std::optional<std::vector<peeked_element>>> look_into(
    session& to,
    std::string name,
    queue_part part,
    std::size_t most
)
{
    std::vector<peeked_element> elements;
    std::string prefix = prefix_of(name);
    if (part == queue_part::dead_letters) {
        if (co_await to.call("sluice_1_status", prefix) == nullptr)
            co_return std::nullopt;
        prefix += ":dead";
    }
    const auto answer = co_await to.call("sluice_1_peek", prefix, most);
    if (answer == nullptr && part == queue_part::waiting)
        co_return std::nullopt;
    const reply found(answer.get());
    for (std::size_t i = 0; i < found.size(); ++i)
        elements.push_back(element_of(found[i]));
    co_return elements;
}

awaitable<std::optional<requeued_letters>> requeue_some(
    session& to,
    std::string name,
    std::size_t most
)
{
    constexpr std::size_t most_at_once = 1000;
    requeued_letters all;
    for (;;) {
        const auto answer = co_await to.call(
            "sluice_1_requeue",
            prefix_of(name),
            std::min(most - all.count, most_at_once)
        );
        if (answer == nullptr)
            co_return std::nullopt;
        const auto count = static_cast<std::size_t>(reply(answer.get())[0].number());
        all.count += count;
        all.left = static_cast<std::size_t>(reply(answer.get())[1].number());
        if (count == 0 || all.left == 0 || all.count == most)
            co_return all;
    }
}

bool have_all_ended(const reply& ended, const std::vector<feeder_count>& all)
{
    std::map<std::string_view, std::size_t> counts;
    for (std::size_t i = 0; i < ended.size(); ++i) {
        const std::string_view field = ended[i].text();
        ++counts[field.substr(0, field.rfind('\n'))];  // of a copy: in hexadecimal
    }
    return std::ranges::all_of(all, [&counts](const feeder_count& each) {
        return counts[each.feeder] >= each.copies;
    });
}

// Who writes down its end last sees the ends of all, so the queue is closed at least once.
awaitable<bool> add_end(
    session& to,
    std::string name,
    std::string field,
    std::vector<feeder_count> all
)
{
    const std::string key = prefix_of(name) + ":ended";
    const command noted("HSET", key, field, "1");
    co_await to.ask(noted, "HSET");
    const command asked("HKEYS", key);
    const auto ended = co_await to.ask(asked, "HKEYS");
    if (!have_all_ended(reply(ended.get()), all))
        co_return false;
    co_return co_await to.call("sluice_1_close", prefix_of(name)) != nullptr;
}

// Whatever the server or the system says, with the address.
system_error with_address(const system_error& error, const detail::address& server)
{
    const error_code code = error.code();
    if (code == asio::error::operation_aborted)
        return error;
    const bool is_known = code.category() == redis_category() ||
                          code.category() == sluice_category();
    return {
        is_known ? code : errc::connection_failed,
        "redis connection to " + server.shown() + ": " + detail::link::what_said(error)
    };
}

template <class Result>
awaitable<Result> in_session(
    detail::strand_type home,
    std::shared_ptr<const detail::address> server,
    std::chrono::milliseconds limit,
    std::function<awaitable<Result>(session&)> work
)
{
    // Of itself a coroutine takes terminal cancellation only.
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    try {
        session to(home);
        co_await to.begin(*server, limit);
        co_return co_await work(to);
    } catch (const system_error& error) {
        throw with_address(error, *server);
    }
}

template <class Result>
asio::awaitable<Result> with_session(
    const asio::any_io_executor& executor,
    std::shared_ptr<const detail::address> server,
    std::chrono::milliseconds limit,
    std::function<awaitable<Result>(session&)> work
)
{
    const auto home = asio::make_strand(executor);
    return asio::co_spawn(
        home,
        in_session<Result>(home, std::move(server), limit, std::move(work)),
        asio::use_awaitable
    );
}

}  // namespace

administration::administration(
    const asio::any_io_executor& executor,
    std::string_view url,
    connection_options options
)
    : executor_(executor),
      server_(std::make_shared<detail::address>(detail::parse_address(url))),
      options_(options)
{
}

administration::~administration() = default;

std::string administration::address() const
{
    return server_->shown();
}

asio::awaitable<std::vector<queue_info>> administration::queues() const
{
    return with_session<std::vector<queue_info>>(
        executor_,
        server_,
        options_.connect_timeout,
        look_at_all
    );
}

asio::awaitable<std::optional<queue_info>> administration::find(std::string name) const
{
    return with_session<std::optional<queue_info>>(
        executor_,
        server_,
        options_.connect_timeout,
        [name = std::move(name)](session& to) { return look_at(to, name); }
    );
}

asio::awaitable<bool> administration::close(std::string name) const
{
    return with_session<bool>(
        executor_,
        server_,
        options_.connect_timeout,
        [name = std::move(name)](session& to) -> awaitable<bool> {
            co_return co_await to.call("sluice_1_close", prefix_of(name)) != nullptr;
        }
    );
}

asio::awaitable<std::optional<std::vector<peeked_element>>> administration::peek(
    std::string name,
    queue_part part,
    std::size_t most
) const
{
    return with_session<std::optional<std::vector<peeked_element>>>(
        executor_,
        server_,
        options_.connect_timeout,
        [name = std::move(name), part, most](session& to) {
            return look_into(to, name, part, most);
        }
    );
}

asio::awaitable<std::optional<requeued_letters>> administration::requeue(
    std::string name,
    std::size_t most
) const
{
    return with_session<std::optional<requeued_letters>>(
        executor_,
        server_,
        options_.connect_timeout,
        [name = std::move(name), most](session& to) {
            return requeue_some(to, name, most);
        }
    );
}

asio::awaitable<bool> administration::remove(std::string name) const
{
    return with_session<bool>(
        executor_,
        server_,
        options_.connect_timeout,
        [name = std::move(name)](session& to) { return remove_keys(to, name); }
    );
}

asio::awaitable<bool> administration::note_end(
    std::string name,
    std::string feeder,
    std::string who,
    std::vector<feeder_count> all
) const
{
    return with_session<bool>(
        executor_,
        server_,
        options_.connect_timeout,
        [name = std::move(name),
         field = std::move(feeder) + '\n' + who,
         all = std::move(all)](session& to) { return add_end(to, name, field, all); }
    );
}

}  // namespace sluice::redis

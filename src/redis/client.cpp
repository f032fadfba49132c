// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/client.hpp"

#include "redis/log_in.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/defer.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::redis::detail {

namespace asio = boost::asio;

namespace {

bool is_for_good(const error_code& error) noexcept
{
    return error == errc::access_denied || error == errc::unsupported_server ||
           error == errc::tls_failed || error == sluice::errc::invalid_argument;
}

// Empty if the answer does not say.
std::string eviction_policy_of(const reply& memory)
{
    constexpr std::string_view field = "\nmaxmemory_policy:";
    const std::string_view text = memory.is_error() ? std::string_view() : memory.text();
    const auto found = text.find(field);
    if (found == text.npos)
        return {};
    const auto rest = text.substr(found + field.size());
    return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

}  // namespace

client::client(
    const asio::any_io_executor& executor,
    address server,
    const connection_options& options
)
    : home_(asio::make_strand(executor)),
      server_(std::move(server)),
      options_(options),
      pause_(home_),
      tick_(home_),
      next_pause_(options.first_pause)
{
}

void client::start()
{
    const auto self = shared_from_this();
    asio::co_spawn(home_, [self] { return self->run(); }, asio::detached);
    asio::co_spawn(home_, [self] { return self->poll(); }, asio::detached);
}

void client::stop()
{
    asio::post(home_, [self = shared_from_this()] {
        self->is_stopped_ = true;
        self->out_of_reach_ = errc::connection_closed;
        self->cause_ = nullptr;
        self->pause_.cancel();
        self->tick_.cancel();
        self->disconnect("the connection object was destroyed");
        for (const auto& core : self->cores_)
            core->out_of_reach(errc::connection_closed, nullptr);
    });
}

void client::add(remote_core_ptr core)
{
    asio::post(home_, [self = shared_from_this(), core = std::move(core)] {
        if (self->out_of_reach_.failed())
            core->out_of_reach(self->out_of_reach_, self->cause_);
        if (self->is_stopped_)
            return;
        self->cores_.push_back(core);
        if (self->is_connected_)
            self->attend(*core);
    });
}

void client::leave(remote_core& core)
{
    asio::post(
        home_,
        [self = shared_from_this(), core = remote_core_ptr(&core)]() mutable {
            if (std::ranges::find(self->cores_, core) == self->cores_.end())
                core->detach();  // run() has ended
            core.reset();
            self->forget_finished_cores();
        }
    );
}

// What a core has to say reaches the server by way of the connection, and its operations end with
// it, so a core stays as long as there may be one.
void client::forget_finished_cores()
{
    for (auto it = cores_.begin(); it != cores_.end();) {
        if (!(*it)->is_finished()) {
            ++it;
            continue;
        }
        const remote_core_ptr finished = std::move(*it);
        it = cores_.erase(it);
        finished->detach();
        unsubscribe(finished->event_channel());
    }
    const auto is_silent = [](const auto& core) { return core->has_nothing_to_say(); };
    if (std::ranges::all_of(cores_, is_silent))
        is_refused_ = false;  // there is nothing to refuse any more
}

void client::subscribe(const std::string& channel)
{
    events_->send(command("SUBSCRIBE", channel), nullptr);
    events_->flush();
}

void client::unsubscribe(const std::string& channel)
{
    const bool is_shared = std::ranges::any_of(cores_, [&channel](const auto& core) {
        return core->event_channel() == channel;
    });
    if (is_shared || !is_connected_)
        return;
    events_->send(command("UNSUBSCRIBE", channel), nullptr);
    events_->flush();
}

void client::post_pump(remote_core& core)
{
    asio::post(home_, [self = shared_from_this(), core = remote_core_ptr(&core)] {
        core->pump();
    });
}

// Deferred outside the strand, which stays free for run_pump().
void client::defer_pump(remote_core& core)
{
    asio::defer(
        home_.get_inner_executor(),
        [self = shared_from_this(), core = remote_core_ptr(&core)] {
            self->run_pump(*core);
        }
    );
}

// An operation that a thread of the executor starts is on its way when that returns, unless
// another thread is in the strand.
void client::run_pump(remote_core& core)
{
    asio::dispatch(home_, [self = shared_from_this(), core = remote_core_ptr(&core)] {
        core->pump();
    });
}

void client::flush() noexcept
{
    if (commands_ != nullptr)
        commands_->flush();
}

void client::send(remote_core& core, lane from, command text) noexcept
{
    try {
        // run() calls it, by way of the link, and so keeps this alive.
        commands_->send(
            text,
            [this, core = remote_core_ptr(&core), from](const reply* answer) {
                if (answer != nullptr)
                    judge(*answer, from);
                core->on_reply(from, answer);
            }
        );
    } catch (...) {
        disconnect("out of memory");
        core.on_reply(from, nullptr);
    }
}

// An answer may say that this connection is of no use.
void client::judge(const reply& answer, lane from) noexcept
{
    if (!answer.asks_to_reconnect()) {
        is_refused_ = false;
        is_of_use_ = is_of_use_ || from != lane::opening;
        return;
    }
    if (!std::exchange(is_refused_, true))
        lost_since_ = clock::now();
    commands_->close(answer.text());
}

// Connecting ----------------------------------------------------------------------------------

awaitable<void> client::run()
{
    while (!is_stopped_) {
        try {
            co_await connect();
            if (!is_stopped_)
                co_await serve();
        } catch (const system_error& error) {
            note_failure(error);
        } catch (const std::exception& error) {
            note_failure(system_error(errc::connection_failed, error.what()));
        }
        if (is_stopped_)
            break;
        pause_.expires_after(next_pause_);
        error_code ignored;
        co_await pause_.async_wait(asio::redirect_error(use_awaitable, ignored));
        next_pause_ = std::min(2 * next_pause_, options_.longest_pause);
    }
    // What was on its way has been answered, so nothing waits any more.
    for (const auto& core : std::exchange(cores_, {}))
        if (core->is_orphaned())
            core->detach();
}

void client::note_failure(const system_error& why)
{
    const bool was_connected = is_connected_.exchange(false);
    if (was_connected && !is_refused_ && (is_of_use_ || owes_nothing())) {
        lost_since_ = clock::now();
        next_pause_ = options_.first_pause;
    }
    disconnect({});
    // First the news that there is no connection, so that nothing is sent over this one.
    for (const auto& core : cores_)
        core->lost();
    if (commands_ != nullptr)
        commands_->drop_answers();
    if (is_stopped_)
        return;
    const std::string place = "redis connection to " + server_.shown() + ": ";
    note_problem(place + why.what());
    if (!is_for_good(why.code()) && clock::now() - lost_since_ < options_.give_up_after)
        return;
    out_of_reach_ = is_for_good(why.code()) ? why.code() : errc::connection_failed;
    cause_ = std::make_exception_ptr(
        system_error(out_of_reach_, place + link::what_said(why))
    );
    for (const auto& core : cores_)
        core->out_of_reach(out_of_reach_, cause_);
}

bool client::owes_nothing() const noexcept
{
    return commands_->owes_since() == clock::time_point::max();
}

void client::note_problem(std::string why)
{
    const std::lock_guard lock(mutex_);
    problem_ = std::move(why);
}

std::string client::problem() const
{
    const std::lock_guard lock(mutex_);
    return problem_;
}

std::string client::warning() const
{
    const std::lock_guard lock(mutex_);
    return warning_;
}

awaitable<void> client::connect()
{
    commands_ = std::make_shared<link>(home_);
    events_ = std::make_shared<link>(home_);
    // Closing a socket ends what waits on it.
    asio::steady_timer limit(home_, options_.connect_timeout);
    limit.async_wait([commands = commands_, events = events_](const error_code& error) {
        if (!error.failed()) {
            commands->close("connect_timeout passed");
            events->close("connect_timeout passed");
        }
    });
    co_await commands_->connect(server_);
    co_await log_in(*commands_, server_);
    co_await load_functions(*commands_);
    co_await look_for_eviction();
    co_await events_->connect(server_);
    co_await log_in(*events_, server_);
    // Of a queue, if there is one: a user may have the right to that only, and denials are noted.
    const auto channel = cores_.empty() ? "sluice:{}:events"
                                        : cores_.front()->event_channel();
    co_await begin_events(*events_, channel);
}

// Without the right to ask there is no warning. The keys of a queue have no expiry, so that other
// policies do not evict them.
awaitable<void> client::look_for_eviction()
{
    const auto answer = co_await commands_->exchange(command("INFO", "memory"));
    const std::string policy = eviction_policy_of(reply(answer.get()));
    std::string warning;
    if (policy.starts_with("allkeys-"))
        warning = "redis connection to " + server_.shown() +
                  ": its maxmemory-policy is " + policy +
                  ", with which a server may evict queues; set it to noeviction";
    const std::lock_guard lock(mutex_);
    warning_ = std::move(warning);
}

// Until one of the links is lost, which ends both.
awaitable<void> client::serve()
{
    pinged_at_.reset();
    misses_events_ = false;
    note_problem({});
    is_connected_ = true;
    is_of_use_ = false;
    out_of_reach_ = {};
    cause_ = nullptr;
    asio::co_spawn(
        home_,
        [self = shared_from_this(), events = events_] {
            return events->read([self](const reply& message) { self->on_push(message); });
        },
        [commands = commands_](const std::exception_ptr& /*error*/) {
            commands->close("the connection for events was lost");
        }
    );
    for (const auto& core : cores_)
        attend(*core);
    co_await commands_->read([](const reply& /*unasked*/) {});
}

void client::attend(remote_core& core)
{
    subscribe(core.event_channel());
    core.connected();
}

void client::disconnect(std::string_view why) noexcept
{
    if (commands_ != nullptr)
        commands_->close(why);
    if (events_ != nullptr)
        events_->close(why);
}

// Events --------------------------------------------------------------------------------------

void client::on_push(const reply& message)
{
    if (denies_events(message)) {
        disconnect("the server rejected SUBSCRIBE");
        return;
    }
    if (message.is_error()) {
        // Of a channel, most likely. Its queue cannot be opened, and others go on.
        misses_events_ = true;
        return;
    }
    char what = 'c';  // until now some have been missed, perhaps
    if (message[0].text() == "message") {
        if (message[2].text().empty())
            return;  // not of a queue
        what = message[2].text().front();
    } else if (message[0].text() != "subscribe") {
        return;
    }
    const auto channel = message[1].text();
    for (const auto& core : cores_)
        if (core->event_channel() == channel)
            core->on_event(what);
}

awaitable<void> client::poll()
{
    while (!is_stopped_) {
        tick_.expires_after(options_.poll_interval);
        error_code ignored;
        co_await tick_.async_wait(asio::redirect_error(use_awaitable, ignored));
        try {
            forget_finished_cores();
            if (is_connected_) {
                is_of_use_ = is_of_use_ || owes_nothing();
                check_silence();
                subscribe_again();
            }
        } catch (const std::bad_alloc&) {
            // the next one does it
        }
        if (!is_connected_)
            continue;
        for (const auto& core : cores_)
            core->on_event(remote_core::poll);
    }
}

// A channel that was refused may be allowed now. The others are no different after it.
void client::subscribe_again()
{
    if (!misses_events_)
        return;
    for (const auto& core : cores_)
        subscribe(core->event_channel());
    misses_events_ = false;
}

// A link for events that is silent counts as lost only if it does not answer a question either.
void client::check_silence()
{
    const auto now = clock::now();
    if (pinged_at_ && events_->heard_last() >= *pinged_at_)
        pinged_at_.reset();
    if (!pinged_at_ && now - events_->heard_last() > options_.reply_timeout / 2) {
        events_->send(command("PING"), nullptr);
        events_->flush();
        pinged_at_ = now;
    }
    const auto limit = now - options_.reply_timeout;
    // A long answer may take longer than that.
    const auto waits_since = std::max(commands_->owes_since(), commands_->heard_last());
    if (waits_since < limit || pinged_at_.value_or(now) < limit)
        disconnect("the server did not answer within reply_timeout");
}

}  // namespace sluice::redis::detail

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_redis/redis_ends.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/data/json_text.hpp"
#include <sluice/error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr char mark = '\1';
constexpr std::string_view text_header = "\1t\n";
constexpr std::string_view json_header = "\1j\n";

constexpr auto longest_pause = 1s;

redis::queue_kind kind_of(const queue_description& description)
{
    if (description.kind == "priority")
        return redis::queue_kind::priority;
    return description.kind == "shuffle" ? redis::queue_kind::shuffle
                                         : redis::queue_kind::fifo;
}

// The server counts milliseconds; what is shorter is one.
std::chrono::milliseconds in_milliseconds(std::chrono::nanoseconds time)
{
    return std::chrono::ceil<std::chrono::milliseconds>(time);
}

redis::queue_options options_of(const queue_description& description)
{
    return {
        .name = description.key,
        .capacity = description.capacity,
        .kind = kind_of(description),
        .lease = in_milliseconds(description.lease),
        .max_deliveries = description.max_deliveries,
        .min_after_dequeue = description.min_after_dequeue,
        .retry_delay = in_milliseconds(description.retry_delay),
        .max_retry_delay = in_milliseconds(description.max_retry_delay)
    };
}

constexpr double first_inexact = 9'007'199'254'740'992;  // 2^53; a score is a double

std::int64_t priority_of(
    const element& content,
    const nlohmann::json::json_pointer& by,
    const std::string& queue
)
{
    if (content.kind() == element_kind::value) {
        const json_value::json_pointer at(by.to_string());
        const json_value value = content.to_json();
        if (value.contains(at) && value.at(at).is_number_integer()) {
            const double number = value.at(at).get<double>();
            if (std::abs(number) < first_inexact)
                return static_cast<std::int64_t>(number);
        }
    }
    throw std::runtime_error(fmt::format(
        "an element for the queue '{}' has no whole number between -2^53 and 2^53 at "
        "\"{}\" to order it by",
        queue,
        by.to_string()
    ));
}

redis_ends::output_queue::priority_function priority_for(
    const queue_description& description
)
{
    if (description.kind != "priority")
        return nullptr;
    return [by = nlohmann::json::json_pointer(description.by),
            name = description.name](const element& content) {
        return priority_of(content, by, name);
    };
}

// Of the end that puts nothing.
redis_ends::input_queue::priority_function no_priority_for(
    const queue_description& description
)
{
    if (description.kind != "priority")
        return nullptr;
    return [](const std::string&) { return 0; };
}

}  // namespace

std::string element_codec::encode(const element& content)
{
    std::string bytes;
    if (!content.is_text()) {
        bytes += json_header;
        detail::append_json(content, bytes, invalid_utf8::refuse);
        return bytes;
    }
    if (content.text().starts_with(mark))
        bytes += text_header;
    bytes += content.text();
    return bytes;
}

element element_codec::decode(std::string_view bytes)
{
    if (!bytes.starts_with(mark))
        return element(bytes);
    if (bytes.starts_with(text_header))
        return element(bytes.substr(text_header.size()));
    if (bytes.starts_with(json_header))
        return element(parse_json(bytes.substr(json_header.size())));
    throw std::runtime_error("it is not what a pipeline has put there");
}

redis_ends::redis_ends(
    std::shared_ptr<redis::connection> server,
    const remote_queue_request& request
)
    : server_(std::move(server)),
      input_(*server_, options_of(request.queue), no_priority_for(request.queue)),
      output_(*server_, options_of(request.queue), priority_for(request.queue)),
      name_(request.queue.name),
      source_(output_.source()),
      lease_(request.queue.lease),
      home_(asio::make_strand(server_->get_executor())),
      tick_(home_)
{
}

void redis_ends::start()
{
    asio::co_spawn(
        home_,
        [self = shared_from_this()] { return self->look_after(); },
        asio::detached
    );
}

void redis_ends::stop()
{
    asio::post(home_, [self = shared_from_this()] {
        self->is_stopped_ = true;
        self->tick_.cancel();
    });
}

asio::awaitable<void> redis_ends::look_after()
{
    while (!is_stopped_) {
        extend_leases();
        tick_.expires_after(std::min<std::chrono::nanoseconds>(longest_pause, lease_ / 3)
        );
        error_code ignored;
        co_await tick_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

// What is lost already comes out when it is acknowledged.
void redis_ends::extend_leases()
{
    const std::lock_guard lock(mutex_);
    for (const deliveries& each : held_)
        input_.extend(each)([](const error_code& /*lost*/) {});
}

redis_ends::held_list::iterator redis_ends::hold(deliveries taken)
{
    const std::lock_guard lock(mutex_);
    return held_.insert(held_.end(), std::move(taken));
}

redis_ends::deliveries redis_ends::release(held_list::iterator held)
{
    const std::lock_guard lock(mutex_);
    deliveries taken = std::move(*held);
    held_.erase(held);
    return taken;
}

metrics::queue_snapshot redis_ends::snapshot() const
{
    metrics::queue_snapshot now = source_->look();
    now.name = name_;
    now.type = to_string(queue_type::redis);
    return now;
}

asio::awaitable<void> redis_ends::flush(std::chrono::nanoseconds patience)
{
    const auto [lost_input] = co_await input_.flush().within(patience).as_tuple();
    if (lost_input.failed())
        co_return;  // nor would it say how the queue is
    const auto [lost_output] = co_await output_.flush().within(patience).as_tuple();
    if (lost_output.failed() || !server_->is_connected())
        co_return;
    const auto [error, last] = co_await output_.status().within(patience).as_tuple();
    if (!error.failed())
        source_->note(last);
}

}  // namespace sluice::pipeline

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/remote_waiter.hpp>

#include "redis/command.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_core.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::redis::detail {

using sluice::detail::demand;
using sluice::detail::on_queue;

failure_reason explained(
    error_code code,
    std::string_view of,
    std::string_view why
) noexcept
try {
    const system_error error(code, std::string(of) + ": " + std::string(why));
    return {code, std::make_exception_ptr(error)};
} catch (...) {
    return {code};
}

remote_waiter::remote_waiter(lane list, remote_core* core) noexcept
    : waiter(static_cast<unsigned char>(list), core)
{
}

remote_core& remote_waiter::core() const noexcept
{
    return static_cast<remote_core&>(*hub_);
}

void remote_producer::cancel(error_code why) noexcept
{
    core().cancel_producer(*this, why);
}

std::string remote_producer::describe() const
{
    const std::string name = tries ? "try_enqueue" : "enqueue";
    return records.size() == 1
               ? on_queue(name.c_str(), *this)
               : on_queue((name + "_many").c_str(), records.size(), *this);
}

void remote_producer::write(command& text) const
{
    text.add(number);
    text.add(records.size());
    for (const record& one : records) {
        text.add(one.bytes);
        text.add(one.priority);
    }
}

// A batch of a fixed size comes as a whole, however large.
void remote_consumer::write(command& text, std::size_t at_once) const
{
    const bool is_exact = kind == demand::exactly;
    const bool is_fixed = is_exact || kind == demand::up_to;
    text.add(is_exact ? wanted : is_fixed ? std::min(wanted, at_once) : 1);
    text.add(is_fixed ? wanted : std::min(missing(), most_elements));
    text.add(is_exact ? "0" : "1");
}

std::string remote_consumer::describe() const
{
    if (!tries)
        return described(name_of(kind));
    return described(kind == demand::one ? "try_dequeue" : "try_dequeue_many");
}

std::string remote_consumer::described(const char* operation) const
{
    return kind == demand::one ? on_queue(operation, *this)
                               : on_queue(operation, wanted, *this);
}

std::string remote_consumer::numbers() const
{
    return kind == demand::one ? std::string()
                               : numbers_of_batch(*this, left, core().capacity());
}

void remote_consumer::add(std::vector<leased_element> more) noexcept
try {
    if (elements.empty())
        elements.swap(more);
    for (auto& element : more)
        elements.push_back(std::move(element));
} catch (...) {
}

remote_consumer::~remote_consumer()
{
    if (!elements.empty())
        core().settle(settling::forget, std::move(elements));
}

std::string remote_settler::describe() const
{
    const char* const name = what == settling::acknowledge ? "acknowledge"
                             : what == settling::extend    ? "extend"
                                                           : "requeue";
    return on_queue(name, *this);
}

remote_settler::~remote_settler()
{
    if (!elements.empty() && what != settling::extend)
        core().settle(settling::requeue, std::move(elements));
}

std::string remote_query::describe() const
{
    switch (asked) {
    case question::status:
        return on_queue("status", *this);
    case question::size:
        return on_queue("size", *this);
    case question::position:
        return on_queue("position", *this);
    case question::close:
        return on_queue("close", *this);
    case question::flush:
        break;
    }
    return on_queue("flush", *this);
}

}  // namespace sluice::redis::detail

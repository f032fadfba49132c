// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/leased_context.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// Whether the same would happen with any other element: a queue on a server refuses, a disk is
// full. What takes all memory is perhaps the element.
bool is_of_surroundings(const std::exception_ptr& thrown) noexcept
{
    try {
        std::rethrow_exception(thrown);
    } catch (const remote_queue_failed&) {
        return true;
    } catch (const std::system_error&) {
        return true;
    } catch (...) {
        return false;
    }
}

}  // namespace

leased_context::leased_context(const surroundings& around, remote_queue& from)
    : worker_context(around), from_(from)
{
}

asio::awaitable<std::vector<element>> leased_context::take_from_queue(read_request request
)
{
    co_await end();
    if (!request.fill)
        request.most = std::min(request.most, most_taken);
    batch_ = co_await from_.take(request);
    if (batch_ == nullptr)
        co_return std::vector<element>();
    co_return std::move(batch_->elements());
}

std::string_view leased_context::remote_input() const noexcept
{
    return from_.name();
}

std::span<const element_key> leased_context::keys() const noexcept
{
    if (batch_ == nullptr)
        return {};
    return batch_->keys();
}

void leased_context::note_failure(const std::exception_ptr& thrown) noexcept
{
    if (batch_ != nullptr && is_of_surroundings(thrown))
        batch_->absolve();
}

asio::awaitable<void> leased_context::end()
{
    if (const auto done = std::exchange(batch_, nullptr))
        co_await done->acknowledge();
}

}  // namespace sluice::pipeline

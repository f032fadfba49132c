// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage.hpp>

#include "pipeline/by_element.hpp"
#include "pipeline/data/record_builder.hpp"

#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<void> stage::finish(stage_context& /*context*/)
{
    co_return;
}

asio::awaitable<void> transform::work(stage_context& context)
{
    const element_function function = [this](element&& in, std::vector<element>& out) {
        apply(std::move(in), out);
    };
    co_await work_by_element(context, function);
}

namespace {

// Applies the function. If it throws, the vector is as before.
std::optional<refused_element> try_apply(
    const element_function& apply,
    element&& in,
    std::vector<element>& out,
    error_action action
)
{
    const std::size_t before = out.size();
    element kept = action == error_action::fail ? element() : in;
    try {
        apply(std::move(in), out);
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        throw;  // not the fault of this element
    } catch (const std::exception& error) {
        out.resize(before);
        return refused_element{std::move(kept), error.what()};
    }
}

constexpr std::uint64_t most_waste = 8;  // bytes that buffers keep for one of an element
constexpr std::uint64_t recent = 4096;   // elements that say which share is given
constexpr std::size_t most_in_hand = 1024 * 1024;  // bytes

std::size_t weight_from(std::size_t first, const std::vector<element>& elements) noexcept
{
    std::size_t sum = 0;
    for (std::size_t i = first; i < elements.size(); ++i)
        if (detail::block_of(elements[i]) == nullptr)  // a block limits what it keeps
            sum += elements[i].weight();
    return sum;
}

}  // namespace

asio::awaitable<void> work_by_element(
    stage_context& context,
    const element_function& apply
)
{
    const error_action action = context.on_error();
    std::vector<element> out;
    std::size_t weight = 0;  // of `out`
    std::uint64_t taken = 0;
    std::uint64_t given = 0;
    while (true) {
        std::vector<element> in = co_await context.read();
        if (in.empty())
            co_return;
        for (element& each : in) {
            const std::size_t before = out.size();
            if (action == error_action::fail)
                apply(std::move(each), out);
            else if (auto refused = try_apply(apply, std::move(each), out, action))
                co_await context.skip(
                    std::move(refused->content),
                    std::move(refused->reason)
                );
            weight += weight_from(before, out);
            // so that memory stays bounded
            if (out.size() >= stage_context::batch_size || weight >= most_in_hand) {
                given += out.size();
                co_await context.write(out);
                weight = 0;
            }
        }
        taken += in.size();
        detail::release_all(in);
        given += out.size();
        // A stage that passes on few keeps few of many buffers.
        if (given * most_waste < taken)
            detail::leave_large_buffers(out);
        if (taken > recent) {  // what was long ago counts less and less
            taken /= 2;
            given /= 2;
        }
        if (!out.empty())
            co_await context.write(out);
        weight = 0;
    }
}

}  // namespace sluice::pipeline

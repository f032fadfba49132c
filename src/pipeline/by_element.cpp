// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/by_element.hpp"

#include "pipeline/refused_element.hpp"

#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

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
    element kept = action == error_action::divert ? in : element();
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

}  // namespace

asio::awaitable<void> work_by_element(
    stage_context& context,
    const element_function& apply
)
{
    const error_action action = context.on_error();
    std::vector<element> out;
    while (true) {
        std::vector<element> in = co_await context.read();
        if (in.empty())
            co_return;
        for (element& each : in) {
            if (action == error_action::fail)
                apply(std::move(each), out);
            else if (auto refused = try_apply(apply, std::move(each), out, action))
                co_await context.skip(
                    std::move(refused->content),
                    std::move(refused->reason)
                );
            if (out.size() >= stage_context::batch_size)  // so that memory stays bounded
                co_await context.write(out);
        }
        if (!out.empty())
            co_await context.write(out);
    }
}

}  // namespace sluice::pipeline

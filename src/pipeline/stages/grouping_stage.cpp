// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/grouping_stage.hpp"

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<void> grouping_stage::finish(stage_context& context)
{
    co_await groups_.unite(context);
    co_await groups_.rank(context, [this](group& each) { return rank_of(each); });
    while (context.has_output()) {
        std::vector<element> out = co_await context.blocking([this] {
            return next_results();
        });
        if (out.empty())
            co_return;
        co_await context.write(out);
    }
    while (co_await context.blocking([this, &context] {
        return print_some(context.out());
    })) {}
}

long double grouping_stage::rank_of(group& its_group) const
{
    return static_cast<long double>(its_group.count);
}

void grouping_stage::check_printed(std::string_view /*key*/) const {}

void grouping_stage::append_line(groups::entry& made, std::string& lines) const
{
    append_json(result_of(made), lines, invalid_utf8::refuse);
    lines += '\n';
}

std::vector<element> grouping_stage::next_results()
{
    std::vector<element> results;
    while (results.size() < stage_context::batch_size) {
        groups::entry* const next = groups_.next();
        if (next == nullptr)
            break;
        results.emplace_back(result_of(*next));
    }
    return results;
}

// Whether there may be more.
bool grouping_stage::print_some(output& out)
{
    constexpr std::size_t most_at_once = 64 * 1024;
    std::string lines;
    groups::entry* next = groups_.next();
    for (; next != nullptr; next = groups_.next()) {
        append_line(*next, lines);
        if (lines.size() >= most_at_once)
            break;
    }
    out.write(lines);
    return next != nullptr;
}

}  // namespace sluice::pipeline

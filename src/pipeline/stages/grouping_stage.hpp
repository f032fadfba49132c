// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/by_element.hpp"
#include "pipeline/stages/groups.hpp"
#include <sluice/pipeline/json_value.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// The options of all stages that make groups.
struct group_options
{
    std::int64_t top = 0;
    byte_size memory = {std::uint64_t{256} << 20U};
};

// Adds them to those of a stage, whose options derive from group_options.
template <class Options>
stage_options<Options>& add_group_options(stage_options<Options>& options)
{
    return options
        .optional(
            "top",
            &Options::top,
            "how many are given, the largest first; 0: all",
            {.minimum = 0}
        )
        .optional(
            "memory",
            &Options::memory,
            "how much memory it may take for what it keeps; more is an error"
        );
}

// Puts elements into groups, and gives a result for each at its end, that of the largest first. A
// derived class says which group an element belongs to, and what its result is.
class grouping_stage : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> finish(stage_context& context) final;
    [[nodiscard]] bool can_skip() const noexcept final { return true; }

protected:
    // Where an element belongs, and what of it counts there. Until the reader is called again, or
    // the element ends.
    struct place
    {
        std::string_view key;
        std::span<const found_number> numbers = {};
    };

    // The work of one worker. Its reader gives the place of an element, or throws
    // std::runtime_error if it cannot be counted.
    template <class Reader>
    [[nodiscard]] boost::asio::awaitable<void> work_with(
        stage_context& context,
        Reader read
    )
    {
        groups::table own(groups_);
        const bool skips = context.on_error() != error_action::fail;
        std::vector<refused_element> refused;
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                break;
            for (const element& each : taken)
                add(each, read, own, !context.has_output(), skips ? &refused : nullptr);
            detail::release_all(taken);
            for (refused_element& each : std::exchange(refused, {}))
                co_await context.skip(std::move(each.content), std::move(each.reason));
        }
        groups_.leave(std::move(own));
    }

    explicit grouping_stage(const groups_options& options) : groups_(options) {}

    // The largest comes first, and of equal ones the first key. It holds all integers of 64 bits.
    [[nodiscard]] virtual long double rank_of(group& its_group) const;

private:
    // Throws std::runtime_error if the result for a key cannot be printed. Once for each key, with
    // its first element, which can be left out.
    virtual void check_printed(std::string_view key) const;

    [[nodiscard]] virtual json_value result_of(groups::entry& made) const = 0;

    // The result where it is printed, with its newline.
    virtual void append_line(groups::entry& made, std::string& lines) const;

    // More than the memory is no fault of this element.
    void add(
        const element& given,
        auto& read,
        groups::table& own,
        bool prints,
        std::vector<refused_element>* refused
    ) const
    {
        place its;
        group* its_group = nullptr;
        try {
            its = read(given);
            its_group = own.find(its.key);
            if (its_group == nullptr && prints)
                check_printed(its.key);
        } catch (const std::runtime_error& error) {
            if (refused == nullptr)
                throw;
            refused->push_back({given, error.what()});
            return;
        }
        own.add(its_group != nullptr ? *its_group : own.at(its.key), its.numbers);
    }

    [[nodiscard]] std::vector<element> next_results();
    [[nodiscard]] bool print_some(output& out);

    groups groups_;
};

}  // namespace sluice::pipeline

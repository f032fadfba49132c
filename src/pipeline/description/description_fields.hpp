// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/stage_options.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What may stand in a description: names, types, limits and defaults. Both the reader and the
// schema are made of this, so that they cannot differ.
namespace sluice::pipeline::detail {

constexpr std::size_t most_queues = 1000;
constexpr std::size_t most_runners = 1000;
constexpr std::size_t longest_queue_name = 100;  // in characters; they are drawn

struct pipeline_fields
{
    std::string name = pipeline_description().name;
    std::string description = {};
    std::int64_t threads = 0;
    nlohmann::json coordinator = nlohmann::json::object();
    nlohmann::json queues = nlohmann::json::object();
    nlohmann::json runners = nlohmann::json::array();
    std::string schema = {};
};

struct coordinator_fields
{
    std::chrono::nanoseconds stop_grace_period = pipeline_description().stop_grace_period;
};

struct queue_fields
{
    std::string type = "fifo";
    std::int64_t capacity = 256;
    std::int64_t min_after_dequeue = 0;
    std::optional<std::int64_t> seed = std::nullopt;
    std::string by = {};
};

struct runner_fields
{
    std::string name = {};
    std::string stage = {};
    nlohmann::json options = nlohmann::json::object();
    std::optional<std::string> from = std::nullopt;
    std::optional<std::string> to = std::nullopt;
    std::int64_t workers = 1;
};

// A type of queue, and what a queue of that type may say.
struct queue_kind
{
    queue_type type = queue_type::fifo;
    std::string name = {};
    stage_options<queue_fields> fields = {};
};

[[nodiscard]] stage_options<pipeline_fields> fields_of_pipeline();
[[nodiscard]] stage_options<coordinator_fields> fields_of_coordinator();
[[nodiscard]] stage_options<runner_fields> fields_of_runner(const stage_registry& stages);

// All types; the first is the default.
[[nodiscard]] std::vector<queue_kind> queue_kinds();

}  // namespace sluice::pipeline::detail

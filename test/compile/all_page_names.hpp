// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// As page_names.hpp, with the names of pages about all components and of examples in headers.

#pragma once

#include "page_names.hpp"
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/running_pipeline.hpp>
#include <sluice/redis/codec.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>
#include <sluice/report.hpp>

#include <boost/asio/detached.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <unistd.h>

struct job
{
    int number;
    std::string what;
};
struct order
{
    std::string SerializeAsString() const;
};
struct picture
{
    std::vector<std::byte> bytes;
};

template <>
struct sluice::redis::codec<job>
{
    static std::string encode(const job&);
    static job decode(std::string_view);
};

namespace page_live_page {
extern sluice::monitor watch;
}  // namespace page_live_page

namespace page_monitor {
extern sluice::monitor watch;
}  // namespace page_monitor

namespace page_reports {
struct state_type
{
    std::int64_t step;
};
extern const state_type checkpoint;
}  // namespace page_reports

namespace page_redis {
using ::job;
struct database_type
{
};
extern database_type database;
extern sluice::redis::connection redis;
extern sluice::redis::queue<job> jobs;
extern std::vector<job> batch;
extern const job first;
extern std::optional<sluice::redis::delivery<job>> next;
void log(const job&);
void too_busy();
template <class Id>
asio::awaitable<void> in_transaction(database_type&, const Id&, const job&);
}  // namespace page_redis

namespace examples {
struct config
{
};
struct example
{
};
extern texts words;
asio::awaitable<void> read(texts&);
asio::awaitable<page> fetch(url);
example parse(const std::string&);
void train(const std::vector<example>&);
void copy_a_block();
}  // namespace examples

namespace examples::bucketer {
asio::awaitable<row> read_row();
void train(std::size_t, const std::vector<row>&);
}  // namespace examples::bucketer

namespace examples::checked_description {
extern const std::string text;
extern const sluice::pipeline::stage_registry stages;
}  // namespace examples::checked_description

namespace examples::coordinator {
extern sluice::fifo_queue<record> records;
asio::awaitable<void> parse(texts&, sluice::fifo_queue<record>&);
}  // namespace examples::coordinator

namespace examples::delivery {
extern sluice::redis::queue<job> jobs;
asio::awaitable<void> run(const job&);
}  // namespace examples::delivery

namespace examples::fill_after {
extern sluice::fifo_queue<job> jobs;
extern job work;
}  // namespace examples::fill_after

namespace examples::input_producer {
extern const sluice::input_position saved;
void save(const sluice::input_position&);
}  // namespace examples::input_producer

namespace examples::latest_value {
config load();
void apply(const config&);
}  // namespace examples::latest_value

namespace examples::limit_epochs {
asio::awaitable<example> read();
}  // namespace examples::limit_epochs

namespace examples::monitor {
extern sluice::queue_runner parser;
}  // namespace examples::monitor

namespace examples::padded_batcher {
asio::awaitable<std::vector<float>> read_row();
void use(const sluice::padded_batch<std::vector<float>>&, std::span<const std::size_t>);
}  // namespace examples::padded_batcher

namespace examples::padding_queue {
void use(const sluice::padded_batch<std::vector<float>>&, std::span<const std::size_t>);
}  // namespace examples::padding_queue

namespace examples::permit {
int twice(int);
}  // namespace examples::permit

namespace examples::positioned {
example to_example(const std::string&);
}  // namespace examples::positioned

namespace examples::priority_queue {
struct by_deadline
{
    bool operator()(const job&, const job&) const;
};
void run(const job&);
}  // namespace examples::priority_queue

namespace examples::producer {
record parse(const std::string&);
}  // namespace examples::producer

namespace examples::queue_runner {
record parse(const std::string&);
}  // namespace examples::queue_runner

namespace examples::redis_queue {
asio::awaitable<void> run(const job&);
}  // namespace examples::redis_queue

namespace examples::remote_queue {
extern sluice::pipeline::remote_queue& queue;
void use(const std::vector<sluice::pipeline::element>&);
}  // namespace examples::remote_queue

namespace examples::remote_source {
extern sluice::redis::queue<job> jobs;
}  // namespace examples::remote_source

namespace examples::running_pipeline {
extern const std::string text;
extern const sluice::pipeline::stage_registry stages;
}  // namespace examples::running_pipeline

namespace examples::semaphore {
extern sluice::semaphore connections;
}  // namespace examples::semaphore

namespace examples::shuffle_batcher {
asio::awaitable<example> read_example();
}  // namespace examples::shuffle_batcher

namespace examples::stage_context {
void change(std::vector<sluice::pipeline::element>&);
}  // namespace examples::stage_context

namespace examples::stage_registry {
using kind = sluice::pipeline::element_kind;
struct shout_options
{
    std::string suffix;
};
class shout final : public sluice::pipeline::transform
{
public:
    explicit shout(shout_options options);
    void apply(
        sluice::pipeline::element&& in,
        std::vector<sluice::pipeline::element>& out
    ) const override;
};
}  // namespace examples::stage_registry

namespace examples::summary_writer {
extern const double loss;
extern const std::int64_t step;
extern const std::vector<double> seconds;
extern sluice::fifo_queue<example> examples;
}  // namespace examples::summary_writer

namespace examples::trace_recorder {
extern sluice::monitor watch;
}  // namespace examples::trace_recorder

namespace examples::with_tasks {
struct line
{
};
extern std::ifstream file;
asio::awaitable<void> read(std::ifstream&, sluice::fifo_queue<line>&);
asio::awaitable<int> parse(sluice::fifo_queue<line>&);
}  // namespace examples::with_tasks

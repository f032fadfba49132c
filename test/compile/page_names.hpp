// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The names that code in pages uses without defining them; see cmake/scripts/page_blocks.py.

#pragma once

#include <sluice.hpp>
#include <sluice/tensorflow.hpp>

#include <boost/asio.hpp>
#include <boost/version.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <deque>
#include <fstream>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using asio::awaitable;
using asio::ip::tcp;
using texts = sluice::fifo_queue<std::string>;

struct message
{
    std::string body;
};
struct page
{
};
struct record
{
};
struct row
{
    std::string words;
};
struct url
{
};

extern sluice::io_context_pool pool;
extern asio::thread_pool blocking;
extern sluice::coordinator coord, intake, tasks;
extern texts in, lines, out, queue, urgent, ordinary;
extern sluice::fifo_queue<message> orders, prices;
extern sluice::fifo_queue<int> numbers, squares;
extern const url address;
extern const std::string path;
extern const std::vector<std::string> paths;
extern std::string element, line;

std::string compute(std::string);
std::string read_file(const std::string&);
asio::awaitable<void> write(std::vector<std::string>);
template <class T>
void use(const T&);

#if BOOST_VERSION < 108200  // has no immediate executors yet, as the page says
namespace boost::asio {
template <class Executor, class Handler>
Handler bind_immediate_executor(Executor, Handler);
}  // namespace boost::asio
#endif

namespace page_batches {
extern sluice::bucketer<row> buckets;
asio::awaitable<row> read_row();
void train(std::size_t, const std::vector<row>&);
void keep(const std::vector<row>&);
}  // namespace page_batches

namespace page_errors {
extern sluice::error_code error;
void retry();
}  // namespace page_errors

namespace page_executors {
using job_type = std::string;
extern job_type job;
extern void (*handler)(sluice::error_code, std::optional<std::string>);
void save(const job_type&);
bool has_more_blocks();
void copy_a_block();
asio::awaitable<void> read(tcp::socket&, texts&);
asio::awaitable<void> write(tcp::socket&, texts&);
}  // namespace page_executors

namespace page_queue_runners {
extern std::ifstream file;
record parse(const std::string&);
}  // namespace page_queue_runners

namespace page_queues {
struct config
{
};
void apply(const config&);
struct reading
{
};
extern std::string request;
extern texts requests;
extern texts log;
void answer_busy(const std::string&);
asio::awaitable<page> fetch(url);
}  // namespace page_queues

namespace page_recipes {
using ::url;
extern ::url url;
extern std::string job, request;
extern texts jobs, requests;
asio::awaitable<page> fetch(struct url);
void answer(const std::string&);
asio::awaitable<void> answer_busy(const std::string&);
}  // namespace page_recipes

namespace page_tensorflow {
asio::awaitable<void> operation();
}  // namespace page_tensorflow

namespace page_shutdown {
struct request
{
};
asio::awaitable<int> count_lines(std::string);
asio::awaitable<void> body(sluice::coordinator&);
asio::awaitable<void> read(texts&);
asio::awaitable<void> split(texts&, texts&);
asio::awaitable<void> read_requests(sluice::fifo_queue<request>&);
asio::awaitable<void> answer(const request&);
asio::awaitable<void> answer_requests(sluice::fifo_queue<request>&);
extern sluice::fifo_queue<request> requests;
}  // namespace page_shutdown

namespace page_2_backpressure {
struct request
{
};
}  // namespace page_2_backpressure

namespace page_input {
extern sluice::input_producer<std::string> files;
}  // namespace page_input

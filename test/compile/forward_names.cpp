// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What fwd.hpp names is what the other headers define, with the same default arguments; and it
// needs no other header.

#include <sluice/fwd.hpp>

namespace {

struct names
{
    sluice::coordinator* scope;
    sluice::event* event;
    sluice::feeder* feeder;
    sluice::io_context_pool* pool;
    sluice::queue_runner* runner;
    sluice::semaphore* semaphore;
    sluice::semaphore_permit* its_permit;
    sluice::broadcast<int>* broadcast;
    sluice::latest_value<int>* latest;
    sluice::permit<int>* permit;
    sluice::subscription<int>* subscription;
    sluice::task_handle<>* task;
    sluice::fifo_queue<int>* fifo;
    sluice::padding_queue<int*>* rows;
    sluice::shuffle_queue<int>* shuffled;
};

}  // namespace

#include <sluice.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <type_traits>

namespace {

using executor = boost::asio::any_io_executor;

template <class T>
constexpr bool is_complete = sizeof(T) > 0;

static_assert(is_complete<sluice::coordinator> && is_complete<sluice::event>);
static_assert(is_complete<sluice::feeder> && is_complete<sluice::io_context_pool>);
static_assert(is_complete<sluice::queue_runner> && is_complete<sluice::semaphore>);
static_assert(is_complete<sluice::semaphore_permit> && is_complete<sluice::task_handle<>>);
static_assert(is_complete<sluice::broadcast<int>> && is_complete<sluice::permit<int>>);
static_assert(is_complete<sluice::latest_value<int>>);
static_assert(is_complete<sluice::subscription<int>>);
static_assert(is_complete<sluice::fifo_queue<int>>);
static_assert(std::is_same_v<
              sluice::fifo_queue<int>,
              sluice::basic_queue<int, sluice::fifo_store<int>, executor>>);
static_assert(std::is_same_v<
              sluice::padding_queue<int>,
              sluice::basic_queue<int, sluice::padding_store<int>, executor>>);
static_assert(std::is_same_v<
              sluice::shuffle_queue<int>,
              sluice::basic_queue<int, sluice::shuffle_store<int>, executor>>);
static_assert(is_complete<sluice::coordinator_options> && is_complete<sluice::task_info>);
static_assert(is_complete<sluice::event_options> && is_complete<sluice::task_options>);
static_assert(is_complete<sluice::queue_end> && is_complete<sluice::queue_options>);
static_assert(is_complete<sluice::queue_stats>);
static_assert(is_complete<sluice::semaphore_options>);
static_assert(is_complete<sluice::shuffle_queue_options>);

}  // namespace

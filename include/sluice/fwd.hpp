// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// Names, for headers that only refer to what they name, as <iosfwd>. Not priority_queue, which
// needs std::less<>.

namespace boost::asio {

class any_io_executor;

}  // namespace boost::asio

namespace sluice {

class coordinator;
class event;
class feeder;
class io_context_pool;
class queue_runner;
class semaphore;
class semaphore_permit;
struct coordinator_options;
struct event_options;
struct queue_end;
struct queue_options;
struct queue_stats;
struct semaphore_options;
struct shuffle_queue_options;
struct task_info;
struct task_options;

template <class T>
class broadcast;
template <class T>
class latest_value;
template <class T>
class permit;
template <class T>
class subscription;
template <class T = void>
class task_handle;

template <class T>
class fifo_store;
template <class T>
class padding_store;
template <class T, class Compare>
class priority_store;
template <class T>
class shuffle_store;

template <class T, class Store, class Executor>
class basic_queue;

template <class T, class Executor = boost::asio::any_io_executor>
using fifo_queue = basic_queue<T, fifo_store<T>, Executor>;
template <class T, class Executor = boost::asio::any_io_executor>
using padding_queue = basic_queue<T, padding_store<T>, Executor>;
template <class T, class Executor = boost::asio::any_io_executor>
using shuffle_queue = basic_queue<T, shuffle_store<T>, Executor>;

}  // namespace sluice

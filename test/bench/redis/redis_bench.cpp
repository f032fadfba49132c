// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A queue on a Redis server against hiredis called by hand: `sluice_redis_bench SOCKET [SCENARIO]
// [--quick]`. The server is one that is running, its socket that of a path: test/bench/README.md.

#include "bench/harness.hpp"
#include "bench/redis/four_processes.hpp"
#include "bench/redis/waits.hpp"
#include "bench/report.hpp"
#include <sluice/io_context_pool.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <hiredis/hiredis.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sluice::bench;
using boost::asio::awaitable;
using remote = sluice::redis::queue<std::string>;

const std::string element(100, 'x');

template <class Work>
double ns_of(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now(
                                                           ) -
                                                           begin;
    return taken.count();
}

// What a bounded queue by hand cannot do without a function: look whether it is closed or full, and
// add, in one step.
constexpr const char* put_function = R"(#!lua name=bench
redis.register_function('bench_put', function(keys, args)
  if redis.call('HGET', keys[2], 'closed') then return 2 end
  if redis.call('XLEN', keys[1]) >= tonumber(args[1]) then return 1 end
  redis.call('XADD', keys[1], '*', 'd', args[2])
  return 0
end))";

// By hand: blocking calls, a stream and a consumer group.
class by_hand
{
public:
    explicit by_hand(const std::string& path)
        : context_(redisConnectUnix(path.c_str()), &redisFree)
    {
        if (context_ == nullptr || context_->err != 0)
            throw std::runtime_error("cannot connect to " + path);
        // What an earlier run left, whose numbers would be repeated.
        call("DEL bench sluice:{bench}:meta sluice:{bench}:data sluice:{bench}:ready "
             "sluice:{bench}:leased sluice:{bench}:tries");
        call("XGROUP CREATE bench g $ MKSTREAM");
        call("FUNCTION LOAD REPLACE %s", put_function);
    }

    void ping() { call("PING"); }

    // A function that does nothing: what any function of the server costs.
    void call_nothing() { call("FCALL sluice_1_revision 0"); }

    // The functions of sluice, called by hand: the same capacity, lease and numbers.
    void pass_one_by_functions()
    {
        call(
            "FCALL sluice_1_enqueue 1 sluice:{bench} p:by-hand %s 1 %b 0",
            std::to_string(++last_number_).c_str(),
            element.data(),
            element.size()
        );
        const auto taken = call("FCALL sluice_1_dequeue 1 sluice:{bench} 30000 1 1 1");
        const redisReply* const id = taken->element[2]->element[0];
        call(
            "FCALL sluice_1_settle 1 sluice:{bench} 30000 a %b 1",
            id->str,
            static_cast<std::size_t>(id->len)
        );
    }

    // Without a limit.
    void pass_one()
    {
        call("XADD bench * d %b", element.data(), element.size());
        take_one();
        expect(2);
    }

    // With a capacity: who waits for room has to be told.
    void pass_one_bounded()
    {
        call(
            "FCALL bench_put 2 bench bench:meta 4096 %b",
            element.data(),
            element.size()
        );
        take_one();
        redisAppendCommand(context_.get(), "PUBLISH bench:room r");
        expect(3);
    }

private:
    using reply = std::unique_ptr<redisReply, void (*)(void*)>;

    // And begins to acknowledge it.
    void take_one()
    {
        const auto taken = call("XREADGROUP GROUP g c COUNT 1 STREAMS bench >");
        const redisReply* const entry = taken->element[0]->element[1]->element[0];
        const std::string id(entry->element[0]->str, entry->element[0]->len);
        redisAppendCommand(context_.get(), "XACK bench g %s", id.c_str());
        redisAppendCommand(context_.get(), "XDEL bench %s", id.c_str());
    }

    void expect(int replies)
    {
        for (int i = 0; i < replies; ++i)
            (void)next();
    }

    template <class... Args>
    reply call(const char* format, Args... args)
    {
        redisAppendCommand(context_.get(), format, args...);
        return next();
    }

    reply next()
    {
        void* raw = nullptr;
        if (redisGetReply(context_.get(), &raw) != REDIS_OK)
            throw std::runtime_error(static_cast<const char*>(context_->errstr));
        reply answer(static_cast<redisReply*>(raw), &freeReplyObject);
        if (answer->type == REDIS_REPLY_ERROR)
            throw std::runtime_error(answer->str);
        return answer;
    }

    std::unique_ptr<redisContext, void (*)(redisContext*)> context_;
    std::uint64_t last_number_ = 0;
};

// A coroutine that writes and reads: what an event loop costs.
class by_asio
{
public:
    explicit by_asio(const std::string& path) : socket_(context_)
    {
        socket_.connect(path);
    }

    void ping(std::size_t times)
    {
        boost::asio::co_spawn(context_, pinging(times), boost::asio::detached);
        context_.restart();
        context_.run();
    }

private:
    awaitable<void> pinging(std::size_t times)
    {
        const std::string_view text = "*1\r\n$4\r\nPING\r\n";
        std::array<char, 64> answer{};
        for (std::size_t i = 0; i < times; ++i) {
            socket_.write_some(boost::asio::buffer(text));
            co_await socket_.async_read_some(
                boost::asio::buffer(answer),
                boost::asio::use_awaitable
            );
        }
    }

    boost::asio::io_context context_{1};
    boost::asio::local::stream_protocol::socket socket_;
};

// One thread, as by hand.
class by_sluice
{
public:
    explicit by_sluice(const std::string& path)
        : pool_(1),
          connection_(pool_, "unix:" + path),
          queue_(connection_, {.name = "bench", .capacity = 4096})
    {
        pool_.run([&]() -> awaitable<void> { (void)co_await queue_.status(); });
    }

    void ask_for_size(std::size_t times)
    {
        pool_.run([&]() -> awaitable<void> {
            for (std::size_t i = 0; i < times; ++i)
                (void)co_await queue_.size();
        });
    }

    void ask_for_status(std::size_t times)
    {
        pool_.run([&]() -> awaitable<void> {
            for (std::size_t i = 0; i < times; ++i)
                (void)co_await queue_.status();
        });
    }

    void pass_one_by_one(std::size_t items)
    {
        pool_.run([&]() -> awaitable<void> {
            for (std::size_t i = 0; i < items; ++i) {
                co_await queue_.enqueue(element);
                auto taken = co_await queue_.dequeue();
                co_await taken.acknowledge();
            }
        });
    }

    // The answer to an acknowledgement comes while the next element goes in.
    void pass_one_by_one_acknowledging_in_passing(std::size_t items)
    {
        pool_.run([&]() -> awaitable<void> {
            for (std::size_t i = 0; i < items; ++i) {
                co_await queue_.enqueue(element);
                auto taken = co_await queue_.dequeue();
                taken.acknowledge()(boost::asio::detached);
            }
            co_await queue_.flush();
        });
    }

    void pass_in_batches(std::size_t items, std::size_t size)
    {
        pool_.run([&]() -> awaitable<void> {
            boost::asio::co_spawn(
                pool_.get_executor(),
                produce(items, size),
                boost::asio::detached
            );
            for (std::size_t left = items; left > 0;) {
                auto batch = co_await queue_.dequeue_some(size);
                left -= batch.size();
                co_await queue_.acknowledge(batch);
            }
        });
    }

    void pass_by_many(std::size_t items, std::size_t coroutines)
    {
        pool_.run([&]() -> awaitable<void> {
            for (std::size_t i = 0; i < coroutines; ++i)
                boost::asio::co_spawn(
                    pool_.get_executor(),
                    produce(items / coroutines, 1),
                    boost::asio::detached
                );
            for (std::size_t left = items / coroutines * coroutines; left > 0;) {
                auto batch = co_await queue_.dequeue_some(coroutines);
                left -= batch.size();
                co_await queue_.acknowledge(batch);
            }
        });
    }

private:
    awaitable<void> produce(std::size_t items, std::size_t size)
    {
        const std::vector<std::string> batch(size, element);
        for (std::size_t i = 0; i < items; i += size)
            co_await queue_.enqueue_many(batch);
    }

    sluice::io_context_pool pool_;
    sluice::redis::connection connection_;
    remote queue_;
};

std::vector<scenario> scenarios(
    by_hand& hand,
    by_asio& asio,
    by_sluice& ours,
    const std::string& path
)
{
    const char* const in_passing = "sluice, acknowledged in passing";
    const contestant loop{"hiredis loop, one at a time", [&](std::size_t items) {
                              return ns_of([&] {
                                  for (std::size_t i = 0; i < items; ++i)
                                      hand.pass_one();
                              });
                          }};
    const contestant bounded{"hiredis loop with a capacity", [&](std::size_t items) {
                                 return ns_of([&] {
                                     for (std::size_t i = 0; i < items; ++i)
                                         hand.pass_one_bounded();
                                 });
                             }};
    const auto named = [&](std::string name, auto work, std::size_t portion) {
        return contestant{
            std::move(name),
            [work](std::size_t items) { return ns_of([&] { work(items); }); },
            portion
        };
    };
    return {
        {"round_trip",
         "one round trip: the size of a queue, and its status, which is a function",
         {named(
              "sluice, size",
              [&](std::size_t n) { ours.ask_for_size(n); },
              1
          ),
          named(
              "sluice, status",
              [&](std::size_t n) { ours.ask_for_status(n); },
              1
          ),
          named(
              "hiredis, FCALL",
              [&](std::size_t n) {
                  for (std::size_t i = 0; i < n; ++i)
                      hand.call_nothing();
              },
              1
          ),
          named(
              "Asio, PING",
              [&](std::size_t n) { asio.ping(n); },
              1
          ),
          named(
              "hiredis, PING",
              [&](std::size_t n) {
                  for (std::size_t i = 0; i < n; ++i)
                      hand.ping();
              },
              1
          )},
         {{"at most 1.3 times PING", "sluice, size", "hiredis, PING", 1 / 1.3},
          {"at most 1.3 times PING by Asio", "sluice, size", "Asio, PING", 1 / 1.3}}},
        {"three_round_trips",
         "one element is enqueued, dequeued and acknowledged, against three of the "
         "others",
         {named(
              "sluice",
              [&](std::size_t n) { ours.pass_one_by_one(n); },
              1
          ),
          named(
              "hiredis, FCALL",
              [&](std::size_t n) {
                  for (std::size_t i = 0; i < 3 * n; ++i)
                      hand.call_nothing();
              },
              1
          ),
          named(
              "Asio, PING",
              [&](std::size_t n) { asio.ping(3 * n); },
              1
          ),
          named(
              "hiredis, PING",
              [&](std::size_t n) {
                  for (std::size_t i = 0; i < 3 * n; ++i)
                      hand.ping();
              },
              1
          )},
         {{"at most 1.3 times PING", "sluice", "hiredis, PING", 1 / 1.3},
          {"at most 1.3 times PING by Asio", "sluice", "Asio, PING", 1 / 1.3}}},
        {"one_by_one",
         "one coroutine enqueues, dequeues and acknowledges in turn; 100 bytes",
         {named(
              "sluice",
              [&](std::size_t n) { ours.pass_one_by_one(n); },
              1
          ),
          named(
              in_passing,
              [&](std::size_t n) { ours.pass_one_by_one_acknowledging_in_passing(n); },
              1
          ),
          named(
              "hiredis loop, the same functions",
              [&](std::size_t n) {
                  for (std::size_t i = 0; i < n; ++i)
                      hand.pass_one_by_functions();
              },
              1
          ),
          bounded,
          loop},
         {{"within 20 % of the bounded loop", "sluice", bounded.name, 0.8},
          {"within 20 % of the bounded loop", in_passing, bounded.name, 0.8},
          {"within 20 % of the loop", "sluice", loop.name, 0.8},
          {"within 20 % of the loop", in_passing, loop.name, 0.8}}},
        {"batches_32",
         "a producer and a consumer with batches of 32; 100 bytes",
         {named(
              "sluice",
              [&](std::size_t n) { ours.pass_in_batches(n, 32); },
              32
          ),
          loop},
         {{"twice the loop", "sluice", loop.name, 2}}},
        {"batches_32_by_processes",
         "two processes enqueue batches of 32, two others take them; 100 bytes",
         {contestant{
              "sluice",
              [&](std::size_t n) { return pass_between_processes(path, n, 32); },
              64
          },
          loop},
         {{"twice the loop", "sluice", loop.name, 2}}},
        {"jobs",
         "two processes enqueue one element with each call, two others take and "
         "acknowledge one; 100 bytes",
         {contestant{
              "sluice",
              [&](std::size_t n) { return pass_between_processes(path, n, 1); },
              2
          },
          bounded,
          loop},
         {{"within 20 % of the bounded loop", "sluice", bounded.name, 0.8},
          {"within 20 % of the loop", "sluice", loop.name, 0.8}}},
        {"many_coroutines",
         "64 coroutines enqueue one element at a time, one dequeues what is there",
         {named(
              "sluice",
              [&](std::size_t n) { ours.pass_by_many(n, 64); },
              64
          ),
          loop}},
        {.name = "waits_cancelled",
         .what =
             "10,000 coroutines that wait for an element are cancelled, until all have "
             "ended",
         .contestants =
             {{"sluice", [&](std::size_t n) { return cancel_waits(path, n); }, 10'000}},
         .unit = "ns/wait",
         .items = 10'000}
    };
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        if (argc < 2)
            throw std::invalid_argument(
                "usage: sluice_redis_bench SOCKET [SCENARIO] [--quick]"
            );
        if (argv[1] == std::string_view("--process"))
            return run_process(argc - 2, argv + 2);
        const std::string socket = argv[1];
        by_hand hand(socket.c_str());
        by_asio asio(socket);
        by_sluice ours(socket);
        effort chosen;
        std::string_view only;
        for (int i = 2; i < argc; ++i)
            if (argv[i] == std::string_view("--quick"))
                chosen = {.rounds = 3, .round_time = std::chrono::milliseconds(50)};
            else
                only = argv[i];
        for (const scenario& one : scenarios(hand, asio, ours, socket))
            if (only.empty() || only == one.name)
                print(std::cout, one, measure(one, chosen));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "sluice_redis_bench: " << error.what() << '\n';
        return 1;
    }
}

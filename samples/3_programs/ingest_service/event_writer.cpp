// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "event_writer.hpp"

#include "postgres_connection.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t batch_size = 1000;
constexpr auto attempt_limit = 5s;  // for one transaction
constexpr sluice::retry_policy
    policy{.attempts = 5, .first_delay = 50ms, .max_delay = 2s, .jitter = 0.5};

// Services that write the same keys must lock them in the same order.
constexpr const char* insert_events = R"(
    INSERT INTO events (key, event)
        SELECT event->>'key', event FROM jsonb_array_elements($1) AS event ORDER BY 1
        ON CONFLICT (key) DO NOTHING
)";

std::string to_array(std::span<const incoming_event> batch)
{
    std::string array;
    for (const incoming_event& event : batch)
        array += (array.empty() ? '[' : ',') + event.text;
    return array + ']';
}

class event_writer
{
public:
    explicit event_writer(std::string database) : database_{std::move(database)} {}

    //[batches
    asio::awaitable<void> store(std::span<incoming_event> batch)
    {
        const outcome what = co_await try_to_store(batch);
        if (what == outcome::refused && batch.size() > 1) {
            // One bad event must not take the others with it: look for it by halves.
            co_await store(batch.first(batch.size() / 2));
            co_await store(batch.last(batch.size() - batch.size() / 2));
            co_return;
        }
        for (incoming_event& event : batch)
            event.answer.fill(what);
    }
    //]

private:
    //[attempts
    asio::awaitable<outcome> try_to_store(std::span<const incoming_event> batch)
    {
        const std::string array = to_array(batch);
        try {
            co_return co_await sluice::retry(policy, [&] {
                return sluice::within(insert(array), attempt_limit);
            });
        } catch (const std::exception& error) {
            std::cerr << batch.size() << " events not stored: " << error.what() << '\n';
            co_return outcome::unavailable;
        }
    }

    // An attempt that fails takes its connection with it. Whether the server has committed is not
    // known then. The next attempt finds out: it adds only those rows that are missing.
    asio::awaitable<outcome> insert(const std::string& array)
    {
        auto connection = std::exchange(connection_, std::nullopt);
        if (!connection)
            connection = co_await postgres_connection::open(database_);
        outcome what = outcome::stored;
        try {
            co_await connection->execute(insert_events, array);
        } catch (const postgres_error& error) {
            if (!error.is_about_data)
                throw;
            what = outcome::refused;
        }
        connection_ = std::move(connection);
        co_return what;
    }
    //]

    std::string database_;
    std::optional<postgres_connection> connection_;
};

}  // namespace

//[write_events
asio::awaitable<void> write_events(event_queue& events, std::string database)
{
    event_writer writer{std::move(database)};
    for (;;) {
        std::vector<incoming_event> batch = co_await events.dequeue_some(batch_size);
        co_await writer.store(batch);
    }
}
//]

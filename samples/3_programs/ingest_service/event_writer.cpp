// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "event_writer.hpp"

#include "postgres_connection.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
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
constexpr auto batch_time = 20ms;   // after the first event of a batch
constexpr auto attempt_limit = 5s;  // for one transaction
constexpr sluice::retry_policy
    policy{.attempts = 5, .first_delay = 50ms, .max_delay = 2s, .jitter = 0.5};

// Services that start together make the table one after the other. The staging table is empty again
// after each transaction.
constexpr const char* create_tables = R"(
    SET client_min_messages = warning;
    DO $$ BEGIN PERFORM pg_advisory_xact_lock(hashtext('events')); END $$;
    CREATE TABLE IF NOT EXISTS events (
        key text PRIMARY KEY,
        event jsonb NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TEMPORARY TABLE staging (key text, event jsonb) ON COMMIT DELETE ROWS;
)";

// Without BEGIN, the commands of one message are one transaction. Services that write the same keys
// must lock them in the same order.
constexpr const char* insert_rows = R"(
    COPY staging FROM STDIN;
    INSERT INTO events (key, event) SELECT key, event FROM staging ORDER BY key
        ON CONFLICT (key) DO NOTHING;
)";

std::string to_rows(std::span<const incoming_event> batch)
{
    std::string rows;
    for (const incoming_event& event : batch) {
        append_copy_field(rows, event.key);
        rows += '\t';
        append_copy_field(rows, event.text);
        rows += '\n';
    }
    return rows;
}

bool may_succeed_later(const std::exception_ptr& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const postgres_error& error) {
        return !error.is_about_data();
    } catch (...) {
        return true;
    }
}

class event_writer
{
public:
    event_writer(
        event_queue& events,
        ingest_status& status,
        std::string database,
        answer_time when
    )
        : events_{events},
          status_{status},
          database_{std::move(database)},
          answer_time_{when}
    {
    }

    //[batches
    asio::awaitable<void> run()
    {
        for (;;) {
            auto [error, batch] =
                co_await events_.dequeue_up_to(batch_size).linger(batch_time).as_tuple();
            if (error == sluice::condition::end_of_stream)
                co_return;
            if (error)
                throw sluice::system_error{error};
            co_await store(batch);
        }
    }

private:
    // Ends when nothing of the batch is left to do. If the database is away, that is when it is
    // back: an attempt without events finds that out, too.
    asio::awaitable<void> store(std::span<incoming_event> batch)
    {
        outcome what = co_await try_to_store(batch);
        while (what == outcome::unavailable) {
            if (answer_time_ == answer_time::after_commit) {
                finish(batch, outcome::unavailable);
                batch = {};
            }
            what = co_await try_to_store(batch);
        }
        if (what == outcome::refused && batch.size() > 1) {
            // One bad event must not take the others with it: look for it by halves.
            co_await store(batch.first(batch.size() / 2));
            co_await store(batch.last(batch.size() - batch.size() / 2));
            co_return;
        }
        finish(batch, what);
    }
    //]

    //[attempts
    asio::awaitable<outcome> try_to_store(std::span<incoming_event> batch)
    {
        const std::string rows = to_rows(batch);
        try {
            const std::uint64_t stored = co_await sluice::retry(
                policy,
                [&] { return sluice::within(insert(rows), attempt_limit); },
                may_succeed_later
            );
            status_.stored += stored;
            status_.known += batch.size() - stored;
            if (status_.is_database_away.exchange(false))
                std::clog << "the database is back" << std::endl;
            co_return outcome::stored;
        } catch (const postgres_error& error) {
            if (error.is_about_data()) {
                if (batch.size() == 1)
                    std::clog << batch[0].key << " is refused: " << error.what()
                              << std::endl;
                co_return outcome::refused;
            }
            note_outage(error.what());
        } catch (const sluice::system_error& error) {
            if (error.code() == asio::error::operation_aborted)
                throw;  // the program gives up
            note_outage(error.what());
        }
        co_return outcome::unavailable;
    }

    // An attempt that fails takes its connection with it. Whether the server has committed is not
    // known then. The next attempt finds out: it adds only those rows that are missing.
    asio::awaitable<std::uint64_t> insert(const std::string& rows)
    {
        if (!connection_)
            co_await connect();
        std::optional<postgres_connection> connection;
        connection.swap(connection_);
        const std::uint64_t stored = co_await connection->copy(insert_rows, rows);
        connection_.swap(connection);
        co_return stored;
    }

    asio::awaitable<void> connect()
    {
        postgres_connection opened = co_await postgres_connection::open(database_);
        co_await opened.execute(create_tables);
        connection_.emplace(std::move(opened));
    }
    //]

    void finish(std::span<incoming_event> batch, outcome what)
    {
        if (what == outcome::refused)
            status_.refused += batch.size();
        if (what == outcome::unavailable)
            status_.returned += batch.size();
        for (incoming_event& event : batch)
            if (event.answer)
                event.answer.fill(what);
    }

    void note_outage(const char* reason)
    {
        if (!status_.is_database_away.exchange(true))
            std::clog << "the database is away: " << reason << std::endl;
    }

    event_queue& events_;
    ingest_status& status_;
    std::string database_;
    answer_time answer_time_;
    std::optional<postgres_connection> connection_;
};

}  // namespace

asio::awaitable<void> write_events(
    event_queue& events,
    ingest_status& status,
    std::string database,
    answer_time when
)
{
    event_writer writer{events, status, std::move(database), when};
    co_await writer.run();
}

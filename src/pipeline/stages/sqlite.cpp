// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"
#include "io/result_file.hpp"
#include "pipeline/libraries/sqlite_table.hpp"
#include "pipeline/option_checks.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

constexpr std::size_t most_rows = 4096;  // of one transaction

sqlite_options checked(sqlite_options options)
{
    expect_file("path", options.path);
    options.path = io::path_of_result(std::move(options.path));
    return options;
}

class sqlite final : public stage
{
public:
    explicit sqlite(sqlite_options options)
        : path_(options.path), table_(checked(std::move(options)))
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        co_await context.blocking([&] { add({}, context); });  // also for an empty input
        while (true) {
            const std::vector<element> taken = co_await context.read(most_rows);
            if (taken.empty())
                co_return;
            co_await context.blocking([&] { add(taken, context); });
        }
    }

    // Other runners may add to other tables, or to this one, but none may replace the database.
    [[nodiscard]] stage_files files() const override
    {
        const std::string file = io::real_path(path_);
        return {
            .written_besides = {path_, file + "-journal", file + "-wal", file + "-shm"}
        };
    }

    [[nodiscard]] bool can_acknowledge() const noexcept override { return true; }

    [[nodiscard]] std::string own_limit() const override
    {
        return "one transaction at a time";
    }

private:
    void add(const std::vector<element>& elements, const stage_context& context)
    {
        const std::lock_guard lock(mutex_);
        // What is wrong with a row is wrong with no other one. But for a lock, or a full disk, no
        // worker has to wait once more.
        if (failure_)
            std::rethrow_exception(failure_);
        try {
            table_.add(elements, context.remote_input(), context.keys());
        } catch (const std::system_error&) {
            failure_ = std::current_exception();
            throw;
        }
    }

    const std::string path_;
    std::mutex mutex_;
    sqlite_table table_;          // guarded by mutex_
    std::exception_ptr failure_;  // of the database; guarded by mutex_
};

constexpr const char* sqlite_details =
    R"(Adds a row for each element to a table of an SQLite database, and makes both if they are not
there. "columns" names the fields that become columns, by a name or a JSON pointer. Without it the
columns are those of the table. If that is not there, they are the members of the first object, or
one column "value" for what is no object. A field that is missing is NULL. One without a column is
left out if "columns" is given, and an error if not. An array has an element for each column.

A text is TEXT, or a BLOB if it is not UTF-8 or has a NUL. true and false are 1 and 0. A whole
number of up to 64 bits with a sign is an INTEGER, a larger one TEXT, so that it keeps its digits.
Other numbers are REAL, the nearest double. Arrays and objects inside of an element are TEXT, as
JSON. A table that you make yourself may convert them by the types of its columns.

What is taken from the queue at a time, up to 4096 elements, is one transaction, and is on the disk
when it ends. With a capacity of 4096 the queue before it makes them large, and so the stage fast.
After a kill, a stop or a loss of power all of it is there or nothing. If elements come from a queue
on a server, their keys go into the table sluice_keys in the same transaction. One that is delivered
again is found there, and not added again. Several processes may do so at a time. A row of
sluice_keys is needed for as long as the server may deliver its element again.

A row that breaks a rule of the table, as UNIQUE does, ends the run. Make the table with ON CONFLICT
IGNORE, and such a row is left out. So is what a run adds again that is started again from the
beginning. For the example below write CREATE TABLE orders (id INTEGER PRIMARY KEY ON CONFLICT
IGNORE, city TEXT, price REAL). Readers may use the database meanwhile. While another program has it
locked, the stage waits for "lock_timeout".

    { "stage": "sqlite", "from": "orders",
      "options": { "path": "shop.db", "table": "orders", "columns": ["id", "city", "price"] } })";

}  // namespace

void add_sqlite(stage_registry& stages)
{
    using options = sqlite_options;
    stage_options<options> described;
    described.required("path", &options::path, "the file of the database")
        .required("table", &options::table, "the table to which rows are added")
        .optional("columns", &options::columns, "the fields that become columns")
        .optional(
            "lock_timeout",
            &options::lock_timeout,
            "how long it waits for other programs that have the database locked"
        );
    stages.add<sqlite>(
        {.name = "sqlite",
         .summary = "adds each element as a row to a table of a database",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = sqlite_details},
        std::move(described)
    );
}

}  // namespace sluice::pipeline

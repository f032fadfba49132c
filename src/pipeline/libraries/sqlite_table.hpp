// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/columns.hpp"
#include <sluice/pipeline/stage_context.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace sluice::pipeline {

struct sqlite_options
{
    std::string path;
    std::string table;
    std::vector<std::string> columns;
    std::chrono::nanoseconds lock_timeout = std::chrono::seconds(10);
};

// A table of an SQLite database, to which rows are added.
/*
 * What one call adds is there as a whole or not at all, also after the process was killed or the
 * power failed. Beside the table is another one, sluice_keys. It has the keys of the elements of
 * queues on a server whose rows are there.
 *
 * All errors name the database. Thread safety: none.
 */
class sqlite_table
{
public:
    // Opens nothing yet. Throws option_error if there can be no such table.
    explicit sqlite_table(sqlite_options options);

    // Adds a row for each element; leaves out those of the queue whose keys are there already.
    // Opens or makes database and table at first, for which there need be no element.
    void add(
        std::span<const element> elements,
        std::string_view queue,
        std::span<const element_key> keys
    );

private:
    struct closer
    {
        void operator()(sqlite3* database) const noexcept;
        void operator()(sqlite3_stmt* statement) const noexcept;
    };
    using statement = std::unique_ptr<sqlite3_stmt, closer>;

    void open();
    [[nodiscard]] statement prepare(const std::string& sql) const;
    void execute(const std::string& sql) const;
    [[nodiscard]] std::vector<std::string> names_in_table() const;
    void find_table(std::span<const element> elements);
    void prepare_keys(std::string_view queue);
    [[nodiscard]] bool add_key(const element_key& key) const;
    void add_row(const element& given);
    [[noreturn]] void fail(const std::string& what) const;

    const sqlite_options options_;
    std::unique_ptr<sqlite3, closer> database_;  // outlives its statements
    std::optional<columns> columns_;
    statement add_row_;
    statement add_key_;
    std::vector<value_view> fields_;  // of the row that is being added
};

}  // namespace sluice::pipeline

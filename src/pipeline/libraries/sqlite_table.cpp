// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/sqlite_table.hpp"

#include "io/io.hpp"
#include "io/result_file.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sluice::pipeline {

namespace {

// A name as SQL has it, whatever is in it.
std::string as_name(std::string_view name)
{
    std::string text = "\"";
    for (const char each : name)
        text.append(each == '"' ? 2 : 1, each);
    return text + '"';
}

std::string as_names(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names)
        list.append(list.empty() ? "" : ", ").append(as_name(name));
    return list;
}

int bind_bytes(sqlite3_stmt* statement, int place, std::string_view bytes)
{
    const auto size = static_cast<sqlite3_uint64>(bytes.size());
    // A text of SQL is UTF-8, and functions of SQL read it up to a NUL.
    if (text::is_utf8(bytes) && bytes.find('\0') == bytes.npos)
        return sqlite3_bind_text64(
            statement,
            place,
            bytes.data(),
            size,
            SQLITE_TRANSIENT,
            SQLITE_UTF8
        );
    return sqlite3_bind_blob64(statement, place, bytes.data(), size, SQLITE_TRANSIENT);
}

// Whether it was computed as one, which is written without a point if it is whole.
bool is_double(const value_view& field)
{
    return !field.is_written_json() && field.to_json().is_number_float();
}

int bind(sqlite3_stmt* statement, int place, const value_view& field)
{
    if (!field || field.is_null())
        return sqlite3_bind_null(statement, place);
    if (const auto flag = field.as_flag())
        return sqlite3_bind_int(statement, place, *flag ? 1 : 0);
    const auto number = field.as_number();
    if (number && number->is_whole())
        return sqlite3_bind_int64(statement, place, number->whole());
    std::string scratch;
    const std::string_view text = field.written(scratch, invalid_utf8::refuse);
    // A whole number beyond 64 bits keeps its digits, unless it was computed as a double.
    const bool is_integer = number && text.find_first_of(".eE") == text.npos &&
                            !is_double(field);
    if (is_integer && number->value() == 0)
        return sqlite3_bind_int64(statement, place, 0);  // of -0
    if (!number || is_integer)
        return bind_bytes(statement, place, text);
    const auto value = static_cast<double>(number->value());
    return std::isfinite(value) ? sqlite3_bind_double(statement, place, value)
                                : sqlite3_bind_null(statement, place);
}

// Whether the same would happen to any element; then the number of errno for it.
int error_of_surroundings(sqlite3* database)
{
    switch (sqlite3_errcode(database)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return EBUSY;
    case SQLITE_READONLY:
        return EACCES;
    case SQLITE_FULL:
        return ENOSPC;
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        return std::max(sqlite3_system_errno(database), 1);
    default:
        return 0;
    }
}

}  // namespace

void sqlite_table::closer::operator()(sqlite3* database) const noexcept
{
    sqlite3_close(database);
}

void sqlite_table::closer::operator()(sqlite3_stmt* statement) const noexcept
{
    sqlite3_finalize(statement);
}

sqlite_table::sqlite_table(sqlite_options options) : options_(std::move(options))
{
    if (!options_.columns.empty())
        columns_.emplace(options_.columns);
}

void sqlite_table::open()
{
    if (!io::can_be_replaced(options_.path) || io::is_planted(options_.path))
        throw std::runtime_error(fmt::format(
            "cannot make a database of {}, because that is no file, or is another "
            "user's; choose another name",
            text::printable(options_.path)
        ));
    sqlite3* opened = nullptr;
    // An absolute path, because SQLite takes :memory: and the like for something else.
    const int result = sqlite3_open_v2(
        io::real_path(options_.path).c_str(),
        &opened,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
        nullptr
    );
    database_.reset(opened);
    if (result != SQLITE_OK)
        fail("cannot open");
    const auto patience =
        std::chrono::ceil<std::chrono::milliseconds>(options_.lock_timeout).count();
    sqlite3_busy_timeout(
        opened,
        static_cast<int>(std::min<std::int64_t>(patience, 1'000'000'000))
    );
    try {
        execute("PRAGMA synchronous = EXTRA");  // the disk has what is committed
    } catch (...) {
        database_.reset();
        throw;
    }
}

void sqlite_table::add(
    std::span<const element> elements,
    std::string_view queue,
    std::span<const element_key> keys
)
{
    if (!database_)
        open();
    if (!columns_ && elements.empty())
        return;                  // nothing says what the columns of a table would be
    execute("BEGIN IMMEDIATE");  // now no other process makes or changes the table
    try {
        if (!add_row_)
            find_table(elements);
        if (!keys.empty())
            prepare_keys(queue);
        for (std::size_t i = 0; i < elements.size(); ++i)
            if (keys.empty() || add_key(keys[i]))
                add_row(elements[i]);
        execute("COMMIT");
    } catch (...) {
        sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
        // Perhaps the table was made by what is undone.
        add_row_.reset();
        add_key_.reset();
        if (options_.columns.empty())
            columns_.reset();
        throw;
    }
}

sqlite_table::statement sqlite_table::prepare(const std::string& sql) const
{
    sqlite3_stmt* made = nullptr;
    const auto size = static_cast<int>(sql.size());
    if (sqlite3_prepare_v2(database_.get(), sql.c_str(), size, &made, nullptr) !=
        SQLITE_OK)
        fail("cannot write to");
    return statement(made);
}

void sqlite_table::execute(const std::string& sql) const
{
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) !=
        SQLITE_OK)
        fail("cannot write to");
}

std::vector<std::string> sqlite_table::names_in_table() const
{
    const statement asked = prepare("SELECT name FROM pragma_table_info(?)");
    std::vector<std::string> names;
    bind_bytes(asked.get(), 1, options_.table);
    int result = SQLITE_ROW;
    while ((result = sqlite3_step(asked.get())) == SQLITE_ROW)
        names.emplace_back(
            reinterpret_cast<const char*>(sqlite3_column_text(asked.get(), 0))
        );
    if (result != SQLITE_DONE)
        fail("cannot read");
    return names;
}

// Or makes it. Columns without a type keep what they are given as it is.
void sqlite_table::find_table(std::span<const element> elements)
{
    if (!columns_) {
        const std::vector<std::string> there = names_in_table();
        columns_ = there.empty() ? columns(elements.front()) : columns::of_table(there);
    }
    const std::string table = as_name(options_.table);
    const std::string names = as_names(columns_->names());
    if (names.empty())
        throw std::runtime_error(fmt::format(
            "cannot make the table {} of {}: the first element has no members; name the "
            "columns in \"columns\"",
            detail::in_quotes(options_.table),
            text::printable(options_.path)
        ));
    execute(fmt::format("CREATE TABLE IF NOT EXISTS {} ({})", table, names));
    std::string places = "?";
    for (std::size_t i = 1; i < columns_->names().size(); ++i)
        places += ", ?";
    add_row_ = prepare(
        fmt::format("INSERT INTO {} ({}) VALUES ({})", table, names, places)
    );
}

void sqlite_table::prepare_keys(std::string_view queue)
{
    if (add_key_)
        return;
    execute(
        "CREATE TABLE IF NOT EXISTS sluice_keys (queue, moment INTEGER, number INTEGER, "
        "PRIMARY KEY (queue, moment, number)) WITHOUT ROWID"
    );
    add_key_ = prepare("INSERT OR IGNORE INTO sluice_keys VALUES (?, ?, ?)");
    bind_bytes(add_key_.get(), 1, queue);
}

// Gives whether it was not there yet.
bool sqlite_table::add_key(const element_key& key) const
{
    sqlite3_stmt* const adding = add_key_.get();
    sqlite3_bind_int64(adding, 2, static_cast<std::int64_t>(key.moment));
    sqlite3_bind_int64(adding, 3, static_cast<std::int64_t>(key.number));
    const int result = sqlite3_step(adding);
    sqlite3_reset(adding);
    if (result != SQLITE_DONE)
        fail("cannot write to");
    return sqlite3_changes(database_.get()) > 0;
}

void sqlite_table::add_row(const element& given)
{
    try {
        columns_->find_in(given, fields_);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format(
            "cannot write to {}: {}",
            text::printable(options_.path),
            error.what()
        ));
    }
    sqlite3_stmt* const adding = add_row_.get();
    int result = SQLITE_OK;
    for (std::size_t i = 0; i < fields_.size() && result == SQLITE_OK; ++i)
        result = bind(adding, static_cast<int>(i + 1), fields_[i]);
    if (result == SQLITE_OK)
        result = sqlite3_step(adding);
    sqlite3_reset(adding);
    if (result != SQLITE_DONE)
        fail(fmt::format("cannot add {} to", shown(given)));
}

void sqlite_table::fail(const std::string& what) const
{
    const int code = sqlite3_errcode(database_.get());
    std::string message = fmt::format(
        "{} the table {} of {}: {}",
        what,
        detail::in_quotes(options_.table),
        text::printable(options_.path),
        sqlite3_errmsg(database_.get())
    );
    if (code == SQLITE_NOTADB)
        message += "; choose another name";
    if (code == SQLITE_BUSY)
        message += R"(; end the other program, or raise "lock_timeout")";
    if (const int error = error_of_surroundings(database_.get()))
        throw std::system_error(error, std::generic_category(), message);
    throw std::runtime_error(message);
}

}  // namespace sluice::pipeline

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/sqlite_table.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

namespace sluice::pipeline {

void sqlite_table::closer::operator()(sqlite3* /*database*/) const noexcept {}

void sqlite_table::closer::operator()(sqlite3_stmt* /*statement*/) const noexcept {}

sqlite_table::sqlite_table(sqlite_options options)
{
    throw option_error(
        "path",
        detail::in_quotes(options.path),
        "no database, because this program was built without SQLite; build it where that "
        "is found"
    );
}

void sqlite_table::add(
    std::span<const element> /*elements*/,
    std::string_view /*queue*/,
    std::span<const element_key> /*keys*/
)
{
}

}  // namespace sluice::pipeline

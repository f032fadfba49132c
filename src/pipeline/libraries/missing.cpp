// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/gzip.hpp"
#include "pipeline/libraries/jq_program.hpp"
#include "pipeline/libraries/pattern.hpp"
#include "pipeline/libraries/sqlite_table.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

// What is built in place of each library that is missing. Nothing is called of an object whose
// constructor has thrown.
namespace sluice::pipeline {

#ifndef SLUICE_WITH_PCRE2

class pattern::engine
{
};

pattern::pattern(const std::string& written, const char* option)
{
    throw option_error(
        option,
        detail::in_quotes(written),
        "no regular expression, because this program was built without PCRE2; build it "
        "where that is found"
    );
}

bool pattern::is_found(std::string_view /*text*/) const
{
    return false;
}

bool pattern::find(
    std::string_view /*text*/,
    std::vector<std::string_view>& /*found*/
) const
{
    return false;
}

void pattern::expect_replacement(const std::string& /*with*/, const char* /*option*/) {}

std::string pattern::replace_all(
    std::string_view text,
    const std::string& /*with*/
) const
{
    return std::string(text);
}

#endif
#ifndef SLUICE_WITH_IGZIP

const char* reason_for_no_gzip() noexcept
{
    return "this program was built without igzip; build it where ISA-L is found";
}

struct gzip_encoder::stream
{
};

gzip_encoder::gzip_encoder()
{
    throw std::runtime_error(fmt::format("cannot compress: {}", reason_for_no_gzip()));
}

gzip_encoder::~gzip_encoder() = default;

std::string gzip_encoder::encode(std::string_view /*piece*/)
{
    return {};
}

std::string gzip_encoder::finish()
{
    return {};
}

struct gzip_decoder::state
{
};

gzip_decoder::gzip_decoder(std::string name) : name_(std::move(name))
{
    fail(reason_for_no_gzip());
}

gzip_decoder::~gzip_decoder() = default;

std::string_view gzip_decoder::decode(std::string_view& data)
{
    data = {};
    return {};
}

void gzip_decoder::check_end() const {}

void gzip_decoder::fail(std::string_view what) const
{
    throw std::runtime_error(
        fmt::format("cannot uncompress the gzip data of {}: {}", name_, what)
    );
}

#endif
#ifndef SLUICE_WITH_JQ

void jq_program::closer::operator()(jq_state* /*state*/) const noexcept {}

jq_program::jq_program(const std::string& text, const char* option)
{
    throw option_error(
        option,
        detail::in_quotes(text),
        "no program of jq, because this program was built without libjq; build it where "
        "that is found"
    );
}

std::vector<json_value> jq_program::run(const element& /*input*/)
{
    return {};
}

#endif
#ifndef SLUICE_WITH_SQLITE

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

#endif

}  // namespace sluice::pipeline

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_redis/element_codec.hpp"

#include "pipeline/parse_json.hpp"
#include <sluice/pipeline/json_value.hpp>

#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr char mark = '\1';
constexpr std::size_t header_size = 3;  // mark, letter, newline
constexpr int deepest_batch = 100;

std::string header(char letter)
{
    return {mark, letter, '\n'};
}

void append(std::string& bytes, const element& content)
{
    switch (content.kind()) {
    case element_kind::text:
        if (content.text().starts_with(mark))
            bytes += header('t');
        bytes += content.text();
        break;
    case element_kind::batch:
        bytes += header('b');
        for (const element& each : content.elements()) {
            const std::string part = element_codec::encode(each);
            bytes += std::to_string(part.size());
            bytes += ':';
            bytes += part;
        }
        break;
    default:
        bytes += header('j');
        append_json(content.to_json(), bytes, invalid_utf8::refuse);
        break;
    }
}

[[noreturn]] void refuse()
{
    throw std::runtime_error("it is not what a pipeline has put there");
}

// The next part of a batch, which is taken off.
std::string_view take_part(std::string_view& bytes)
{
    std::size_t size = 0;
    const char* const end = bytes.data() + bytes.size();
    const auto [stop, error] = std::from_chars(bytes.data(), end, size);
    if (error != std::errc() || stop == end || *stop != ':')
        refuse();
    bytes.remove_prefix(static_cast<std::size_t>(stop - bytes.data()) + 1);
    if (size > bytes.size())
        refuse();
    const std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return part;
}

element decode_at(std::string_view bytes, int depth)
{
    if (!bytes.starts_with(mark))
        return element(bytes);
    if (bytes.size() < header_size || bytes[2] != '\n' || depth > deepest_batch)
        refuse();
    const char letter = bytes[1];
    bytes.remove_prefix(header_size);
    if (letter == 't')
        return element(bytes);
    if (letter == 'j')
        return element(parse_json(bytes));
    if (letter != 'b')
        refuse();
    element::list parts;
    while (!bytes.empty())
        parts.push_back(decode_at(take_part(bytes), depth + 1));
    return element(std::move(parts));
}

}  // namespace

std::string element_codec::encode(const element& content)
{
    std::string bytes;
    append(bytes, content);
    return bytes;
}

element element_codec::decode(std::string_view bytes)
{
    return decode_at(bytes, 0);
}

}  // namespace sluice::pipeline

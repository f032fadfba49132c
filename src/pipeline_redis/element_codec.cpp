// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_redis/element_codec.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/parse_json.hpp"

#include <stdexcept>

namespace sluice::pipeline {

namespace {

constexpr char mark = '\1';
constexpr std::string_view text_header = "\1t\n";
constexpr std::string_view json_header = "\1j\n";

}  // namespace

std::string element_codec::encode(const element& content)
{
    std::string bytes;
    if (!content.is_text()) {
        bytes += json_header;
        detail::append_json(content, bytes, invalid_utf8::refuse);
        return bytes;
    }
    if (content.text().starts_with(mark))
        bytes += text_header;
    bytes += content.text();
    return bytes;
}

element element_codec::decode(std::string_view bytes)
{
    if (!bytes.starts_with(mark))
        return element(bytes);
    if (bytes.starts_with(text_header))
        return element(bytes.substr(text_header.size()));
    if (bytes.starts_with(json_header))
        return element(parse_json(bytes.substr(json_header.size())));
    throw std::runtime_error("it is not what a pipeline has put there");
}

}  // namespace sluice::pipeline

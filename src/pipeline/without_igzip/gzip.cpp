// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/gzip.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::pipeline {

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

}  // namespace sluice::pipeline

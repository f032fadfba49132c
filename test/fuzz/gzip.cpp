// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/gzip.hpp"

#include "fuzz/fuzzing.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

// Input: a byte that says how long pieces are, and data; these are uncompressed, and they are
// compressed and come back.

namespace sluice::fuzz {

namespace {

using namespace pipeline;

// What can be uncompressed of it, and whether that is all.
struct outcome
{
    std::string content;
    std::string error;

    friend bool operator==(const outcome&, const outcome&) = default;
};

void decode(gzip_decoder& decoder, std::string_view piece, std::string& content)
{
    while (!piece.empty() || decoder.has_output()) {
        const std::size_t before = piece.size();
        const bool had_output = decoder.has_output();
        const std::string_view some = decoder.decode(piece);
        require(
            !some.empty() || piece.size() < before || had_output,
            "each step comes closer to the end"
        );
        content += some;
    }
}

outcome decoded(std::string_view data, std::size_t size)
{
    outcome result;
    gzip_decoder decoder("file");
    try {
        in_pieces(data, size, [&](std::string_view piece) {
            decode(decoder, piece, result.content);
        });
        decoder.check_end();
    } catch (const std::runtime_error& error) {
        result.error = error.what();
        require(!result.error.empty(), "an error says something");
    }
    return result;
}

std::string encoded(std::string_view content, std::size_t size)
{
    gzip_encoder encoder;
    std::string data;
    in_pieces(content, size, [&](std::string_view piece) {
        data += encoder.encode(piece);
    });
    return data + encoder.finish();
}

}  // namespace

void try_input(std::string_view input)
{
    const std::size_t size = take_byte(input);
    const outcome whole = decoded(input, 0);
    const outcome pieces = decoded(input, size);
    require(whole.error == pieces.error, "how data come in pieces makes no difference");
    // up to damage, of which a longer piece tells before it gives what it holds
    if (whole.error.empty())
        require(whole == pieces, "how data come in pieces makes no difference");

    const std::string data = encoded(input, size);
    require(data.starts_with(gzip_decoder::magic), "gzip data begin as gzip data do");
    const outcome original = {std::string(input), ""};
    require(decoded(data, size) == original, "what is compressed comes back");
    require(
        decoded(data + data, size) == outcome{original.content + original.content, ""},
        "data of several members are read to their end"
    );
    require(
        !decoded(data.substr(0, data.size() - 1), size).error.empty(),
        "data that end too early are noticed"
    );
}

}  // namespace sluice::fuzz

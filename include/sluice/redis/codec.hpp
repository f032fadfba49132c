// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace sluice::redis {

/// How an element becomes bytes on the server, and bytes an element.
/**
 * By default the bytes are JSON, as nlohmann's `to_json` and `from_json` say. A std::string is its
 * own bytes. Specialise it for other formats:
 *
 * @code
 * template <>
 * struct sluice::redis::codec<order>
 * {
 *     static std::string encode(const order& value) { return value.SerializeAsString(); }
 *     static order decode(std::string_view bytes);
 * };
 * @endcode
 *
 * What encode() throws leaves the enqueue. What decode() throws leaves the dequeue, and the element
 * counts as delivered: it comes again, and at last goes to the dead letters.
 */
template <class T>
struct codec
{
    /// The bytes of an element.
    [[nodiscard]] static std::string encode(const T& value)
    {
        return nlohmann::json(value).dump();
    }

    /// The element of bytes.
    [[nodiscard]] static T decode(std::string_view bytes)
    {
        return nlohmann::json::parse(bytes).template get<T>();
    }
};

/// Any bytes.
template <>
struct codec<std::string>
{
    /// The same.
    [[nodiscard]] static std::string encode(const std::string& value) { return value; }

    /// The same.
    [[nodiscard]] static std::string decode(std::string_view bytes)
    {
        return std::string(bytes);
    }
};

}  // namespace sluice::redis

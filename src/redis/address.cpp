// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/address.hpp"

#include <sluice/error.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace sluice::redis::detail {
namespace {

// A password does not belong into a message, also if the host behind it was forgotten: then it
// stands where a port would.
std::string without_password(std::string_view url)
{
    if (url.starts_with("unix:"))
        return std::string(url);  // it is behind the ?
    const auto slashes = url.find("//");
    const auto begin = slashes == url.npos ? 0 : slashes + 2;
    if (const auto at = url.rfind('@'); at != url.npos)
        return std::string(url.substr(0, begin)) + "...@" +
               std::string(url.substr(at + 1));
    const auto colon = url.find(':', begin);
    if (begin == 0 || url.substr(begin).starts_with('[') || colon == url.npos)
        return std::string(url);
    const auto port = url.substr(colon + 1, url.find_first_of("/?", colon) - colon - 1);
    if (colon > begin && port.find_first_not_of("0123456789") == port.npos)
        return std::string(url);
    return std::string(url.substr(0, colon + 1)) + "...";
}

[[noreturn]] void refuse(std::string_view url, const std::string& why)
{
    const std::string shown = without_password(url);
    throw wrong_address(shown.substr(0, shown.find('?')), why);
}

std::string decoded(std::string_view url, std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        unsigned code = 0;
        const auto digits = text.substr(i + 1, 2);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (digits.size() != 2 || error != std::errc() || end != digits.end())
            refuse(url, "has a % that is not followed by two hexadecimal digits");
        plain += static_cast<char>(code);
        i += 2;
    }
    return plain;
}

bool is_number(std::string_view text, unsigned most)
{
    unsigned value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() &&
           value <= most;
}

void set_database(std::string_view url, address& into, std::string_view text)
{
    if (!is_number(text, 1'000'000))
        refuse(url, "has a database that is not a number");
    into.database = text;
}

// Takes what stands before `mark` out of `rest`; false if there is none.
bool split(std::string_view& rest, char mark, std::string_view& before)
{
    const auto at = rest.find(mark);
    if (at == std::string_view::npos)
        return false;
    before = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    return true;
}

// Hands the name and the value of each option to `set`, which says whether it knows the name.
template <class Set>
void read_options(std::string_view url, std::string_view options, Set set)
{
    while (!options.empty()) {
        std::string_view value;
        if (!split(options, '&', value))
            value = std::exchange(options, {});
        std::string_view name;
        if (!split(value, '=', name))
            refuse(url, "has an option without a value");
        if (!set(name, value))
            refuse(url, "has the unknown option '" + std::string(name) + "'");
    }
}

address parse_unix(std::string_view url, std::string_view rest)
{
    address found;
    std::string_view path;
    if (!split(rest, '?', path))
        path = std::exchange(rest, {});
    found.path = decoded(url, path);
    if (found.path.empty())
        refuse(url, "has no path");
    read_options(url, rest, [&](std::string_view name, std::string_view value) {
        if (name == "database")
            set_database(url, found, value);
        else if (name == "user")
            found.user = decoded(url, value);
        else if (name == "password")
            found.password = decoded(url, value);
        else
            return false;
        return true;
    });
    return found;
}

tls_settings parse_tls(std::string_view url, std::string_view options)
{
    tls_settings found;
    read_options(url, options, [&](std::string_view name, std::string_view value) {
        if (name == "ca_file")
            found.ca_file = decoded(url, value);
        else if (name == "certificate_file")
            found.certificate_file = decoded(url, value);
        else if (name == "key_file")
            found.key_file = decoded(url, value);
        else if (name == "server_name")
            found.server_name = decoded(url, value);
        else if (name == "verify") {
            if (value != "yes" && value != "no")
                refuse(url, "has a value of 'verify' other than yes or no");
            found.verifies = value == "yes";
        } else
            return false;
        return true;
    });
    if (found.certificate_file.empty() != found.key_file.empty())
        refuse(url, "must give certificate_file and key_file together");
    return found;
}

address parse_tcp(std::string_view url, std::string_view rest)
{
    address found;
    std::string_view database;
    if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
        database = rest.substr(slash + 1);
        rest = rest.substr(0, slash);
        if (!database.empty())
            set_database(url, found, database);
    }
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        std::string_view secret = rest.substr(0, at);
        rest.remove_prefix(at + 1);
        std::string_view user;
        if (split(secret, ':', user))
            found.password = decoded(url, secret);
        else
            user = secret;
        found.user = decoded(url, user);
    }
    const bool is_bracketed = rest.starts_with('[');  // an address of IPv6
    const auto end = is_bracketed ? rest.find(']') : rest.find(':');
    if (is_bracketed && end == std::string_view::npos)
        refuse(url, "has a [ without a ]");
    found.host = is_bracketed ? rest.substr(1, end - 1) : rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(is_bracketed ? end + 1 : end);
    found.port = rest.empty() ? "6379" : rest.substr(1);
    if (found.host.empty())
        refuse(url, "has no host");
    if ((!rest.empty() && rest.front() != ':') || !is_number(found.port, 65535))
        refuse(url, "has a port that is not a number up to 65535");
    return found;
}

// Options stand behind the host, and so behind the password.
std::string_view options_behind_host(std::string_view rest)
{
    const auto at = rest.rfind('@');
    const auto mark = rest.find('?', at == std::string_view::npos ? 0 : at);
    return mark == std::string_view::npos ? std::string_view() : rest.substr(mark);
}

address parse_plain(std::string_view url, std::string_view rest)
{
    if (!options_behind_host(rest).empty())
        refuse(url, "has options, which are for rediss:// and unix: only");
    return parse_tcp(url, rest);
}

address parse_encrypted(std::string_view url, std::string_view rest)
{
    std::string_view options = options_behind_host(rest);
    address found = parse_tcp(url, rest.substr(0, rest.size() - options.size()));
    if (!options.empty())
        options.remove_prefix(1);
    found.tls = parse_tls(url, options);
    return found;
}

}  // namespace

wrong_address::wrong_address(std::string shown, std::string why)
    : system_error(
          sluice::errc::invalid_argument,
          "redis connection: the address '" + shown + "' " + why + "; write " +
              std::string(address_forms)
      ),
      shown_(std::move(shown)),
      why_(std::move(why))
{
}

address parse_address(std::string_view url)
{
    const auto behind = [url](std::string_view scheme) {
        return url.substr(scheme.size());
    };
    if (url.starts_with("redis://"))
        return parse_plain(url, behind("redis://"));
    if (url.starts_with("rediss://"))
        return parse_encrypted(url, behind("rediss://"));
    if (url.starts_with("unix://"))
        return parse_unix(url, behind("unix://"));
    if (url.starts_with("unix:"))
        return parse_unix(url, behind("unix:"));
    refuse(url, "begins with none of redis://, rediss:// and unix:");
}

std::string address::shown() const
{
    const std::string of_user = user.empty() ? "" : user + '@';
    if (host.empty())
        return "unix:" + path;
    const bool is_six = host.find(':') != std::string::npos;
    return (tls ? "rediss://" : "redis://") + of_user +
           (is_six ? '[' + host + ']' : host) + ':' + port +
           (database == "0" ? "" : '/' + database);
}

}  // namespace sluice::redis::detail

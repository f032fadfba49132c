// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/log_in.hpp"

#include "redis/function_library.hpp"
#include <sluice/error.hpp>

#include <string>
#include <string_view>

namespace sluice::redis::detail {

namespace {

// The right that a user needs. A server names a command in quotes; what else it refuses is a key or
// a channel.
std::string missing_right(std::string_view refusal)
{
    const auto quote = refusal.find('\'');
    const auto end = refusal.rfind('\'');
    if (quote < end)
        return '+' + std::string(refusal.substr(quote + 1, end - quote - 1));
    return refusal.find("channel") != refusal.npos ? "&sluice:{*" : "~sluice:{*";
}

// What to do about it, where the meaning of the code does not say it.
std::string remedy_for(const reply& refusal)
{
    if (refusal.is_error("NOAUTH"))
        return "; write the password into the address";
    if (refusal.is_error("ERR AUTH"))
        return "; take the password out of the address";
    if (refusal.is_error("NOPERM"))
        return "; the user lacks the right " + missing_right(refusal.text());
    if (refusal.is_error("ERR DB index"))
        return "; name another database in the address, or raise \"databases\" in the "
               "configuration of the server";
    return {};
}

awaitable<bool> has_functions(link& to)
{
    const auto found = co_await to.exchange(command("FCALL", "sluice_1_revision", "0"));
    const reply revision(found.get());
    if (revision.is_error("ERR Function not found"))
        co_return false;
    check_answer(found, "FCALL");
    co_return revision.number() >= function_library_revision;
}

}  // namespace

void check_answer(const reply& answer, const char* what)
{
    if (answer.is_error())
        throw system_error(
            answer.code(),
            what + (": " + std::string(answer.text())) + remedy_for(answer)
        );
}

void check_answer(const owned_reply& answer, const char* what)
{
    check_answer(reply(answer.get()), what);
}

awaitable<void> log_in(link& to, address server)
{
    if (!server.password.empty() || !server.user.empty()) {
        const auto text = server.user.empty()
                              ? command("AUTH", server.password)
                              : command("AUTH", server.user, server.password);
        check_answer(co_await to.exchange(text), "AUTH");
    }
    if (server.database != "0") {
        const command text("SELECT", server.database);
        check_answer(co_await to.exchange(text), "SELECT");
    }
}

awaitable<void> begin_events(link& to, std::string channel)
{
    const auto answer = co_await to.exchange(command("SUBSCRIBE", channel));
    const reply said(answer.get());
    if (!said.is_error("NOPERM") || denies_events(said))
        check_answer(said, "SUBSCRIBE");
}

// A server names the command in quotes; what else it refuses is the channel.
bool denies_events(const reply& answer)
{
    return answer.is_error("NOPERM") &&
           answer.text().find("'subscribe'") != std::string_view::npos;
}

// A newer program replaces the functions of an older one. Those that a newer one loads at the same
// time stay, unless that is between the last two commands.
awaitable<void> load_functions(link& to)
{
    if (co_await has_functions(to))
        co_return;
    const command first("FUNCTION", "LOAD", function_library);
    const auto loaded = co_await to.exchange(first);
    const bool are_there = reply(loaded.get()).is_error("ERR Library");
    if (!are_there)
        check_answer(loaded, "FUNCTION LOAD");
    if (!are_there || co_await has_functions(to))
        co_return;
    const command again("FUNCTION", "LOAD", "REPLACE", function_library);
    check_answer(co_await to.exchange(again), "FUNCTION LOAD");
}

}  // namespace sluice::redis::detail

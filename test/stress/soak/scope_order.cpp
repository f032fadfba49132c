// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/soak/orders.hpp"
#include <sluice/coordination/coordinator.hpp>

#include <memory>
#include <utility>

namespace sluice::soak {
namespace {

namespace asio = boost::asio;

// A coordinator and its child, which dies first.
struct family
{
    explicit family(const strand& on) : parent(on), child(parent) {}

    coordinator parent;
    coordinator child;
};

}  // namespace

asio::awaitable<void> scope_order(strand on, std::vector<errand> errands, unsigned turns)
{
    const auto scopes = std::make_shared<family>(on);
    ledger& book = std::visit(
        [](auto& held) -> ledger& { return held->book(); },
        errands.front().where
    );
    bool of_child = false;
    for (errand& next : errands) {
        next.what.lets_go = false;  // a supervised task runs on a strand of its own
        coordinator& scope = of_child ? scopes->child : scopes->parent;
        scope.spawn("errand", await_order(std::move(next.where), next.what));
        of_child = !of_child;
    }
    errands.clear();
    after(on, turns, [scopes] { scopes->parent.request_stop(); });
    co_await scopes->parent.join();
    if (!scopes->parent.tasks().empty())
        book.complain("a join has completed, but a task still runs");
}

}  // namespace sluice::soak

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// P12: every scenario is cut after 0, 1, 2, ... handlers, and then its parts are destroyed in
// every order, with and without handlers that run in between. Nothing leaks (counted_fixture,
// the handlers' own count, and the leak check of ASan), nothing runs after the death of the
// context, nothing touches what is gone.
//
// Runs under ASan only, because of the time it takes.

#include "behaviour/abandonment_scenarios.hpp"
#include "support/check.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace abandonment {

using namespace sluice::test;

constexpr std::size_t all_that_are_ready = 1000;

// What happens between two destructions.
enum class between : unsigned char
{
    nothing,
    handlers_run  // and what can be cancelled is
};

std::string to_text(
    std::size_t handlers,
    const std::vector<std::size_t>& order,
    between how
)
{
    std::string text = "cut after " + std::to_string(handlers) + " handlers, destroyed";
    for (const std::size_t part : order)
        text += ' ' + std::to_string(part);
    return text + (how == between::nothing ? "" : ", handlers run in between");
}

// Destroys the parts in this order.
void take_apart(stage& s, const std::vector<std::size_t>& order, between how)
{
    s.cut();
    for (const std::size_t part : order) {
        s.destroy(part);
        if (how == between::handlers_run) {
            s.cancel_all();
            s.play(all_that_are_ready);
        }
    }
}

// False if the scenario came to its end before it was to be cut.
bool abandon_once(
    const scenario& what,
    std::size_t handlers,
    const std::vector<std::size_t>& order,
    between how
)
{
    const counted_fixture elements;
    bool was_cut = false;
    long users = 0;
    {
        stage s;
        what.start(s);
        was_cut = s.play(handlers);
        take_apart(s, order, how);
        users = s.users();
    }
    if (elements.alive() != 0 || users != 0)
        fail(
            to_text(handlers, order, how) + ": " + std::to_string(elements.alive()) +
            " elements and " + std::to_string(users) + " handlers are left"
        );
    return was_cut;
}

std::vector<std::size_t> first_order(const scenario& what)
{
    stage s;
    what.start(s);
    std::vector<std::size_t> order(s.parts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    take_apart(s, order, between::nothing);
    return order;
}

// Returns the number of handlers that the whole scenario takes.
std::size_t abandon_everywhere(const scenario& what)
{
    std::vector<std::size_t> order = first_order(what);
    for (std::size_t handlers = 0;; ++handlers) {
        bool was_cut = false;
        do
            for (const between how : {between::nothing, between::handlers_run})
                was_cut = abandon_once(what, handlers, order, how) || was_cut;
        while (std::next_permutation(order.begin(), order.end()));
        if (!was_cut)
            return handlers;
    }
}

}  // namespace abandonment

BOOST_AUTO_TEST_SUITE(abandonment)

BOOST_AUTO_TEST_CASE(any_program_may_be_cut_anywhere_and_go_in_any_order)
{
    for (const scenario& what : scenarios::all)
        BOOST_TEST_CONTEXT(what.name)
        {
            const std::size_t handlers = abandon_everywhere(what);
            BOOST_TEST(handlers > 3U);
            BOOST_TEST_MESSAGE(what.name << ": " << handlers << " handlers");
        }
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"
#include "support/pump.hpp"
#include "support/spawned.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::test {

namespace asio = boost::asio;

// Why: a program may die between any two handlers. Everything that waits then is destroyed
// where it stands, and must neither leak nor touch what is gone; run under ASan.

/// What is destroyed first when a scenario is abandoned.
enum class abandon
{
    context_first,  // the io_context, with all handlers and frames in it, then the scenario
    scenario_first  // the scenario's objects, while handlers and frames still refer to them
};

namespace detail {

/// A scenario that starts its operations when it is made and says when they are done.
template <class Scenario>
concept observed_scenario = requires(Scenario& scenario) {
    { scenario.done() } -> std::convertible_to<bool>;
};

/// A scenario whose member function is the coroutine to run.
template <class Scenario>
concept coroutine_scenario = requires(Scenario& scenario) {
    { scenario.run() } -> std::same_as<asio::awaitable<void>>;
};

/// One scenario on an io_context of its own; either can be destroyed first.
template <class Factory>
class prefix_run
{
public:
    explicit prefix_run(Factory& make)
    {
        if constexpr (is_coroutine)
            start(std::invoke(make, *context_));
        else {
            scenario_.reset(new scenario_type(std::invoke(make, *context_)));
            if constexpr (coroutine_scenario<scenario_type>)
                start(scenario_->run());
        }
    }

    /// Run so many handlers, waiting for timers; false if the scenario got stuck before.
    bool run(std::size_t handlers)
    {
        for (; handlers != 0 && !done(); --handlers) {
            if (context_->stopped())
                context_->restart();
            if (context_->run_one_for(patience) == 0)
                return false;
        }
        return true;
    }

    [[nodiscard]] bool done() const
    {
        if constexpr (!is_coroutine && observed_scenario<scenario_type>)
            return scenario_->done();
        else
            return coroutine_->done();
    }

    /// Rethrow what ended the coroutine.
    void rethrow()
    {
        if (coroutine_ && coroutine_->done())
            coroutine_->result();
    }

    void destroy(abandon order)
    {
        if (order == abandon::scenario_first)
            scenario_.reset();
        context_.reset();
        scenario_.reset();
    }

private:
    void start(asio::awaitable<void> coroutine)
    {
        coroutine_ = std::make_unique<spawned<void>>(
            test::spawn(context_->get_executor(), std::move(coroutine))
        );
    }

    using made_type = std::invoke_result_t<Factory&, asio::io_context&>;
    static constexpr bool is_coroutine = std::same_as<made_type, asio::awaitable<void>>;
    using scenario_type = std::conditional_t<is_coroutine, char, made_type>;

    std::unique_ptr<asio::io_context> context_ = std::make_unique<asio::io_context>();
    std::unique_ptr<scenario_type> scenario_;   // null for a plain coroutine
    std::unique_ptr<spawned<void>> coroutine_;  // null for an observed scenario
};

/// True if the scenario came to its end within so many handlers.
template <class Factory>
bool run_prefix(
    Factory& make,
    std::size_t handlers,
    abandon order,
    std::source_location where
)
{
    prefix_run<Factory> run{make};
    if (!run.run(handlers)) {
        fail("the scenario is stuck: it is not done and no handler is ready", where);
        run.destroy(order);
        return true;
    }
    run.rethrow();
    const bool done = run.done();
    run.destroy(order);
    return done;
}

}  // namespace detail

/// Run a scenario for 0, 1, 2, ... handlers and destroy it, until it ends by itself.
/**
 * `make(io_context&)` returns, by value and not necessarily movable,
 *  - an `asio::awaitable<void>`, whose end is the end of the scenario, or
 *  - an object with `asio::awaitable<void> run()`, or
 *  - an object with `bool done()` that has started its operations in its constructor.
 *
 * Each prefix is abandoned in each of the orders. Leave context_first out for an object that
 * owns timers or sockets: Asio does not let them outlive their context. `after` is called
 * after each destruction, to check that nothing is left. Returns the number of handlers that
 * the whole scenario takes: check that it is not 0.
 */
template <class Factory, class After>
std::size_t for_each_prefix(
    Factory make,
    After after,
    std::vector<abandon> orders,
    std::source_location where = std::source_location::current()
)
{
    constexpr std::size_t limit = 10'000;
    for (std::size_t handlers = 0; handlers != limit; ++handlers) {
        bool done = false;
        for (const auto order : orders) {
            BOOST_TEST_CONTEXT(
                "abandoned after "
                << handlers << " handlers, the "
                << (order == abandon::context_first ? "context" : "scenario") << " first"
            )
            {
                done = detail::run_prefix(make, handlers, order, where);
                after();
            }
        }
        if (done)
            return handlers;
    }
    fail("the scenario does not end", where);
    return limit;
}

/// The same in both orders.
template <class Factory, class After>
std::size_t for_each_prefix(
    Factory make,
    After after,
    std::source_location where = std::source_location::current()
)
{
    return for_each_prefix(
        std::move(make),
        std::move(after),
        {abandon::context_first, abandon::scenario_first},
        where
    );
}

/// The same without a check after each prefix.
template <class Factory>
std::size_t for_each_prefix(
    Factory make,
    std::source_location where = std::source_location::current()
)
{
    return for_each_prefix(std::move(make), [] {}, where);
}

}  // namespace sluice::test

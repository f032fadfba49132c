// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/detail/waiting/waiting_room.hpp>
#include <sluice/operation.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sluice {

/// The options of an event.
struct event_options
{
    /// The name that messages and reports use; need not be unique. The event copies it.
    std::string_view name = "event";
};

namespace detail {

class event_core final : public waiting_room<wait_hub>
{
public:
    explicit event_core(std::string_view name);

    void set() noexcept;
    void reset() noexcept;
    [[nodiscard]] bool is_set() const noexcept;
    [[nodiscard]] std::string describe() const override;

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    [[nodiscard]] bool is_ready(const waiter& target) const noexcept override;

    const std::string name_;
    bool is_set_ = false;  // guarded by the mutex
};

class event_wait : public gives_nothing<waiter>
{
public:
    struct arguments
    {
        event_core* core;
    };

    explicit event_wait(arguments&& args) noexcept;

    [[nodiscard]] std::string describe() const override;

protected:
    ~event_wait() = default;
};

}  // namespace detail

/// Lets all that wait for it go on, once it is set: a manual-reset event.
/**
 * Some coroutines must not begin before something has happened: the configuration is read, a
 * server has answered, a pause is over. They wait for the event. One that comes later, while it is
 * set, does not wait.
 *
 * @par Example
 * @code
 * sluice::event ready{pool, {.name = "ready"}};
 *
 * asio::awaitable<void> serve()
 * {
 *     co_await ready.wait();  // until ready.set()
 *     // ...
 * }
 * @endcode
 *
 * @par Object lifetime  operations that wait may outlive the event: its destructor ends them with
 *                       asio::error::operation_aborted.
 * @par Thread safety    Distinct objects: safe. Shared objects: safe without a strand, but for the
 *                       destructor.
 */
class event
{
public:
    /// The type of the executor for completions that have none of their own.
    using executor_type = boost::asio::any_io_executor;

    /// Makes an event that is not set.
    /**
     * @param executor  for completions that have no executor of their own.
     * @param options   the name.
     * @par Exception safety  strong.
     */
    explicit event(const executor_type& executor, event_options options = {});

    /// Makes one that uses the executor of an io_context, a thread_pool, an io_context_pool or
    /// anything else that has one.
    template <detail::context_with<executor_type> Context>
    explicit event(Context& context, event_options options = {})
        : event(executor_type(context.get_executor()), options)
    {
    }

    event(const event&) = delete;
    event& operator=(const event&) = delete;

    /// As cancel(); frees the event.
    ~event();

    /// Where completions run that have no executor of their own.
    [[nodiscard]] const executor_type& get_executor() const noexcept { return executor_; }

    /// The name that messages and reports use.
    [[nodiscard]] const std::string& name() const noexcept { return core_->name(); }

    /// Whether it is set, at this moment.
    [[nodiscard]] bool is_set() const noexcept { return core_->is_set(); }

    /// Sets it: all that wait go on, and a wait() that begins until reset() completes at once.
    /**
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void set() noexcept { core_->set(); }

    /// Sets it back: a wait() that begins from now on waits for the next set().
    /**
     * What was told already goes on all the same.
     *
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void reset() noexcept { core_->reset(); }

    /// Ends all wait() that wait, with asio::error::operation_aborted.
    void cancel() noexcept;

    /// Waits until it is set.
    /**
     * Also a branch for select(). `.within(duration)` and `.until(time_point)` limit the wait.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code)`
     * @par Completion            at once if it is set; otherwise as if by asio::post on the
     *                            associated executor, once it is, also if it is reset meanwhile.
     * @par Errors
     * @li errc::timed_out  the limit passed while it waited
     * @li asio::error::operation_aborted  cancelled, or the event was destroyed
     * @par Cancellation          terminal, partial, total: all supported; nothing else changes.
     * @par Ordering              told in the order in which they began to wait.
     * @par Object lifetime       `*this` may be destroyed while this waits.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1).
     */
    operation<detail::event_wait, executor_type> wait()
    {
        return {{core_.get()}, executor_};
    }

    /// Waits until it is set, with a completion token.
    /**
     * As wait().
     *
     * @par Completion signature  `void(error_code)`
     */
    template <
        boost::asio::completion_token_for<void(error_code)> Token =
            boost::asio::deferred_t>
    auto async_wait(Token&& token = Token())
    {
        return wait()(std::forward<Token>(token));
    }

private:
    executor_type executor_;
    boost::intrusive_ptr<detail::event_core> core_;
};

}  // namespace sluice

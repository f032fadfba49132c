// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/detail/waiting/waiting_room.hpp>
#include <sluice/operation.hpp>
#include <sluice/queue/detail/queue_waiters.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sluice {

/// The options of a latest_value.
struct latest_value_options
{
    /// The name that messages and reports use; need not be unique. It is copied.
    std::string_view name = "latest value";
};

namespace detail {

template <class T>
class latest_taker;

template <class T>
class latest_core final : public waiting_room<closable>
{
    using base = waiting_room<closable>;
    using typename base::critical_section;

public:
    explicit latest_core(std::string_view name) : name_(name) {}

    // Whether it was open.
    bool set(T&& value) noexcept
    {
        std::optional<T> old;  // destroyed after the lock is released
        critical_section section(*this);
        if (record_.is_closed())
            return false;
        if (value_)
            old.emplace(std::move(*value_));
        value_.emplace(std::move(value));
        ++version_;
        serve(section);
        return true;
    }

    [[nodiscard]] std::optional<T> get() const
    {
        const std::lock_guard lock(mutex_);
        return value_;
    }

    // For a reader that has been told; what it has seen is guarded by the mutex.
    [[nodiscard]] T read(std::uint64_t& seen) const
    {
        const std::lock_guard lock(mutex_);
        T value(*value_);
        seen = version_;
        return value;
    }

    // A stop cuts nothing off that was closed before (S52).
    void close(const closing& how) noexcept override
    {
        critical_section section(*this);
        record_.note(how, true);
        serve(section);
    }

    [[nodiscard]] ending how_it_ended() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return {record_.end(), 0};
    }

    void shut_down() noexcept
    {
        close({close_mode::drain, closer::destructor});
        const std::lock_guard lock(mutex_);
        orphaned_ = true;
    }

    [[nodiscard]] bool is_closed() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return record_.is_closed();
    }

    [[nodiscard]] bool is_orphaned() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return orphaned_;
    }

    [[nodiscard]] const std::string& name() const noexcept override { return name_; }

    [[nodiscard]] std::string describe() const override
    {
        return "latest value '" + name_ + "'";
    }

private:
    [[nodiscard]] bool is_ready(const waiter& target) const noexcept override
    {
        return value_ && static_cast<const latest_taker<T>&>(target).seen() != version_;
    }

    // A last value comes before the end.
    void serve(critical_section& section) noexcept override
    {
        base::serve(section);
        if (record_.is_closed())
            section.end_all(this->waiters_, record_.code(), record_.end().cause);
    }

    const std::string name_;
    // All guarded by the mutex.
    std::optional<T> value_;
    std::uint64_t version_ = 0;  // how many values there have been
    close_record record_;        // what readers are told after the last value
    bool orphaned_ = false;
};

// Counts as seen when the reader has it.
template <class T>
class latest_taker : public waiter
{
public:
    using value_type = T;

    struct arguments
    {
        latest_core<T>* core;
        std::uint64_t* seen;
    };

    explicit latest_taker(arguments&& args) noexcept
        : waiter(0, args.core), seen_(args.seen)
    {
    }

    [[nodiscard]] std::uint64_t seen() const noexcept { return *seen_; }

    [[nodiscard]] T take() { return static_cast<latest_core<T>&>(*hub_).read(*seen_); }

    [[nodiscard]] static std::string numbers() { return {}; }

    [[nodiscard]] std::string described(const char* operation) const
    {
        return on_queue(operation, *this);
    }

protected:
    ~latest_taker() = default;

private:
    std::uint64_t* const seen_;
};

template <class T>
using latest_next = gives_next<latest_taker<T>>;

}  // namespace detail

/// Tells readers of the latest value, and of that only.
/**
 * Some values matter only as they are now: a configuration, the state of a connection, a price. A
 * queue would make readers go through all that are outdated. Here each value replaces the one
 * before it. A reader waits for one that it has not seen, and one that comes late begins with the
 * latest.
 *
 * @par Example
 * @code
 * sluice::latest_value<config> settings{pool, {.name = "settings"}};
 *
 * asio::awaitable<void> follow()
 * {
 *     std::uint64_t seen = 0;  // none yet
 *     while (auto now = co_await settings.next(seen))  // empty after settings.close()
 *         apply(*now);
 * }
 *
 * settings.set(load());
 * @endcode
 *
 * @par Closing          readers get the last value, unless they have seen it, and then the end.
 * @par Object lifetime  operations that wait may outlive it: its destructor closes it.
 * @par Thread safety    distinct objects: safe. Shared objects: safe without a strand, but for the
 *                       destructor.
 *
 * @tparam T  the value: copyable, and movable without an exception. Copies are made under a lock,
 *            so use `std::shared_ptr<const T>` for large ones.
 */
template <class T>
class latest_value
{
    static_assert(
        std::copy_constructible<T> && std::is_nothrow_move_constructible_v<T>,
        "each reader of a latest_value gets a copy of it, and moving it must not throw: "
        "let it be "
        "a std::shared_ptr<const T>"
    );

public:
    /// The type of the executor for completions that have none of their own.
    using executor_type = boost::asio::any_io_executor;

    /// Makes one without a value.
    /**
     * @param executor  for completions that have no executor of their own.
     * @param options   the name.
     * @par Exception safety  strong.
     */
    explicit latest_value(
        const executor_type& executor,
        latest_value_options options = {}
    )
        : executor_(executor), core_(new detail::latest_core<T>(options.name))
    {
        detail::attach_home(
            *core_,
            boost::asio::query(executor_, boost::asio::execution::context)
        );
    }

    /// Makes one that uses the executor of an io_context, a thread_pool, an io_context_pool or
    /// anything else that has one.
    template <detail::context_with<executor_type> Context>
    explicit latest_value(Context& context, latest_value_options options = {})
        : latest_value(executor_type(context.get_executor()), options)
    {
    }

    latest_value(const latest_value&) = delete;
    latest_value& operator=(const latest_value&) = delete;

    /// As close().
    ~latest_value()
    {
        core_->shut_down();
        core_->detach();
    }

    /// Where completions run that have no executor of their own.
    [[nodiscard]] const executor_type& get_executor() const noexcept { return executor_; }

    /// The name that messages and reports use.
    [[nodiscard]] const std::string& name() const noexcept { return core_->name(); }

    /// Replaces the value, and tells all readers that wait.
    /**
     * @return false, and nothing has changed, if it is closed.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    bool set(T value) noexcept { return core_->set(std::move(value)); }

    /// A copy of the value as it is now; nothing before the first set().
    /**
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] std::optional<T> get() const { return core_->get(); }

    /// Takes the latest value, waiting until there is one that the reader has not seen.
    /**
     * Values that were replaced in the meantime are not seen. Also a branch for select().
     * `.within(duration)` and `.until(time_point)` limit the wait.
     *
     * @param seen  the number of the value that this reader had last, 0 for none; the operation
     *              sets it when the reader gets the value. Must live until the operation completes,
     *              and is not to be touched until then.
     * @return an operation; `co_await` gives a `std::optional<T>`, empty at the end.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::optional<T>)`
     * @par Completion            at once if there is a value with another number; otherwise as if
     *                            by asio::post on the associated executor.
     * @par Errors
     * @li the cause of close(), once the last value has been seen
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::element_failed  copying the value threw; `co_await` throws that
     * @li asio::error::operation_aborted  cancelled
     * @par Cancellation          terminal, partial, total: all supported; `seen` is as before.
     * @par Ordering              told in the order in which they began to wait.
     * @par Object lifetime       `*this` may be destroyed while this waits: the end.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1), and a copy of the value.
     */
    operation<detail::latest_next<T>, executor_type> next(std::uint64_t& seen)
    {
        return {{core_.get(), &seen}, executor_};
    }

    /// Takes the latest value that the reader has not seen, with a completion token.
    /**
     * As next().
     *
     * @par Completion signature  `void(error_code, std::optional<T>)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, std::optional<T>)> Token =
            boost::asio::deferred_t>
    auto async_next(std::uint64_t& seen, Token&& token = Token())
    {
        return next(seen)(std::forward<Token>(token));
    }

    /// Takes no more values; readers get the last one and then the end, or the cause.
    /**
     * coordinator::close_on_stop() takes it, too.
     *
     * @param cause  the first one counts; next() throws it in place of giving nothing.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void close(std::exception_ptr cause = nullptr) noexcept
    {
        core_->close_with(std::move(cause));
    }

    /// Whether it has been closed.
    [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }

private:
    friend struct detail::queue_access;

    executor_type executor_;
    boost::intrusive_ptr<detail::latest_core<T>> core_;
};

}  // namespace sluice

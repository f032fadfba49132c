// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {
namespace detail {

template <class T>
inline constexpr bool is_coroutine = false;

template <class T, class Executor>
inline constexpr bool is_coroutine<boost::asio::awaitable<T, Executor>> = true;

template <class Body>
concept starts_coroutine = std::invocable<Body&> &&
                           is_coroutine<std::invoke_result_t<Body&>>;

// What run() would give if it did not refuse its argument.
struct no_result
{
    template <class T>
    operator T() const;
};

// The end of a coroutine for which a thread waits. The thread destroys it as soon as it has been
// told, so it is told, and woken, under the mutex.
class awaited_end
{
public:
    void tell(std::exception_ptr failure) noexcept;

    // Throws what the coroutine has thrown.
    void wait();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::exception_ptr failure_;  // guarded by mutex_
    bool is_told_ = false;        // guarded by mutex_
};

}  // namespace detail

/// An io_context that brings its own threads.
/**
 * An `asio::io_context` does nothing until a thread calls `run()`, and a program whose
 * main() is a coroutine needs a few lines to get from one to the other. This class is those
 * lines: threads that run the context from construction to destruction, and run(), which
 * runs a coroutine to its end. It is accepted wherever a context is.
 *
 * @par Object lifetime
 * The destructor stops the context, joins the threads and then destroys what still waits;
 * no handler runs after it has begun. Declare the pool before whatever uses it.
 *
 * @par Exceptions
 * One that leaves a handler ends the program, because no thread of the pool could report it.
 * Those of coroutines are reported by what started them: run(), or a coordinator.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: safe, except for join() and the destructor.
 */
class io_context_pool
{
public:
    /// The executor of the context.
    using executor_type = boost::asio::io_context::executor_type;

    /// Starts the threads.
    /**
     * @param threads  how many; 0 means one for each processor.
     * @throws std::system_error if a thread cannot be started.
     */
    explicit io_context_pool(std::size_t threads = 0);

    io_context_pool(const io_context_pool&) = delete;
    io_context_pool& operator=(const io_context_pool&) = delete;

    /// Stops the context and joins the threads.
    ~io_context_pool();

    /// The context that the threads run.
    [[nodiscard]] boost::asio::io_context& context() noexcept { return context_; }

    /// The executor of the context, so that a pool is accepted where a context is.
    [[nodiscard]] executor_type get_executor() noexcept
    {
        return context_.get_executor();
    }

    /// The number of threads.
    [[nodiscard]] std::size_t size() const noexcept { return threads_.size(); }

    /// Makes the threads return as soon as the handlers they are in do; never waits.
    void stop() noexcept;

    /// Waits until there is nothing left to do, and ends the threads.
    /**
     * @throws system_error  as run(), if it is called on a thread of this pool.
     */
    void join();

    /// Runs a coroutine on the pool, waits for its end and gives its result.
    /**
     * Call a function in the parentheses, `pool.run(co_main(pool, argv[1]))`: temporaries among its
     * arguments live until this returns. In `pool.run([&] { return co_main(pool, argv[1]); })` they
     * die before the coroutine begins, and a reference to one dangles. A lambda that is a coroutine
     * itself, with `co_return co_await co_main(pool, argv[1])`, is right.
     *
     * @param task  an `asio::awaitable<T>`, or a callable that returns one; the callable is
     *              kept until the coroutine has ended.
     * @return what the coroutine returns.
     * @throws what the coroutine throws.
     * @throws system_error  `boost::system::errc::resource_deadlock_would_occur` if it is called
     *                       on a thread of this pool, which the coroutine may need.
     * @par Preconditions  stop() is not called meanwhile, or the coroutine would never end.
     * @par Thread safety  safe from any thread but those of the pool.
     */
    template <class T, class Executor>
    T run(boost::asio::awaitable<T, Executor> task)
    {
        return run_to_end<T>(std::move(task));
    }

    /// Runs the coroutine that a callable starts; the callable is kept until its end.
    template <detail::starts_coroutine Body>
    auto run(Body body)
    {
        return run_to_end<typename std::invoke_result_t<Body&>::value_type>(std::move(body
        ));
    }

    /// @cond
    // Refused in words.
    template <class Other>
        requires(!detail::starts_coroutine<Other> && !detail::is_coroutine<Other>)
    detail::no_result run(const Other& /*other*/)
    {
        static_assert(
            detail::is_coroutine<const Other>,
            "give run() a coroutine, as run(co_main()), or a callable that returns one: "
            "both have "
            "the type boost::asio::awaitable<T>"
        );
        return {};
    }
    /// @endcond

private:
    // Not by use_future, because <future> takes as long to compile as this whole header.
    template <class T, class Task>
    T run_to_end(Task task)
    {
        refuse_own_thread("run");
        detail::awaited_end end;
        if constexpr (std::is_void_v<T>) {
            boost::asio::co_spawn(
                context_,
                std::move(task),
                [&end](std::exception_ptr failure) { end.tell(std::move(failure)); }
            );
            end.wait();
        } else {
            std::optional<T> result;
            boost::asio::co_spawn(
                context_,
                std::move(task),
                [&](std::exception_ptr failure, T value) {
                    if (!failure)
                        result.emplace(std::move(value));
                    end.tell(std::move(failure));
                }
            );
            end.wait();
            return std::move(*result);
        }
    }

    // A thread of the pool that waits for the pool may wait for ever.
    void refuse_own_thread(const char* member);

    boost::asio::io_context context_;
    boost::asio::executor_work_guard<executor_type> work_;
    std::vector<std::jthread> threads_;
};

}  // namespace sluice

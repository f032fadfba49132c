// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/task_strand.hpp>

#include <sluice/detail/awaiting/supervised_executor.hpp>

#include <boost/asio/execution/allocator.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace sluice::detail {

namespace asio = boost::asio;

namespace {

// Memory for what an executor makes of one thread_request: an object, or two if it is a strand.
// They are given back before the request is called, and there is one request at a time.
class request_memory
{
public:
    static constexpr std::size_t size = 24 * sizeof(void*);

    void clear() noexcept { used_ = 0; }

    // Null if it is too large, which is so with no known version of Asio.
    [[nodiscard]] void* take(std::size_t count) noexcept
    {
        constexpr std::size_t unit = alignof(std::max_align_t);
        count = (count + unit - 1) / unit * unit;
        if (count > size - used_)
            return nullptr;
        used_ += count;
        return bytes_ + (used_ - count);
    }

    [[nodiscard]] bool owns(const void* object) const noexcept
    {
        return !std::less<>()(object, static_cast<const void*>(bytes_)) &&
               std::less<>()(object, static_cast<const void*>(bytes_ + size));
    }

private:
    alignas(std::max_align_t) std::byte bytes_[size];
    std::size_t used_ = 0;
};

template <class T>
class request_allocator
{
public:
    using value_type = T;

    request_allocator(
        request_memory& memory,
        boost::intrusive_ptr<task_strand> owner
    ) noexcept
        : memory_(&memory), owner_(std::move(owner))
    {
    }

    template <class U>
    request_allocator(const request_allocator<U>& other) noexcept
        : memory_(other.memory_), owner_(other.owner_)
    {
    }

    [[nodiscard]] T* allocate(std::size_t count)
    {
        if (void* const own = memory_->take(count * sizeof(T)))
            return static_cast<T*>(own);
        return std::allocator<T>().allocate(count);
    }

    void deallocate(T* object, std::size_t count) noexcept
    {
        if (!memory_->owns(object))
            std::allocator<T>().deallocate(object, count);
    }

    template <class U>
    bool operator==(const request_allocator<U>& other) const noexcept
    {
        return memory_ == other.memory_;
    }

private:
    template <class U>
    friend class request_allocator;

    request_memory* memory_;
    // If the context dies, a strand of Asio drops the request before the scheduler drops what it
    // has of the strand, which is in this memory, too.
    boost::intrusive_ptr<task_strand> owner_;
};

template <class Executor>
class strand_on final : public task_strand
{
public:
    explicit strand_on(const Executor& below) : below_(below) {}

    [[nodiscard]] asio::execution_context& context() const noexcept override
    {
        return asio::query(below_, asio::execution::context);
    }

    [[nodiscard]] asio::any_io_executor without_strand() const override
    {
        return detail::without_strand(below_);
    }

    void begin_work() override
    {
        const std::lock_guard lock(mutex_);
        if (!work_)
            work_.emplace(asio::prefer(below_, asio::execution::outstanding_work.tracked)
            );
        ++works_;
    }

    void repeat_work() noexcept override
    {
        const std::lock_guard lock(mutex_);
        ++works_;
    }

    // The last one may stop the context, which is not done under the lock.
    void end_work() noexcept override
    {
        std::optional<busy_executor> last;
        const std::lock_guard lock(mutex_);
        if (--works_ == 0)
            last.swap(work_);
    }

private:
    using busy_executor = std::decay_t<decltype(asio::prefer(
        std::declval<const Executor&>(),
        asio::execution::outstanding_work.tracked
    ))>;

    // The request is there before anything can throw, so that the steps are dropped then.
    void ask_for_thread(how_to_run how) override
    {
        thread_request request(*this);
        memory_.clear();
        if (how == how_to_run::now_if_allowed)
            ask(below_, std::move(request));
        else
            ask(asio::require(below_, asio::execution::blocking.never),
                std::move(request));
    }

    // The executor is copied, because *this may be gone before that returns.
    template <class Given>
    void ask(const Given& executor, thread_request request)
    {
        const request_allocator<void> allocator(memory_, this);
        if constexpr (std::same_as<Given, supervised_executor>)
            executor.execute(std::move(request), allocator);
        else
            asio::prefer(executor, asio::execution::allocator(allocator))
                .execute(std::move(request));
    }

    const Executor below_;
    request_memory memory_;
    std::optional<busy_executor> work_;  // guarded by mutex_
    std::size_t works_ = 0;              // guarded by mutex_
};

template <class Executor>
boost::intrusive_ptr<task_strand> make_if(const asio::any_io_executor& below)
{
    const auto* const same = below.target<Executor>();
    return same == nullptr ? nullptr : new strand_on<Executor>(*same);
}

}  // namespace

boost::intrusive_ptr<task_strand> task_strand::make(const asio::any_io_executor& below)
{
    using asio::io_context;
    using asio::strand;
    using asio::thread_pool;
    if (auto made = make_if<io_context::executor_type>(below))
        return made;
    if (auto made = make_if<supervised_executor>(below))
        return made;
    if (auto made = make_if<strand<io_context::executor_type>>(below))
        return made;
    if (auto made = make_if<thread_pool::executor_type>(below))
        return made;
    if (auto made = make_if<strand<thread_pool::executor_type>>(below))
        return made;
    return new strand_on<asio::any_io_executor>(below);
}

void task_strand::run()
{
    const running now(*this);
    now.step.complete(true);
}

void task_strand::drop_steps() noexcept
{
    task_steps steps = drop();
    while (!steps.empty())
        steps.take_front().complete(false);
}

task_strand::running::running(task_strand& of) noexcept
    : strand(&of), outer(innermost_), step(of.begin_run())
{
    innermost_ = this;
}

// Also if the step has thrown.
task_strand::running::~running()
{
    innermost_ = outer;
    if (!strand->end_run())
        return;
    try {
        strand->ask_for_thread(how_to_run::later);
    } catch (...) {
        // it has been refused, and the steps have been dropped
    }
}

}  // namespace sluice::detail

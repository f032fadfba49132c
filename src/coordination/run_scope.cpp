// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/run_scope.hpp>

#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/detail/awaiting/post.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace sluice::detail {
namespace {

namespace asio = boost::asio;

using scope_ptr = boost::intrusive_ptr<coordinator_state>;

// The wait of the coroutine that awaits the scope, whose frame has what the tasks refer to. So it
// owns that coroutine until the last of them has ended, or was destroyed with its context: then
// the coroutine goes last. All memory is taken before anything runs, but for what a strand of Asio
// or an executor of another kind takes to resume the coroutine.
class scope_wait final : public scope_owner
{
    using handler = asio::async_result<asio::use_awaitable_t<>, void()>::handler_type;

public:
    scope_wait(scope_ptr scope, const asio::any_io_executor& home, scope_ending& ending)
        : scope_(std::move(scope)), work_(home), ending_(ending)
    {
    }

    // From here on *this owns itself.
    void start(handler&& waiting, asio::awaitable<void> body) noexcept
    {
        handler_.emplace(std::move(waiting));
        const scope_ptr scope = scope_;
        scope->hold_for(*this);
        try {
            auto slot = asio::get_associated_cancellation_slot(*handler_);
            if (slot.is_connected())
                slot.assign([scope](asio::cancellation_type) { scope->cut(); });
            scope->spawn_body(watch(destruction_note(scope), std::move(body)));
        } catch (...) {
            scope->fail_scope(std::current_exception());
        }
        scope->let_go();  // *this may be gone
    }

    void scope_ended() noexcept override
    {
        ending_ = scope_->ending();
        detail::post(work_.get_executor(), posted_call(this), memory_);
    }

private:
    friend posted_call;

    // As an argument of a coroutine it notices also that this is never entered.
    class destruction_note
    {
    public:
        explicit destruction_note(scope_ptr scope) noexcept : scope_(std::move(scope)) {}
        destruction_note(destruction_note&&) noexcept = default;
        destruction_note& operator=(destruction_note&&) = delete;

        ~destruction_note()
        {
            if (scope_)
                scope_->body_destroyed();
        }

        [[nodiscard]] scope_ptr withdraw() noexcept { return std::move(scope_); }

    private:
        scope_ptr scope_;
    };

    static asio::awaitable<void> watch(destruction_note note, asio::awaitable<void> body)
    {
        std::exception_ptr failure;
        try {
            co_await std::move(body);
        } catch (...) {
            failure = std::current_exception();
        }
        const scope_ptr scope = note.withdraw();
        if (failure)
            scope->body_failed(failure);
    }

    void run_posted()
    {
        std::unique_ptr<scope_wait> self(this);
        empty_slot(asio::get_associated_cancellation_slot(*handler_));
        handler waiting(std::move(*handler_));
        self.reset();
        std::move(waiting)();
    }

    void drop_posted() noexcept { delete this; }

    const scope_ptr scope_;
    const asio::executor_work_guard<asio::any_io_executor> work_;
    scope_ending& ending_;  // in the frame of the coroutine
    std::optional<handler> handler_;
    post_memory memory_;
};

}  // namespace

asio::awaitable<void> run_scope(scope_ptr scope, asio::awaitable<void> body)
{
    // A cancellation that came earlier is not emitted again.
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none)
        throw system_error(asio::error::operation_aborted, "with_tasks");
    scope_ending ending;
    auto wait = std::make_unique<scope_wait>(
        std::move(scope),
        co_await asio::this_coro::executor,
        ending
    );
    auto initiate = [&wait](auto waiting, asio::awaitable<void> started) {
        wait.release()->start(std::move(waiting), std::move(started));
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        std::move(initiate),
        asio::use_awaitable,
        std::move(body)
    );
    if (ending.error)
        std::rethrow_exception(ending.error);
    if (ending.was_cut)
        throw system_error(asio::error::operation_aborted, "with_tasks");
}

}  // namespace sluice::detail

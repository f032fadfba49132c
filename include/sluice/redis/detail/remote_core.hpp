// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/queue_end.hpp>
#include <sluice/redis/detail/connection_state.hpp>
#include <sluice/redis/detail/loss_watch.hpp>
#include <sluice/redis/detail/producer_name.hpp>
#include <sluice/redis/detail/remote_lanes.hpp>
#include <sluice/redis/detail/settlements.hpp>
#include <sluice/redis/redis_queue_options.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::redis::detail {

// What a core needs of a connection.
class command_sink
{
public:
    // Sends a command. The answer, or the news that it was lost, comes to on_reply(), one at a
    // time and later, unless there is no memory for it. Called from pump() only.
    virtual void send(remote_core& core, lane from, command text) noexcept = 0;

    // What has been sent is written. Called from pump() only.
    virtual void flush() noexcept = 0;

    // Has pump() called soon. From any thread.
    virtual void post_pump(remote_core& core) = 0;

    // The same, but not before the handler that this thread runs has ended.
    virtual void defer_pump(remote_core& core) = 0;

    // The same, or at once if this thread may call it.
    virtual void run_pump(remote_core& core) = 0;

protected:
    ~command_sink() = default;
};

// The state machine of this process's end of a queue on a server. It knows bytes, waiters and
// what the functions of the server answer, and nothing of sockets or executors.
//
// It joins the objects that keep its rules: the lanes (E1, E2, E3, E7), the settlements (E4, E5),
// the name of the producer (E4, E6), the connection, and the watch for losses (E8). They decide no
// operation. This class does, under the mutex, when one of them says so.
//
// (E1) In each lane at most one command is on its way, and it serves the operations from the
//      head of its list on, in their order. So the numbers of enqueues reach the server in
//      order, and those that wait are served first come, first served.
// (E2) An operation waits without a command of its own: a lane that the server has refused is
//      blocked until an event or the poll, or until another operation is the first, and then asks
//      again. An event that comes while a command is on its way makes it ask again at once,
//      because the answer may be older.
// (E3) An operation that leaves its list while a command is on its way leaves an empty slot
//      behind. Elements that come for an empty slot are returned.
// (E4) What a connection took with it is sent again by the next one: enqueues with the numbers
//      that they had, so that the server knows them; settlements as they are, but for elements
//      that are returned unseen.
// (E5) A leased element of this process is in exactly one place: a consumer that has not been
//      delivered, a delivery, or the settlements. What this process gives up, and may
//      still say so, it returns.
// (E6) With a name, no enqueue is sent until the server has answered `open_as` and said that this
//      process has the name. It takes the name from the process that it has been told of, and
//      once: if the server says later that another one has it, or does not know an enqueue any
//      more that it has answered, this process enqueues no more and does not close the queue. Each
//      opening has a number, so that what an earlier connection took with it does not come in
//      behind it.
// (E7) Settlements go with an enqueue or a dequeue if there is one to send, and are done before it,
//      in one call of the server. An error that ends the call is the answer to both. Without memory
//      the server refuses such an enqueue before it does anything; then they go alone, because
//      they make room, and the enqueue goes behind them.
// (E8) Of what a queue loses that stays an event tells, and the status how much. A queue that was
//      deleted, or whose server lost it, is made anew by the next opening, and has another `base`
//      then. Elements that it had when the server spoke of it last may have left before, so that is
//      a warning and no error; none if it was deleted on purpose, of which an event tells. While
//      there are elements, the poll asks how many.
class remote_core : public sluice::detail::closable
{
    using waiter = sluice::detail::waiter;
    using waiter_list = sluice::detail::waiter_list;

public:
    // `prefix` begins all keys on the server; it has a hash tag.
    remote_core(
        const queue_options& options,
        std::string prefix,
        std::weak_ptr<command_sink> sink
    );

    [[nodiscard]] static std::string prefix_of(const queue_options& options);

    // Operations ------------------------------------------------------------------------------

    // Nothing is complete without the server.
    [[nodiscard]] bool try_start(waiter& target) noexcept override;

    [[nodiscard]] bool start(
        waiter& target,
        sluice::detail::delivery how,
        sluice::detail::wait_mode mode
    ) noexcept override;

    // Of remote_producer.
    void cancel_producer(remote_producer& target, error_code why) noexcept;

    // Settles elements; no operation waits for the answer.
    void settle(settling what, std::vector<leased_element> elements) noexcept;

    // Closing ---------------------------------------------------------------------------------

    // With close_mode::drain and without a cause the queue is closed for all, as soon as the
    // enqueues that wait here are through. Otherwise this process only stops using it.
    void close(const sluice::detail::closing& how) noexcept override;
    [[nodiscard]] ending how_it_ended() const noexcept override;
    [[nodiscard]] bool is_closed() const noexcept override;
    [[nodiscard]] bool is_orphaned() const noexcept override;

    // The public object is destroyed.
    void shut_down() noexcept;

    // There is no delivery and no operation any more, and the server knows all that there was to
    // say. Asked by the owner of the last reference.
    [[nodiscard]] bool is_finished() const noexcept;

    // Its queue is gone, and no settlement waits for the server; a delivery may still come to one.
    [[nodiscard]] bool has_nothing_to_say() const noexcept;

    // For the connection: these and pump() are called one at a time --------------------------

    // There is a new connection, and the events of this queue have been asked for.
    void connected() noexcept;

    // There is none any more. What was on its way has been answered with "lost".
    void lost() noexcept;

    // Operations fail until connected() is called.
    void out_of_reach(error_code why, std::exception_ptr cause) noexcept;

    // Sends what can be sent.
    void pump() noexcept;

    // `answer` is null if the connection was lost.
    void on_reply(lane from, const reply* answer) noexcept;

    // 'i': there are elements; 'r': there is room; 'c': it was closed, or, when it was closed
    // already, has fewer elements, or events may have been missed; 'l': elements were lost; 'd': it
    // will be deleted on purpose; `poll`: time has passed.
    void on_event(char what) noexcept;
    static constexpr char poll = '?';

    // Observers -------------------------------------------------------------------------------

    [[nodiscard]] const std::string& name() const noexcept override { return name_; }
    [[nodiscard]] const std::string& prefix() const noexcept { return prefix_; }
    [[nodiscard]] std::string event_channel() const { return prefix_ + ":events"; }
    [[nodiscard]] std::string describe() const override { return title_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return options_.capacity; }
    [[nodiscard]] queue_kind kind() const noexcept { return options_.kind; }

    // How many operations of this process wait, counted one by one.
    struct waiting_operations
    {
        std::size_t producers;
        std::size_t consumers;
    };

    [[nodiscard]] waiting_operations waiting() const noexcept;

    [[nodiscard]] known_losses losses() const;

    // Of the queue of the dead letters of this one.
    [[nodiscard]] queue_options dead_letter_options() const noexcept;
    [[nodiscard]] std::string dead_letter_prefix() const { return prefix_ + ":dead"; }

protected:
    ~remote_core() override = default;

    void withdraw(waiter& target) noexcept override;
    [[nodiscard]] bool has_effect(const waiter& target) const noexcept override;
    bool complete_in_part(waiter& target, critical_section& section) noexcept override;
    bool reclaim(waiter& target) noexcept override;
    void serve(critical_section& section) noexcept override;
    void collect(const void* context, waiter_list& abandoned) noexcept override;

private:
    // At the end of a scope, behind the critical section in it.
    struct pump_at_end
    {
        remote_core& core;
        const bool is_wanted;

        ~pump_at_end()
        {
            if (is_wanted)
                core.pump_at_once();
        }
    };

    // Starting.
    void enter(remote_waiter& target, bool asks_once, critical_section& section) noexcept;
    void enter_settler(remote_settler& target, critical_section& section) noexcept;
    [[nodiscard]] failure_reason refusal_of(const remote_waiter& target) const noexcept;
    [[nodiscard]] failure_reason refusal_of_query(remote_query::question asked
    ) const noexcept;
    [[nodiscard]] static bool is_in_passing(
        const remote_waiter& target,
        sluice::detail::delivery how
    ) noexcept;

    // Sending; an empty command if there is nothing to send after all.
    struct outgoing;
    [[nodiscard]] bool only_settles() const noexcept;
    [[nodiscard]] bool has_work() const noexcept;
    [[nodiscard]] bool has_work(lane from) const noexcept;
    void request_pump(
        bool& is_requested,
        void (command_sink::*how)(remote_core&)
    ) noexcept;
    void pump_at_once() noexcept;
    [[nodiscard]] std::optional<outgoing> next_command(std::size_t first) noexcept;
    [[nodiscard]] std::optional<lane> carrier() const noexcept;
    [[nodiscard]] outgoing settle_with_another();
    [[nodiscard]] command carrying_command(lane with) noexcept;
    [[nodiscard]] command command_of(lane from, bool settles = false);
    [[nodiscard]] command call(std::string_view function, bool settles = false);
    [[nodiscard]] command open_command();
    [[nodiscard]] command enqueue_command(bool settles);
    [[nodiscard]] command dequeue_command(bool settles);
    [[nodiscard]] command ask_command();
    [[nodiscard]] command question_command(remote_query::question asked);

    // Answers.
    void on_answer(lane from, const reply* answer, critical_section& section) noexcept;
    [[nodiscard]] bool on_success(
        lane from,
        const reply& answer,
        critical_section& section
    ) noexcept;
    void end_settlers(critical_section& section) noexcept;
    void on_deleted(lane from, critical_section& section) noexcept;
    [[nodiscard]] failure_reason refusal_of(lane from, const reply& answer)
        const noexcept;
    void on_error(lane from, const reply& answer, critical_section& section) noexcept;
    void take_back(lane from, bool may_be_done, critical_section& section) noexcept;
    void on_opened(const reply& answer, critical_section& section) noexcept;
    [[nodiscard]] bool on_enqueued(
        const reply& answer,
        critical_section& section
    ) noexcept;
    [[nodiscard]] bool on_dequeued(
        const reply& answer,
        critical_section& section
    ) noexcept;
    void on_asked(const reply& answer, critical_section& section) noexcept;
    [[nodiscard]] bool refuse(
        std::span<remote_waiter* const> served,
        error_code why_first,
        critical_section& section
    ) noexcept;
    void hand_over(
        remote_consumer* target,
        const reply& batch,
        critical_section& section
    ) noexcept;
    void refuse_to_open(failure_reason why, critical_section& section) noexcept;
    void be_fenced(failure_reason why, critical_section& section) noexcept;
    void tell_of_losses(critical_section& section) noexcept;
    void learn_that_it_is_closed(critical_section& section) noexcept;
    void answer_queries(critical_section& section) noexcept;

    void end(
        remote_waiter& target,
        critical_section& section,
        const failure_reason& why = {}
    ) noexcept;
    void end_attempts(lane which, critical_section& section) noexcept;
    bool fail(lane which, const failure_reason& why, critical_section& section) noexcept;
    void fail_all(const failure_reason& why, critical_section& section) noexcept;
    void leave(const std::exception_ptr& cause, critical_section& section) noexcept;

    const std::string name_;
    const std::string prefix_;     // of all keys on the server
    const std::string title_;      // begins messages
    const queue_options options_;  // without the name of the producer
    const std::weak_ptr<command_sink> sink_;

    // Guarded by mutex_, as all that follows.
    remote_lanes lanes_;
    settlements settlements_;
    producer_name producer_;
    connection_state connection_;
    loss_watch watch_;
    bool is_asking_to_close_ = false;  // the command in lane::asking does
    bool is_server_full_ = false;      // (E7) since an enqueue was refused for that
    bool is_closed_ = false;           // as the server has said
    bool must_close_ = false;          // and has not been told yet
    bool has_left_ = false;            // this process only
    queue_end end_;                    // how this process closed or left it
    bool is_orphaned_ = false;
    bool is_pump_posted_ = false;
    bool is_pump_deferred_ = false;
};

using remote_core_ptr = boost::intrusive_ptr<remote_core>;

}  // namespace sluice::redis::detail

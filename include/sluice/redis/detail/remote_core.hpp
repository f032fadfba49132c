// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/close_mode.hpp>
#include <sluice/detail/waiting/closable.hpp>
#include <sluice/redis/detail/remote_waiter.hpp>
#include <sluice/redis/redis_queue_options.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <array>
#include <chrono>
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

class command;
class reply;

// What a core asks of the server, and where the answer goes. They are tried in this order.
enum class lane : unsigned char
{
    opening,
    settling,  // first what makes room
    enqueuing,
    dequeuing,
    asking
};

inline constexpr std::size_t lane_count = 5;

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
//      delivered, a delivery, or the list of settlements. What this process gives up, and may
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
//
// (E8) Of what a queue loses that stays an event tells, and the status how much. A queue that was
//      deleted, or whose server lost it, is made anew by the next opening, and has another `base`
//      then. Elements that it had when the server spoke of it last may have left before, so that is
//      a warning and no error; none if it was deleted on purpose, of which an event tells. While
//      there are elements, the poll asks how many.
//
//   closed ──connected──▶ opening ──answer──▶ open      lost leads back to closed
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

    // Settles elements of which nobody waits to hear.
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

    // Nobody has a delivery or an operation any more, and the server knows all that there was to
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

    // 'i': there are items; 'r': there is room; 'c': it was closed, or, when it was closed
    // already, has fewer elements, or events may have been missed; 'l': elements were lost; 'd': it
    // will be deleted on purpose; `poll`: time has passed.
    void on_event(char what) noexcept;
    static constexpr char poll = '?';

    // Observers -------------------------------------------------------------------------------

    [[nodiscard]] const std::string& name() const noexcept override { return name_; }
    [[nodiscard]] const std::string& prefix() const noexcept { return prefix_; }
    [[nodiscard]] std::string event_channel() const { return prefix_ + ":events"; }
    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] queue_kind kind() const noexcept { return kind_; }

    // How many operations of this process wait, counted one by one.
    struct waiting_operations
    {
        std::size_t producers;
        std::size_t consumers;
    };

    [[nodiscard]] waiting_operations waiting() const noexcept;

    // (E8) What the server has lost for certain since this process opened the queue.
    struct known_losses
    {
        std::uint64_t elements = 0;
        std::string what = {};  // the last time; also if it was nothing that is known
    };

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
    enum class stage : unsigned char
    {
        closed,
        opening,
        open
    };

    // See (E1) and (E2).
    struct lane_state
    {
        bool is_busy = false;     // a command is on its way
        bool is_blocked = false;  // the server has told us to wait
        bool has_news = false;    // an event came while it was busy
    };

    struct settlement
    {
        settling what;
        leased_element element;
        remote_settler* owner = nullptr;  // null: nobody waits to hear of it
        bool is_repeated = false;
    };

    struct failure_reason
    {
        error_code code;
        std::exception_ptr exception;
    };

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

    [[nodiscard]] waiter_list& list_of(const waiter& target) noexcept;
    void enter(waiter& target, bool asks_once, critical_section& section) noexcept;
    void enter_lane(remote_waiter& target, critical_section& section) noexcept;
    [[nodiscard]] failure_reason refusal_of(const waiter& target) const noexcept;
    [[nodiscard]] failure_reason refusal_of_position() const noexcept;
    [[nodiscard]] failure_reason failure(error_code code, std::string_view why)
        const noexcept;
    [[nodiscard]] failure_reason refusal(lane from, const reply& answer) const noexcept;
    [[nodiscard]] bool is_complete_already(const waiter& target) const noexcept;
    [[nodiscard]] static bool is_in_passing(
        const waiter& target,
        sluice::detail::delivery how
    ) noexcept;
    void request_pump() noexcept;
    void defer_pump() noexcept;
    void pump_at_once() noexcept;

    // Commands; empty if there is nothing to send after all.
    struct outgoing;
    [[nodiscard]] std::optional<outgoing> next_command(std::size_t first) noexcept;
    [[nodiscard]] std::optional<lane> carrier() const noexcept;
    [[nodiscard]] outgoing settle_with_another();
    [[nodiscard]] command carrying_command(lane with) noexcept;
    [[nodiscard]] outgoing command_of(lane from);
    [[nodiscard]] command open_command();
    [[nodiscard]] command enqueue_command(bool settles = false);
    [[nodiscard]] command dequeue_command(bool settles = false);
    [[nodiscard]] command settle_command();
    [[nodiscard]] std::vector<remote_consumer*> first_consumers();
    [[nodiscard]] command settle_and_call(std::string_view function);
    [[nodiscard]] std::ptrdiff_t count_to_settle() const noexcept;
    void add_settlement(command& text, const settlement& one) const;
    void add_settlements(command& text);
    void note_sent_settlements() noexcept;
    [[nodiscard]] command ask_command();
    [[nodiscard]] command question_command(remote_query::question asked) const;
    [[nodiscard]] command call(std::string_view function) const;
    [[nodiscard]] static const char* name_of(queue_kind kind) noexcept;
    [[nodiscard]] std::size_t least_of(const remote_consumer& target) const noexcept;
    [[nodiscard]] static std::size_t most_of(const remote_consumer& target) noexcept;

    // Answers.
    void on_reply_of_two(
        lane from,
        const reply* answer,
        critical_section& section
    ) noexcept;
    void on_answer(lane from, const reply* answer, critical_section& section) noexcept;
    void take_both_back(critical_section& section) noexcept;
    void take_settlements_back(bool is_lost, critical_section& section) noexcept;
    void on_opened(const reply& answer, critical_section& section) noexcept;
    [[nodiscard]] failure_reason mismatch(const reply& opened, std::size_t delays)
        const noexcept;
    void note_identity(
        const reply& base,
        std::uint64_t lost,
        std::size_t size,
        critical_section& section
    ) noexcept;
    void note_status(const queue_status& status, critical_section& section) noexcept;
    void be_robbed(std::uint64_t elements, critical_section& section) noexcept;
    void on_enqueued(const reply& answer, critical_section& section) noexcept;
    void on_dequeued(const reply& answer, critical_section& section) noexcept;
    void on_settled(const reply& answer, critical_section& section) noexcept;
    void on_asked(const reply& answer, critical_section& section) noexcept;
    [[nodiscard]] bool note_owner(
        const reply& opened,
        critical_section& section
    ) noexcept;
    void be_fenced(failure_reason why, critical_section& section) noexcept;
    void on_deleted(lane from, critical_section& section) noexcept;
    void on_lost(lane from, bool may_be_done, critical_section& section) noexcept;
    void on_error(lane from, const reply& answer, critical_section& section) noexcept;
    void hand_over(
        remote_consumer* target,
        std::vector<leased_element> elements,
        critical_section& section
    ) noexcept;
    [[nodiscard]] bool refuse(
        std::span<remote_consumer* const> consumers,
        critical_section& section
    ) noexcept;
    [[nodiscard]] static bool may_be_done(const settlement& asked) noexcept;
    void answer_settlement(
        settlement& settled,
        bool is_done,
        const failure_reason& failure,
        critical_section& section
    ) noexcept;

    void fail_list(
        waiter_list& list,
        const failure_reason& why,
        critical_section& section
    ) noexcept;
    static void fail_those_that_ask_once(
        waiter_list& list,
        critical_section& section
    ) noexcept;
    void fail_all(const failure_reason& why, critical_section& section) noexcept;
    void learn_that_it_is_closed(critical_section& section) noexcept;
    void answer_queries(critical_section& section) noexcept;
    void note(
        settling what,
        std::vector<leased_element> elements,
        remote_settler* owner
    ) noexcept;
    void forget_owner(const remote_settler& owner) noexcept;
    void leave(const std::exception_ptr& cause, critical_section& section) noexcept;
    [[nodiscard]] lane_state& state_of(lane from) noexcept
    {
        return lane_states_[static_cast<std::size_t>(from)];
    }
    [[nodiscard]] const lane_state& state_of(lane from) const noexcept
    {
        return lane_states_[static_cast<std::size_t>(from)];
    }
    [[nodiscard]] bool only_settles() const noexcept;
    [[nodiscard]] bool has_work() const noexcept;
    [[nodiscard]] bool has_work(lane from) const noexcept;
    static void end_turn(lane_state& state, bool is_refused) noexcept;
    static void unblock(lane_state& state) noexcept;

    const std::string name_;
    const std::string prefix_;    // of all keys on the server
    const std::string process_;   // drawn by lot: who this is, for the server
    const std::string producer_;  // the name under which it enqueues; empty: none
    const std::size_t capacity_;
    const queue_kind kind_;
    const std::chrono::milliseconds lease_;
    const std::uint32_t max_deliveries_;
    const std::size_t min_after_dequeue_;
    const std::chrono::milliseconds retry_delay_;
    const std::chrono::milliseconds max_retry_delay_;
    const std::weak_ptr<command_sink> sink_;

    // Guarded by mutex_, as all that follows: who waits.
    waiter_list producers_;
    waiter_list consumers_;
    waiter_list settlers_;
    waiter_list queries_;

    // What is on its way, in the order of the command. Null: gone meanwhile (E3).
    std::vector<remote_producer*> sent_producers_;
    std::vector<remote_consumer*> sent_consumers_;
    std::vector<settlement> sent_settlements_;
    std::optional<lane> carrier_;  // (E7) whose command has the settlements with it
    remote_query* sent_query_ = nullptr;
    bool sent_close_ = false;
    bool sent_look_ = false;  // (E8) no query asks this

    std::vector<settlement> settlements_;  // to be sent
    bool is_connected_ = false;
    std::uint64_t connections_ = 0;  // that there have been
    std::uint64_t last_number_ = 0;
    std::uint64_t last_added_ = 0;  // (E6) the server has said that it is in
    std::string replaced_;          // (E6) the process that had the name last
    std::string opening_of_name_;   // (E6) this process, and which opening it is
    std::uint64_t openings_ = 0;
    bool has_name_ = false;  // (E6) the server has said so
    failure_reason fenced_;  // (E6) why it enqueues no more
    stage stage_ = stage::closed;
    std::array<lane_state, lane_count> lane_states_;
    failure_reason out_of_reach_;
    std::string base_;        // (E8) tells the queue from one made anew; empty: not yet
    std::uint64_t lost_ = 0;  // (E8) as the status says
    std::size_t size_ = 0;    // (E8) when the server spoke of it last
    bool must_look_ = false;  // (E8)
    bool is_being_deleted_ = false;  // (E8)
    known_losses losses_;
    failure_reason robbed_;        // (E8) for the next operation
    bool is_server_full_ = false;  // (E7) since an enqueue was refused for that
    bool is_closed_ = false;       // as the server has said
    bool must_close_ = false;      // and has not been told yet
    bool has_left_ = false;        // this process only
    queue_end end_;                // how this process closed or left it
    bool is_orphaned_ = false;
    bool is_pump_posted_ = false;
    bool is_pump_deferred_ = false;
};

using remote_core_ptr = boost::intrusive_ptr<remote_core>;

}  // namespace sluice::redis::detail

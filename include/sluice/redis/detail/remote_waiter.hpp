// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/detail/waiting/waiter.hpp>
#include <sluice/redis/queue_status.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::redis::detail {

class command;
class remote_core;

inline constexpr std::size_t most_elements = 1000;    // in one command
inline constexpr std::size_t most_bytes = 1'000'000;  // about, in one command

// An element that comes in.
struct record
{
    std::string bytes;
    std::int64_t priority = 0;
};

// An element that this process has on lease.
struct leased_element
{
    std::string id;
    std::uint32_t attempt =
        0;  // with the identifier: which delivery of the element it is
    std::string bytes;
    std::string enqueued_at = {};  // 13 digits: when, in ms of the server's clock
    std::uint64_t connection = 0;  // by which it came, counted from 1
};

// What a core asks of the server, where the answer goes, and to which wait list an operation
// belongs. They are tried in this order.
enum class lane : unsigned char
{
    opening,   // without operations
    settling,  // first what makes room
    enqueuing,
    dequeuing,
    asking
};

// Why an operation fails.
struct failure_reason
{
    error_code code;
    std::exception_ptr exception = nullptr;
};

// With a message that says of what and why; without it if there is no memory for it.
[[nodiscard]] failure_reason explained(
    error_code code,
    std::string_view of,
    std::string_view why
) noexcept;

// One operation of a remote queue.
class remote_waiter : public sluice::detail::waiter
{
public:
    remote_waiter(lane list, remote_core* core) noexcept;

    [[nodiscard]] lane list() const noexcept { return static_cast<lane>(list_); }

    [[nodiscard]] remote_core& core() const noexcept;

    // Asks for nothing, and so is complete without the server.
    [[nodiscard]] virtual bool is_empty() const noexcept { return false; }

    // While a command is on its way that serves it.
    [[nodiscard]] bool is_sent() const noexcept { return place != not_sent; }

    static constexpr std::size_t not_sent = static_cast<std::size_t>(-1);

    // Guarded by the mutex of the core, as what derived classes add.
    std::size_t place = not_sent;  // its place in the command that is on its way
    bool asks_once = false;        // it does not wait for anything
    bool tries = false;            // it waits for an answer only: a refusal ends it
    error_code cancelled_by;       // it ends with this if the server has not done it

protected:
    ~remote_waiter() = default;
};

// Brings in elements, all or none.
class remote_producer : public remote_waiter
{
public:
    remote_producer(remote_core* core, std::vector<record> brought) noexcept
        : remote_waiter(lane::enqueuing, core), records(std::move(brought))
    {
    }

    // While a command is on its way, its elements may be in the queue. So a cancellation waits for
    // the answer, or for the loss of the connection.
    void cancel(error_code why) noexcept override;

    [[nodiscard]] bool is_empty() const noexcept override { return records.empty(); }

    [[nodiscard]] std::string describe() const override;

    // Its number and its elements, as words of a command.
    void write(command& text) const;

    const std::vector<record> records;
    // The same for each attempt, so that the server knows a repetition; 0: none yet.
    std::uint64_t number = 0;

protected:
    ~remote_producer() = default;
};

// Takes elements.
class remote_consumer : public remote_waiter
{
public:
    remote_consumer(
        sluice::detail::demand how,
        std::size_t count,
        remote_core* core
    ) noexcept
        : remote_waiter(lane::dequeuing, core), kind(how), wanted(count)
    {
    }

    [[nodiscard]] bool is_empty() const noexcept override { return wanted == 0; }

    [[nodiscard]] std::size_t missing() const noexcept
    {
        return wanted - elements.size();
    }

    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] std::string described(const char* operation) const;
    [[nodiscard]] std::string numbers() const;

    // Without memory some are left out, and come back when their lease ends.
    void add(std::vector<leased_element> more) noexcept;

    // How much it asks for, as words of a command: at least, at most, and whether fewer will do
    // once the queue is closed. An up_to that wants more than `at_once` asks for that at least.
    void write(command& text, std::size_t at_once) const;

    const sluice::detail::demand kind;
    const std::size_t wanted;
    std::size_t left = 0;  // how many there were when this failed for want of them
    std::vector<leased_element> elements;

protected:
    // What was not taken is returned.
    ~remote_consumer();
};

// What happens to a leased element, as the function `settle` knows it.
enum class settling : char
{
    acknowledge = 'a',
    requeue = 'r',
    forget = 'u',  // as requeue, of one that no consumer has seen
    extend = 'e'
};

// Settles elements: acknowledges, returns or extends them.
class remote_settler : public remote_waiter
{
public:
    remote_settler(
        settling how,
        remote_core* core,
        std::vector<leased_element> settled
    ) noexcept
        : remote_waiter(lane::settling, core), what(how), elements(std::move(settled))
    {
    }

    [[nodiscard]] bool is_empty() const noexcept override { return elements.empty(); }

    [[nodiscard]] std::string describe() const override;

    const settling what;
    std::vector<leased_element> elements;  // until it is started
    std::size_t unanswered = 0;
    std::size_t lost = 0;

protected:
    // What was never started is returned, as by a delivery that is dropped.
    ~remote_settler();
};

// Asks about the queue as a whole, or closes it.
class remote_query : public remote_waiter
{
public:
    enum class question : unsigned char
    {
        status,
        size,
        position,
        close,
        flush  // all that this process has to say has been answered
    };

    remote_query(question what, remote_core* core) noexcept
        : remote_waiter(lane::asking, core), asked(what)
    {
    }

    [[nodiscard]] std::string describe() const override;

    const question asked;
    queue_status status;
    std::uint64_t number = 0;  // size or position

protected:
    ~remote_query() = default;
};

}  // namespace sluice::redis::detail

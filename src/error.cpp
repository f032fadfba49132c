// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/error.hpp>

#include <boost/asio/multiple_exceptions.hpp>
#include <boost/system/errc.hpp>

#include <cstdint>
#include <system_error>

namespace sluice {
namespace {

// Categories without an id are compared by address. A program and its plug-ins may each have a
// copy of this library, and so of these objects; by their ids, which were drawn by lot, the
// codes of one copy are equal to those of another.
constexpr std::uint64_t sluice_category_id = 0x9d3c51f2a7e8064b;
constexpr std::uint64_t condition_category_id = 0xc2706e1b95d34fa8;

class sluice_category_type final : public error_category
{
public:
    constexpr sluice_category_type() noexcept : error_category(sluice_category_id) {}

    const char* name() const noexcept override { return "sluice"; }

    std::string message(int value) const override
    {
        switch (static_cast<errc>(value)) {
        case errc::queue_closed:
            return "the queue is closed to new elements; stop enqueueing or open a new "
                   "queue (errc::queue_closed)";
        case errc::end_of_queue:
            return "the queue is closed and holds fewer elements than were asked for; "
                   "treat it as the end of the input (errc::end_of_queue)";
        case errc::timed_out:
            return "the operation did not complete in time; no queue has lost an element "
                   "by that (errc::timed_out)";
        case errc::stop_requested:
            return "a coordinator has been asked to stop; start no new work, and do not "
                   "take a queue that it closed for complete (errc::stop_requested)";
        case errc::tasks_still_running:
            return "tasks still run after the grace period; see coordinator::tasks() for "
                   "what each waits on (errc::tasks_still_running)";
        case errc::invalid_argument:
            return "an argument is outside its documented range (errc::invalid_argument)";
        case errc::element_failed:
            return "copying or comparing an element threw; await the operation without "
                   "as_tuple() to receive the exception (errc::element_failed)";
        case errc::queue_full:
            return "the queue is full; try again later, or await enqueue() "
                   "(errc::queue_full)";
        case errc::queue_empty:
            return "the queue is empty; try again later, or await dequeue() "
                   "(errc::queue_empty)";
        case errc::queue_busy:
            return "other operations wait on the queue already; try again later, or wait "
                   "behind them (errc::queue_busy)";
        case errc::input_failed:
            return "the queue was closed with an exception; await the operation without "
                   "as_tuple() to receive it (errc::input_failed)";
        }
        return "unknown sluice error";
    }

    // So that `code == boost::system::errc::timed_out` is what it reads as.
    error_condition default_error_condition(int value) const noexcept override
    {
        namespace generic = boost::system::errc;
        switch (static_cast<errc>(value)) {
        case errc::timed_out:
            return generic::make_error_condition(generic::timed_out);
        case errc::invalid_argument:
            return generic::make_error_condition(generic::invalid_argument);
        case errc::queue_full:
        case errc::queue_empty:
        case errc::queue_busy:
            return generic::make_error_condition(generic::operation_would_block);
        default:
            return error_category::default_error_condition(value);
        }
    }
};

class condition_category_type final : public error_category
{
public:
    constexpr condition_category_type() noexcept : error_category(condition_category_id)
    {
    }

    const char* name() const noexcept override { return "sluice.condition"; }

    std::string message(int value) const override
    {
        switch (static_cast<condition>(value)) {
        case condition::end_of_stream:
            return "no more elements will come";
        case condition::clean_stop:
            return "an ordinary end of work";
        }
        return "unknown sluice condition";
    }

    bool equivalent(const error_code& code, int value) const noexcept override
    {
        switch (static_cast<condition>(value)) {
        case condition::end_of_stream:
            return code == errc::end_of_queue;
        case condition::clean_stop:
            return code == errc::end_of_queue || code == errc::queue_closed ||
                   code == errc::stop_requested;
        }
        return false;
    }
};

}  // namespace

const error_category& sluice_category() noexcept
{
    static const sluice_category_type category;
    return category;
}

const error_category& condition_category() noexcept
{
    static const condition_category_type category;
    return category;
}

error_code make_error_code(errc code) noexcept
{
    return {static_cast<int>(code), sluice_category()};
}

error_condition make_error_condition(condition group) noexcept
{
    return {static_cast<int>(group), condition_category()};
}

namespace detail {

error_code code_of(const std::exception_ptr& exception, error_code fallback) noexcept
{
    if (!exception)
        return fallback;
    try {
        std::rethrow_exception(exception);
    } catch (const system_error& error) {
        return error.code();
    } catch (const std::system_error& error) {
        return error.code();
    } catch (const boost::asio::multiple_exceptions& error) {
        return code_of(error.first_exception(), fallback);  // both sides of a `||` failed
    } catch (...) {
        return fallback;
    }
}

}  // namespace detail

}  // namespace sluice

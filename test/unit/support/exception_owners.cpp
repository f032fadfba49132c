// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Can only fail under the thread sanitizer; see cmake/exception_owners.cpp.

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace test = sluice::test;

namespace exception_owners {

// Longer than what fits into a string.
const std::string text = "a reason that has to be told with more than a few words";

// The sanitizer sees the reads and the end of its text; of that of runtime_error the end only.
class instrumented_error : public std::exception
{
public:
    explicit instrumented_error(std::string reason) : reason_(std::move(reason)) {}
    [[nodiscard]] const char* what() const noexcept override { return reason_.c_str(); }

private:
    std::string reason_;
};

// The first owner is done before the second one goes on, but in time only: nothing that the
// second one reads would order what it does behind the first.
class two_owners
{
public:
    template <class Last>
    void run(std::exception_ptr error, Last last)
    {
        std::exception_ptr owned[] = {error, error};
        error = nullptr;
        test::run_threads(2, [&](std::size_t index) {
            if (index == 0)
                read_and_give_up(std::move(owned[0]));
            else
                last(std::move(owned[1]));
        });
    }

    // Until the first one is done.
    void wait() const
    {
        while (!gave_up_.load(std::memory_order_relaxed))
            std::this_thread::yield();
    }

    [[nodiscard]] const std::string& what_was_read() const { return read_; }

private:
    void read_and_give_up(std::exception_ptr error)
    {
        try {
            std::rethrow_exception(std::move(error));
        } catch (const std::exception& caught) {
            read_ = caught.what();
        }
        error = nullptr;
        gave_up_.store(true, std::memory_order_relaxed);
    }

    std::string read_;
    std::atomic<bool> gave_up_ = false;
};

using errors = std::tuple<std::runtime_error, instrumented_error>;

}  // namespace exception_owners

BOOST_FIXTURE_TEST_SUITE(exception_owners, two_owners)

BOOST_AUTO_TEST_CASE_TEMPLATE(last_owner_is_a_pointer, Error, errors)
{
    run(std::make_exception_ptr(Error(text)), [this](std::exception_ptr error) {
        wait();
        error = nullptr;
    });
    BOOST_TEST(what_was_read() == text);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(last_owner_is_a_catch_clause, Error, errors)
{
    run(std::make_exception_ptr(Error(text)), [this](std::exception_ptr error) {
        try {
            std::rethrow_exception(std::move(error));
        } catch (const Error&) {
            wait();
        }
    });
    BOOST_TEST(what_was_read() == text);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(last_owner_is_a_future, Error, errors)
{
    run(std::make_exception_ptr(Error(text)), [this](std::exception_ptr error) {
        std::promise<void> promise;
        const std::future<void> future = promise.get_future();
        promise.set_exception(std::move(error));
        wait();
    });
    BOOST_TEST(what_was_read() == text);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(either_may_be_the_last_owner, Error, errors)
{
    for (int round = 0; round < 2000 / SLUICE_SLOWDOWN; ++round) {
        std::exception_ptr error = std::make_exception_ptr(Error(text));
        std::exception_ptr owned[] = {error, std::move(error)};
        std::size_t read[2] = {};
        test::run_threads(2, [&](std::size_t index) {
            try {
                std::rethrow_exception(std::exchange(owned[index], nullptr));
            } catch (const std::exception& caught) {
                read[index] = std::string(caught.what()).size();
            }
        });
        BOOST_TEST((read[0] == text.size() && read[1] == text.size()));
    }
}

BOOST_AUTO_TEST_SUITE_END()

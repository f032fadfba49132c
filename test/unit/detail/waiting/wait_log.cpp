// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_log.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

namespace detail = sluice::detail;

namespace wait_log {

class named_operation final : public detail::waiter
{
public:
    explicit named_operation(std::string name) : waiter(0), name_(std::move(name)) {}

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return name_; }

    std::string name_;
};

}  // namespace wait_log

BOOST_AUTO_TEST_SUITE(wait_log)

BOOST_AUTO_TEST_CASE(new_log_says_nothing)
{
    const detail::wait_log log;
    BOOST_TEST(log.describe().empty());
    BOOST_TEST((log.since() <= detail::wait_log::clock::now()));
}

BOOST_AUTO_TEST_CASE(names_what_waits_in_the_order_it_began)
{
    detail::wait_log log;
    named_operation first("dequeue on queue 'a'");
    named_operation second("enqueue on queue 'b'");
    log.begin(first);
    log.begin(second);
    BOOST_TEST(log.describe() == "dequeue on queue 'a', enqueue on queue 'b'");
    log.end(first);
    BOOST_TEST(log.describe() == "enqueue on queue 'b'");
    log.end(second);
    BOOST_TEST(log.describe().empty());
}

BOOST_AUTO_TEST_CASE(since_moves_with_each_begin_and_end)
{
    detail::wait_log log;
    named_operation operation("dequeue");
    const auto created = log.since();
    log.begin(operation);
    const auto began = log.since();
    log.end(operation);
    BOOST_TEST((created <= began));
    BOOST_TEST((began <= log.since()));
}

BOOST_AUTO_TEST_CASE(reading_says_what_waits_and_since_when)
{
    detail::wait_log log;
    named_operation operation("dequeue");
    log.begin(operation);
    const detail::wait_log::reading seen = log.read();
    BOOST_TEST(seen.text == "dequeue");
    BOOST_TEST(seen.places.size() == 1U);
    BOOST_TEST((seen.since == log.since()));
    log.end(operation);
}

BOOST_AUTO_TEST_CASE(may_be_read_while_others_write)
{
    detail::wait_log log;
    bool well_formed = true;
    sluice::test::run_threads(3, [&](std::size_t index) {
        for (int i = 0; i < 1000; ++i) {
            if (index == 0) {
                const std::string text = log.describe();
                well_formed = well_formed &&
                              (text.empty() || text.starts_with("dequeue"));
                continue;
            }
            named_operation operation("dequeue");
            log.begin(operation);
            log.end(operation);
        }
    });
    BOOST_TEST(well_formed);
    BOOST_TEST(log.describe().empty());
}

BOOST_AUTO_TEST_SUITE_END()

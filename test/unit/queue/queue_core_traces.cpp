// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/printing.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

// What a queue core does as a whole: the worked traces of the contract, and random
// operations against a model of it.

namespace test = sluice::test;
using sluice::close_mode;
using sluice::detail::demand;
using phase = sluice::detail::waiter::phase;

namespace {

using fifo = test::core_driver<>;
using priority = test::core_driver<int, sluice::priority_store<int, std::less<>>>;
using shuffle = test::core_driver<int, sluice::shuffle_store<int>>;

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

// What the contract says, one element at a time, with vectors copied at will.
class model
{
public:
    struct waiting_producer
    {
        int id;
        std::vector<int> rows;
        std::size_t next = 0;
    };
    struct waiting_consumer
    {
        int id;
        demand kind;
        std::size_t wanted;
        std::vector<int> held;
    };

    explicit model(std::size_t capacity) : capacity_(capacity) {}

    void enqueue(int id, std::vector<int> rows)
    {
        if (closed_ && !rows.empty())
            finish(id, "queue_closed");
        else if (rows.empty())
            finish(id, "ok");
        else
            producers_.push_back({id, std::move(rows)});
        settle();
    }

    void dequeue(int id, demand kind, std::size_t wanted)
    {
        if (wanted == 0) {
            finish(id, "[]");
            handed_[id] = {};
        } else
            consumers_.push_back({id, kind, wanted, {}});
        settle();
    }

    void cancel(int id)
    {
        std::erase_if(producers_, [&](const waiting_producer& p) {
            if (p.id == id)
                finish(id, "aborted" + in(p));
            return p.id == id;
        });
        for (auto c = consumers_.begin(); c != consumers_.end(); ++c) {
            if (c->id != id)
                continue;
            give_back(c->held);
            finish(id, "aborted");
            consumers_.erase(c);
            break;
        }
        // handed over, and not yet with its owner
        const auto handed = handed_.find(id);
        if (handed != handed_.end()) {
            give_back(handed->second);
            outcomes[id] = "aborted";
            handed_.erase(handed);
        }
        settle();
    }

    void take_delivery(int id) { handed_.erase(id); }

    void close(close_mode mode)
    {
        closed_ = true;
        if (mode == close_mode::cancel_pending) {
            for (const waiting_producer& p : producers_)
                finish(p.id, "queue_closed" + in(p));
            producers_.clear();
        }
        settle();
    }

    [[nodiscard]] std::size_t size() const { return stored_.size(); }

    [[nodiscard]] std::size_t held() const
    {
        return consumers_.empty() ? 0 : consumers_.front().held.size();
    }

    [[nodiscard]] std::size_t producers() const { return producers_.size(); }

    [[nodiscard]] std::size_t consumers() const { return consumers_.size(); }

    std::map<int, std::string> outcomes;  // of operations that are decided
    std::vector<int> order;               // in which they were

private:
    static std::string in(const waiting_producer& p)
    {
        return p.next == 0 ? "" : ", " + std::to_string(p.next) + " in";
    }

    void finish(int id, std::string outcome)
    {
        outcomes[id] = std::move(outcome);
        order.push_back(id);
    }

    void give_back(const std::vector<int>& rows)
    {
        stored_.insert(stored_.begin(), rows.begin(), rows.end());
    }

    void settle()
    {
        for (bool moved = true; moved;) {
            moved = false;
            while (meet() || serve_producer())
                moved = true;
            while (serve_consumer())
                moved = true;
        }
    }

    // Capacity 0: one row from the first producer to the first consumer.
    bool meet()
    {
        if (capacity_ != 0 || !stored_.empty() || producers_.empty() ||
            consumers_.empty())
            return false;
        waiting_consumer& c = consumers_.front();
        c.held.push_back(producers_.front().rows[producers_.front().next++]);
        producer_may_be_done();
        if (c.held.size() == c.wanted)
            consumer_done();
        return true;
    }

    bool serve_producer()
    {
        if (producers_.empty() || stored_.size() >= capacity_)
            return false;
        waiting_producer& p = producers_.front();
        while (p.next < p.rows.size() && stored_.size() < capacity_)
            stored_.push_back(p.rows[p.next++]);
        return producer_may_be_done();
    }

    bool producer_may_be_done()
    {
        const waiting_producer& p = producers_.front();
        if (p.next == p.rows.size()) {
            finish(p.id, "ok");
            producers_.erase(producers_.begin());
        }
        return true;
    }

    bool serve_consumer()
    {
        if (consumers_.empty())
            return false;
        waiting_consumer& c = consumers_.front();
        const bool moved = !stored_.empty();
        while (!stored_.empty() && c.held.size() < c.wanted) {
            c.held.push_back(stored_.front());
            stored_.pop_front();
        }
        const bool some = c.kind == demand::some && !c.held.empty();
        if (c.held.size() == c.wanted || some)
            return consumer_done();
        if (!closed_ || !producers_.empty())
            return moved;
        if (c.kind == demand::up_to && !c.held.empty())
            return consumer_done();
        const std::size_t left = c.held.size();
        give_back(c.held);
        finish(c.id, "end_of_queue (" + std::to_string(left) + " left)");
        consumers_.erase(consumers_.begin());
        return true;
    }

    bool consumer_done()
    {
        const waiting_consumer& c = consumers_.front();
        finish(
            c.id,
            c.kind == demand::one ? test::to_text(c.held.front()) : test::to_text(c.held)
        );
        handed_[c.id] = c.held;
        consumers_.erase(consumers_.begin());
        return true;
    }

    std::size_t capacity_;
    std::deque<int> stored_;
    std::vector<waiting_producer> producers_;
    std::vector<waiting_consumer> consumers_;
    std::map<int, std::vector<int>> handed_;  // decided, the owner does not know yet
    bool closed_ = false;
};

// One run: a few hundred random steps, compared after each.
class random_run
{
public:
    random_run(std::size_t capacity, std::uint64_t seed)
        : q_(capacity), expected_(capacity), random_(seed)
    {
    }

    void run(int steps)
    {
        for (int i = 0; i < steps; ++i) {
            step();
            compare();
        }
        const auto mode = draw(2) == 0 ? close_mode::drain : close_mode::cancel_pending;
        q_.close(mode);
        expected_.close(mode);
        compare();
        for (int i = 0; i < steps / 4; ++i) {
            step();
            compare();
        }
    }

private:
    std::size_t draw(std::size_t below) { return random_() % below; }

    void step()
    {
        switch (draw(10)) {
        case 0:
        case 1:
        case 2:
        case 3:
            enqueue(draw(3) == 0 ? draw(5) : 1);
            break;
        case 4:
        case 5:
            dequeue(demand::one, 1);
            break;
        case 6:
            dequeue(draw(2) == 0 ? demand::exactly : demand::up_to, draw(5));
            break;
        case 7:
            dequeue(demand::some, 1 + draw(4));
            break;
        case 8:
            cancel();
            break;
        default:
            take_deliveries();
        }
    }

    void enqueue(std::size_t rows)
    {
        std::vector<int> values;
        for (; rows > 0; --rows)
            values.push_back(++last_value_);
        const int id = next_id();
        auto& operation = q_.enqueue(std::to_string(id), values);
        texts_.push_back([&operation] { return operation.text(); });
        waiters_.push_back(&operation);
        expected_.enqueue(id, values);
    }

    void dequeue(demand kind, std::size_t count)
    {
        const int id = next_id();
        auto& operation = q_.start(q_.idle_consumer(std::to_string(id), kind, count));
        texts_.push_back([&operation] { return operation.text(); });
        waiters_.push_back(&operation);
        expected_.dequeue(id, kind, count);
    }

    void cancel()
    {
        if (waiters_.empty())
            return;
        const std::size_t recent = std::min<std::size_t>(waiters_.size(), 12);
        const std::size_t chosen = waiters_.size() - 1 - draw(recent);
        if (finished_.contains(chosen))
            return;
        q_.cancel(*waiters_[chosen]);
        expected_.cancel(static_cast<int>(chosen));
    }

    void take_deliveries()
    {
        for (std::size_t id = 0; id < waiters_.size(); ++id) {
            if (waiters_[id]->phase_ != phase::decided || draw(2) == 0)
                continue;
            q_.finish(*waiters_[id]);
            expected_.take_delivery(static_cast<int>(id));
            finished_.insert(id);
        }
    }

    void compare()
    {
        std::string order;
        for (const int id : expected_.order)
            order += (order.empty() ? "" : " ") + std::to_string(id);
        expected_.order.clear();
        BOOST_TEST(q_.told() == order);
        const sluice::queue_stats now = q_.stats();
        BOOST_TEST(now.size == expected_.size());
        BOOST_TEST(now.held == expected_.held());
        BOOST_TEST(now.waiting_producers == expected_.producers());
        BOOST_TEST(now.waiting_consumers == expected_.consumers());
        for (const auto& [id, outcome] : expected_.outcomes) {
            const std::string text = texts_[static_cast<std::size_t>(id)]();
            BOOST_TEST_REQUIRE(text == outcome);
        }
    }

    int next_id() { return static_cast<int>(waiters_.size()); }

    fifo q_;
    model expected_;
    std::mt19937_64 random_;
    int last_value_ = 0;
    std::vector<std::function<std::string()>> texts_;
    std::vector<sluice::detail::waiter*> waiters_;
    std::set<std::size_t> finished_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(queue_core_traces)

// the worked traces of the contract (tensorflow-semantics.md, section 17)

BOOST_AUTO_TEST_CASE(trace_1_close_gives_the_rows_of_the_first_batch_to_the_second)
{
    fifo q(10);
    auto& first = q.dequeue_many("first", 4);
    auto& second = q.dequeue_many("second", 2);
    auto& rows = q.enqueue("rows", {1, 2, 3});
    BOOST_TEST(rows.text() == "ok");
    BOOST_TEST(first.text() == "waits [1, 2, 3]");
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.stats().held == 3U);
    BOOST_TEST(q.told() == "rows");

    q.close();
    BOOST_TEST(first.text() == "end_of_queue (3 left)");
    BOOST_TEST(second.text() == "[1, 2]");
    BOOST_TEST(q.told() == "first second");
    BOOST_TEST(q.take() == "[3]");
}

BOOST_AUTO_TEST_CASE(trace_2_rows_that_go_back_may_exceed_the_capacity)
{
    fifo q(2);
    auto& batch = q.dequeue_many("batch", 10);
    for (int i = 0; i < 7; ++i)
        BOOST_TEST(q.enqueue("row", {i}).text() == "ok");
    BOOST_TEST(q.size() == 0U);

    q.close();
    BOOST_TEST(batch.text() == "end_of_queue (7 left)");
    BOOST_TEST(q.size() == 7U);
    BOOST_TEST(q.stats().high_water == 7U);
    BOOST_TEST(q.take() == "[0, 1, 2, 3, 4, 5, 6]");
}

BOOST_AUTO_TEST_CASE(trace_3_cancelled_batch_puts_its_rows_back)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 4);
    q.enqueue("rows", {1, 2});
    BOOST_TEST(batch.text() == "waits [1, 2]");

    q.cancel(batch);
    BOOST_TEST(batch.text() == "aborted");
    BOOST_TEST(q.told() == "rows batch");
    BOOST_TEST(q.take() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(trace_4_cancelled_enqueue_many_leaves_its_rows_in)
{
    fifo q(2);
    auto& many = q.enqueue("many", {1, 2, 3, 4});
    auto& one = q.enqueue("one", {9});
    BOOST_TEST(many.text() == "waits, 2 in");
    BOOST_TEST(one.text() == "waits");

    q.cancel(many);
    BOOST_TEST(many.text() == "aborted, 2 in");
    BOOST_TEST(one.text() == "waits");
    BOOST_TEST(q.dequeue("d").text() == "1");
    BOOST_TEST(one.text() == "ok");
    BOOST_TEST(q.told() == "many d one");
    BOOST_TEST(q.take() == "[2, 9]");
}

BOOST_AUTO_TEST_CASE(trace_5_plain_close_is_immediate_and_lets_waiting_producers_finish)
{
    fifo q(1);
    q.enqueue("one", {1});
    auto& two = q.enqueue("two", {2});
    q.close();
    BOOST_TEST(q.core().is_closed());
    auto& three = q.enqueue("three", {3});
    BOOST_TEST(three.text() == "queue_closed");
    BOOST_TEST(two.text() == "waits");

    BOOST_TEST(q.dequeue("d").text() == "1");
    BOOST_TEST(two.text() == "ok");
    BOOST_TEST(q.told() == "one three d two");
    BOOST_TEST(q.take() == "[2]");
}

BOOST_AUTO_TEST_CASE(trace_6_cancelling_close_after_a_plain_one_fails_who_still_waits)
{
    fifo q(1);
    q.enqueue("one", {1});
    auto& two = q.enqueue("two", {2});
    q.close();
    BOOST_TEST(two.text() == "waits");

    q.close(close_mode::cancel_pending);
    BOOST_TEST(two.text() == "queue_closed");
    BOOST_TEST(two.rows.front() == 2);
    BOOST_TEST(q.told() == "one two");

    // idempotent, in both modes
    q.close();
    q.close(close_mode::cancel_pending);
    BOOST_TEST(q.told().empty());
    BOOST_TEST(q.take() == "[1]");
}

BOOST_AUTO_TEST_CASE(trace_7_priority_up_to_on_a_closed_short_queue_returns_what_is_there)
{
    priority q(10);
    q.enqueue("rows", {3, 1, 2});
    q.close();
    BOOST_TEST(q.dequeue_up_to("batch", 5).text() == "[1, 2, 3]");
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.dequeue_up_to("again", 5).text() == "end_of_queue (0 left)");
}

BOOST_AUTO_TEST_CASE(trace_8_priority_batch_above_the_capacity_is_refused)
{
    priority q(3);
    BOOST_TEST(q.dequeue_many("batch", 5).text() == "invalid_argument");
    auto& rows = q.enqueue("rows", {5, 4, 3, 2, 1});
    BOOST_TEST(rows.text() == "waits, 3 in");

    BOOST_TEST(q.dequeue("d").text() == "3");
    BOOST_TEST(rows.text() == "waits, 4 in");
    q.close(close_mode::cancel_pending);
    BOOST_TEST(rows.text() == "queue_closed, 4 in");
    BOOST_TEST(q.dequeue_many("refused", 5).text() == "invalid_argument");
    BOOST_TEST(q.take() == "[2, 4, 5]");
}

BOOST_AUTO_TEST_CASE(trace_9_shuffle_up_to_waiters_share_what_is_left_at_the_close)
{
    shuffle q({.capacity = 10, .min_after_dequeue = 2, .seed = 1, .name = "q"});
    auto& first = q.dequeue_up_to("first", 3);
    q.enqueue("rows", {1, 2, 3, 4});
    BOOST_TEST(first.held() == 2U);
    BOOST_TEST(q.size() == 2U);
    auto& second = q.dequeue_up_to("second", 3);
    BOOST_TEST(second.text() == "waits");

    q.close();
    BOOST_TEST(q.told() == "rows first second");
    std::vector<int> all = first.batch();
    BOOST_TEST(all.size() == 3U);
    BOOST_TEST(second.batch().size() == 1U);
    all.insert(all.end(), second.batch().begin(), second.batch().end());
    std::sort(all.begin(), all.end());
    BOOST_TEST(all == numbers(1, 4));
    BOOST_TEST(q.size() == 0U);
}

BOOST_AUTO_TEST_CASE(
    trace_10_close_gives_held_rows_to_the_first_up_to_and_the_end_to_the_second
)
{
    fifo q(10);
    auto& first = q.dequeue_up_to("first", 5);
    q.enqueue("rows", {1, 2});
    auto& second = q.dequeue_up_to("second", 5);

    q.close();
    BOOST_TEST(first.text() == "[1, 2]");
    BOOST_TEST(second.text() == "end_of_queue (0 left)");
    BOOST_TEST(q.told() == "rows first second");
}

BOOST_AUTO_TEST_CASE(trace_11_operations_of_no_rows_succeed_on_a_closed_queue)
{
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}}) {
        fifo q(capacity);
        q.close();
        BOOST_TEST(q.enqueue("rows", {}).text() == "ok");
        BOOST_TEST(q.dequeue_many("many", 0).text() == "[]");
        BOOST_TEST(q.dequeue_up_to("up_to", 0).text() == "[]");
        BOOST_TEST(q.told() == "rows many up_to");
    }
}

BOOST_AUTO_TEST_CASE(trace_12_a_thousand_rows_pass_a_capacity_of_one_in_one_flush)
{
    fifo q(1);
    auto& batch = q.dequeue_many("batch", 1000);
    auto& rows = q.enqueue("rows", numbers(1, 1000));
    BOOST_TEST(rows.text() == "ok");
    BOOST_TEST(batch.batch() == numbers(1, 1000));
    BOOST_TEST(q.told() == "rows batch");
    BOOST_TEST(q.stats().high_water == 1U);
}

BOOST_AUTO_TEST_CASE(trace_13_the_head_consumer_holds_the_line)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 4);
    auto& one = q.dequeue("one");
    q.enqueue("a", {1, 2, 3});
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(batch.text() == "waits [1, 2, 3]");
    BOOST_TEST(one.text() == "waits");

    q.enqueue("b", {4, 5});
    BOOST_TEST(batch.text() == "[1, 2, 3, 4]");
    BOOST_TEST(one.text() == "5");
    BOOST_TEST(q.told() == "a b batch one");
}

BOOST_AUTO_TEST_CASE(trace_14_rows_put_back_at_the_close_keep_their_order)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 4);
    q.enqueue("rows", {1, 2});
    q.close();
    BOOST_TEST(batch.text() == "end_of_queue (2 left)");
    BOOST_TEST(q.dequeue("a").text() == "1");
    BOOST_TEST(q.dequeue("b").text() == "2");
    BOOST_TEST(q.dequeue("c").text() == "end_of_queue (0 left)");
}

// random operations against a model that is too simple to be wrong

BOOST_AUTO_TEST_CASE(random_operations_do_what_the_model_does)
{
    for (const std::size_t capacity : {0U, 1U, 2U, 5U}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            BOOST_TEST_CONTEXT("capacity " << capacity << ", seed " << seed)
            {
                random_run(capacity, seed).run(120);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

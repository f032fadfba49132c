// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S43

#include <sluice/pipeline/running_pipeline.hpp>

#include "io/result_file.hpp"
#include "pipeline/temporary_folder.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/report/trace.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace sluice::pipeline;
using sluice::system_error;

namespace asio = boost::asio;

namespace running_pipeline {

using sluice::metrics::run_state;
using sluice::pipeline::pipeline_description;
using sluice::pipeline::problem;
using sluice::pipeline::running_pipeline;

struct no_options
{
};

// What the stages of a test share with it.
struct notebook
{
    std::mutex mutex;
    std::vector<json_value> seen;
    std::atomic<int> finished = 0;
    std::function<void()> on_finish = [] {};
    std::promise<void> first_seen;
    std::atomic<bool> has_seen = false;

    void note(json_value value)
    {
        {
            const std::lock_guard lock(mutex);
            seen.push_back(std::move(value));
        }
        if (!has_seen.exchange(true))
            first_seen.set_value();
    }
};

struct count_options
{
    std::int64_t to = 0;
    std::size_t batch = 1;
};

// Counts from 0; without end if `to` is negative.
class counting final : public stage
{
public:
    explicit counting(count_options options) : options_(options) {}

    asio::awaitable<void> work(stage_context& context) override
    {
        std::vector<element> batch;
        for (std::int64_t i = 0; i != options_.to && !context.should_stop(); ++i) {
            batch.emplace_back(json_value(i));
            if (batch.size() == options_.batch)
                co_await context.write(batch);
        }
    }

private:
    const count_options options_;
};

class doubling final : public transform
{
public:
    explicit doubling(no_options /*options*/) {}

    void apply(element&& in, std::vector<element>& out) const override
    {
        out.push_back(element(in.value()));
        out.push_back(std::move(in));
    }
};

struct failing_options
{
    std::int64_t at = 0;
};

class failing final : public transform
{
public:
    explicit failing(failing_options options) : options_(options) {}

    void apply(element&& in, std::vector<element>& out) const override
    {
        if (in.value() == options_.at)
            throw std::runtime_error("cannot digest " + in.value().dump());
        out.push_back(std::move(in));
    }

private:
    const failing_options options_;
};

// Gives what it takes, but 0 only after another worker has taken 2. If errors are left out 1 is
// one.
class lagging final : public stage
{
public:
    explicit lagging(std::latch& overtaken) : overtaken_(overtaken) {}

    asio::awaitable<void> work(stage_context& context) override
    {
        while (true) {
            std::vector<element> one = co_await context.read(1);
            if (one.empty())
                co_return;
            if (one[0].value() == 0)
                co_await context.blocking([this] { overtaken_.wait(); });
            if (one[0].value() == 2)
                overtaken_.count_down();
            if (one[0].value() == 1 && context.on_error() != error_action::fail)
                co_await context.skip(std::move(one[0]), "it is 1");
            else
                co_await context.write(one);
        }
    }

    [[nodiscard]] bool can_skip() const noexcept override { return true; }
    [[nodiscard]] bool can_keep_order() const noexcept override { return true; }

private:
    std::latch& overtaken_;
};

// A source that does what a test says, on a thread of its own.
class blocking_source final : public stage
{
public:
    using function = std::function<void(const stage_context&)>;

    explicit blocking_source(function called) : called_(std::move(called)) {}

    asio::awaitable<void> work(stage_context& context) override
    {
        co_await context.blocking([&] { called_(context); });
    }

private:
    const function called_;
};

// A source that gives a hundred elements for each call of a function that may block.
class fetching final : public stage
{
public:
    explicit fetching(int calls) : calls_(calls) {}

    asio::awaitable<void> work(stage_context& context) override
    {
        std::vector<element> hundred;
        for (int call = 0; call < calls_; ++call) {
            co_await context.blocking([&] {
                for (int i = 0; i < 100; ++i)
                    hundred.emplace_back(json_value(i));
            });
            co_await context.write(hundred);
        }
    }

private:
    const int calls_;
};

// Takes one at a time, and does something with it on a thread of the event loop.
class computing final : public stage
{
public:
    explicit computing(std::function<void()> compute) : compute_(std::move(compute)) {}

    asio::awaitable<void> work(stage_context& context) override
    {
        while (true) {
            std::vector<element> one = co_await context.read(1);
            if (one.empty())
                co_return;
            compute_();
            co_await context.write(one);
        }
    }

private:
    const std::function<void()> compute_;
};

// A fixed amount of work for the processor.
void burn()
{
    volatile std::uint64_t state = 1;
    for (int i = 0; i < 300'000; ++i)
        state = state * 6364136223846793005U + 1442695040888963407U;
}

class noting final : public stage
{
public:
    explicit noting(notebook& book) : book_(book) {}

    asio::awaitable<void> work(stage_context& context) override
    {
        while (true) {
            std::vector<element> batch = co_await context.read();
            if (batch.empty())
                co_return;
            for (element& each : batch)
                book_.note(std::move(each).to_json());
        }
    }

    asio::awaitable<void> finish(stage_context& /*context*/) override
    {
        ++book_.finished;
        book_.on_finish();
        co_return;
    }

private:
    notebook& book_;
};

struct fixture
{
    fixture()
    {
        stages.add<counting>(
            {.name = "counting", .takes = element_kind::none, .gives = element_kind::value
            },
            stage_options<count_options>()
                .required("to", &count_options::to, "the end")
                .optional("batch", &count_options::batch, "how many it writes at once")
        );
        stages.add<doubling>({.name = "doubling"}, stage_options<no_options>());
        stages.add<failing>(
            {.name = "failing"},
            stage_options<failing_options>()
                .optional("at", &failing_options::at, "what it cannot digest")
        );
        stages.add(
            {.name = "noting",
             .gives = element_kind::none,
             .make =
                 [this](const nlohmann::json&, std::vector<problem>&) {
                     return std::make_unique<noting>(book);
                 }}
        );
        stages.add(
            {.name = "lagging",
             .make =
                 [this](const nlohmann::json&, std::vector<problem>&) {
                     return std::make_unique<lagging>(overtaken);
                 }}
        );
    }

    // fetch -> raw -> compute -> numbers -> note
    pipeline_description computed(
        int calls,
        std::size_t workers,
        const std::function<void()>& compute
    )
    {
        const auto add = [this](std::string name, element_kind takes, auto make) {
            stages.add(
                {.name = std::move(name),
                 .takes = takes,
                 .make = [make](const nlohmann::json&, std::vector<problem>&)
                     -> std::unique_ptr<stage> { return make(); }}
            );
        };
        add("fetching", element_kind::none, [calls] {
            return std::make_unique<fetching>(calls);
        });
        add("computing", element_kind::value, [compute] {
            return std::make_unique<computing>(compute);
        });
        pipeline_description description = counting_to(0);
        description.queues.push_back({.name = "raw", .capacity = 200});
        description.queues[0].capacity = 1000;  // who computes waits for none
        description.runners[0] = {.name = "fetch", .stage = "fetching", .to = {"raw"}};
        description.runners.push_back(
            {.name = "compute",
             .stage = "computing",
             .from = "raw",
             .to = {"numbers"},
             .workers = workers}
        );
        return description;
    }

    void add_source(const std::string& name, const blocking_source::function& called)
    {
        stages.add(
            {.name = name,
             .takes = element_kind::none,
             .make =
                 [called](const nlohmann::json&, std::vector<problem>&) {
                     return std::make_unique<blocking_source>(called);
                 }}
        );
    }

    // keep -> numbers -> noting. The source waits for the reader of a pipe until the sources are
    // asked to end.
    pipeline_description without_reader()
    {
        add_source("unread", [this](const stage_context& context) {
            std::promise<void> asked;
            const std::stop_callback on_stop(context.stop_token(), [&] {
                asked.set_value();
            });
            waiting.set_value();
            asked.get_future().wait();
            throw sluice::io::no_reader("no process reads");
        });
        pipeline_description description = counting_to(0);
        description.runners[0] = {.name = "keep", .stage = "unread", .to = {"numbers"}};
        return description;
    }

    // Runs it, and does this while that source waits.
    void run_without_reader(
        running_pipeline& pipeline,
        const std::function<void()>& meanwhile
    )
    {
        std::jthread user([&] {
            waiting.get_future().wait();
            meanwhile();
        });
        pool.run(pipeline.run());
    }

    // counting(to) -> numbers -> noting, with whatever the test changes.
    static pipeline_description counting_to(std::int64_t to)
    {
        pipeline_description description;
        description.stop_grace_period = std::chrono::minutes(2);
        description.queues.push_back({.name = "numbers", .capacity = 4});
        description.runners.push_back(
            {.name = "count",
             .stage = "counting",
             .options = {{"to", to}},
             .to = {"numbers"}}
        );
        description.runners.push_back(
            {.name = "note", .stage = "noting", .from = "numbers"}
        );
        return description;
    }

    // counting(to) -> numbers -> the stage with several workers, ordered -> results -> noting
    static pipeline_description ordered(
        std::int64_t to,
        const std::string& stage,
        std::size_t workers
    )
    {
        pipeline_description description = counting_to(to);
        description.queues.push_back({.name = "results", .capacity = 3});
        description.runners[1].from = "results";
        description.runners.push_back(
            {.name = "work",
             .stage = stage,
             .from = "numbers",
             .to = {"results"},
             .workers = workers,
             .ordered = true}
        );
        return description;
    }

    void run(const pipeline_description& description)
    {
        running_pipeline pipeline(pool.get_executor(), description, stages, out);
        pool.run(pipeline.run());
        last = pipeline.snapshot();
    }

    // Runs it with the sink paused, twice, until the source waits for a place. Gives the figures of
    // then: of a snapshot that was begun after that, since its parts are read one by one.
    sluice::metrics::snapshot run_after_a_pause(running_pipeline& pipeline)
    {
        pipeline.pause("note");
        pipeline.pause("note");
        sluice::metrics::snapshot paused;
        std::jthread user([&] {
            do {
                std::this_thread::yield();
                paused = pipeline.snapshot();
            } while (paused.queues[0].stats.waiting_producers == 0 ||
                     paused.runners[1].running == 0);
            paused = pipeline.snapshot();
            pipeline.resume("note");
            pipeline.resume("note");
        });
        pool.run(pipeline.run());
        user.join();
        return paused;
    }

    [[nodiscard]] std::vector<json_value> sorted() const
    {
        auto numbers = book.seen;
        std::sort(numbers.begin(), numbers.end());
        return numbers;
    }

    static std::vector<json_value> numbers_to(std::size_t count)
    {
        std::vector<json_value> numbers(count);
        std::iota(numbers.begin(), numbers.end(), 0);
        return numbers;
    }

    notebook book;
    std::latch overtaken{1};
    std::promise<void> waiting;
    stage_registry stages;
    memory_output out;
    sluice::metrics::snapshot last;
    sluice::io_context_pool pool{2};
};

}  // namespace running_pipeline

BOOST_FIXTURE_TEST_SUITE(running_pipeline, fixture)

// Errors of single elements --------------------------------------------------------------

BOOST_AUTO_TEST_CASE(element_that_cannot_be_processed_is_left_out_and_counted)
{
    auto description = counting_to(4);
    description.queues.push_back({.name = "good"});
    description.runners[1].from = "good";
    description.runners.push_back(
        {.name = "digest",
         .stage = "failing",
         .options = {{"at", 2}},
         .from = "numbers",
         .to = {"good"},
         .on_error = {.action = error_action::skip}}
    );
    run(description);
    BOOST_TEST((book.seen == std::vector<sluice::pipeline::json_value>{0, 1, 3}));
    BOOST_TEST(last.runners[2].skipped == 1U);
    BOOST_TEST(
        last.runners[2].first_errors == std::vector<std::string>{"cannot digest 2"}
    );
}

BOOST_AUTO_TEST_CASE(element_that_cannot_be_processed_goes_into_the_queue_for_errors)
{
    auto description = counting_to(3);
    description.queues.push_back({.name = "errors", .capacity = 1});
    description.queues.push_back({.name = "good"});
    description.runners[1].from = "errors";
    description.runners.push_back({.stage = "noting", .from = "good"});
    for (const char* name :
         {"one", "other"})  // the queue is closed after the last of them
        description.runners.push_back(
            {.name = name,
             .stage = "failing",
             .options = {{"at", 2}},
             .from = "numbers",
             .to = {"good"},
             .on_error = {.action = error_action::divert, .to = "errors"}}
        );
    description.runners[3].workers = 2;
    run(description);
    BOOST_TEST_REQUIRE(book.seen.size() == 3U);
    const auto diverted = std::ranges::find_if(book.seen, [](const auto& each) {
        return each.is_object();
    });
    BOOST_TEST_REQUIRE((diverted != book.seen.end()));
    BOOST_TEST(diverted->at("element") == 2);
    BOOST_TEST(diverted->at("error") == "cannot digest 2");
    BOOST_TEST(last.runners[3].skipped + last.runners[4].skipped == 1U);
    BOOST_TEST(last.queues[1].stats.closed);
}

BOOST_AUTO_TEST_CASE(runner_whose_error_ended_the_run_is_named)
{
    auto description = counting_to(1000);
    description.queues.push_back({.name = "good"});
    description.runners[1].from = "good";
    description.runners.push_back(
        {.name = "digest",
         .stage = "failing",
         .options = {{"at", 2}},
         .from = "numbers",
         .to = {"good"}}
    );
    running_pipeline pipeline(pool.get_executor(), description, stages, out);
    std::exception_ptr thrown;
    try {
        pool.run(pipeline.run());
    } catch (...) {
        thrown = std::current_exception();
    }
    BOOST_TEST(pipeline.runner_of(thrown) == "digest");
    BOOST_TEST(pipeline.snapshot().first_error == "digest (failing): cannot digest 2");
    BOOST_TEST((pipeline.snapshot().state == run_state::failed));
}

// Work ----------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(elements_arrive_in_order_and_the_end_travels_downstream)
{
    run(counting_to(1000));
    BOOST_TEST(book.seen == numbers_to(1000), boost::test_tools::per_element());
    BOOST_TEST(book.finished == 1);
    BOOST_TEST((last.state == run_state::done));
}

BOOST_AUTO_TEST_CASE(every_type_of_queue_carries_all_elements)
{
    for (const queue_type type :
         {queue_type::fifo, queue_type::shuffle, queue_type::priority, queue_type::padding
         }) {
        BOOST_TEST_CONTEXT("type " << static_cast<int>(type))
        {
            book.seen.clear();
            auto description = counting_to(500);
            description.queues[0].type = type;
            description.queues[0].seed = 7;
            description.queues[0].min_after_dequeue = type == queue_type::shuffle ? 2 : 0;
            run(description);
            BOOST_TEST(sorted() == numbers_to(500), boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(rendezvous_carries_all_elements)
{
    auto description = counting_to(100);
    description.queues[0].capacity = 0;
    run(description);
    BOOST_TEST(book.seen == numbers_to(100), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(queue_with_two_producers_is_closed_by_the_last)
{
    auto description = counting_to(10);
    description.runners.push_back(
        {.name = "longer",
         .stage = "counting",
         .options = {{"to", 1000}},
         .to = {"numbers"},
         .workers = 3}
    );
    run(description);
    BOOST_TEST(book.seen.size() == 3010U);
}

BOOST_AUTO_TEST_CASE(several_workers_finish_once)
{
    auto description = counting_to(300);
    description.queues.push_back({.name = "twice", .capacity = 8});
    description.runners[1].from = "twice";
    description.runners[1].workers = 3;
    description.runners.push_back(
        {.name = "double",
         .stage = "doubling",
         .from = "numbers",
         .to = {"twice"},
         .workers = 2}
    );
    run(description);
    BOOST_TEST(book.seen.size() == 600U);
    BOOST_TEST(book.finished == 1);
}

// Order ---------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(ordered_results_wait_for_the_slow_ones_before_them)
{
    run(ordered(10, "lagging", 2));
    BOOST_TEST(book.seen == numbers_to(10), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ordered_runner_with_one_worker_is_an_ordinary_one)
{
    run(ordered(1000, "doubling", 1));
    BOOST_TEST(book.seen.size() == 2000U);
}

BOOST_AUTO_TEST_CASE(order_is_kept_whatever_an_element_becomes)
{
    run(ordered(3000, "doubling", 4));
    BOOST_TEST_REQUIRE(book.seen.size() == 6000U);
    BOOST_TEST(std::ranges::is_sorted(book.seen));
    BOOST_TEST(last.runners[2].items_in == 3000U);
    BOOST_TEST(last.runners[2].items_out == 6000U);
    BOOST_TEST(book.finished == 1);
}

BOOST_AUTO_TEST_CASE(element_that_cannot_be_processed_does_not_hold_up_the_order)
{
    auto description = ordered(10, "lagging", 2);
    description.queues.push_back({.name = "errors"});
    description.runners.push_back({.name = "errors", .stage = "noting", .from = "errors"}
    );
    description.runners[2].on_error = {.action = error_action::divert, .to = "errors"};
    run(description);
    std::erase_if(book.seen, [](const json_value& each) { return each.is_object(); });
    auto expected = numbers_to(10);
    expected.erase(expected.begin() + 1);
    BOOST_TEST(book.seen == expected, boost::test_tools::per_element());
    BOOST_TEST(last.runners[2].skipped == 1U);
}

BOOST_AUTO_TEST_CASE(first_error_ends_an_ordered_runner_and_nothing_behind_it_is_seen)
{
    for (int round = 0; round < 20; ++round) {
        book.seen.clear();
        auto description = ordered(-1, "failing", 3);
        description.runners[2].options = {{"at", 100}};
        BOOST_CHECK_THROW(run(description), std::runtime_error);
        BOOST_TEST_REQUIRE(book.seen.size() <= 100U);
        BOOST_TEST((book.seen == numbers_to(book.seen.size())));
    }
    BOOST_TEST(book.finished == 0);
}

// Overflow ------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(queue_that_drops_holds_up_no_producer_and_counts)
{
    auto description = counting_to(1000);
    description.runners[0].options["batch"] = 1000;  // one write, more than fits anywhere
    description.queues[0].overflow = sluice::overflow::drop_oldest;
    run(description);
    BOOST_TEST(last.queues[0].stats.dropped >= 500U);
    BOOST_TEST(last.queues[0].stats.dropped + book.seen.size() == 1000U);
    BOOST_TEST(last.queues[0].waits_to_enqueue == 0U);
    BOOST_TEST(last.runners[0].items_out == 1000U);
    BOOST_TEST(std::ranges::is_sorted(book.seen));
    BOOST_TEST_REQUIRE(!book.seen.empty());
    BOOST_TEST(book.seen.back() == 999);
    BOOST_TEST(book.finished == 1);
}

// Several queues ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(each_of_several_queues_gets_every_element)
{
    auto description = counting_to(300);
    description.queues.push_back({.name = "copies", .capacity = 1});
    description.runners[0].to = {"numbers", "copies"};
    description.runners.push_back({.name = "other", .stage = "noting", .from = "copies"});
    run(description);
    const std::vector<json_value> seen = sorted();
    BOOST_TEST_REQUIRE(seen.size() == 600U);
    for (std::size_t i = 0; i < seen.size(); ++i)
        BOOST_TEST(seen[i] == i / 2);
    BOOST_TEST(book.finished == 2);
    BOOST_TEST(last.runners[0].items_out == 300U);
    BOOST_TEST(last.runners[2].items_in == 300U);
}

BOOST_AUTO_TEST_CASE(several_queues_are_closed_by_the_last_who_fills_them)
{
    auto description = counting_to(10);
    description.queues.push_back({.name = "copies", .capacity = 4});
    description.runners[0].to = {"numbers", "copies"};
    description.runners.push_back({.name = "other", .stage = "noting", .from = "copies"});
    description.runners.push_back(
        {.name = "more",
         .stage = "counting",
         .options = {{"to", 500}},
         .to = {"copies", "numbers"},
         .workers = 2}
    );
    run(description);
    BOOST_TEST(book.seen.size() == 2 * (10 + 2 * 500));
    BOOST_TEST(last.queues[0].stats.closed);
    BOOST_TEST(last.queues[1].stats.closed);
}

BOOST_AUTO_TEST_CASE(failure_of_a_runner_with_several_queues_completes_none_of_the_results
)
{
    auto description = ordered(-1, "failing", 2);
    description.queues.push_back({.name = "copies", .capacity = 4});
    description.runners[2].options = {{"at", 100}};
    description.runners[2].to.push_back("copies");
    description.runners.push_back({.name = "other", .stage = "noting", .from = "copies"});
    BOOST_CHECK_THROW(run(description), std::runtime_error);
    BOOST_TEST(book.finished == 0);
}

// Failures ------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(failing_stage_stops_all_and_its_error_is_thrown)
{
    auto description = counting_to(-1);
    description.queues.push_back({.name = "digested", .capacity = 4});
    description.runners[1].from = "digested";
    description.runners.push_back(
        {.name = "digest",
         .stage = "failing",
         .options = {{"at", 100}},
         .from = "numbers",
         .to = {"digested"}}
    );
    BOOST_CHECK_EXCEPTION(run(description), std::runtime_error, [](const auto& error) {
        return error.what() == std::string("cannot digest 100");
    });
    BOOST_TEST(book.finished == 0);
}

// What the stage had read would be missing.
BOOST_AUTO_TEST_CASE(stage_that_throws_the_end_of_a_queue_of_its_own_has_failed)
{
    sluice::errc code{};
    const pipeline_description description = computed(1, 1, [&code] {
        throw system_error(code);
    });
    for (const auto each : {sluice::errc::end_of_queue, sluice::errc::queue_closed}) {
        code = each;
        running_pipeline pipeline(pool.get_executor(), description, stages, out);
        BOOST_CHECK_THROW(pool.run(pipeline.run()), std::runtime_error);
        BOOST_TEST(pipeline.snapshot().first_error.starts_with("compute (computing): "));
        BOOST_TEST(book.finished == 0);
    }
}

BOOST_AUTO_TEST_CASE(one_failed_worker_of_several_prevents_the_finish)
{
    // The other worker comes to the end of its input at the same moment.
    for (int round = 0; round < 200; ++round) {
        auto description = counting_to(2);
        description.queues.push_back({.name = "digested", .capacity = 4});
        description.runners[1].from = "digested";
        description.runners.push_back(
            {.name = "digest",
             .stage = "failing",
             .options = {{"at", 1}},
             .from = "numbers",
             .to = {"digested"},
             .workers = 2}
        );
        BOOST_CHECK_THROW(run(description), std::runtime_error);
    }
    BOOST_TEST(book.finished == 0);
}

BOOST_AUTO_TEST_CASE(results_of_one_branch_are_not_completed_if_another_fails)
{
    for (int round = 0; round < 50; ++round) {
        auto description = counting_to(1);
        description.queues.push_back({.name = "more", .capacity = 4});
        description.queues.push_back({.name = "digested", .capacity = 4});
        description.runners.push_back(
            {.name = "count on",
             .stage = "counting",
             .options = {{"to", 100}},
             .to = {"more"}}
        );
        description.runners.push_back(
            {.name = "digest",
             .stage = "failing",
             .options = {{"at", 99}},
             .from = "more",
             .to = {"digested"}}
        );
        description.runners.push_back(
            {.name = "note more", .stage = "noting", .from = "digested"}
        );
        BOOST_CHECK_THROW(run(description), std::runtime_error);
    }
    BOOST_TEST(book.finished == 0);
}

// A file gets its name when no other result can fail any more.
BOOST_AUTO_TEST_CASE(file_is_as_before_if_another_result_fails_or_a_stop_comes_at_the_end)
{
    add_builtin_stages(stages);
    const sluice::test::temporary_folder folder;
    auto description = counting_to(1);
    description.queues.push_back({.name = "copies", .capacity = 4});
    description.runners[0].to.push_back("copies");
    description.runners.insert(
        description.runners.begin(),
        {.name = "keep",
         .stage = "write",
         .options = {{"path", folder.write("out", "old")}},
         .from = "copies"}
    );
    book.on_finish = [] { throw std::runtime_error("no room"); };
    BOOST_CHECK_THROW(run(description), std::runtime_error);
    BOOST_TEST(folder.read("out") == "old");

    running_pipeline stopped(pool.get_executor(), description, stages, out);
    book.on_finish = [&] { stopped.request_stop(); };
    pool.run(stopped.run());
    BOOST_TEST(folder.read("out") == "old");

    book.on_finish = [] {};
    run(description);
    BOOST_TEST(folder.read("out") == "0\n");
}

BOOST_AUTO_TEST_CASE(description_that_does_not_fit_the_registry_is_refused)
{
    auto description = counting_to(1);
    description.runners[0].stage = "countng";
    BOOST_CHECK_EXCEPTION(run(description), description_error, [](const auto& error) {
        return error.problems().size() == 1 &&
               error.problems()[0].pointer == "/runners/0/stage" &&
               error.problems()[0].hint.find("counting") != std::string::npos;
    });
    description = counting_to(1);
    description.runners[0].options = {{"to", "far"}};
    BOOST_CHECK_EXCEPTION(run(description), description_error, [](const auto& error) {
        return error.problems()[0].pointer == "/runners/0/options/to";
    });
    description = counting_to(1);
    description.runners[1].from = "nowhere";
    BOOST_CHECK_EXCEPTION(run(description), description_error, [](const auto& error) {
        return error.problems()[0].pointer == "/runners/1/from";
    });
}

// Drain and stop ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(drain_ends_the_sources_and_loses_nothing)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(-1), stages, out);
    std::jthread user([&] {
        book.first_seen.get_future().wait();
        pipeline.request_drain();
        pipeline.request_drain();
    });
    pool.run(pipeline.run());
    const auto stats = pipeline.snapshot().queues[0].stats;
    BOOST_TEST(book.seen == numbers_to(stats.enqueued), boost::test_tools::per_element());
    BOOST_TEST(book.finished == 1);
    BOOST_TEST((pipeline.snapshot().state == run_state::drained));
}

BOOST_AUTO_TEST_CASE(source_that_throws_because_of_a_drain_has_ended)
{
    running_pipeline* running = nullptr;
    add_source("drained", [&](const stage_context& /*context*/) {
        running->request_drain();
        throw system_error(sluice::errc::stop_requested);
    });
    pipeline_description description = counting_to(0);
    description.runners[0] = {.name = "source", .stage = "drained", .to = {"numbers"}};
    running_pipeline pipeline(pool.get_executor(), description, stages, out);
    running = &pipeline;
    pool.run(pipeline.run());
    BOOST_TEST(book.finished == 1);
    BOOST_TEST((pipeline.snapshot().state == run_state::drained));
}

BOOST_AUTO_TEST_CASE(stop_ends_all_without_an_error_and_without_the_finish)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(-1), stages, out);
    std::jthread user([&] {
        book.first_seen.get_future().wait();
        pipeline.request_stop();
    });
    pool.run(pipeline.run());
    BOOST_TEST(book.finished == 0);
    BOOST_TEST((pipeline.snapshot().state == run_state::stopped));
}

BOOST_AUTO_TEST_CASE(wait_for_a_reader_that_a_stop_has_ended_is_no_failure)
{
    running_pipeline pipeline(pool.get_executor(), without_reader(), stages, out);
    run_without_reader(pipeline, [&] { pipeline.request_stop(); });
    BOOST_TEST(pipeline.snapshot().first_error == "");
    BOOST_TEST(pipeline.runner_of(pipeline.ended_wait()) == "keep");
    BOOST_CHECK_THROW(
        std::rethrow_exception(pipeline.ended_wait()),
        sluice::io::no_reader
    );
}

BOOST_AUTO_TEST_CASE(wait_for_a_reader_that_a_drain_has_ended_is_a_failure)
{
    running_pipeline pipeline(pool.get_executor(), without_reader(), stages, out);
    BOOST_CHECK_THROW(
        run_without_reader(pipeline, [&] { pipeline.request_drain(); }),
        sluice::io::no_reader
    );
    BOOST_TEST((pipeline.ended_wait() == nullptr));
}

BOOST_AUTO_TEST_CASE(wait_for_a_reader_hides_no_failure_after_the_stop)
{
    std::promise<void> late_waits;
    std::latch ended(1);
    add_source("late", [&](const stage_context& /*context*/) {
        late_waits.set_value();
        ended.wait();
        throw std::runtime_error("the disk is full");
    });
    pipeline_description description = without_reader();
    description.runners.push_back({.name = "late", .stage = "late", .to = {"numbers"}});
    running_pipeline pipeline(pool.get_executor(), description, stages, out);
    const auto stop = [&] {
        late_waits.get_future().wait();
        pipeline.request_stop();
        while (pipeline.ended_wait() == nullptr)
            std::this_thread::yield();
        ended.count_down();
    };
    BOOST_CHECK_EXCEPTION(
        run_without_reader(pipeline, stop),
        std::runtime_error,
        [](const auto& error) { return error.what() == std::string("the disk is full"); }
    );
}

// Pause ---------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(paused_runner_takes_nothing_until_it_is_resumed)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(100), stages, out);
    const auto paused = run_after_a_pause(pipeline);
    BOOST_TEST(paused.runners[1].paused);
    BOOST_TEST(!paused.runners[0].paused);
    BOOST_TEST(paused.runners[1].items_in == 0U);
    BOOST_TEST(paused.queues[0].stats.size == 4U);
    BOOST_TEST(book.seen == numbers_to(100), boost::test_tools::per_element());
    BOOST_TEST(!pipeline.snapshot().runners[1].paused);
}

BOOST_AUTO_TEST_CASE(what_is_in_a_queue_counts_while_the_rest_of_a_write_waits)
{
    auto description = counting_to(1000);
    description.runners[0].options["batch"] = 1000;
    description.queues[0].capacity = 300;
    running_pipeline pipeline(pool.get_executor(), description, stages, out);
    const auto paused = run_after_a_pause(pipeline);
    BOOST_TEST(paused.runners[0].items_out == stage_context::batch_size);
    BOOST_TEST(pipeline.snapshot().runners[0].items_out == 1000U);
    BOOST_TEST(book.seen == numbers_to(1000), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(drain_ends_every_pause)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(-1), stages, out);
    pipeline.pause("count");
    pipeline.pause("note");
    std::jthread user([&] {
        while (pipeline.snapshot().runners[0].running == 0)
            std::this_thread::yield();
        BOOST_TEST(pipeline.snapshot().runners[0].items_out == 0U);
        pipeline.request_drain();
        pipeline.pause("note");  // too late
    });
    pool.run(pipeline.run());
    user.join();
    BOOST_TEST(pipeline.snapshot().queues[0].stats.size == 0U);
    BOOST_TEST(book.finished == 1);
}

BOOST_AUTO_TEST_CASE(failure_ends_the_wait_of_a_paused_runner)
{
    auto description = counting_to(-1);
    description.queues.push_back({.name = "results", .capacity = 4});
    description.runners[1].from = "results";
    description.runners.push_back(
        {.name = "fail", .stage = "failing", .from = "numbers", .to = {"results"}}
    );
    running_pipeline pipeline(pool.get_executor(), description, stages, out);
    pipeline.pause("note");
    BOOST_CHECK_THROW(pool.run(pipeline.run()), std::runtime_error);
    BOOST_TEST(book.seen.empty());
}

BOOST_AUTO_TEST_CASE(pause_of_an_unknown_runner_is_refused)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(1), stages, out);
    BOOST_CHECK_EXCEPTION(pipeline.pause("write"), system_error, [](const auto& error) {
        return std::string(error.what()).find("the pipeline has no runner 'write'") !=
               std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(stop_before_the_start_does_nothing_at_all)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(5), stages, out);
    pipeline.request_stop();
    pool.run(pipeline.run());
    BOOST_TEST(book.seen.empty());
}

BOOST_AUTO_TEST_CASE(cancelled_run_stops_the_workers_and_waits_for_them)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(-1), stages, out);
    asio::cancellation_signal cancel;
    const auto strand = asio::make_strand(pool.get_executor());
    auto end = asio::co_spawn(
        strand,
        pipeline.run(),
        asio::bind_cancellation_slot(cancel.slot(), asio::use_future)
    );
    book.first_seen.get_future().wait();
    asio::post(strand, [&] { cancel.emit(asio::cancellation_type::terminal); });
    BOOST_CHECK_EXCEPTION(end.get(), system_error, [](const auto& error) {
        return error.code() == asio::error::operation_aborted;
    });
    for (const sluice::metrics::runner_snapshot& runner : pipeline.snapshot().runners)
        BOOST_TEST(runner.running == 0U);
}

BOOST_AUTO_TEST_CASE(worker_that_does_not_end_is_named)
{
    std::promise<void> asleep;
    std::latch wake(1);
    add_source("deaf", [&](const stage_context& /*context*/) {
        asleep.set_value();
        wake.wait();
    });
    auto description = counting_to(0);
    description.stop_grace_period = {};
    description.runners[0] = {.name = "sleeper", .stage = "deaf", .to = {"numbers"}};
    std::vector<std::string> overdue;
    running_pipeline
        pipeline(pool.get_executor(), description, stages, out, [&](const auto& workers) {
            for (const sluice::task_info& worker : workers)
                overdue.push_back(worker.name);
        });
    std::jthread user([&] {
        asleep.get_future().wait();
        pipeline.request_stop();
    });
    BOOST_CHECK_EXCEPTION(pool.run(pipeline.run()), system_error, [](const auto& error) {
        return error.code() == sluice::errc::tasks_still_running &&
               std::string(error.what()).find("sleeper/0") != std::string::npos;
    });
    BOOST_TEST(std::count(overdue.begin(), overdue.end(), "sleeper/0") == 1);
    wake.count_down();
}

// Snapshot ------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(snapshot_counts_what_went_through)
{
    running_pipeline pipeline(pool.get_executor(), counting_to(100), stages, out);
    BOOST_TEST((pipeline.snapshot().state == run_state::ready));
    BOOST_TEST((pipeline.snapshot().elapsed.count() == 0));
    pool.run(pipeline.run());
    const sluice::metrics::snapshot now = pipeline.snapshot();
    BOOST_TEST(now.queues[0].stats.enqueued == 100U);
    BOOST_TEST(now.queues[0].stats.closed);
    BOOST_TEST(now.runners[0].items_out == 100U);
    BOOST_TEST(now.runners[1].items_in == 100U);
    BOOST_TEST(now.runners[1].running == 0U);
    BOOST_TEST((now.elapsed == pipeline.snapshot().elapsed));
    BOOST_TEST((now.runners[0].busy.count() > 0));
}

// The only thread is held until a look has seen it.
BOOST_AUTO_TEST_CASE(worker_whose_blocking_call_has_ended_is_ready_while_no_thread_is_free
)
{
    std::promise<void> held;
    std::latch seen{1};
    const auto hold = [&, first = std::make_shared<std::once_flag>()] {
        std::call_once(*first, [&] {
            held.set_value();
            seen.wait();
        });
    };
    sluice::io_context_pool one_thread{1};
    running_pipeline
        pipeline(one_thread.get_executor(), computed(3, 1, hold), stages, out);
    const auto fetch = [&] { return pipeline.snapshot().runners.at(0); };
    sluice::metrics::runner_snapshot ready;
    sluice::metrics::runner_snapshot later;
    std::jthread user([&] {
        held.get_future().wait();
        for (ready = fetch(); ready.waiting_for_thread == 0; ready = fetch())
            std::this_thread::yield();
        later = fetch();
        seen.count_down();
    });
    one_thread.run(pipeline.run());
    user.join();
    BOOST_TEST(ready.running == 1U);
    BOOST_TEST((later.ready > ready.ready));
    BOOST_TEST((later.busy == ready.busy));
    const sluice::metrics::snapshot end = pipeline.snapshot();
    BOOST_TEST((end.runners.at(0).ready >= later.ready));
    for (const auto& each : end.runners)  // nothing is lost or counted twice
        BOOST_TEST((time_of_workers(each) + each.idle == end.elapsed), each.name);
}

BOOST_AUTO_TEST_CASE(trace_has_the_time_in_which_a_worker_was_ready)
{
    sluice::report::trace recorded("p");
    sluice::io_context_pool one_thread{1};
    running_pipeline
        pipeline(one_thread.get_executor(), computed(2, 1, burn), stages, out);
    pipeline.record(recorded);
    one_thread.run(pipeline.run());
    BOOST_TEST(
        recorded.to_json().find(R"("name":"ready, no free thread")") != std::string::npos
    );
}

// Two workers compute. With two threads the reader has none; with three it has one, and the
// processors are shared.
BOOST_AUTO_TEST_CASE(bottleneck_is_the_stage_that_computes_with_few_and_with_more_threads)
{
    const auto description = computed(8, 2, burn);
    for (const std::size_t threads : {2U, 3U}) {
        sluice::io_context_pool some{threads};
        running_pipeline pipeline(some.get_executor(), description, stages, out);
        some.run(pipeline.run());
        const sluice::metrics::snapshot end = pipeline.snapshot();
        const std::string text = describe_bottleneck(end);
        BOOST_TEST(text.starts_with("The bottleneck is \"compute\""), text);
        const auto& fetch = end.runners.at(0);  // has little to do
        BOOST_TEST(share_of_time(fetch.busy, fetch) < 0.5);
    }
}

BOOST_AUTO_TEST_SUITE_END()

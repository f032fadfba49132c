// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S44

#include <sluice/pipeline/remote_queue.hpp>

#include <sluice/io_context_pool.hpp>
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace remote_queue {

using namespace sluice::pipeline;
using record = std::vector<std::string>;

// A queue without a server: its input is given, and it notes what happens.
class noting_queue final : public sluice::pipeline::remote_queue
{
public:
    noting_queue(
        std::string name,
        std::vector<element> input,
        record& log,
        int& flushing,
        bool is_full
    )
        : name_(std::move(name)),
          input_(std::move(input)),
          log_(log),
          flushing_(flushing),
          is_full_(is_full)
    {
    }

    std::string_view name() const noexcept override { return name_; }

    void end_with(sluice::coordinator& /*sources*/, sluice::coordinator& /*tasks*/)
        override
    {
    }

    asio::awaitable<std::unique_ptr<remote_batch>> take(read_request /*request*/) override
    {
        if (input_.empty())
            co_return nullptr;
        std::vector<element> one;
        one.push_back(std::move(input_.front()));
        input_.erase(input_.begin());
        co_return std::make_unique<batch>(std::move(one), log_);
    }

    asio::awaitable<void> put(std::vector<element>& elements) override
    {
        for (element& each : elements) {
            if (is_full_)
                throw remote_queue_failed("the server is full");
            log_.push_back("put " + std::move(each).to_text());
        }
        elements.clear();
        co_return;
    }

    asio::awaitable<void> note_end_of(const std::string& runner) override
    {
        log_.push_back("end of " + runner);
        co_return;
    }

    asio::awaitable<void> flush() override
    {
        log_.push_back("flush of " + name_);
        ++flushing_;
        co_await asio::post(asio::use_awaitable);
        if (--flushing_ > 0)
            log_.push_back("flushed at the same time: " + name_);
    }

    sluice::metrics::queue_snapshot snapshot() const override
    {
        return {.name = name_, .type = "redis"};
    }

private:
    class batch final : public remote_batch
    {
    public:
        batch(std::vector<element> elements, record& log)
            : elements_(std::move(elements)), name_(elements_[0].text()), log_(log)
        {
        }

        ~batch() override
        {
            if (!is_acknowledged_)
                log_.push_back("return " + name_);
        }

        std::vector<element>& elements() noexcept override { return elements_; }

        std::span<const element_key> keys() const noexcept override { return keys_; }

        asio::awaitable<void> acknowledge() override
        {
            is_acknowledged_ = true;
            log_.push_back("acknowledge " + name_);
            co_return;
        }

        void absolve() noexcept override { log_.push_back("absolve " + name_); }

    private:
        std::vector<element> elements_;
        const std::vector<element_key> keys_{{.moment = 1, .number = 1}};
        const std::string name_;
        record& log_;
        bool is_acknowledged_ = false;
    };

    const std::string name_;
    std::vector<element> input_;
    record& log_;
    int& flushing_;  // how many do
    const bool is_full_;
};

// From "in" to "out", which is elsewhere, too.
constexpr const char* shouting =
    R"({"name": "p", "threads": 1,
        "queues": {"in": {"type": "redis", "url": "redis://a", "key": "k"},
                   "out": {"type": "redis", "url": "redis://a"}},
        "runners": [{"name": "shout", "stage": "jq", "options": {"program": "\"\\(.)!\""},
                     "from": "in", "to": "out"},
                    {"name": "other", "stage": "range", "options": {"to": 3}, "to": "out",
                     "copies": 2}]})";

// A source that fails, and a runner behind it that feeds "out".
constexpr const char* failing =
    R"({"name": "p", "threads": 1,
        "queues": {"lines": {}, "out": {"type": "redis", "url": "redis://a"}},
        "runners": [{"name": "bad", "stage": "command", "options": {"command": "exit 1"},
                     "to": "lines"},
                    {"name": "total", "stage": "count", "from": "lines", "to": "out"},
                    {"name": "other", "stage": "discard", "from": "out"}]})";

struct fixture
{
    // Runs only the first runner.
    void run(const std::vector<sluice::pipeline::description_override>& overrides = {})
    {
        run(shouting, {"shout"}, overrides);
    }

    void run(
        const char* description,
        const std::vector<std::string>& runners,
        const std::vector<sluice::pipeline::description_override>& overrides = {}
    )
    {
        stage_registry stages;
        add_builtin_stages(stages);
        auto checked = sluice::pipeline::read_description(description, stages, overrides);
        checked.run_only(runners);
        sluice::io_context_pool pool{threads};
        descriptor_output out{-1, "nothing"};
        sluice::pipeline::running_pipeline pipeline(
            pool.get_executor(),
            std::move(checked),
            out,
            nullptr,
            [this](const auto& /*executor*/, const remote_queue_request& request) {
                requests.emplace(request.queue.name, request);
                std::vector<element> input;
                if (request.queue.name == "in")
                    input = {element("a"), element("b")};
                return std::make_unique<noting_queue>(
                    request.queue.name,
                    std::move(input),
                    log,
                    flushing,
                    is_full
                );
            }
        );
        pool.run(pipeline.run());
        last = pipeline.snapshot();
    }

    std::size_t threads = 1;
    record log;
    int flushing = 0;
    bool is_full = false;  // and refuses elements
    std::map<std::string, remote_queue_request> requests;
    sluice::metrics::snapshot last;
};

BOOST_FIXTURE_TEST_SUITE(remote_queue, fixture)

BOOST_AUTO_TEST_CASE(element_is_acknowledged_when_its_results_are_written)
{
    run();
    const record expected{
        "put a!",
        "acknowledge a",
        "put b!",
        "acknowledge b",
        "end of shout",
        "flush of in",
        "flush of out",
        "flushed at the same time: in"
    };
    BOOST_TEST(log == expected, boost::test_tools::per_element());
    BOOST_TEST(last.queues.size() == 2u);
    BOOST_TEST(last.queues[1].name == "out");
    BOOST_TEST(last.runners.size() == 1u);
}

BOOST_AUTO_TEST_CASE(element_is_acknowledged_at_once_where_that_is_asked_for)
{
    run({{"/runners/shout/acknowledge", "taken"}});
    BOOST_TEST(log.at(0) == "acknowledge a");
    BOOST_TEST(log.at(1) == "put a!");
}

BOOST_AUTO_TEST_CASE(element_is_not_to_blame_if_the_queue_behind_it_refuses)
{
    is_full = true;
    BOOST_CHECK_THROW(run(), sluice::pipeline::remote_queue_failed);
    BOOST_TEST(log.at(0) == "absolve a");
    BOOST_TEST(log.at(1) == "return a");
}

BOOST_AUTO_TEST_CASE(element_of_a_runner_that_fails_is_returned_and_nothing_ends)
{
    const char* const program = R"("if . == \"b\" then error(\"bad\") else . end")";
    BOOST_CHECK_THROW(
        run({{"/runners/shout/options/program", program}}),
        std::runtime_error
    );
    const record expected{
        "put a",
        "acknowledge a",
        "return b",
        "flush of in",
        "flush of out",
        "flushed at the same time: in"
    };
    BOOST_TEST(log == expected, boost::test_tools::per_element());
}

// A failure closes the queue behind it, too, which is no end of the work.
BOOST_AUTO_TEST_CASE(queue_stays_open_when_what_feeds_it_lost_its_own_input_by_a_failure)
{
    threads = 2;  // so that they may see the queue closed before all of the stop is done
    for (int i = 0; i < 100; ++i)
        BOOST_CHECK_THROW(run(failing, {"bad", "total"}), std::runtime_error);
    const record expected(100, "flush of out");
    BOOST_TEST(log == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(queue_knows_its_key_and_all_who_feed_it)
{
    run();
    BOOST_TEST(requests.at("in").queue.key == "k");
    BOOST_TEST(requests.at("in").feeders.empty());
    const remote_queue_request& out = requests.at("out");
    BOOST_TEST(out.queue.key == "p.out");
    BOOST_TEST(out.feeders.size() == 2u);
    BOOST_TEST(out.feeders[0].runner == "shout");
    BOOST_TEST(out.feeders[0].copies == 1u);
    BOOST_TEST(out.feeders[1].runner == "other");
    BOOST_TEST(out.feeders[1].copies == 2u);
}

BOOST_AUTO_TEST_CASE(pipeline_without_a_factory_refuses_such_a_queue)
{
    stage_registry stages;
    add_builtin_stages(stages);
    sluice::io_context_pool pool{1};
    descriptor_output out{-1, "nothing"};
    BOOST_CHECK_THROW(
        sluice::pipeline::running_pipeline(
            pool.get_executor(),
            sluice::pipeline::read_description(shouting, stages),
            out
        ),
        sluice::system_error
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace remote_queue

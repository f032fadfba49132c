// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows work that makes work: a crawler that visits each page of some hosts once. Pages
// near the start come first. A page has a time limit, one that is busy (503) is tried again
// later, and each host gets only so many requests at a time. The program ends when the last
// page is finished, because each job holds a feeder of the queue.
// Expect: the pages in alphabetical order, those that failed with the reason, and a summary.
// Options: the URLs to start from; other hosts than theirs are not visited. --limit MS, the
// time for a page, 5000 by default.
// Try it:  python3 -m http.server 8000 &  sample_crawler http://localhost:8000/

#include "../../co_main.hpp"
#include "http_get.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// What has been found, and what came of it. The workers run on several threads.
class page_list
{
public:
    // False if the page was there already.
    bool insert(const url& page)
    {
        const std::lock_guard lock(mutex_);
        return pages_.emplace(page.text(), "").second;
    }

    void set_failure(const url& page, std::string reason)
    {
        const std::lock_guard lock(mutex_);
        pages_[page.text()] = std::move(reason);
    }

    void print() const
    {
        int failed = 0;
        for (const auto& [page, failure] : pages_) {
            std::cout << page << (failure.empty() ? "" : " failed: ") << failure << '\n';
            failed += failure.empty() ? 0 : 1;
        }
        std::cout << pages_.size() << " pages, " << failed << " failed\n";
    }

private:
    std::mutex mutex_;
    std::map<std::string, std::string> pages_;  // with the failure, if there was one
};

struct job
{
    url page;
    int depth;                  // how many links away from the start
    sluice::feeder keeps_open;  // the queue closes when the last job is destroyed
    int attempts = 0;
};

struct by_depth
{
    bool operator()(const job& a, const job& b) const { return a.depth < b.depth; }
};

class crawler
{
public:
    crawler(sluice::io_context_pool& pool, std::chrono::milliseconds limit)
        : pool_{pool},
          limit_{limit},
          jobs_{pool, {.capacity = sluice::unbounded, .name = "jobs"}},
          coord_{pool, {.on_overdue = print_overdue}}
    {
    }

    asio::awaitable<void> run(std::vector<url> starts)
    {
        for (const url& start : starts)
            hosts_.try_emplace(
                start.host,
                pool_,
                sluice::semaphore_options{.permits = 4, .name = start.host}
            );
        add(starts, 0, sluice::feeder{jobs_});
        coord_.close_on_stop(jobs_);
        for (int i = 0; i < 8; ++i)
            coord_.spawn("worker", work());
        co_await coord_.join();
        pages_.print();
    }

private:
    static void print_overdue(const std::vector<sluice::task_info>& tasks)
    {
        for (const sluice::task_info& task : tasks)
            std::cerr << "still running: " << to_string(task) << '\n';
    }

    asio::awaitable<void> work()
    {
        while (auto next = co_await jobs_.next())
            co_await visit(std::move(*next));
    }

    asio::awaitable<void> visit(job current)
    {
        const url page = current.page;
        try {
            const auto permit = co_await hosts_.at(page.host).acquire();
            const auto found = co_await sluice::within(http_get(page), limit_);
            if (found.status == 503 && try_later(current))
                co_return;
            if (found.status != 200)
                throw std::runtime_error("status " + std::to_string(found.status));
            add(links_of(page, found.body), current.depth + 1, current.keeps_open);
        } catch (const std::exception& error) {
            pages_.set_failure(page, error.what());
        }
    }

    // Never waits: the workers fill the queue that they consume.
    void add(const std::vector<url>& found, int depth, const sluice::feeder& keeps_open)
    {
        for (const url& page : found) {
            if (!hosts_.contains(page.host) || !pages_.insert(page))
                continue;
            job next{page, depth, keeps_open};
            if (!jobs_.try_enqueue(std::move(next)))
                pages_.set_failure(page, "stopped");  // which closed the queue
        }
    }

    // The job keeps the queue open while it waits. False: it has failed for good.
    bool try_later(job& current)
    {
        if (++current.attempts == 4)
            return false;
        auto place = jobs_.try_reserve();
        if (!place)
            return false;  // stopped
        const auto delay = std::chrono::milliseconds(50 << current.attempts);
        auto name = "retry of " + current.page.text();
        coord_.spawn(
            std::move(name),
            sluice::fill_after(std::move(place), delay, std::move(current))
        );
        return true;
    }

    sluice::io_context_pool& pool_;
    std::chrono::milliseconds limit_;
    std::map<std::string, sluice::semaphore> hosts_;
    page_list pages_;
    sluice::priority_queue<job, by_depth> jobs_;
    sluice::coordinator coord_;
};

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    std::chrono::milliseconds limit{5000};
    std::vector<url> starts;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (args[i] == "--limit" && i + 1 < args.size())
            limit = std::chrono::milliseconds{std::stoi(std::string{args[++i]})};
        else
            starts.push_back(parse_url(args[i]));
    }
    if (starts.empty())
        throw std::runtime_error(
            "name a URL to start from, for example http://localhost:8000/"
        );
    crawler site{pool, limit};
    co_await site.run(std::move(starts));
}

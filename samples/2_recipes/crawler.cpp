// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows work that makes work: four workers fetch pages, and each page links to others. A
// job holds a feeder of the queue, so the queue closes when the last job is finished. The
// workers fill the queue that they consume, so they never wait for room in it.
// Expect: each page once, in alphabetical order, however the workers shared them.

#include "../co_main.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

using links = std::vector<std::string>;

// Stands for the network: what each page links to. The pages link in circles.
const std::map<std::string, links> web{
    {"index", {"news", "shop", "about"}},
    {"news", {"index", "news/1", "news/2", "news/3"}},
    {"news/1", {"news", "news/2"}},
    {"news/2", {"news", "news/3", "shop/tea"}},
    {"news/3", {"news"}},
    {"shop", {"index", "shop/tea", "shop/coffee"}},
    {"shop/tea", {"shop", "shop/coffee"}},
    {"shop/coffee", {"shop", "about"}},
    {"about", {"index"}},
};

asio::awaitable<links> fetch(std::string page)
{
    co_await asio::post(asio::use_awaitable);  // a request would wait here
    co_return web.at(page);
}

// What has been found so far; the workers run on several threads.
class visited
{
public:
    // False if the page was there already.
    bool insert(const std::string& page)
    {
        const std::lock_guard lock(mutex_);
        return pages_.insert(page).second;
    }

    [[nodiscard]] const std::set<std::string>& pages() const { return pages_; }

private:
    std::mutex mutex_;
    std::set<std::string> pages_;
};

//[crawler
struct job
{
    std::string page;
    sluice::feeder keeps_open;  // the queue closes when the last job is destroyed
};

using job_queue = sluice::fifo_queue<job>;

asio::awaitable<void> crawl(job_queue& jobs, visited& seen)
{
    while (auto next = co_await jobs.next()) {
        std::vector<job> mine;
        mine.push_back(*std::exchange(next, std::nullopt));
        while (!mine.empty()) {
            const job current = std::move(mine.back());
            mine.pop_back();
            for (const std::string& link : co_await fetch(current.page)) {
                if (!seen.insert(link))
                    continue;
                job found{link, current.keeps_open};
                if (!jobs.try_enqueue(std::move(found)))  // never wait for room here
                    mine.push_back(std::move(found));
            }
        }
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    job_queue jobs{pool, {.capacity = 2, .name = "jobs"}};
    visited seen;
    seen.insert("index");
    job first{"index", sluice::feeder{jobs}};
    co_await jobs.enqueue(std::move(first));

    sluice::coordinator coord{pool};
    coord.close_on_stop(jobs);
    for (int i = 1; i <= 4; ++i)
        coord.spawn("worker " + std::to_string(i), crawl(jobs, seen));
    co_await coord.join();

    for (const std::string& page : seen.pages())
        std::cout << page << '\n';
}
//]

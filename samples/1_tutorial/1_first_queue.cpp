// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a bounded queue between two coroutines: one puts words in and closes the queue,
// the other takes them out until the end. Neither ever blocks a thread.
// Expect: the four words, one per line, then "end of the queue".

//[first_queue
#include <sluice.hpp>

#include <boost/asio.hpp>

#include <iostream>
#include <string>

namespace asio = boost::asio;

asio::awaitable<void> produce(sluice::fifo_queue<std::string>& words)
{
    for (std::string word : {"easy", "to", "wait", "for"})
        co_await words.enqueue(std::move(word));  // waits while the queue is full
    words.close();                                // no more to come
}

asio::awaitable<void> consume(sluice::fifo_queue<std::string>& words)
{
    while (auto word = co_await words.next())  // waits while the queue is empty
        std::cout << *word << '\n';
    std::cout << "end of the queue\n";
}

int main()
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<std::string> words{pool, {.capacity = 2, .name = "words"}};

    asio::co_spawn(pool.get_executor(), produce(words), asio::detached);
    pool.run([&] { return consume(words); });
}
//]

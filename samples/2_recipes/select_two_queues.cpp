// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows one consumer of two queues. Of the branches of a select exactly one happens, and
// the earlier one is preferred, so what is urgent comes first. For a number of queues
// that is known only at run time there is dequeue_any.
// Expect: the urgent message, then the ordinary ones, the last from one of three queues.

#include "../co_main.hpp"

#include <array>
#include <iostream>
#include <string>
#include <variant>

using text_queue = sluice::fifo_queue<std::string>;

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    text_queue urgent{pool, {.capacity = 4}};
    text_queue ordinary{pool, {.capacity = 4}};
    co_await ordinary.enqueue("ordinary: tea is ready");
    co_await ordinary.enqueue("ordinary: more tea");
    co_await urgent.enqueue("urgent: the kettle burns");

    //[select
    for (int i = 0; i < 3; ++i) {
        auto message = co_await sluice::select(urgent.dequeue(), ordinary.dequeue());
        switch (message.index()) {
        case 0:
            std::cout << std::get<0>(message) << '\n';
            break;
        case 1:
            std::cout << std::get<1>(message) << '\n';
            break;
        }
    }

    // A branch may also enqueue, and the whole may have a deadline.
    co_await sluice::select(urgent.dequeue(), ordinary.enqueue("ordinary: washing up"))
        .within(std::chrono::seconds{1});
    std::cout << ordinary.size() << " in the queue\n";
    //]

    //[dequeue_any
    text_queue third{pool, {.capacity = 4}};
    const std::array<text_queue*, 3> all{&urgent, &third, &ordinary};
    auto [index, message] = co_await sluice::dequeue_any(std::span{all});
    std::cout << "queue " << index << ", " << message << '\n';
    //]
}

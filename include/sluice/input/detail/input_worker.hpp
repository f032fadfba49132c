// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/detail/listing.hpp>
#include <sluice/input/detail/reading_core.hpp>
#include <sluice/input/detail/transformation.hpp>
#include <sluice/input/positioned.hpp>
#include <sluice/queue/permit.hpp>

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// The worker of an input_producer: an operation of a queue_runner, which loops by itself. An
// element is taken out of the list only when there is a place for it; so what ends the worker
// loses none, and if it is started again it goes on.
template <class Queue, class Function>
class input_worker
{
    using element = typename Queue::value_type;
    using value = typename listed<element>::type;
    using list = decltype(as_list<value>(std::declval<list_from<Function>>()));

public:
    input_worker(
        std::shared_ptr<Queue> queue,
        std::shared_ptr<reading_core> reading,
        Function&& function
    )
        : queue_(std::move(queue)),
          reading_(std::move(reading)),
          function_(std::move(function))
    {
    }

    boost::asio::awaitable<bool> operator()()
    {
        for (;;) {
            while (!reading_->has_element()) {
                if (!reading_->has_epoch())
                    co_return false;
                if constexpr (awaited<std::invoke_result_t<Function&>>::is_awaitable) {
                    auto given = co_await std::invoke(function_);
                    list_.emplace(as_list<value>(std::move(given)));
                } else {
                    list_.emplace(as_list<value>(std::invoke(function_)));
                }
                const auto size = std::size_t(std::ranges::size(*list_));
                if (size == 0)
                    co_return false;
                reading_->begin_epoch(size);
            }
            permit<element> place = co_await queue_->reserve();
            place.fill(next_element());
            reading_->advance();
        }
    }

private:
    element next_element()
    {
        const auto place = static_cast<std::ranges::range_difference_t<list>>(
            reading_->place()
        );
        auto&& found = take_out<list>(std::ranges::begin(*list_) + place);
        if constexpr (std::same_as<element, value>)
            return static_cast<element>(std::forward<decltype(found)>(found));
        else
            return {
                static_cast<value>(std::forward<decltype(found)>(found)),
                reading_->after_next()
            };
    }

    std::shared_ptr<Queue> queue_;
    std::shared_ptr<reading_core> reading_;
    Function function_;
    std::optional<list> list_;  // of the epoch that has begun
};

}  // namespace sluice::detail

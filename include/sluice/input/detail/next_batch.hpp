// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/basic_queue.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace sluice::detail {

// next() of a batcher: dequeue_many or dequeue_up_to, to which the end of the queue is not a
// failure, and neither is a rest that is too small for a batch.
template <class Core>
class next_batch : public Core::consumer
{
    using base = typename Core::consumer;
    using batch_type = typename Core::batch_type;

public:
    using signature = void(error_code, std::optional<batch_type>);

    struct arguments
    {
        Core* core;
        std::size_t size;
        bool allows_smaller;
    };

    explicit next_batch(arguments&& args)
        : base(
              args.allows_smaller ? demand::up_to : demand::exactly,
              args.size,
              args.core
          ),
          asked_(args.size)
    {
    }

    [[nodiscard]] std::optional<batch_type> result()
    {
        if (is_end())
            return std::nullopt;
        if (this->failed())
            this->throw_failure();
        return static_cast<Core&>(*this->hub_).make_batch(*this);
    }

    [[nodiscard]] std::tuple<error_code, std::optional<batch_type>> outcome()
    {
        if (is_end())
            return {};
        return outcome_of<std::optional<batch_type>>(code(), [this] { return result(); });
    }

    // Hides that of waiter, also from a select of which this is a branch.
    [[nodiscard]] error_code code() const noexcept override
    {
        return is_end() ? error_code() : base::code();
    }

    [[nodiscard]] std::string describe() const override
    {
        return on_queue("next", asked_, *this);
    }

protected:
    ~next_batch() = default;

private:
    [[nodiscard]] bool is_end() const noexcept
    {
        return this->error() == errc::end_of_queue && !this->exception_;
    }

    const std::size_t asked_;
};

}  // namespace sluice::detail

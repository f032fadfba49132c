// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/remote_waiter.hpp>

#include <sluice/redis/detail/remote_core.hpp>

#include <utility>

namespace sluice::redis::detail {

remote_waiter::remote_waiter(remote_list list, remote_core* core) noexcept
    : waiter(static_cast<unsigned char>(list), core)
{
}

remote_core& remote_waiter::core() const noexcept
{
    return static_cast<remote_core&>(*hub_);
}

void remote_producer::cancel(error_code why) noexcept
{
    core().cancel_producer(*this, why);
}

remote_consumer::~remote_consumer()
{
    if (!elements.empty())
        core().settle(settling::forget, std::move(elements));
}

remote_settler::~remote_settler()
{
    if (!elements.empty() && what != settling::extend)
        core().settle(settling::requeue, std::move(elements));
}

}  // namespace sluice::redis::detail

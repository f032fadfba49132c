// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/supervised_executor.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

namespace sluice::detail {

boost::asio::any_io_executor without_strand(const supervised_executor& executor)
{
    return executor.strand()->without_strand();
}

boost::asio::any_io_executor without_strand(const boost::asio::any_io_executor& executor)
{
    using boost::asio::strand;
    if (const auto* task = executor.target<supervised_executor>())
        return without_strand(*task);
    if (const auto* any = executor.target<strand<boost::asio::any_io_executor>>())
        return without_strand(*any);
    if (const auto* io = executor.target<strand<boost::asio::io_context::executor_type>>(
        ))
        return without_strand(*io);
    if (const auto* pool =
            executor.target<strand<boost::asio::thread_pool::executor_type>>())
        return without_strand(*pool);
    return executor;
}

}  // namespace sluice::detail

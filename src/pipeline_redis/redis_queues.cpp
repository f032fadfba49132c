// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_redis/redis_queues.hpp"

#include "pipeline_redis/redis_remote_queue.hpp"

#include <map>
#include <string>
#include <utility>

namespace sluice::pipeline {

namespace {

class connections
{
public:
    std::shared_ptr<redis::connection> to(
        const std::string& url,
        const boost::asio::any_io_executor& executor
    )
    {
        std::weak_ptr<redis::connection>& known = known_[url];
        if (auto found = known.lock())
            return found;
        auto made = std::make_shared<redis::connection>(executor, url);
        known = made;
        return made;
    }

private:
    std::map<std::string, std::weak_ptr<redis::connection>> known_;
};

}  // namespace

remote_queue_factory redis_queues()
{
    return [known = std::make_shared<connections>(
            )](const boost::asio::any_io_executor& executor,
               const remote_queue_request& request) -> std::unique_ptr<remote_queue> {
        return std::make_unique<redis_remote_queue>(
            known->to(request.queue.url, executor),
            request
        );
    };
}

}  // namespace sluice::pipeline

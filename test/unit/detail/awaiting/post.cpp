// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/post.hpp>

#include "support/io_fixture.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::detail::post_memory;
using sluice::detail::posted_call;

namespace post {

// Calls a function when it is posted, and is gone then.
template <class Function>
class once
{
public:
    explicit once(Function function) : function_(std::move(function)) {}

    void run_posted()
    {
        const std::unique_ptr<once> self(this);
        function_();
    }

    void drop_posted() noexcept { delete this; }

private:
    Function function_;
};

template <class Function>
posted_call call_once(Function function)
{
    return posted_call(new once<Function>(std::move(function)));
}

}  // namespace post

BOOST_FIXTURE_TEST_SUITE(post, test::io_fixture)

BOOST_AUTO_TEST_CASE(large_object_is_allocated_elsewhere)
{
    struct large
    {
        std::byte bytes[post_memory::size + 1];
    };
    post_memory memory;
    sluice::detail::post_allocator<large> allocator(memory);
    large* const object = allocator.allocate(1);
    BOOST_TEST(static_cast<void*>(object) != memory.get());
    allocator.deallocate(object, 1);
}

BOOST_AUTO_TEST_CASE(function_may_destroy_the_executor_it_was_posted_to)
{
    auto stored = std::make_shared<asio::any_io_executor>(asio::make_strand(ctx));
    const std::weak_ptr<asio::any_io_executor> watched = stored;
    const asio::any_io_executor& executor = *stored;
    post_memory memory;
    sluice::detail::post(
        executor,
        ::post::call_once([kept = std::move(stored)]() mutable { kept.reset(); }),
        memory
    );
    run();
    BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: element_weight<T>::of is called under the lock of a queue
// A weight that throws would end the program (S56).

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/io_context.hpp>

#include <cstddef>

struct element
{
};

}  // a specialisation stands in no other namespace; this file is included in one of its name

template <>
struct sluice::element_weight<throwing_weight::element>
{
    using element = throwing_weight::element;
#ifdef SLUICE_CONTROL
    static std::size_t of(const element&) noexcept { return 1; }
#else
    static std::size_t of(const element&) { return 1; }
#endif
};

namespace throwing_weight {

std::size_t make(boost::asio::io_context& context)
{
    const sluice::fifo_queue<element> queue{context, {.capacity = 1}};
    return queue.size();
}

// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// In every program under the thread sanitizer. The C++ library counts the owners of an
// exception and is not instrumented: where the last one frees what another one has read, the
// sanitizer would see no order between the two. So it is told of every owner that gives up.
#include <dlfcn.h>

#include <exception>

#ifdef __GLIBCXX__

extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);

namespace {

// What the decrement does, which both acquires and releases.
void give_up(void* exception)
{
    __tsan_acquire(exception);
    __tsan_release(exception);
}

template <class Function>
Function* in_the_library(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// An exception_ptr gives up.
void std::__exception_ptr::exception_ptr::_M_release() noexcept
{
    static auto* const release = in_the_library<void(exception_ptr*)>(
        "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"
    );
    give_up(_M_exception_object);
    release(this);
}

// A catch clause gives up.
extern "C" void __cxa_end_catch()
{
    static auto* const end_catch = in_the_library<void()>("__cxa_end_catch");
    if (const std::exception_ptr caught = std::current_exception())
        give_up(*reinterpret_cast<void* const*>(&caught));
    end_catch();
}

#endif

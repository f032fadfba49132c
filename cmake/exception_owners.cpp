// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// In every program under the thread sanitizer. The C++ library counts the owners of an
// exception in code that is not instrumented: where the last one frees what another one has
// read, the sanitizer would see no order between the two. So all but the last are counted down
// here, with the same operation.
//
// A suppression cannot do this: where a catch clause is the last owner, no frame of the library
// is left to name. ignore_noninstrumented_modules=1 does, but on Linux no module counts as
// instrumented: races with free() and memset() are then hidden everywhere.
//
// It orders a little more than needed: the end of a catch clause that has thrown its exception
// on gives up nothing, but passes here, too.

#include <dlfcn.h>

#include <atomic>
#include <exception>

#if defined(__GLIBCXX__) && defined(__LP64__)

namespace {

// The header in front of an exception begins with the count. Its size is part of the ABI.
int& owners_of(void* exception)
{
    constexpr int header = 128;
    return *reinterpret_cast<int*>(static_cast<char*>(exception) - header);
}

// False for the last owner.
bool give_up(void* exception)
{
    std::atomic_ref<int> owners(owners_of(exception));
    int count = owners.load(std::memory_order_acquire);
    while (count > 1) {
        if (owners.compare_exchange_weak(
                count,
                count - 1,
                std::memory_order_acq_rel,
                std::memory_order_acquire
            ))
            return true;
    }
    return false;
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
    if (_M_exception_object == nullptr)
        return;
    if (give_up(_M_exception_object))
        _M_exception_object = nullptr;
    else
        release(this);
}

// A catch clause gives up; it is not the last to do so, but the pointer here may be.
extern "C" void __cxa_end_catch()
{
    static auto* const end_catch = in_the_library<void()>("__cxa_end_catch");
    const std::exception_ptr caught = std::current_exception();
    end_catch();
}

#endif

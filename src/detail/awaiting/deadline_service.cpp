// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/deadline_service.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/wait_traits.hpp>
#include <boost/intrusive/set.hpp>
#include <boost/system/error_code.hpp>

#include <utility>

namespace sluice::detail {

namespace asio = boost::asio;
namespace intrusive = boost::intrusive;

// Runs a function at once, on whichever thread of the context has found that a timer is due.
// The deadlines of a context depend on no executor of the program: a strand may be occupied, and
// what a program has made itself may stand still.
class timer_executor
{
public:
    explicit timer_executor(asio::execution_context& context) noexcept
        : context_(&context)
    {
    }

    [[nodiscard]] asio::execution_context& query(asio::execution::context_t /*property*/
    ) const noexcept
    {
        return *context_;
    }

    template <class Function>
    void execute(Function&& function) const
    {
        std::forward<Function>(function)();
    }

    friend bool operator==(const timer_executor&, const timer_executor&) = default;

private:
    asio::execution_context* context_;
};

// What is armed, in the order in which the deadlines pass, and the timer.
struct deadline_service::timetable
{
    struct node_traits
    {
        using node = deadline_node;
        using node_ptr = deadline_node*;
        using const_node_ptr = const deadline_node*;
        using color = bool;

        static node_ptr get_parent(const_node_ptr of) { return of->parent; }
        static void set_parent(node_ptr of, node_ptr parent) { of->parent = parent; }
        static node_ptr get_left(const_node_ptr of) { return of->left; }
        static void set_left(node_ptr of, node_ptr left) { of->left = left; }
        static node_ptr get_right(const_node_ptr of) { return of->right; }
        static void set_right(node_ptr of, node_ptr right) { of->right = right; }
        static color get_color(const_node_ptr of) { return of->is_black; }
        static void set_color(node_ptr of, color is_black) { of->is_black = is_black; }
        static color black() { return true; }
        static color red() { return false; }
    };

    struct value_traits
    {
        using node_traits = timetable::node_traits;
        using node_ptr = deadline_node*;
        using const_node_ptr = const deadline_node*;
        using value_type = deadline_entry;
        using pointer = deadline_entry*;
        using const_pointer = const deadline_entry*;
        static constexpr intrusive::link_mode_type link_mode = intrusive::safe_link;

        static node_ptr to_node_ptr(value_type& entry) { return &entry; }
        static const_node_ptr to_node_ptr(const value_type& entry) { return &entry; }
        static pointer to_value_ptr(node_ptr node) { return static_cast<pointer>(node); }
        static const_pointer to_value_ptr(const_node_ptr node)
        {
            return static_cast<const_pointer>(node);
        }
    };

    struct time_of
    {
        using type = time_point;
        time_point operator()(const deadline_entry& entry) const { return entry.due_; }
    };

    using timer_type =
        asio::basic_waitable_timer<clock, asio::wait_traits<clock>, timer_executor>;

    explicit timetable(asio::execution_context& context) : timer(timer_executor(context))
    {
    }

    void erase(deadline_entry& entry) { armed.erase(armed.iterator_to(entry)); }

    intrusive::multiset<
        deadline_entry,
        intrusive::value_traits<value_traits>,
        intrusive::key_of_value<time_of>>
        armed;
    timer_type timer;
};

deadline_service::deadline_service(asio::execution_context& context)
    : service(context), table_(std::make_unique<timetable>(context))
{
}

deadline_service::~deadline_service() = default;

void deadline_service::arm(deadline_entry& entry, time_point when)
{
    const std::lock_guard lock(mutex_);
    if (!table_)
        return;  // the context is being destroyed, which ends all waits
    ensure_timer(when);
    entry.due_ = when;
    table_->armed.insert(entry);
}

bool deadline_service::try_rearm(deadline_entry& entry, time_point when) noexcept
{
    const std::lock_guard lock(mutex_);
    if (!table_)
        return false;
    try {
        ensure_timer(when);
    } catch (...) {
        return false;
    }
    if (entry.is_linked())
        table_->erase(entry);
    entry.due_ = when;
    table_->armed.insert(entry);
    return true;
}

void deadline_service::disarm(deadline_entry& entry) noexcept
{
    std::unique_lock lock(mutex_);
    if (entry.is_linked()) {
        table_->erase(entry);
        // A timer that is left to run out would keep the context busy until then. One that is
        // merely early finds nothing due and is set again.
        if (table_->armed.empty()) {
            table_->timer.cancel();
            set_for_ = time_point::max();
        }
    }
    // Also if it was armed: perhaps again, while its first expiry runs.
    while (expires_elsewhere(entry))
        ended_.wait(lock);
}

bool deadline_service::expires_elsewhere(const deadline_entry& entry) const noexcept
{
    for (const expiry* each = running_; each != nullptr; each = each->next)
        if (each->entry == &entry)
            return each->thread != std::this_thread::get_id();
    return false;
}

void deadline_service::shutdown()
{
    const std::lock_guard lock(mutex_);
    table_.reset();
}

void deadline_service::ensure_timer(time_point when)
{
    if (when < set_for_ || set_for_ == time_point::max())
        set_timer(when);
}

void deadline_service::set_timer(time_point when)
{
    const auto start = [&](timetable::timer_type& timer) {
        timer.expires_at(when);
        timer.async_wait([this](const boost::system::error_code& error) {
            if (!error)
                on_timer();
        });
    };
    if (set_for_ == time_point::max()) {
        start(table_->timer);
    } else {
        // Setting a timer gives up its wait before it finds that there is no memory for the
        // next one, and the others would never expire.
        timetable::timer_type earlier(table_->timer.get_executor());
        start(earlier);
        table_->timer = std::move(earlier);
    }
    set_for_ = when;
}

void deadline_service::on_timer()
{
    std::unique_lock lock(mutex_);
    const auto now = clock::now();
    auto& armed = table_->armed;
    const auto later = armed.upper_bound(now);
    // First, because there is no saying how long the executors of those that are due take.
    set_for_ = time_point::max();
    if (later != armed.end())
        set_timer(later->due_);
    while (!armed.empty() && armed.begin()->due_ <= now)
        expire_first(lock);
}

// Without the lock, so that an executor that waits for another thread does not keep that one
// from arming and disarming deadlines.
void deadline_service::expire_first(std::unique_lock<std::mutex>& lock)
{
    deadline_entry& due = *table_->armed.begin();
    table_->erase(due);
    expiry running{&due, std::this_thread::get_id(), running_};
    running_ = &running;
    lock.unlock();
    due.expire();
    lock.lock();
    expiry** each = &running_;
    while (*each != &running)
        each = &(*each)->next;
    *each = running.next;
    ended_.notify_all();
}

// What operations have of it: here, so that a program without deadlines has no timers.

void deadline::arm(
    waiter& target,
    boost::asio::execution_context& context,
    time_limit limit
)
{
    if (!limit.is_set())  // or longer than the clock can count
        return;
    target_ = &target;
    service_ = &boost::asio::use_service<deadline_service>(context);
    service_->arm(*this, limit.deadline());
}

void deadline::arm(
    waiter& target,
    boost::asio::execution_context& context,
    const linger_limit& limit
)
{
    target_ = &target;
    service_ = &boost::asio::use_service<deadline_service>(context);
    others_ = limit.others();
    if (limit.first().is_set())
        service_->arm(*this, limit.first().deadline());
}

// One that gives up is not armed; and without memory for a timer nothing would end the wait.
bool deadline::linger() noexcept
{
    if (service_ == nullptr || others_.has_passed())
        return false;
    if (!lingers_)
        lingers_ = service_->try_rearm(*this, others_.deadline());
    return lingers_;
}

void deadline::expire() noexcept
{
    target_->expire();
}

void deadline::leave(deadline_service& service) noexcept
{
    service.disarm(*this);
}

}  // namespace sluice::detail

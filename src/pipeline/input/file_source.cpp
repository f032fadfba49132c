// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"

#include "io/io.hpp"
#include "io/unique_descriptor.hpp"
#include "pipeline/input/input_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <sys/eventfd.h>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

constexpr std::size_t piece_size = 256 * 1024;
constexpr std::size_t typical_records = piece_size / 32;
constexpr std::size_t cost_of_opening = 512;  // in bytes, so that empty files add up too
constexpr std::chrono::milliseconds between_two_looks(20
);  // at what only says that it is ready

// Ends the wait of a thread for a file descriptor. A descriptor that other processes share,
// such as standard input, must not be made non-blocking, so a thread has to wait for it; this
// is how a coroutine can call that thread back.
class wake_up
{
public:
    wake_up() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
        if (!event_)
            io::throw_error(errno, "cannot make an eventfd");
    }

    // Waits until a read of `descriptor` would not wait, or for signal(). Failures are left
    // to the read that follows, which names the file.
    void wait_readable(int descriptor) const noexcept
    {
        pollfd events[] = {
            {.fd = descriptor, .events = POLLIN, .revents = 0},
            {.fd = event_.get(), .events = POLLIN, .revents = 0}
        };
        io::wait_for_any(events);
    }

    // Waits for that time, or for signal().
    void wait_for(std::chrono::milliseconds time) const noexcept
    {
        (void)io::is_ready_within(time, event_.get(), POLLIN);
    }

    // Ends the wait, also one that begins later. Any thread.
    void signal() const noexcept
    {
        // Cannot fail but when the counter is full, and then it is signalled already.
        (void)::eventfd_write(event_.get(), 1);
    }

private:
    io::unique_descriptor event_;
};

// Reads the files of one worker. All members may block.
class file_reader
{
public:
    enum class state
    {
        more,  // there is more to read
        dry,   // there is more to come, after wait()
        end    // all has been read
    };

    file_reader(input_list& inputs, std::unique_ptr<record_parser> parser)
        : inputs_(inputs), parser_(std::move(parser)), buffer_(piece_size)
    {
        parser_->limit_records(inputs_.longest_record());
    }

    // Appends the records of a piece of input: of a part of a large file, or of many small
    // ones, because each call costs two changes of threads.
    [[nodiscard]] state read(std::vector<element>& out)
    {
        out.reserve(typical_records);
        for (std::size_t done = 0; done < piece_size;) {
            if (!file_) {
                if (!open_next())
                    return state::end;
                done += cost_of_opening;
            }
            if (file_->would_wait())
                return state::dry;
            done += read_file(out);
            if (file_ && file_->is_dry())
                return state::dry;
        }
        return state::more;
    }

    // The records that were wrong, if the parser keeps them.
    [[nodiscard]] std::vector<refused_element> take_refused()
    {
        return parser_->take_refused();
    }

    // After state::dry, waits for more input or for the signal.
    void wait(const wake_up& signal) const noexcept
    {
        if (file_->is_dry())
            signal.wait_for(between_two_looks);
        else
            signal.wait_readable(file_->descriptor());
    }

private:
    bool open_next()
    {
        const auto path = inputs_.next();
        if (!path)
            return false;
        file_.emplace(*path, buffer_);
        parser_->begin(file_->name());
        return true;
    }

    std::size_t read_file(std::vector<element>& out)
    {
        const auto piece = file_->read();
        inputs_.add_progress(file_->take_progress());
        if (piece) {
            parser_->parse(*piece, out);
            check_limits();
            return piece->size();
        }
        file_.reset();
        parser_->end(out);
        return 0;
    }

    // What has no end must not take all memory, or all time.
    void check_limits()
    {
        if (!file_->expands_beyond(inputs_.most_expansion()))
            return;
        parser_->drop_rest(fmt::format(
            "the file expands to more than {:g} times its size, and its rest is left "
            "out; if that is meant, raise \"most_expansion\" of the source",
            inputs_.most_expansion()
        ));
        file_.reset();
    }

    input_list& inputs_;
    const std::unique_ptr<record_parser> parser_;
    std::vector<char> buffer_;        // what files are read into
    std::optional<input_file> file_;  // the current one
};

// For what cannot be read without waiting, such as a terminal. Ends at a stop, too.
asio::awaitable<void> wait_for_input(const file_reader& reader, stage_context& context)
{
    wake_up signal;
    const std::stop_callback wake(context.stop_token(), [&signal]() noexcept {
        signal.signal();
    });
    co_await context.blocking([&] { reader.wait(signal); });
}

}  // namespace

asio::awaitable<void> file_source::work(stage_context& context)
{
    auto parser = make_parser();
    if (context.on_error() != error_action::fail)
        parser->keep_refused();
    file_reader reader(inputs_, std::move(parser));
    std::vector<element> records;
    while (!context.should_stop()) {
        const auto state = co_await context.blocking([&] { return reader.read(records); }
        );
        if (!records.empty())
            co_await context.write(records);
        for (refused_element& each : reader.take_refused())
            co_await context.skip(std::move(each.content), std::move(each.reason));
        if (state == file_reader::state::end)
            co_return;
        if (state == file_reader::state::dry)
            co_await wait_for_input(reader, context);
    }
}

}  // namespace sluice::pipeline

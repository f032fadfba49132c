// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"
#include "pipeline/input/input_file.hpp"
#include "pipeline/input/input_list.hpp"
#include "pipeline/input/record_parser.hpp"
#include "pipeline/stages/csv_parser.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <sys/eventfd.h>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

constexpr std::size_t size_of_read = 64 * 1024;  // so little that the cache keeps it
constexpr std::size_t piece_size = 4 * size_of_read;
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
        : inputs_(inputs), parser_(std::move(parser)), buffer_(size_of_read)
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

struct read_options : file_options, csv_options
{
    std::string format = "lines";
};

// Each file is read by one of the workers, on its own thread.
class reading final : public stage
{
public:
    explicit reading(const read_options& options) : options_(options), inputs_(options)
    {
        (void)make_parser();  // finds what is wrong in its options
    }

    static stage_flow flow(const read_options& options)
    {
        const bool gives_texts = options.format == "lines";
        return {
            .takes = element_kind::none,
            .gives = gives_texts ? element_kind::text : element_kind::value
        };
    }

    [[nodiscard]] asio::awaitable<void> work(stage_context& context) override
    {
        auto parser = make_parser();
        if (context.on_error() != error_action::fail)
            parser->keep_refused();
        file_reader reader(inputs_, std::move(parser));
        std::vector<element> records;
        while (!context.should_stop()) {
            const auto state = co_await context.blocking([&] {
                return reader.read(records);
            });
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

    [[nodiscard]] stage_files files() const override { return inputs_.files(); }

    [[nodiscard]] bool can_skip() const noexcept override { return true; }

    [[nodiscard]] std::optional<double> progress() const override
    {
        return inputs_.progress();
    }

    [[nodiscard]] std::optional<std::size_t> parts() const override
    {
        return inputs_.parts();
    }

private:
    [[nodiscard]] std::unique_ptr<record_parser> make_parser() const
    {
        if (options_.format == "csv")
            return std::make_unique<csv_parser>(options_);
        if (options_.format == "json_lines")
            return std::make_unique<line_parser>(field_form::json);
        return std::make_unique<line_parser>(field_form::text);
    }

    const read_options options_;
    input_list inputs_;  // shared by the workers
};

constexpr const char* read_details =
    R"("format" says what a record is. Each one becomes an element.

"lines": each line is a text, without its newline or carriage return and newline; a last line
counts although nothing ends it. Other bytes are passed on as they are.

"json_lines": each line is a JSON value; empty lines are left out. What is no JSON is an error with
the file and the line, and so is a name twice in one object. A value stays as it is written, with
its blanks, as long as no stage changes it.

"csv": each record becomes an object with a member for each column. The names are those in the
first record, or "columns", and all different; with "header" false and no columns each
record becomes an array. Fields may be in quotes, and then hold separators, newlines and,
written twice, quotes. A record ends with a newline, a carriage return or both. Empty lines are
left out. A file that is empty, or has nothing but a header, gives no records. A record with
more or fewer fields than columns is an error with the file and the line. If
"short_records" is "fill", those that are missing are null. A wrong quote is an error of the line
in which the record begins, and reading goes on with the next line. Lines that begin with "comment"
are left out, but not inside of quotes.

Fields of CSV are texts, and stay as they are written. In the columns of "numbers", or in all if it
is true, what JSON calls a number becomes one: 12, -0.5 and 1e3, also in quotes. Others,
such as 007, +1, .5 and n/a, stay texts. A number, too, is written as it was read: 1.10 is not
changed to 1.1.

A directory stands for all files in it and below it whose name matches "match". In it, a
symbolic link to a file counts as that file, and one to a directory is not followed. What is no
file, such as a named pipe or a link to nothing, does not count. What is compressed with gzip is
recognised by its content and uncompressed. With several workers each file is read by one of them.

    { "stage": "read", "to": "lines",
      "options": { "files": ["/usr/include"], "match": "*.h" } }
    { "stage": "read", "to": "events",
      "options": { "files": ["events.json.gz"], "format": "json_lines" } }
    { "stage": "read", "to": "prices",
      "options": { "files": ["prices.csv"], "format": "csv", "separator": ";",
                   "numbers": ["price"] } })";

}  // namespace

void add_read(stage_registry& stages)
{
    using options = read_options;
    stage_options<options> described;
    described.optional(
        "format",
        &options::format,
        "what a record is",
        {.choices = {"lines", "json_lines", "csv"}}
    );
    const option_limits csv{.needs = {"format"}, .needed_text = "csv"};
    option_limits line_count = csv;
    line_count.minimum = 0;
    option_limits remedies = csv;
    remedies.choices = {"error", "fill"};
    // The types are written out, because a member of a base is not deduced as one of options.
    add_file_options(described)
        .optional<bool>(
            "header",
            &options::header,
            "csv: whether the first record holds names",
            csv
        )
        .optional<std::vector<std::string>>(
            "columns",
            &options::columns,
            "csv: the names, instead of those in the header",
            csv
        )
        .optional<std::string>(
            "separator",
            &options::separator,
            "csv: what stands between fields",
            csv
        )
        .optional<nlohmann::json>(
            "numbers",
            &options::numbers,
            "csv: the columns whose fields become numbers, or whether all do",
            csv
        )
        .optional<std::int64_t>(
            "skip_lines",
            &options::skip_lines,
            "csv: how many lines of each file come before the header",
            line_count
        )
        .optional<std::string>(
            "comment",
            &options::comment,
            "csv: what lines begin with that are no records, such as \"#\"",
            csv
        )
        .optional<std::string>(
            "short_records",
            &options::short_records,
            "csv: what happens to records with too few fields; fill: null stands for "
            "them",
            remedies
        );
    stages.add<reading>(
        {.name = "read",
         .summary = "reads the lines or records of files, directories or standard input",
         .takes = element_kind::none,
         .gives = element_kind::any,
         .details = read_details},
        std::move(described)
    );
}

}  // namespace sluice::pipeline

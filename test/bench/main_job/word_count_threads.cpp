// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The main job as one would write it without sluice: threads that read lines, split words
// and count, with a queue between each two that is protected by a mutex and bounded. What
// travels are batches, the hash table is the one that sluice uses, and the same number of
// threads does the same work as in samples/pipelines/word_count.json.
//
//     word_count_threads [--split N] [--top N] [folder [suffix]...]

#include <boost/unordered/unordered_flat_map.hpp>

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t batch_size = 1024;
constexpr std::size_t capacity = 8;  // batches

template <class T>
class bounded_queue
{
public:
    explicit bounded_queue(std::size_t producers) : producers_(producers) {}

    void push(T value)
    {
        std::unique_lock lock(mutex_);
        has_room_.wait(lock, [this] { return values_.size() < capacity; });
        values_.push_back(std::move(value));
        lock.unlock();
        has_value_.notify_one();
    }

    // Empty when the last producer has ended and all has been taken.
    std::optional<T> pop()
    {
        std::unique_lock lock(mutex_);
        has_value_.wait(lock, [this] { return !values_.empty() || producers_ == 0; });
        if (values_.empty())
            return std::nullopt;
        std::optional<T> value(std::move(values_.front()));
        values_.pop_front();
        lock.unlock();
        has_room_.notify_one();
        return value;
    }

    void end_of_producer()
    {
        {
            const std::lock_guard lock(mutex_);
            --producers_;
        }
        has_value_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable has_room_;
    std::condition_variable has_value_;
    std::deque<T> values_;   // guarded by mutex_
    std::size_t producers_;  // guarded by mutex_: those that have not ended
};

using batch = std::vector<std::string>;
using batch_queue = bounded_queue<batch>;
using counts = boost::unordered_flat_map<std::string, std::uint64_t>;

struct arguments
{
    std::size_t splitters = 2;
    std::size_t top = 20;
    fs::path folder = "/usr/include/boost";
    std::vector<std::string> suffixes;
};

std::vector<fs::path> find_files(const arguments& args)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(args.folder))
        if (entry.is_regular_file() &&
            (args.suffixes.empty() ||
             std::ranges::count(args.suffixes, entry.path().extension().string()) > 0))
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

[[noreturn]] void fail(const fs::path& file)
{
    throw std::system_error(errno, std::generic_category(), file.string());
}

// Collects elements until there are enough for a batch.
class batch_writer
{
public:
    explicit batch_writer(batch_queue& queue) : queue_(queue) {}

    void add(std::string_view text)
    {
        batch_.emplace_back(text);
        if (batch_.size() == batch_size)
            flush();
    }

    void flush()
    {
        if (!batch_.empty())
            queue_.push(std::move(batch_));
        batch_.clear();
        batch_.reserve(batch_size);
    }

private:
    batch_queue& queue_;
    batch batch_;
};

void read_file(const fs::path& name, batch_writer& lines)
{
    static thread_local std::array<char, 64 * 1024> buffer;
    const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        fail(name);
    std::string unfinished;
    for (ssize_t count; (count = ::read(file, buffer.data(), buffer.size())) != 0;) {
        if (count < 0)
            fail(name);
        std::string_view rest(buffer.data(), static_cast<std::size_t>(count));
        for (std::size_t end; (end = rest.find('\n')) != rest.npos;) {
            if (unfinished.empty()) {
                lines.add(rest.substr(0, end));
            } else {
                lines.add(unfinished.append(rest.substr(0, end)));
                unfinished.clear();
            }
            rest.remove_prefix(end + 1);
        }
        unfinished.append(rest);
    }
    ::close(file);
    if (!unfinished.empty())
        lines.add(unfinished);
}

void read_files(const std::vector<fs::path>& files, batch_queue& out)
{
    batch_writer lines(out);
    for (const fs::path& file : files)
        read_file(file, lines);
    lines.flush();
    out.end_of_producer();
}

constexpr std::array<bool, 256> word_bytes = [] {
    std::array<bool, 256> result{};
    for (std::size_t byte = 0; byte < result.size(); ++byte)
        result[byte] = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       (byte >= '0' && byte <= '9') || byte == '_' || byte >= 0x80;
    return result;
}();

bool is_in_word(char byte)
{
    return word_bytes[static_cast<unsigned char>(byte)];
}

void split_lines(batch_queue& in, batch_queue& out)
{
    batch_writer words(out);
    while (const auto lines = in.pop())
        for (const std::string& line : *lines)
            for (auto end = line.begin();;) {
                const auto begin = std::find_if(end, line.end(), is_in_word);
                if (begin == line.end())
                    break;
                end = std::find_if_not(begin, line.end(), is_in_word);
                words.add(std::string_view(begin, end));
            }
    words.flush();
    out.end_of_producer();
}

void count_words(batch_queue& in, counts& all)
{
    while (auto words = in.pop())
        for (std::string& word : *words)
            ++all[std::move(word)];
}

void print_top(const counts& all, std::size_t top)
{
    std::vector<const counts::value_type*> entries;
    for (const auto& entry : all)
        entries.push_back(&entry);
    const std::size_t shown = std::min(top, entries.size());
    std::ranges::partial_sort(
        entries,
        entries.begin() + static_cast<std::ptrdiff_t>(shown),
        [](const auto* a, const auto* b) {
            return a->second != b->second ? a->second > b->second : a->first < b->first;
        }
    );
    for (std::size_t i = 0; i < shown; ++i)
        std::printf(
            "%ju\t%s\n",
            std::uintmax_t{entries[i]->second},
            entries[i]->first.c_str()
        );
}

arguments parse(const std::vector<std::string>& given)
{
    arguments args;
    std::size_t i = 0;
    for (; i + 1 < given.size() && given[i].starts_with("--"); i += 2)
        (given[i] == "--split" ? args.splitters : args.top) = std::stoul(given[i + 1]);
    if (i < given.size())
        args.folder = given[i++];
    args.suffixes.assign(given.begin() + static_cast<std::ptrdiff_t>(i), given.end());
    return args;
}

void run(const arguments& args)
{
    const auto files = find_files(args);
    batch_queue lines(1);
    batch_queue words(args.splitters);
    counts all;
    {
        std::vector<std::jthread> threads;
        threads.emplace_back([&] { read_files(files, lines); });
        for (std::size_t i = 0; i < args.splitters; ++i)
            threads.emplace_back([&] { split_lines(lines, words); });
        threads.emplace_back([&] { count_words(words, all); });
    }
    print_top(all, args.top);
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        run(parse({argv + 1, argv + argc}));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "word_count_threads: %s\n", error.what());
        return 1;
    }
}

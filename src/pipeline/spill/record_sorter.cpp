// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/record_sorter.hpp"

#include "pipeline/spill/record_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::pipeline::spill {

namespace {

constexpr std::size_t block_size = 256 * 1024;
constexpr std::size_t head_size = 2 * sizeof(std::size_t);

std::size_t number_at(const char* bytes)
{
    std::string_view number(bytes, sizeof(std::size_t));
    return take_raw<std::size_t>(number);
}

}  // namespace

std::string_view record_sorter::stored_record::key() const
{
    return {at + head_size, number_at(at)};
}

void record_sorter::stored_record::append_value(std::string& out) const
{
    out.append(at + head_size + number_at(at), number_at(at + sizeof(std::size_t)));
}

record_sorter::record_sorter(const sorter_options& options)
    : options_(options), chunks_(options.most), runs_(options.most_runs_at_once)
{
}

void record_sorter::add(std::string_view key, std::string_view value)
{
    if (bound_ && key >= *bound_)
        return;
    char* const at = allocate(head_size + key.size() + value.size());
    const std::size_t sizes[] = {key.size(), value.size()};
    std::memcpy(at, sizes, head_size);
    key.copy(at + head_size, key.size());
    value.copy(at + head_size + key.size(), value.size());
    if (chunks_.add({at}))
        bound_.emplace(chunks_.last().key());
}

bool record_sorter::is_full() const noexcept
{
    return block_bytes_ - free_size_ + chunks_.bytes() > options_.memory;
}

bool record_sorter::spill_step()
{
    if (!spilling_) {
        if (chunks_.empty())
            return false;
        if (!file_)
            file_ = std::make_shared<io::unnamed_file>();
        spilling_.emplace(spilling{chunks_.merged(), run_writer(file_)});
    }
    if (write_step(spilling_->from, spilling_->to))
        return true;
    runs_.add(spilling_->to.finish());
    spilling_.reset();
    chunks_ = sorted_chunks<stored_record>(options_.most);
    blocks_.clear();
    free_size_ = 0;
    block_bytes_ = 0;
    return false;
}

bool record_sorter::prepare_step()
{
    if (runs_.empty() && !spilling_) {
        in_memory_.emplace(chunks_.merged());
        return false;
    }
    if (spilling_ || !chunks_.empty()) {
        (void)spill_step();
        return true;
    }
    if (runs_.reduce_step())
        return true;
    on_disk_.emplace(runs_.merged());
    return false;
}

bool record_sorter::has_record() const noexcept
{
    if (options_.most != 0 && given_ == options_.most)
        return false;
    return in_memory_ ? in_memory_->has_record() : on_disk_->has_record();
}

void record_sorter::next()
{
    ++given_;
    if (in_memory_)
        in_memory_->next();
    else
        on_disk_->next();
}

std::string_view record_sorter::key() const
{
    return in_memory_ ? in_memory_->record().key() : on_disk_->record().key();
}

void record_sorter::append_value(std::string& out) const
{
    if (in_memory_)
        in_memory_->record().append_value(out);
    else
        on_disk_->record().append_value(out);
}

// Of a block, or a block of its own if that is not large enough.
char* record_sorter::allocate(std::size_t size)
{
    if (free_size_ < size) {
        const std::size_t room = std::max(block_size, size);
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(room));
        free_ = blocks_.back().get();
        free_size_ = room;
        block_bytes_ += room;
    }
    free_size_ -= size;
    return std::exchange(free_, free_ + size);
}

}  // namespace sluice::pipeline::spill

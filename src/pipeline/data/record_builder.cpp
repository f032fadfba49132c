// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/record_builder.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

constexpr std::size_t fields_in_block = 4096;
constexpr std::size_t most_records = 256;
constexpr std::size_t size_of_copies = 32 * 1024;

// Bytes that a block of several buffers, or of several buffers of copies, keeps. Then a new one
// begins, with the last of them.
constexpr std::size_t most_kept = 512 * 1024;

std::size_t width_of(const std::shared_ptr<const field_names>& names)
{
    return names != nullptr ? names->names().size() : 1;
}

std::size_t usual_records(std::size_t width)
{
    return std::clamp(
        fields_in_block / std::max(width, std::size_t{1}),
        std::size_t{1},
        most_records
    );
}

}  // namespace

record_builder::record_builder(std::shared_ptr<const field_names> names)
    : names_(std::move(names)),
      width_(width_of(names_)),
      records_(usual_records(width_)),
      copied_size_(size_of_copies)
{
}

record_builder::record_builder(
    std::shared_ptr<const field_names> names,
    std::size_t records,
    std::size_t bytes
)
    : names_(std::move(names)),
      width_(width_of(names_)),
      records_(records),
      copied_size_(bytes)
{
}

record_builder::~record_builder()
{
    end_block();
}

void record_builder::from(std::shared_ptr<const std::string> file)
{
    if (file == file_)
        return;
    file_ = std::move(file);
    end_block();
}

std::uint64_t record_builder::follow(const element& origin)
{
    const record_block* const block = block_of(origin);
    if (block == nullptr)
        from(nullptr);
    else if (block->file() != file_)
        from(block->file());
    return block != nullptr ? block->line_of(origin.record()) : 0;
}

void record_builder::keep(const text_buffer& buffer)
{
    begin_record();
    if (std::ranges::find(block_->buffers_, buffer) != block_->buffers_.end())
        return;
    ++kept_;
    hold(buffer);
}

void record_builder::hold(const text_buffer& buffer)
{
    block_->buffers_.push_back(buffer);
    keep_bytes(buffer->capacity());
}

// Of an element whose block is not the last one that was kept.
void record_builder::add_part_of_other(const element& whole, field part)
{
    const record_block* const source = block_of(whole);
    if (source == nullptr) {
        add_copy(part.bytes(), part.form());
        return;
    }
    ++kept_;
    block_->sources_.push_back(whole);
    keep_bytes(source->kept_bytes());
    add(part);
}

void record_builder::add_copy(std::string_view bytes, field_form is)
{
    begin_record();
    if (copies_ == nullptr || copies_->capacity() - copies_->size() < bytes.size()) {
        copies_ = std::make_shared<std::string>();
        copies_->reserve(std::max(bytes.size(), copied_size_));
    }
    if (std::ranges::find(block_->buffers_, copies_) == block_->buffers_.end()) {
        ++copied_;
        hold(copies_);
    }
    const std::size_t begin = copies_->size();
    copies_->append(bytes);
    add(field(std::string_view(*copies_).substr(begin), is));
}

void record_builder::find_place()
{
    const bool keeps_several = kept_ > 1 || copied_ > 1;
    if (block_ != nullptr && (block_->size_ == block_->capacity_ ||
                              (keeps_several && block_->kept_bytes() > most_kept)))
        end_block();
    if (block_ == nullptr)
        new_block();
    next_ = block_->fields_.get() + block_->size_ * width_;
}

// Also for the records that it has not got.
void record_builder::end_block() noexcept
{
    if (block_ == nullptr)
        return;
    const std::size_t missing = block_->capacity_ - block_->size_;
    std::exchange(block_, nullptr)->release(static_cast<std::uint32_t>(missing) + 1);
}

void record_builder::new_block()
{
    block_ = new record_block(names_, width_, records_);
    kept_ = 0;
    copied_ = 0;
    block_->file_ = file_;
    if (file_ != nullptr)
        block_->lines_ = std::make_unique_for_overwrite<std::uint64_t[]>(records_);
}

void record_builder::keep_bytes(std::size_t bytes) noexcept
{
    block_->kept_bytes_.store(block_->kept_bytes() + bytes, std::memory_order_relaxed);
}

namespace {

// How many more bytes buffers may keep than the records need.
constexpr std::size_t most_waste = 8;

std::size_t bytes_of(std::span<const element> run, const record_block& block)
{
    std::size_t bytes = 0;
    for (const element& each : run)
        bytes += block.bytes_of(each.record());
    return bytes;
}

// Copies records of one block if that frees more than it takes.
void leave_large_buffer(std::span<element> run, const record_block& block)
{
    const std::size_t copied = bytes_of(run, block);
    const std::size_t fields = block.width() * run.size() * sizeof(field);
    if ((copied + fields) * most_waste >= block.kept_bytes())
        return;
    const element owner = run.front();  // the block lives until all are copied
    record_builder into(block.shared_names(), run.size(), copied);
    for (element& each : run) {
        const std::uint64_t line = into.follow(each);
        const std::span record(block.fields_of(each.record()), block.width());
        for (const field part : record)
            into.add_copy(part.bytes(), part.form());
        each = into.finish(line);
    }
}

}  // namespace

void leave_large_buffers(std::vector<element>& elements)
{
    constexpr std::size_t many = 32;  // of so many each keeps little
    for (std::size_t begin = 0; begin < elements.size();) {
        const element& first = elements[begin];
        std::size_t end = begin + 1;
        while (end < elements.size() &&
               elements[end].shared_content() == first.shared_content())
            ++end;
        const record_block* const block = block_of(first);
        if (block != nullptr && end - begin < many)
            leave_large_buffer(std::span(elements).subspan(begin, end - begin), *block);
        begin = end;
    }
}

element on_its_own(element shared)
{
    if (const record_block* const block = block_of(shared))
        leave_large_buffer(std::span(&shared, 1), *block);
    return shared;
}

}  // namespace sluice::pipeline::detail

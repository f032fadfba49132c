// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unnamed_file.hpp"
#include "pipeline/spill/run.hpp"
#include "pipeline/spill/run_set.hpp"
#include "pipeline/spill/sorted_chunks.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::pipeline::spill {

// What there is of each key, and how much memory that takes. It can be put to disk as a run.
//
// A Form says what values are. It has their type `value`; append(const value&, std::string&) and
// take(std::string_view), which write and read one; and add(value& to, value&& from), which
// returns how many bytes outside of its own the sum takes more.
template <class Form>
class keyed_table
{
public:
    using value = typename Form::value;
    using map = boost::unordered_flat_map<std::string, value>;

    // What belongs to the key, made if there is nothing. The key is moved from only then.
    [[nodiscard]] value& operator[](std::string&& key)
    {
        const auto [found, is_new] = map_.try_emplace(std::move(key));
        if (is_new)
            grow(bytes_of(found->first));
        return found->second;
    }

    // Tells that values take more memory than their size says.
    void grow(std::size_t bytes) noexcept
    {
        bytes_ += bytes;
        has_grown_ = true;
    }

    // Whether it may take more memory than at the last call.
    [[nodiscard]] bool has_grown() noexcept { return std::exchange(has_grown_, false); }

    [[nodiscard]] bool empty() const noexcept { return map_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return map_.size(); }
    [[nodiscard]] typename map::iterator begin() { return map_.begin(); }
    [[nodiscard]] typename map::iterator end() { return map_.end(); }

    // Whether it takes more memory, or will soon: a table that grows is there twice.
    [[nodiscard]] bool exceeds(std::uint64_t memory) const noexcept
    {
        constexpr std::size_t slot_size = sizeof(typename map::value_type) + 2;
        const std::size_t slots = map_.bucket_count() * slot_size;
        const bool grows_soon = map_.size() > map_.max_load() / 10 * 9;
        return !map_.empty() && bytes_ + slots + (grows_soon ? 2 * slots : 0) > memory;
    }

    // Works on putting all to disk; a run when that is done, and the table is empty.
    [[nodiscard]] std::optional<run> spill_step(const Form& form)
    {
        if (!spilling_)
            spilling_ = std::make_unique<spilling>(map_.begin());
        if (spilling_->next != map_.end()) {
            sort_step(form);
            return std::nullopt;
        }
        if (!spilling_->from) {
            if (!file_)
                file_ = std::make_shared<io::unnamed_file>();
            spilling_->from.emplace(spilling_->sorted.merged());
            spilling_->to.emplace(file_);
        }
        if (write_step(*spilling_->from, *spilling_->to))
            return std::nullopt;
        const run spilled = spilling_->to->finish();
        spilling_.reset();
        map_ = map();
        bytes_ = 0;
        return spilled;
    }

private:
    struct entry
    {
        [[nodiscard]] std::string_view key() const { return pair->first; }
        void append_value(std::string& out) const { form->append(pair->second, out); }

        const typename map::value_type* pair;
        const Form* form;
    };

    using chunks = sorted_chunks<entry>;

    struct spilling
    {
        explicit spilling(typename map::iterator first) : next(first) {}

        typename map::iterator next;  // to be sorted
        chunks sorted;
        std::optional<merge<typename chunks::reader>> from;  // when all are sorted
        std::optional<run_writer> to;
    };

    // What the allocator takes for a text that does not fit into its string.
    [[nodiscard]] static std::size_t bytes_of(const std::string& text) noexcept
    {
        constexpr std::size_t of_allocator = 24;
        return text.capacity() < sizeof text / 2 ? 0 : text.capacity() + of_allocator;
    }

    void sort_step(const Form& form)
    {
        for (std::size_t i = 0; i < step_size && spilling_->next != map_.end(); ++i)
            spilling_->sorted.add({&*spilling_->next++, &form});
    }

    map map_;
    std::size_t bytes_ = 0;  // of keys and values outside of map_
    bool has_grown_ = false;
    std::shared_ptr<io::unnamed_file> file_;
    std::unique_ptr<spilling> spilling_;
};

}  // namespace sluice::pipeline::spill

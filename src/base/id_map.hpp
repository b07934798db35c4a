// SPDX-License-Identifier: AGPL-3.0-or-later
// Values for the ids of one page, in insertion order. One node per entry, as in std::unordered_map, cost more
// than looking the entry up in a cache; here all entries are contiguous. Entries cannot be removed, and
// adding one invalidates references to the others.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace base {

template <class Id, class Value>
class IdMap {
public:
    using Entries = std::vector<std::pair<Id, Value>>;
    using iterator = typename Entries::iterator;
    using const_iterator = typename Entries::const_iterator;

    iterator begin() { return entries_.begin(); }
    iterator end() { return entries_.end(); }
    const_iterator begin() const { return entries_.begin(); }
    const_iterator end() const { return entries_.end(); }
    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }

    void reserve(std::size_t count) {
        entries_.reserve(count);
        if (count * 2 > slots_.size()) spread(std::bit_ceil(count * 2));
    }

    const_iterator find(Id id) const { return entries_.begin() + place(id); }
    iterator find(Id id) { return entries_.begin() + place(id); }
    bool contains(Id id) const { return find(id) != end(); }

    // Keeps an existing entry.
    void emplace(Id id, Value value) {
        if (!contains(id)) add(id, std::move(value));
    }
    Value& operator[](Id id) {
        auto found = find(id);
        return found != end() ? found->second : add(id, Value());
    }
    void merge(IdMap&& others) {
        for (auto& [id, value] : others.entries_) emplace(id, std::move(value));
    }

private:
    // Slots hold the index of an entry plus one, or 0 if empty; at most half of them are used.
    std::size_t first_slot(Id id) const {
        auto mixed = static_cast<std::uint64_t>(id.value) * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
    }

    std::ptrdiff_t place(Id id) const {
        if (slots_.empty()) return 0;
        for (auto at = first_slot(id); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
            if (entries_[slots_[at] - 1].first == id) return slots_[at] - 1;
        return std::ssize(entries_);
    }

    void take_slot(Id id, std::uint32_t number) {
        auto at = first_slot(id);
        while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = number;
    }

    void spread(std::size_t slots) {
        slots_.assign(slots, 0);
        for (std::uint32_t number = 0; number < entries_.size(); ++number)
            take_slot(entries_[number].first, number + 1);
    }

    Value& add(Id id, Value value) {
        if ((entries_.size() + 1) * 2 > slots_.size()) spread(std::max<std::size_t>(16, slots_.size() * 2));
        entries_.emplace_back(id, std::move(value));
        take_slot(id, static_cast<std::uint32_t>(entries_.size()));
        return entries_.back().second;
    }

    Entries entries_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace base

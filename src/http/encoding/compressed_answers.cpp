// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/encoding/encoding.hpp"

#include <functional>
#include <utility>

namespace http {

std::string CompressedAnswers::compress(std::string_view body, Encoding encoding) {
    if (body.size() > largest) return compressed(body, encoding, Effort::quick);
    const auto key = std::hash<std::string_view>{}(body) + static_cast<std::uint64_t>(encoding);
    auto effort = Effort::lasting;
    if (auto kept = find(key); kept && kept->encoding == encoding && kept->body == body) {
        if (kept->asked.fetch_add(1, std::memory_order_relaxed) + 1 != often) return kept->small;
        effort = Effort::utmost;  // exactly one request does this
    } else if (seen_[key % seen_.size()].exchange(key, std::memory_order_relaxed) != key) {
        return compressed(body, encoding, Effort::quick);
    }
    auto small = compressed(body, encoding, effort);
    const auto asked = effort == Effort::utmost ? often : 2;
    if (!small.empty()) keep(key, std::make_shared<const Kept>(std::string(body), small, encoding, asked));
    return small;
}

std::size_t CompressedAnswers::bytes() const {
    std::scoped_lock lock(mutex_);
    return newer_bytes_ + older_bytes_;
}

std::shared_ptr<const CompressedAnswers::Kept> CompressedAnswers::find(std::uint64_t key) {
    std::shared_ptr<const Kept> found;
    {
        std::scoped_lock lock(mutex_);
        if (auto at = newer_.find(key); at != newer_.end()) return at->second;
        auto at = older_.find(key);
        if (at == older_.end()) return nullptr;
        found = at->second;
    }
    keep(key, found);
    return found;
}

void CompressedAnswers::keep(std::uint64_t key, std::shared_ptr<const Kept> kept) {
    Generation gone;  // destroyed after the lock is released
    std::scoped_lock lock(mutex_);
    const auto size_of = [](const Kept& one) { return one.body.size() + one.small.size(); };
    const auto size = size_of(*kept);
    if (newer_bytes_ + size > most_bytes / 2) {
        gone = std::exchange(older_, std::exchange(newer_, {}));
        older_bytes_ = std::exchange(newer_bytes_, 0);
    }
    auto& place = newer_[key];
    if (place) newer_bytes_ -= size_of(*place);  // two bodies with the same hash
    place = std::move(kept);
    newer_bytes_ += size;
}

}  // namespace http

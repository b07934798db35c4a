// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/incoming_body.hpp"

#include <algorithm>
#include <utility>

namespace net {

namespace {

constexpr Refusal no_room{503, "Too much is being sent at the moment, please try again"};
constexpr Refusal too_much{429, "Too much is being sent from your address, please try again"};

}  // namespace

IncomingBody::IncomingBody(Goes goes, std::uint64_t most, Share share)
    : goes_(goes), most_(most), share_(std::move(share)), begun_(Clock::now()) {}

std::optional<Refusal> IncomingBody::keep(std::string_view part) {
    size_ += part.size();
    if (size_ > most_) return too_large;
    switch (goes_) {
        case Goes::nowhere: return std::nullopt;
        case Goes::into_memory: return into_memory(part);
        case Goes::in_pieces: break;
    }
    piece_.append(part);
    return pay(part.size());
}

std::optional<Refusal> IncomingBody::pay(std::uint64_t bytes) {
    switch (share_.grow(bytes)) {
        case Shares::Outcome::taken: return std::nullopt;
        case Shares::Outcome::none_left: return no_room;
        case Shares::Outcome::own_used_up: return too_much;
    }
    return no_room;
}

// In blocks of equal size, so that slow concurrent bodies use only as much memory as is counted: a growing
// string takes twice as much, and fragments the heap.
std::optional<Refusal> IncomingBody::into_memory(std::string_view part) {
    while (!part.empty()) {
        if (filled_ == block_size) {
            if (auto refusal = pay(block_size)) return refusal;
            blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size));
            filled_ = 0;
        }
        const auto size = std::min(part.size(), block_size - filled_);
        part.copy(blocks_.back().get() + filled_, size);
        part.remove_prefix(size);
        filled_ += size;
    }
    return std::nullopt;
}

std::string IncomingBody::take_whole() {
    std::string whole;
    if (goes_ != Goes::into_memory) return whole;
    whole.reserve(static_cast<std::size_t>(size_));
    for (auto& block : std::exchange(blocks_, {})) {
        whole.append(block.get(), std::min(block_size, static_cast<std::size_t>(size_) - whole.size()));
        block.reset();
    }
    return whole;
}

}  // namespace net

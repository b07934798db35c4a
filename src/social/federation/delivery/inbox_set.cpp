// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/inbox_set.hpp"

#include <algorithm>
#include <iterator>

namespace federation {

namespace {

constexpr std::uint64_t more = 0x80;  // the number continues in the next byte

}  // namespace

std::string pack(const InboxSet& set) {
    std::string out;
    std::int64_t last = 0;
    for (auto id : set) {
        auto distance = static_cast<std::uint64_t>(id.value - last);
        for (; distance >= more; distance >>= 7) out += static_cast<char>((distance & (more - 1)) | more);
        out += static_cast<char>(distance);
        last = id.value;
    }
    return out;
}

InboxSet unpack(std::string_view packed) {
    InboxSet out;
    std::uint64_t last = 0, distance = 0;
    unsigned shift = 0;
    for (char c : packed) {
        const auto byte = static_cast<unsigned char>(c);
        distance |= (byte & (more - 1)) << shift;
        shift += 7;
        if (byte & more) continue;
        last += distance;
        out.push_back({static_cast<std::int64_t>(last)});
        distance = shift = 0;
    }
    return out;
}

InboxSet united(const InboxSet& a, const InboxSet& b) {
    InboxSet out;
    std::ranges::set_union(a, b, std::back_inserter(out));
    return out;
}

InboxSet without(const InboxSet& a, const InboxSet& b) {
    InboxSet out;
    std::ranges::set_difference(a, b, std::back_inserter(out));
    return out;
}

}  // namespace federation

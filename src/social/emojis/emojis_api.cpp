// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/emojis/emoji.hpp"

namespace emojis {
namespace {

std::vector<CustomEmoji> index(db::Read& db) {
    std::vector<CustomEmoji> out;
    for (const auto& emoji : picker(db)) {
        out.push_back(entity(db.site(), emoji));
        if (!emoji.category) continue;
        out.back().category = *emoji.category;
        out.back().featured = emoji.featured;
    }
    return out;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>("/api/v1/custom_emojis").cached(http::Caching::always),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace emojis

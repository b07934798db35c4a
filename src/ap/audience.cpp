// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/audience.hpp"

#include <algorithm>

namespace ap {

namespace {

bool has_public(const std::vector<std::string>& ids) { return std::ranges::any_of(ids, is_public); }

bool has(const std::vector<std::string>& ids, std::string_view id) {
    return !id.empty() && std::ranges::find(ids, id) != ids.end();
}

}  // namespace

Audience read_audience(Node node) { return {node["to"].ids(most_addressed), node["cc"].ids(most_addressed)}; }

Visibility visibility_of(
    const Audience& audience, std::string_view author_followers, std::optional<bool> direct_message
) {
    if (has_public(audience.to)) return Visibility::public_;
    if (has_public(audience.cc)) return Visibility::unlisted;
    if (has(audience.to, author_followers) || has(audience.cc, author_followers)) return Visibility::private_;
    return direct_message == false ? Visibility::limited : Visibility::direct;
}

std::vector<std::string> addressed(const Audience& audience, std::string_view author_followers) {
    std::vector<std::string> out;
    for (const auto* ids : {&audience.to, &audience.cc})
        for (const auto& id : *ids)
            if (!is_public(id) && id != author_followers) out.push_back(id);
    std::ranges::sort(out);
    auto doubles = std::ranges::unique(out);
    out.erase(doubles.begin(), doubles.end());
    return out;
}

}  // namespace ap

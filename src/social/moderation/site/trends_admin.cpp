// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/site/trends_admin.hpp"

#include "social/tags/tag_admin.hpp"

#include <algorithm>

namespace moderation {

namespace {

using discovery::Kind;

void decide(
    db::Write& db, const accounts::Actor& who, Kind kind, std::int64_t id, bool allowed,
    const std::pair<std::string, std::string>& about
) {
    accounts::require(who, accounts::permission::manage_taxonomies);
    discovery::decide(db, kind, id, allowed);
    log(db, who, allowed ? "approve" : "reject", {about.first, id, about.second});
}

}  // namespace

std::vector<std::int64_t> ranked(db::Read& db, Kind kind, std::int64_t offset, int limit) {
    auto all = discovery::trends(db, kind);
    std::ranges::sort(all, [](const auto& a, const auto& b) {
        return std::tuple(-a.score, -a.subject_id) < std::tuple(-b.score, -b.subject_id);
    });
    std::vector<std::int64_t> out;
    for (auto i = std::max<std::int64_t>(offset, 0); i < std::ssize(all) && std::ssize(out) < limit; ++i)
        out.push_back(all[static_cast<std::size_t>(i)].subject_id);
    return out;
}

statuses::Card trending_card(db::Read& db, statuses::CardId id) {
    auto found = statuses::cards(db, {id});
    if (found.empty()) throw base::NotFound();
    return std::move(found[0]);
}

base::StatusId trending_status(db::Read& db, base::StatusId id) {
    auto found = statuses::find_status(db, id);
    using enum statuses::Visibility;
    if (!found || (found->visibility != public_ && found->visibility != unlisted)) throw base::NotFound();
    return found->id;
}

void decide_tag(db::Write& db, const accounts::Actor& who, base::TagId id, bool allowed) {
    decide(db, who, Kind::tag, id.value, allowed, {"Tag", tags::tag(db, id).name});
}

void decide_link(db::Write& db, const accounts::Actor& who, statuses::CardId id, bool allowed) {
    decide(db, who, Kind::link, id.value, allowed, {"PreviewCard", trending_card(db, id).url});
}

void decide_publisher(db::Write& db, const accounts::Actor& who, discovery::PublisherId id, bool allowed) {
    auto about = discovery::publisher(db, id);
    decide(db, who, Kind::publisher, id.value, allowed, {"PreviewCardProvider", about.domain});
}

void decide_status(db::Write& db, const accounts::Actor& who, base::StatusId id, bool allowed) {
    auto known = trending_status(db, id);
    decide(db, who, Kind::status, known.value, allowed, {"Status", "#" + std::to_string(known.value)});
}

}  // namespace moderation

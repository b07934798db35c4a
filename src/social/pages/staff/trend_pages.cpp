// SPDX-License-Identifier: AGPL-3.0-or-later
// What trends, and what the team decides about it: hashtags, links, their publishers, and posts.
#include "base/text/html/html.hpp"
#include "social/moderation/site/trends_admin.hpp"
#include "social/pages/staff/sheet.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/tags/tag_admin.hpp"

#include <algorithm>

namespace pages {
namespace {

using discovery::Kind;

constexpr int a_page = 20;
const std::string trends_path = address_of(trends_part);

using Reviews = std::unordered_map<std::int64_t, discovery::Review>;

std::string_view state_of(const Reviews& reviews, std::int64_t subject) {
    auto found = reviews.find(subject);
    if (found == reviews.end() || !found->second.allowed) return "Nobody has decided";
    return *found->second.allowed ? "Approved" : "Rejected";
}

void add_decisions(Row& row, std::string_view kind, std::int64_t id, const Reviews& reviews) {
    row.states.push_back(state_of(reviews, id));
    auto where = trends_path + "/" + std::string(kind) + "/" + std::to_string(id);
    row.forms = {
        {where + "/approve", "Approve", {}, {}, "quiet"}, {where + "/reject", "Reject", {}, {}, "quiet"}
    };
}

template <class Id>
std::vector<Id> ids_of(const std::vector<std::int64_t>& numbers) {
    std::vector<Id> out;
    for (auto n : numbers) out.push_back({n});
    return out;
}

// In the order of how much they trend.
template <class Rows>
void in_order(Rows& rows, const std::vector<std::int64_t>& ids) {
    std::ranges::sort(rows, {}, [&](const auto& row) {
        return std::ranges::find(ids, row.id.value) - ids.begin();
    });
}

Panel hashtags(db::Read& db) {
    Panel out{"Hashtags"};
    out.rows.emplace();
    auto ids = moderation::ranked(db, Kind::tag, 0, a_page);
    auto rows = tags::tags_by_id(db, ids_of<base::TagId>(ids));
    in_order(rows, ids);
    auto reviews = discovery::reviews(db, Kind::tag, ids);
    for (const auto& tag : rows) {
        Row row{"#" + tag.display_name};
        add_decisions(row, "tags", tag.id.value, reviews);
        out.rows->push_back(std::move(row));
    }
    return out;
}

Panel links(db::Read& db) {
    Panel out{"Links"};
    out.rows.emplace();
    auto ids = moderation::ranked(db, Kind::link, 0, a_page);
    auto rows = statuses::cards(db, ids_of<statuses::CardId>(ids));
    in_order(rows, ids);
    auto reviews = discovery::reviews(db, Kind::link, ids);
    for (const auto& card : rows) {
        Row row{card.title.empty() ? card.url : card.title};
        row.hint = card.url;
        add_decisions(row, "links", card.id.value, reviews);
        out.rows->push_back(std::move(row));
    }
    return out;
}

Panel publishers(db::Read& db) {
    Panel out{"Publishers of links"};
    out.hint = "What is decided about one holds for its links that nobody decided about.";
    out.rows.emplace();
    std::vector<std::int64_t> ids;
    auto rows = discovery::publishers(db, From{}.range(a_page));
    for (const auto& one : rows) ids.push_back(one.id.value);
    auto reviews = discovery::reviews(db, Kind::publisher, ids);
    for (const auto& one : rows) {
        Row row{one.domain};
        add_decisions(row, "publishers", one.id.value, reviews);
        out.rows->push_back(std::move(row));
    }
    return out;
}

Panel posts(db::Read& db, const Member& who) {
    Panel out{"Posts"};
    out.rows.emplace();
    auto ids = moderation::ranked(db, Kind::status, 0, a_page);
    auto viewer = statuses::audience(db, who.actor.account);
    auto facts = statuses::visibility_facts(db, viewer, ids_of<base::StatusId>(ids));
    auto reviews = discovery::reviews(db, Kind::status, ids);
    for (const auto& text : statuses::json_each(db, viewer, facts)) {
        auto post = base::json::read<Shown>(text);
        Row row{"@" + post.account.acct};
        row.hint = post.created_at.substr(0, 10);
        row.more = base::text::plain_text(post.content);
        add_decisions(row, "posts", std::stoll(post.id), reviews);
        out.rows->push_back(std::move(row));
    }
    return out;
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = member(db, request, trends_part.any_of);
    if (who.answer()) return *who.answer();
    return sheet(
        db, request, who, trends_part, "Trends", {hashtags(db), links(db), publishers(db), posts(db, who)}
    );
}

template <auto F, class Id, bool Allowed>
void decide(db::Write& db, const accounts::Actor& who, Id id) {
    F(db, who, id, Allowed);
}
template <auto F, class Id, bool Allowed>
constexpr auto deciding = act_on<trends_part, decide<F, Id, Allowed>, Id, saved>;

using base::StatusId, base::TagId, discovery::PublisherId, statuses::CardId;
using moderation::decide_link, moderation::decide_publisher, moderation::decide_status,
    moderation::decide_tag;

// clang-format off
constexpr http::Route table[] = {
    http::get<look>                                               ("/settings/moderation/trends"),
    http::post<deciding<decide_tag, TagId, true>>                 ("/settings/moderation/trends/tags/:id/approve"),
    http::post<deciding<decide_tag, TagId, false>>                ("/settings/moderation/trends/tags/:id/reject"),
    http::post<deciding<decide_link, CardId, true>>               ("/settings/moderation/trends/links/:id/approve"),
    http::post<deciding<decide_link, CardId, false>>              ("/settings/moderation/trends/links/:id/reject"),
    http::post<deciding<decide_publisher, PublisherId, true>>     ("/settings/moderation/trends/publishers/:id/approve"),
    http::post<deciding<decide_publisher, PublisherId, false>>    ("/settings/moderation/trends/publishers/:id/reject"),
    http::post<deciding<decide_status, StatusId, true>>           ("/settings/moderation/trends/posts/:id/approve"),
    http::post<deciding<decide_status, StatusId, false>>          ("/settings/moderation/trends/posts/:id/reject"),
};
// clang-format on

}  // namespace

std::span<const http::Route> trend_pages() { return table; }

}  // namespace pages

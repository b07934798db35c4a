// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/trends.hpp"

#include "base/text/languages.hpp"
#include "social/accounts/profile/posting_defaults.hpp"
#include "social/tags/tag_entity.hpp"

#include <algorithm>

namespace discovery {

const db::Query<Trend> trends_of_kind{
    "trends_of_kind",
    R"(SELECT kind, subject_id, author_id, language, score, peak, peaked_at, shown FROM trending WHERE kind = $1)"
};

std::vector<Trend> trends(db::Read& db, Kind kind) { return db.all(trends_of_kind, kind); }

#define BY_PREFERENCE "score DESC, subject_id DESC LIMIT $4 OFFSET $3"

const db::Query<std::int64_t> shown_trends{
    "shown_trends",
    "SELECT subject_id FROM trending WHERE kind = $1 AND shown = TRUE ORDER BY "
    "CASE WHEN language IN LIST($2) THEN 0 ELSE 1 END, " BY_PREFERENCE
};
// preview_cards belongs to statuses.
const db::Query<std::int64_t> shown_trending_links{
    "shown_trending_links",
    "SELECT r.subject_id FROM trending r JOIN preview_cards c ON c.id = r.subject_id "
    "WHERE r.kind = 'link' AND r.shown = TRUE AND c.usable = TRUE ORDER BY "
    "CASE WHEN r.language IN LIST($1) THEN 0 ELSE 1 END, r.score DESC, r.subject_id DESC LIMIT $3 OFFSET $2"
};

// The table tags belongs to tags.
const db::Query<tags::Tag> shown_trending_tags{
    "shown_trending_tags",
    "SELECT t.id, t.name, t.display_name FROM trending r JOIN tags t ON t.id = r.subject_id "
    "WHERE r.kind = 'tag' AND r.shown = TRUE AND t.listable = TRUE AND t.usable = TRUE ORDER BY "
    "CASE WHEN r.language IN LIST($1) THEN 0 ELSE 1 END, r.score DESC, t.id DESC "
    "LIMIT $3 OFFSET $2"
};

std::vector<tags::Tag> trending_tags(db::Read& db, const Window& window) {
    return db.all(shown_trending_tags, window.languages, window.offset, window.limit);
}

std::vector<statuses::Card> trending_links(db::Read& db, const Window& window) {
    std::vector<statuses::CardId> ids;
    db.each(
        shown_trending_links,
        [&](std::int64_t id) { ids.push_back({id}); },
        window.languages,
        window.offset,
        window.limit
    );
    auto found = statuses::cards(db, ids);
    auto rank = [&](const statuses::Card& card) { return std::ranges::find(ids, card.id) - ids.begin(); };
    std::ranges::sort(found, {}, rank);
    return found;
}

// Ids of statuses contain times. The tables belong to statuses.
#define DAYS_OF_LINKS                                                               \
    "SELECT c.card_id, (c.status_id / 65536) / 86400000 AS day, count(*) AS uses, " \
    "count(DISTINCT c.account_id) AS accounts FROM preview_cards_statuses c "       \
    "JOIN statuses s ON s.id = c.status_id "
#define COUNTED_LINKS                                                             \
    "AND c.status_id >= $2 AND s.deleted_at IS NULL AND s.visibility = 'public' " \
    "GROUP BY c.card_id, (c.status_id / 65536) / 86400000"
const db::Query<DayOfLink> days_of_links{
    "days_of_links", DAYS_OF_LINKS "WHERE c.card_id IN LIST($1) " COUNTED_LINKS
};

std::vector<DayOfLink> link_uses(db::Read& db, const std::vector<statuses::CardId>& cards, base::Time since) {
    return db.all(days_of_links, cards, since.ms * 65'536);
}

// The offset counts what the viewer sees, so everything before it has to be checked; a refresh keeps a few
// hundred.
std::vector<statuses::VisibilityFacts> trending_statuses(
    db::Read& db, const statuses::Audience& audience, const Window& window
) {
    constexpr int hidden_at_most = 40;
    auto wanted = static_cast<std::size_t>(window.offset + window.limit);
    std::vector<statuses::VisibilityFacts> found;
    for (int from = 0; found.size() < wanted;) {
        auto step = static_cast<int>(wanted - found.size()) + hidden_at_most;
        std::vector<base::StatusId> ids;
        db.each(
            shown_trends,
            [&](std::int64_t id) { ids.push_back({id}); },
            Kind::status,
            window.languages,
            from,
            step
        );
        for (const auto& f : statuses::visibility_facts(db, audience, ids))
            if (statuses::shown(f, audience)) found.push_back(f);
        if (ids.size() < static_cast<std::size_t>(step)) break;
        from += step;
    }
    if (found.size() > wanted) found.resize(wanted);
    auto skipped = std::min(found.size(), static_cast<std::size_t>(window.offset));
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(skipped));
    return found;
}

std::vector<std::string> preferred_languages(
    db::Read& db, base::UserId user, std::string_view request_language
) {
    if (user)
        if (auto codes = accounts::chosen_languages(db, user); !codes.empty()) return codes;
    std::vector<std::string> out;
    auto code = request_language.substr(0, request_language.find_first_of(",; "));
    if (auto known = base::text::find_language(code)) {
        out.emplace_back(*known);
        if (auto dash = known->find('-'); dash != known->npos) out.emplace_back(known->substr(0, dash));
    }
    return out;
}

const db::Command delete_trends_but{
    "delete_trends_but", "DELETE FROM trending WHERE kind = $1 AND subject_id NOT IN LIST($2)"
};
const db::Command put_trend{
    "put_trend",
    R"(INSERT INTO trending (kind, subject_id, author_id, language, score, peak, peaked_at, shown)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (kind, subject_id) DO UPDATE SET language = excluded.language, score = excluded.score,
           peak = excluded.peak, peaked_at = excluded.peaked_at, shown = excluded.shown)"
};

void replace(db::Write& db, Kind kind, const std::vector<Trend>& all) {
    std::vector<base::StatusId> subjects;
    for (const auto& trend : all) subjects.push_back({trend.subject_id});
    db.run(delete_trends_but, kind, subjects);
    for (const auto& t : all)
        db.run(put_trend, kind, t.subject_id, t.author_id, t.language, t.score, t.peak, t.peaked_at, t.shown);
}

void describe_trending_link(base::json::Components& all) {
    base::json::ObjectSchema link;
    link.add("history", base::json::schema<std::vector<tags::HistoryDay>>(all), true);
    all.put("Trends_Link", R"({"allOf":[)" + base::json::reference("PreviewCard") + "," + link.text() + "]}");
}

}  // namespace discovery

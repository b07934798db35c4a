// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/trends.hpp"

#include "social/discovery/publisher.hpp"
#include "social/discovery/trend_candidates.hpp"
#include "social/discovery/trend_score.hpp"
#include "social/statuses/previews/preview.hpp"
#include "social/tags/tag_languages.hpp"

#include <algorithm>
#include <unordered_set>

namespace discovery {

namespace {

constexpr std::size_t most_kept = 400;
constexpr int allowed_ranks = 3;
constexpr std::int64_t day_seconds = 86'400, day_ms = day_seconds * 1000;

struct Decay {
    double half_life_hours, gone_below;
};
constexpr Decay of_tags{4, 1}, of_links{8, 1}, of_statuses{1, 0.3};

using Subject = base::Id<struct SubjectTag>;

// How many accounts used something today and yesterday.
struct Days {
    std::int64_t subject_id = 0;
    std::int64_t today = 0, yesterday = 0;
};
DESCRIBE(Days, subject_id, today, yesterday)
struct Spoken {
    std::int64_t subject_id = 0;
    std::string language;
    std::int64_t uses = 0;
};
DESCRIBE(Spoken, subject_id, language, uses)

}  // namespace

// The table tag_uses belongs to tags.
const db::Query<Subject> tags_used_today{
    "tags_used_today",
    R"(SELECT tag_id AS subject_id FROM tag_uses WHERE day = $1 GROUP BY tag_id HAVING count(*) >= 5
       ORDER BY count(*) DESC LIMIT 400)"
};
const db::Query<Days> tag_days{
    "tag_days",
    "SELECT u.tag_id AS subject_id, CAST(SUM(CASE WHEN u.day = $2 THEN 1 ELSE 0 END) AS BIGINT) AS today, "
    "CAST(SUM(CASE WHEN u.day = $3 THEN 1 ELSE 0 END) AS BIGINT) AS yesterday "
    "FROM tag_uses u JOIN accounts a ON a.id = u.account_id "
    "WHERE u.tag_id IN LIST($1) AND u.day >= $3 AND " COUNTED_AUTHOR "GROUP BY u.tag_id"
};

namespace {

std::int64_t first_id(base::Time at) { return at.ms << 16; }

std::unordered_map<std::int64_t, std::string> most_spoken(const std::vector<Spoken>& rows) {
    std::unordered_map<std::int64_t, std::pair<std::int64_t, std::string>> best;
    for (const auto& row : rows)
        if (auto& entry = best[row.subject_id]; row.uses > entry.first) entry = {row.uses, row.language};
    std::unordered_map<std::int64_t, std::string> out;
    for (auto& [subject, entry] : best) out[subject] = entry.second;
    return out;
}

// Since yesterday.
std::vector<Spoken> spoken_under(db::Read& db, const std::vector<Subject>& all) {
    std::vector<base::TagId> tags;
    for (const auto subject : all) tags.push_back({subject.value});
    const auto today = db.now().midnight().ms / day_ms;
    std::vector<Spoken> out;
    for (const auto& one : tags::languages_of_tags(db, tags, today - 1, today + 1))
        if (!one.language.empty()) out.push_back({one.tag_id.value, one.language, one.posts});
    return out;
}

std::vector<Subject> subjects_of(const std::vector<Trend>& all) {
    std::vector<Subject> out;
    for (const auto& trend : all) out.push_back({trend.subject_id});
    return out;
}

// The former trends, together with today's candidates.
std::vector<Trend> with(std::vector<Trend> before, Kind kind, const std::vector<Subject>& candidates) {
    std::unordered_set<std::int64_t> known;
    for (const auto& trend : before) known.insert(trend.subject_id);
    for (auto candidate : candidates)
        if (known.insert(candidate.value).second) {
            Trend fresh;
            fresh.kind = kind;
            fresh.subject_id = candidate.value;
            before.push_back(fresh);
        }
    return before;
}

void keep_best(std::vector<Trend>& all, const Decay& decay) {
    std::erase_if(all, [&](const Trend& trend) { return trend.score < decay.gone_below; });
    std::ranges::sort(all, std::greater(), &Trend::score);
    if (all.size() > most_kept) all.resize(most_kept);
}

// Scores a subject by its numbers of accounts today and yesterday; for tags and links.
void score_by_days(
    std::vector<Trend>& all, const std::vector<Days>& days, const Decay& decay, base::Time now
) {
    std::unordered_map<std::int64_t, Days> of;
    for (const auto& row : days) of[row.subject_id] = row;
    for (auto& trend : all) {
        auto row = of[trend.subject_id];
        auto score = surprise(static_cast<double>(row.today), static_cast<double>(row.yesterday));
        auto peak = higher({trend.peak, trend.peaked_at}, score, now);
        trend.peak = peak.score;
        trend.peaked_at = peak.at;
        trend.score = faded(peak.score, peak.at, now, decay.half_life_hours);
    }
    keep_best(all, decay);
}

// Whom staff is to be asked about, of trends met in the order of their scores: undecided ones that fewer than three allowed
// ones of their language stand before. Staff is asked once.
class ReviewsWanted {
public:
    bool operator()(const Trend& trend, bool decided, bool allowed, bool asked) {
        auto& before = allowed_[trend.language.value_or("")];
        const bool wanted = !decided && !asked && before < allowed_ranks;
        if (allowed) ++before;
        return wanted;
    }

private:
    std::unordered_map<std::string, int> allowed_;
};

// Shows what staff has approved – or what it has not rejected, if that is the setting. What nobody has decided about goes
// with what `otherwise` says of it. Answers those for which a review is to be asked.
std::vector<std::int64_t> apply_reviews(
    db::Read& db, Kind kind, std::vector<Trend>& all,
    const std::unordered_map<std::int64_t, bool>& otherwise = {}
) {
    std::vector<std::int64_t> subjects;
    for (const auto& trend : all) subjects.push_back(trend.subject_id);
    auto reviewed = reviews(db, kind, subjects);
    auto by_default = trendable_by_default(db);
    ReviewsWanted wanted;
    std::vector<std::int64_t> undecided;
    for (auto& trend : all) {
        const auto& review = reviewed[trend.subject_id];
        auto decision = review.allowed;
        if (auto other = otherwise.find(trend.subject_id); !decision && other != otherwise.end())
            decision = other->second;
        trend.shown = decision.value_or(by_default);
        if (wanted(trend, decision.has_value(), trend.shown, review.requested_at.has_value()))
            undecided.push_back(trend.subject_id);
    }
    return undecided;
}

}  // namespace

jobs::Change refresh_tags(db::Read& db) {
    if (!trends_enabled(db)) return {};
    auto today = db.now().midnight(), yesterday = today.plus_seconds(-day_seconds);
    auto all = with(trends(db, Kind::tag), Kind::tag, db.all(tags_used_today, today));
    if (all.empty()) return {};
    auto subjects = subjects_of(all);
    score_by_days(all, db.all(tag_days, subjects, today, yesterday), of_tags, db.now());
    auto spoken = most_spoken(spoken_under(db, subjects));
    for (auto& trend : all)
        if (auto language = spoken.find(trend.subject_id); language != spoken.end())
            trend.language = language->second;
    auto undecided = apply_reviews(db, Kind::tag, all);
    return [all = std::move(all), undecided = std::move(undecided)](db::Write& write) {
        for (auto tag : undecided) request_review(write, Kind::tag, tag);
        replace(write, Kind::tag, all);
    };
}

// The tables preview_cards and preview_cards_statuses belong to statuses. The plus keeps SQLite from scanning
// all rows in the order of their cards.
const db::Query<Subject> links_used_today{
    "links_used_today",
    R"(SELECT card_id AS subject_id FROM preview_cards_statuses WHERE status_id >= $1
       GROUP BY +card_id HAVING count(DISTINCT account_id) >= 5 ORDER BY count(*) DESC LIMIT 400)",
    R"(SELECT card_id AS subject_id FROM preview_cards_statuses WHERE status_id >= $1
       GROUP BY card_id HAVING count(DISTINCT account_id) >= 5 ORDER BY count(*) DESC LIMIT 400)"
};
#define LINK_DAYS                                                                                    \
    "SELECT c.card_id AS subject_id, "                                                               \
    "count(DISTINCT CASE WHEN c.status_id >= $2 THEN c.account_id END) AS today, "                   \
    "count(DISTINCT CASE WHEN c.status_id < $2 THEN c.account_id END) AS yesterday "                 \
    "FROM preview_cards_statuses c JOIN statuses s ON s.id = c.status_id JOIN accounts a ON a.id = " \
    "c.account_id "
#define LINKED                                                                                            \
    "AND c.status_id >= $3 AND s.deleted_at IS NULL AND s.visibility = 'public' AND s.sensitive = FALSE " \
    "AND " COUNTED_AUTHOR "GROUP BY c.card_id"
const db::Query<Days> link_days{"link_days", LINK_DAYS "WHERE c.card_id IN LIST($1) " LINKED};
const db::Query<Spoken> link_languages{
    "link_languages",
    R"(SELECT id AS subject_id, language, CAST(1 AS BIGINT) AS uses FROM preview_cards
       WHERE id IN LIST($1) AND usable = TRUE AND title <> '' AND language IS NOT NULL)"
};

jobs::Change refresh_links(db::Read& db) {
    if (!trends_enabled(db)) return {};
    auto today = first_id(db.now().midnight()),
         yesterday = first_id(db.now().midnight().plus_seconds(-day_seconds));
    auto all = with(trends(db, Kind::link), Kind::link, db.all(links_used_today, today));
    if (all.empty()) return {};
    auto subjects = subjects_of(all);
    score_by_days(all, db.all(link_days, subjects, today, yesterday), of_links, db.now());
    auto spoken = most_spoken(db.all(link_languages, subjects));
    for (auto& trend : all)
        if (auto language = spoken.find(trend.subject_id); language != spoken.end())
            trend.language = language->second;
    std::vector<statuses::CardId> cards, shown;
    for (const auto& trend : all) cards.push_back({trend.subject_id});
    std::vector<std::string> hosts;
    auto known = statuses::cards(db, cards);
    for (const auto& card : known) hosts.push_back(host_of_link(card.url));
    auto undecided = apply_reviews(db, Kind::link, all, decided_by_publisher(db, known));
    for (const auto& trend : all)
        if (trend.shown) shown.push_back({trend.subject_id});
    return [all = std::move(all), undecided = std::move(undecided), shown, hosts](db::Write& write) {
        note_publishers(write, hosts);
        for (auto link : undecided) request_review(write, Kind::link, link);
        replace(write, Kind::link, all);
        statuses::set_trending(write, shown);
    };
}

namespace {

// A status is shown if it or its author is approved, and only the best one of each author. Returns the best
// ones that need a review, with their authors.
std::vector<std::pair<std::int64_t, std::int64_t>> apply_status_reviews(
    db::Read& db, std::vector<Trend>& all
) {
    std::vector<std::int64_t> subjects, authors;
    for (const auto& trend : all) {
        subjects.push_back(trend.subject_id);
        authors.push_back(trend.author_id);
    }
    auto of_statuses_decided = reviews(db, Kind::status, subjects);
    auto of_authors = reviews(db, Kind::account, authors);
    auto by_default = trendable_by_default(db);
    std::unordered_set<std::int64_t> shown_authors;
    std::vector<std::pair<std::int64_t, std::int64_t>> undecided;
    ReviewsWanted wanted;
    for (auto& trend : all) {
        const auto& of_status = of_statuses_decided[trend.subject_id];
        auto status = of_status.allowed, author = of_authors[trend.author_id].allowed;
        bool allowed = status ? *status : author.value_or(by_default);
        trend.shown = allowed && shown_authors.insert(trend.author_id).second;
        if (wanted(trend, status || author, allowed, of_status.requested_at.has_value()))
            undecided.emplace_back(trend.subject_id, trend.author_id);
    }
    return undecided;
}

std::vector<Trend> best_of(const std::vector<MarkedStatus>& statuses, base::Time now) {
    std::vector<Trend> out;
    for (const auto& status : statuses) {
        auto score = surprise(static_cast<double>(status.accounts), 1);
        Trend trend{
            Kind::status, status.id.value, status.author, status.language, 0, score, status.created_at, false
        };
        trend.score = faded(score, status.created_at, now, of_statuses.half_life_hours);
        out.push_back(std::move(trend));
    }
    keep_best(out, of_statuses);
    return out;
}

}  // namespace

// Half of what a status has is gone after an hour: what is two days old has lost everything. The best by the marks they
// had when they were last marked, and those of before, are counted anew.
jobs::Change refresh_statuses(db::Read& db) {
    if (!trends_enabled(db)) return {};
    auto marks = next_marks(db);
    if (marks.more)
        return [marks = std::move(marks)](db::Write& write) {
            keep(write, marks);
            write.emit(TrendsContinued{});
        };
    auto candidates = trend_candidates(db);
    candidates.insert(candidates.end(), marks.statuses.begin(), marks.statuses.end());
    auto best_candidates = best_of(candidates, db.now());
    auto all = with(trends(db, Kind::status), Kind::status, subjects_of(best_candidates));
    if (all.empty() && marks.looked_at.empty()) return {};
    std::vector<base::StatusId> ids;
    for (const auto& trend : all) ids.push_back({trend.subject_id});
    auto best = best_of(marked_statuses(db, ids), db.now());
    auto undecided = apply_status_reviews(db, best);
    return [=](db::Write& write) {
        keep(write, marks);
        for (auto [status, author] : undecided) {
            request_review(write, Kind::status, status);
            request_review(write, Kind::account, author);
        }
        replace(write, Kind::status, best);
    };
}

jobs::Change continue_trends(db::Read& db, const TrendsContinued&) { return refresh_statuses(db); }

}  // namespace discovery

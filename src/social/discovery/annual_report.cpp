// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/annual_report.hpp"

#include "base/crypto.hpp"
#include "social/instance/async_refresh.hpp"
#include "social/notifications/notify.hpp"

namespace discovery {

const db::Query<Report> reports_unread{
    "reports_unread",
    R"(SELECT account_id, year, figures, share_key FROM annual_reports
       WHERE account_id = $1 AND figures IS NOT NULL AND read_at IS NULL ORDER BY year DESC)"
};
const db::Query<Report> report_of_year{
    "report_of_year",
    R"(SELECT account_id, year, figures, share_key FROM annual_reports
       WHERE account_id = $1 AND year = $2 AND figures IS NOT NULL)"
};
const db::Query<bool> report_exists{
    "report_exists",
    R"(SELECT (figures IS NOT NULL) AS "made" FROM annual_reports WHERE account_id = $1 AND year = $2)"
};

std::vector<Report> unread_reports(db::Read& db, AccountId account) {
    return db.all(reports_unread, account);
}

std::optional<Report> find_report(db::Read& db, AccountId account, std::int64_t year) {
    return db.maybe(report_of_year, account, year);
}

std::optional<int> campaign(Time now) {
    auto day = base::to_string(base::Date{now.midnight().ms});  // YYYY-MM-DD
    if (day.substr(5, 2) != "12" || day.substr(8, 2) < "10") return std::nullopt;
    return std::stoi(day.substr(0, 4));
}

ReportState report_state(db::Read& db, AccountId account, std::int64_t year) {
    if (auto made = db.maybe(report_exists, account, year))
        return *made ? ReportState::available : ReportState::generating;
    return campaign(db.now()) == year ? ReportState::eligible : ReportState::ineligible;
}

std::string refresh_key(AccountId account, std::int64_t year) {
    return "annual_report:" + std::to_string(account.value) + ":" + std::to_string(year);
}

const db::Command begin_report{
    "begin_report",
    R"(INSERT INTO annual_reports (account_id, year, created_at, share_key) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, year) DO NOTHING)"
};

bool want_report(db::Write& db, AccountId account, std::int64_t year) {
    if (report_state(db, account, year) != ReportState::eligible) return false;
    if (db.run(begin_report, account, year, db.now(), base::random_token()) == 0) return false;
    instance::begin_refresh(db, refresh_key(account, year));
    db.emit(ReportWanted{account, year});
    return true;
}

namespace {

struct Written {
    std::int64_t alone = 0, replies = 0, reblogs = 0, polls = 0;
};
DESCRIBE(Written, alone, replies, reblogs, polls)
struct Counted {
    std::int64_t statuses = 0, followers = 0;
};
DESCRIBE(Counted, statuses, followers)

}  // namespace

// $2 and $3 limit the ids, which contain times.
const db::Query<Written> written_in_year{
    "written_in_year",
    R"(SELECT CAST(COALESCE(SUM(CASE WHEN reblog_of_id IS NULL AND in_reply_to_id IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS alone,
              CAST(COALESCE(SUM(CASE WHEN reblog_of_id IS NULL AND in_reply_to_id IS NOT NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS replies,
              CAST(COALESCE(SUM(CASE WHEN reblog_of_id IS NOT NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS reblogs,
              (SELECT count(*) FROM polls WHERE polls.account_id = $1 AND status_id >= $2 AND status_id < $3) AS polls
       FROM statuses WHERE account_id = $1 AND id >= $2 AND id < $3 AND deleted_at IS NULL)"
};
const db::Query<StatusId> most_boosted_of_year{
    "most_boosted_of_year",
    R"(SELECT id FROM statuses WHERE account_id = $1 AND id >= $2 AND id < $3 AND deleted_at IS NULL
         AND reblog_of_id IS NULL AND visibility IN ('public', 'unlisted') AND reblogs_count > 0
       ORDER BY reblogs_count DESC, id DESC LIMIT 1)"
};
const db::Query<Counted> counted_in_month{
    "counted_in_month",
    R"(SELECT (SELECT count(*) FROM statuses WHERE account_id = $1 AND id >= $2 AND id < $3 AND deleted_at IS NULL)
                  AS statuses,
              (SELECT count(*) FROM follows WHERE target_id = $1 AND created_at >= $4 AND created_at < $5) AS followers)"
};
const db::Query<TopHashtag> top_hashtag_of_year{
    "top_hashtag_of_year",
    R"(SELECT t.name, count(*) AS count FROM statuses s JOIN status_tags x ON x.status_id = s.id
       JOIN tags t ON t.id = x.tag_id
       WHERE s.account_id = $1 AND s.id >= $2 AND s.id < $3 AND s.deleted_at IS NULL AND s.visibility <> 'direct'
       GROUP BY t.name ORDER BY count(*) DESC, t.name LIMIT 1)"
};
const db::Command store_report{
    "store_report",
    "UPDATE annual_reports SET figures = $3 WHERE account_id = $1 AND year = $2 AND figures IS NULL"
};

namespace {

Time begins(std::int64_t year, int month) {
    if (month > 12) return begins(year + 1, 1);
    auto day = std::to_string(year) + (month < 10 ? "-0" : "-") + std::to_string(month) + "-01";
    return *base::parse_time(day);
}

std::int64_t first_id(Time at) { return at.ms << 16; }

Archetype archetype(const Written& written) {
    constexpr std::int64_t usual = 113;  // posts of an average account in a year
    if (written.alone + written.replies + written.reblogs < usual) return Archetype::lurker;
    if (written.reblogs > written.alone * 2) return Archetype::booster;
    if (written.polls * 10 > written.alone) return Archetype::pollster;
    if (written.replies > written.alone * 2) return Archetype::replier;
    return Archetype::oracle;
}

}  // namespace

void make_report(db::Write& db, const ReportWanted& wanted) {
    auto from = first_id(begins(wanted.year, 1)), to = first_id(begins(wanted.year + 1, 1));
    Figures figures;
    figures.archetype = archetype(db.one(written_in_year, wanted.account, from, to));
    figures.top_statuses.by_reblogs = db.maybe(most_boosted_of_year, wanted.account, from, to);
    for (int month = 1; month <= 12; ++month) {
        auto begin = begins(wanted.year, month), end = begins(wanted.year, month + 1);
        auto counted = db.one(counted_in_month, wanted.account, first_id(begin), first_id(end), begin, end);
        figures.time_series.push_back({month, counted.statuses, counted.followers});
    }
    figures.top_hashtags = db.all(top_hashtag_of_year, wanted.account, from, to);
    if (db.run(store_report, wanted.account, wanted.year, base::json::to_string(figures)) == 0) return;
    instance::finish_refresh(db, refresh_key(wanted.account, wanted.year));
    notifications::notify(
        db, {wanted.account, wanted.account, notifications::Type::annual_report, {}, wanted.year}
    );
}

const db::Command read_report{
    "read_report",
    R"(UPDATE annual_reports SET read_at = COALESCE(read_at, $3)
       WHERE account_id = $1 AND year = $2 AND figures IS NOT NULL)"
};

void mark_read(db::Write& db, AccountId account, std::int64_t year) {
    if (db.run(read_report, account, year, db.now()) == 0) throw base::NotFound();
}

const db::Command drop_own_annual_reports{
    "drop_own_annual_reports",
    R"(DELETE FROM annual_reports WHERE account_id = $1 AND year IN (
           SELECT year FROM annual_reports WHERE account_id = $1 ORDER BY year LIMIT $2))"
};

}  // namespace discovery

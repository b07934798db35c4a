// SPDX-License-Identifier: AGPL-3.0-or-later
// Statistics of an account's year, computed once when its owner asks for it, between 10 and 31 December.
#pragma once
#include "base/json.hpp"
#include "social/statuses/core/status.hpp"

namespace discovery {

using base::AccountId;
using base::StatusId;
using base::Time;

BOOST_DEFINE_ENUM_CLASS(Archetype, lurker, booster, pollster, replier, oracle)
BOOST_DEFINE_ENUM_CLASS(ReportState, available, generating, eligible, ineligible)

struct TopStatuses {
    std::optional<StatusId> by_reblogs, by_favourites, by_replies;
};
DESCRIBE(TopStatuses, by_reblogs, by_favourites, by_replies)
struct Month {
    int month = 1;
    std::int64_t statuses = 0, followers = 0;
};
DESCRIBE(Month, month, statuses, followers)
struct TopHashtag {
    std::string name;
    std::int64_t count = 0;
};
DESCRIBE(TopHashtag, name, count)
struct Figures {
    Archetype archetype = Archetype::lurker;
    TopStatuses top_statuses;
    std::vector<Month> time_series;
    std::vector<TopHashtag> top_hashtags;
};
DESCRIBE(Figures, archetype, top_statuses, time_series, top_hashtags)

struct Report {
    AccountId account_id;
    std::int64_t year = 0;
    std::string figures;                   // JSON of Figures
    std::optional<std::string> share_key;  // grants access to the report
};
DESCRIBE(Report, account_id, year, figures, share_key)

std::vector<Report> unread_reports(db::Read&, AccountId);
std::optional<Report> find_report(db::Read&, AccountId, std::int64_t year);

std::optional<int> campaign(Time now);  // the year for which reports can be requested
ReportState report_state(db::Read&, AccountId, std::int64_t year);

struct ReportWanted {
    AccountId account;
    std::int64_t year = 0;
};
DESCRIBE(ReportWanted, account, year)

std::string refresh_key(AccountId, std::int64_t year);  // instance/async_refresh.hpp: in progress

// Returns whether it will be made: not if it exists or is in progress, nor outside the campaign.
bool want_report(db::Write&, AccountId, std::int64_t year);
void make_report(db::Write&, const ReportWanted&);         // reaction
void mark_read(db::Write&, AccountId, std::int64_t year);  // throws NotFound

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_annual_reports;

}  // namespace discovery

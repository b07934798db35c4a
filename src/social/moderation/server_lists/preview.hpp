// SPDX-License-Identifier: AGPL-3.0-or-later
// What a list of servers would do, before it does.
#pragma once
#include "social/moderation/server_lists/plan.hpp"

namespace moderation {

using base::AccountId;

struct PreviewedDomain {
    std::string domain;
    instance::Severity severity = instance::Severity::silence;
    bool reject_media = false, reject_reports = false;
    Fate fate = Fate::added;
    std::optional<std::string> by;
    // Of the servers about which this line decides otherwise than was decided before.
    std::int64_t accounts = 0;
    std::int64_t following = 0, followers = 0;  // follows of people here, and by people there, that end
};
DESCRIBE(
    PreviewedDomain, domain, severity, reject_media, reject_reports, fate, by, accounts, following, followers
)

struct LosingPerson {
    AccountId account_id;
    std::string username;
    std::int64_t following = 0, followers = 0;
};
DESCRIBE(LosingPerson, account_id, username, following, followers)

struct ListPreview {
    static constexpr std::string_view entity = "ServerListPreview";
    ListFormat format = ListFormat::text;
    std::int64_t added = 0, joined = 0, own = 0, covered = 0, excepted = 0;  // of `domains`
    std::int64_t accounts = 0, following = 0, followers = 0, people = 0;
    std::vector<LosingPerson> losing_most;
    std::vector<PreviewedDomain> domains;
    std::vector<RefusedLine> refused;
};
DESCRIBE(
    ListPreview, format, added, joined, own, covered, excepted, accounts, following, followers, people,
    losing_most, domains, refused
)

ListPreview preview(db::Read&, const ServerList&);
ListPreview preview(db::Read&, ListPlan);

}  // namespace moderation

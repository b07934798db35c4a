// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/report.hpp"

#include "base/json_read.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/moderation/report_ap.hpp"

#include <algorithm>
#include <map>

namespace moderation {

namespace {

struct Forwarding {
    std::string comment, status_ids, collection_ids, forward_to;
};
DESCRIBE(Forwarding, comment, status_ids, collection_ids, forward_to)

struct Answered {
    AccountId id;
    std::string domain;
};
DESCRIBE(Answered, id, domain)

}  // namespace

const db::Query<Forwarding> forwarding_of_report{
    "forwarding_of_report",
    "SELECT comment, status_ids, collection_ids, forward_to FROM reports WHERE id = $1"
};
// accounts belongs to accounts.
const db::Query<Answered> answered_by_statuses{
    "answered_by_statuses",
    R"(SELECT DISTINCT a.id, a.domain FROM statuses s JOIN accounts a ON a.id = s.in_reply_to_account_id
       WHERE s.id IN LIST($1) AND a.domain <> '' ORDER BY a.id)"
};

void forward_report(db::Write& db, const Reported& e) {
    auto reporter = accounts::find_account(db, e.account);
    auto report = db.maybe(forwarding_of_report, e.report);
    if (!reporter || !reporter->local() || !report) return;
    auto to = base::json::read<std::vector<std::string>>(report->forward_to);
    if (to.empty()) return;
    auto statuses = base::json::read<std::vector<StatusId>>(report->status_ids);
    auto target = accounts::account(db, e.target);
    // One of each server.
    std::map<std::string, AccountId> heard{{target.domain, target.id}};
    for (const auto& answered : db.all(answered_by_statuses, statuses))
        heard.try_emplace(answered.domain, answered.id);
    std::vector<std::string> inboxes;
    for (const auto& domain : to)
        if (auto one = heard.find(domain); one != heard.end())
            if (auto inbox = federation::inbox_of(db, one->second); !inbox.empty()) inboxes.push_back(inbox);
    if (inboxes.empty()) return;
    federation::OutgoingActivity out;
    out.signer = base::uris::server_actor;
    out.object = "report " + std::to_string(e.report.value);
    auto reported_collections = base::json::read<std::vector<CollectionId>>(report->collection_ids);
    out.body = flag_activity(db, target, report->comment, statuses, reported_collections);
    federation::send(db, out, inboxes);
}

}  // namespace moderation

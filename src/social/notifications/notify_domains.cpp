// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notify_domains.hpp"

#include "social/notifications/notify.hpp"

namespace notifications {

void notify_severed(db::Write& db, const relationships::Severed& e) {
    notify(db, {e.account, e.account, Type::severed_relationships, {}, e.severance.value});
}

void withdraw_severed(db::Write& db, const relationships::FollowersSevered& e) {
    withdraw_of(db, {e.account, {}, Type::follow}, e.followers);
}

JsonById render_severances(db::Read& db, const statuses::Audience&, const std::vector<std::int64_t>& ids) {
    std::vector<relationships::SeveranceId> wanted;
    for (auto id : ids) wanted.push_back({id});
    JsonById out;
    for (const auto& event : relationships::severances(db, wanted))
        out.emplace(event.id.value, base::json::to_string(event));
    return out;
}

const db::Query<AccountId> senders_of_domain{
    "senders_of_domain",
    R"(SELECT a.id FROM (SELECT from_account_id AS sender FROM notifications WHERE account_id = $1
                         UNION SELECT from_account_id FROM notification_requests WHERE account_id = $1
                         UNION SELECT from_account_id FROM notification_permissions WHERE account_id = $1) x
       JOIN accounts a ON a.id = x.sender WHERE a.domain = $2 LIMIT $3)"
};

void forget_domain(db::Write& db, const relationships::DomainBlocked& e) {
    continue_forgetting_domain(db, {e.account, e.domain});
}

void continue_forgetting_domain(db::Write& db, const ForgetDomainContinued& left) {
    constexpr int chunk = 100;
    auto senders = db.all(senders_of_domain, left.account, left.domain, chunk);
    for (auto sender : senders) forget_from(db, left.account, sender);
    if (senders.size() == chunk) db.emit(left);
}

}  // namespace notifications

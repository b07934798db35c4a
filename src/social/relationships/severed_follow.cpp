// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/severed_follow.hpp"

#include "base/json_read.hpp"
#include "social/instance/domain_block.hpp"

#include <algorithm>

namespace relationships {

namespace {

// Each one causes a Follow and its delivery.
constexpr int follows_at_a_time = 20, events_at_a_time = 200;

struct EventOf {
    SeveranceId id;
    AccountId account;
};
DESCRIBE(EventOf, id, account)

}  // namespace

const db::Command keep_severed_follow{
    "keep_severed_follow",
    R"(INSERT INTO severed_follows (severance_id, target_id, theirs, account_id, show_reblogs, notify, languages)
       SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS BOOLEAN), CAST($4 AS BIGINT), show_reblogs, notify,
              languages
       FROM follows WHERE account_id = $5 AND target_id = $6
       ON CONFLICT (severance_id, theirs, target_id) DO NOTHING)"
};

void keep_severed(db::Write& db, SeveranceId id, AccountId here, AccountId there, bool theirs) {
    db.run(keep_severed_follow, id, there, theirs, here, theirs ? there : here, theirs ? here : there);
}

#define SEVERANCES \
    "SELECT id, type, purged, target_name, followers_count, following_count, created_at FROM severances "
const db::Query<Severance> severances_down{
    "severances_down", SEVERANCES "WHERE account_id = $4 AND id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<Severance> severances_up{
    "severances_up", SEVERANCES "WHERE account_id = $4 AND id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<Severance> severance_by_owner{
    "severance_by_owner", SEVERANCES "WHERE id = $1 AND account_id = $2"
};

std::vector<Severance> severances_of(db::Read& db, AccountId account, const base::Range& r) {
    auto found = db.all(r.ascending ? severances_up : severances_down, r.below, r.above, r.limit, account);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

Severance severance_of(db::Read& db, AccountId account, SeveranceId id) {
    return db.one(severance_by_owner, id, account);
}

// The table accounts belongs to accounts.
const db::Query<SeveredFollow> severed_follows_of_event{
    "severed_follows_of_event",
    R"(SELECT f.target_id, CASE WHEN a.domain = '' THEN a.username ELSE a.username || '@' || a.domain END AS acct,
              f.show_reblogs, f.notify, f.languages
       FROM severed_follows f JOIN accounts a ON a.id = f.target_id
       WHERE f.severance_id = $1 AND f.theirs = $2 ORDER BY f.target_id)"
};

std::vector<SeveredFollow> severed_follows(db::Read& db, SeveranceId id, bool theirs) {
    return db.all(severed_follows_of_event, id, theirs);
}

// Restoring.

const db::Query<SeveredFollow> next_severed_follows{
    "next_severed_follows",
    R"(SELECT target_id, '' AS acct, show_reblogs, notify, languages FROM severed_follows
       WHERE severance_id = $1 AND theirs = FALSE AND target_id > $2 ORDER BY target_id LIMIT $3)"
};
const db::Query<EventOf> severances_with_server{
    "severances_with_server",
    R"(SELECT id, account_id AS account FROM severances WHERE type = 'domain_block' AND target_name = $1 AND id >= $2
       ORDER BY id LIMIT $3)"
};

void restore_severed(db::Write& db, AccountId account, SeveranceId id) {
    if (severance_of(db, account, id).purged) throw base::Invalid("Nothing is left of these follows");
    db.emit(RestoringContinued{id, account, {}});
}

namespace {

std::string handle(const db::Read& db, const SeveredFollow& one) {
    return one.acct.find('@') == std::string::npos ? one.acct + "@" + db.site().domain : one.acct;
}

std::string languages(const SeveredFollow& one) {
    if (!one.languages) return {};
    std::string out;
    for (const auto& code : base::json::read<std::vector<std::string>>(*one.languages))
        out += (out.empty() ? "" : ", ") + code;
    return out.find(',') == std::string::npos ? out : '"' + out + '"';
}

}  // namespace

std::string severed_csv(db::Read& db, SeveranceId id, bool theirs) {
    std::string out =
        theirs ? "Account address\n" : "Account address,Show boosts,Notify on new posts,Languages\n";
    for (const auto& one : severed_follows(db, id, theirs)) {
        out += handle(db, one);
        if (!theirs)
            out += std::string(one.show_reblogs ? ",true" : ",false") + (one.notify ? ",true," : ",false,") +
                   languages(one);
        out += '\n';
    }
    return out;
}

bool restore_one(db::Write& db, AccountId account, const SeveredFollow& one) {
    FollowOptions options{one.show_reblogs, one.notify, {}};
    if (one.languages) options.languages = base::json::read<std::vector<std::string>>(*one.languages);
    try {
        return follow(db, account, one.target_id, options);
    } catch (const base::Error&) {
        return false;  // blocked, moved or deleted meanwhile: it stays in the list
    }
}

void continue_restoring(db::Write& db, const RestoringContinued& left) {
    auto found = db.all(next_severed_follows, left.severance, left.after, follows_at_a_time);
    for (const auto& one : found) restore_one(db, left.account, one);
    if (std::ssize(found) == follows_at_a_time)
        db.emit(RestoringContinued{left.severance, left.account, found.back().target_id});
}

void restore_server(db::Write& db, std::string_view domain) {
    if (instance::limit_on(db, domain).suspended) throw base::Invalid("This server is suspended");
    db.emit(ServerRestoring{std::string(domain), {}});
}

void continue_restoring_server(db::Write& db, const ServerRestoring& left) {
    auto events = db.all(severances_with_server, left.domain, left.next, events_at_a_time);
    for (const auto& event : events) db.emit(RestoringContinued{event.id, event.account, {}});
    if (std::ssize(events) == events_at_a_time)
        db.emit(ServerRestoring{left.domain, SeveranceId{events.back().id.value + 1}});
}

// Deleting.

const db::Command purge_severance{
    "purge_severance", "UPDATE severances SET purged = TRUE WHERE id IN LIST($1)"
};
const db::Command forget_severed_follows{
    "forget_severed_follows",
    R"(DELETE FROM severed_follows WHERE (severance_id, theirs, target_id) IN (
           SELECT severance_id, theirs, target_id FROM severed_follows WHERE severance_id IN LIST($1) LIMIT 500))"
};

bool forget_severed(db::Write& db, const std::vector<SeveranceId>& events) {
    if (db.run(forget_severed_follows, events) != 0) return true;
    db.run(purge_severance, events);
    return false;
}

void begin_forgetting_severed(db::Write& db, const accounts::ServerPurged& e) {
    continue_forgetting_severed(db, {e.domain, {}});
}

void continue_forgetting_severed(db::Write& db, const SeveredForgotten& left) {
    auto events = db.all(severances_with_server, left.domain, left.next, events_at_a_time);
    if (events.empty()) return;
    std::vector<SeveranceId> ids;
    for (const auto& event : events) ids.push_back(event.id);
    if (forget_severed(db, ids)) return db.emit(left);
    if (std::ssize(events) == events_at_a_time)
        db.emit(SeveredForgotten{left.domain, SeveranceId{ids.back().value + 1}});
}

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/uris.hpp"
#include "db/lock.hpp"
#include "social/relationships/relationship.hpp"

#include <algorithm>

namespace relationships {

const db::Query<PairState> pair_state_of{
    "pair_state_of",
    R"(SELECT EXISTS (SELECT 1 FROM follows WHERE account_id = $1 AND target_id = $2) AS following,
              EXISTS (SELECT 1 FROM follow_requests WHERE account_id = $1 AND target_id = $2) AS requested,
              EXISTS (SELECT 1 FROM blocks WHERE account_id = $1 AND target_id = $2) AS blocking,
              EXISTS (SELECT 1 FROM blocks WHERE account_id = $2 AND target_id = $1) AS blocked_by,
              EXISTS (SELECT 1 FROM user_domain_blocks d JOIN accounts a ON a.domain = d.domain
                      WHERE d.account_id = $1 AND a.id = $2) AS blocking_domain)"
};

PairState pair_state(db::Read& db, AccountId account, AccountId target) {
    return db.one(pair_state_of, account, target);
}

namespace {

// Whatever is decided about two accounts, by either of them.
db::Lock between(AccountId one, AccountId other) {
    return db::alone("pair", std::min(one, other), std::max(one, other));
}

constexpr std::int64_t follow_limit = 7500;

std::optional<std::string> languages_json(const FollowOptions& options) {
    if (!options.languages || options.languages->empty()) return std::nullopt;
    return base::json::to_string(*options.languages);
}

// Above the base limit one may follow a tenth more accounts than follow one.
void check_limit(const accounts::Account& me) {
    if (me.following_count < follow_limit) return;
    auto allowed = std::max(follow_limit, me.followers_count + me.followers_count / 10);
    if (me.following_count >= allowed)
        throw base::Invalid(
            "Validation failed: You cannot follow more than " + std::to_string(allowed) + " people"
        );
}

}  // namespace

const db::Command insert_follow{
    "insert_follow",
    R"(INSERT INTO follows (id, account_id, target_id, show_reblogs, notify, languages, backfill_below, created_at, uri)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9))"
};

namespace {

struct Request {
    AccountId account_id;
    bool show_reblogs = true, notify = false;
    std::optional<std::string> languages, uri;
};
DESCRIBE(Request, account_id, show_reblogs, notify, languages, uri)

std::optional<std::string> given(std::string_view uri) {
    if (uri.empty()) return std::nullopt;
    return std::string(uri);
}

void begin_follow(db::Write& db, AccountId target, const Request& request) {
    auto id = db.new_id<FollowId>();
    auto me = request.account_id;
    // Ids of statuses grow, so everything the target wrote so far lies below this one.
    db.run(
        insert_follow,
        id,
        me,
        target,
        request.show_reblogs,
        request.notify,
        request.languages,
        id,
        db.now(),
        request.uri
    );
    accounts::count_follow(db, me, target, 1);
    accounts::touch_relations(db, me);
    db.emit(Followed{id, me, target});
}

}  // namespace

const db::Command update_follow{
    "update_follow",
    R"(UPDATE follows SET show_reblogs = COALESCE(CAST($3 AS BOOLEAN), show_reblogs), notify = COALESCE(CAST($4 AS BOOLEAN), notify),
           languages = CASE WHEN CAST($5 AS BOOLEAN) THEN CAST($6 AS TEXT) ELSE languages END
       WHERE account_id = $1 AND target_id = $2)"
};
const db::Command update_follow_request{
    "update_follow_request",
    R"(UPDATE follow_requests SET show_reblogs = COALESCE(CAST($3 AS BOOLEAN), show_reblogs),
           notify = COALESCE(CAST($4 AS BOOLEAN), notify), languages = CASE WHEN CAST($5 AS BOOLEAN) THEN CAST($6 AS TEXT) ELSE languages END
       WHERE account_id = $1 AND target_id = $2)"
};
const db::Command insert_follow_request{
    "insert_follow_request",
    R"(INSERT INTO follow_requests (id, account_id, target_id, show_reblogs, notify, languages, created_at, uri)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};
const db::Command rename_follow{
    "rename_follow", "UPDATE follows SET uri = $3 WHERE account_id = $1 AND target_id = $2"
};
const db::Command rename_follow_request{
    "rename_follow_request", "UPDATE follow_requests SET uri = $3 WHERE account_id = $1 AND target_id = $2"
};

namespace {

void ask_to_follow(db::Write& db, AccountId target, const Request& request) {
    db.run(
        insert_follow_request,
        db.new_id<FollowRequestId>(),
        request.account_id,
        target,
        request.show_reblogs,
        request.notify,
        request.languages,
        db.now(),
        request.uri
    );
}

}  // namespace

bool follow(
    db::Write& db, AccountId me, AccountId target, const FollowOptions& options, std::string_view uri
) {
    if (me == target) throw base::Forbidden("Following your own account is not allowed");
    db.lock({between(me, target), db::alone("following", me)});
    db.expect(pair_state_of, me, target);
    db.expect(pair_state_of, target, me);
    accounts::expect_account(db, me);
    auto them = accounts::account(db, target);
    if (them.suspended_at) throw base::NotFound();
    auto pair = pair_state(db, me, target);
    if (pair.blocking || pair.blocked_by || pair.blocking_domain || them.moved_to_id) throw base::Forbidden();
    if (pair_state(db, target, me).blocking_domain) throw base::Forbidden();
    if (pair.following || pair.requested) {
        const auto& update = pair.following ? update_follow : update_follow_request;
        db.run(
            update,
            me,
            target,
            options.reblogs,
            options.notify,
            options.languages.has_value(),
            languages_json(options)
        );
        if (!uri.empty()) db.run(pair.following ? rename_follow : rename_follow_request, me, target, uri);
        accounts::touch_relations(db, me);
        return false;
    }
    auto follower = accounts::account(db, me);
    if (follower.local()) check_limit(follower);
    Request wanted{
        me,
        options.reblogs.value_or(true),
        options.notify.value_or(false),
        languages_json(options),
        given(uri)
    };
    if (!them.locked && !follower.silenced_at && them.local()) {
        begin_follow(db, target, wanted);
        return true;
    }
    ask_to_follow(db, target, wanted);
    db.emit(FollowRequested{me, target});
    return true;
}

struct Ended {
    std::int64_t id = 0;
    std::string uri;
};
DESCRIBE(Ended, id, uri)

const db::Query<Ended> end_of_follow{
    "end_of_follow",
    "DELETE FROM follows WHERE account_id = $1 AND target_id = $2 RETURNING id, COALESCE(uri, '') AS uri"
};
const db::Query<Ended> end_of_follow_request{
    "end_of_follow_request",
    "DELETE FROM follow_requests WHERE account_id = $1 AND target_id = $2 RETURNING id, COALESCE(uri, '') AS "
    "uri"
};

namespace {

void end_follow(db::Write& db, AccountId follower, AccountId target, bool refused) {
    auto ended = db.all(end_of_follow, follower, target);
    if (ended.empty()) return;
    db.run(delete_endorsement, follower, target);
    accounts::count_follow(db, follower, target, -1);
    accounts::touch_relations(db, follower);
    db.emit(Unfollowed{follower, target, refused, {ended[0].id}, ended[0].uri});
}

// Nothing: there was no request.
std::optional<FollowRequestId> end_request(
    db::Write& db, AccountId requester, AccountId target, bool accepted, bool taken_back
) {
    auto ended = db.all(end_of_follow_request, requester, target);
    if (ended.empty()) return std::nullopt;
    FollowRequestId id{ended[0].id};
    db.emit(FollowRequestAnswered{requester, target, accepted, taken_back, id, ended[0].uri});
    return id;
}

}  // namespace

void unfollow(db::Write& db, AccountId me, AccountId target) {
    db.lock({between(me, target)});
    end_request(db, me, target, false, true);
    end_follow(db, me, target, false);
}

void remove_follower(db::Write& db, AccountId me, AccountId follower) {
    db.lock({between(me, follower)});
    end_follow(db, follower, me, true);
}

void refuse(db::Write& db, AccountId me, AccountId follower) {
    db.lock({between(me, follower)});
    end_request(db, follower, me, false, false);
    remove_follower(db, me, follower);
}

const db::Query<Request> follow_request_of{
    "follow_request_of",
    R"(SELECT account_id, show_reblogs, notify, languages, uri FROM follow_requests
       WHERE account_id = $1 AND target_id = $2)"
};

namespace {

// The id that a request of ours was sent to another server with.
std::optional<std::string> sent_as(db::Read& db, AccountId requester, AccountId target, FollowRequestId id) {
    auto follower = accounts::account(db, requester);
    if (!follower.local() || accounts::account(db, target).local()) return std::nullopt;
    return base::uris::action(accounts::uri_of(db.site(), follower), "follows", id.value);
}

}  // namespace

void authorize_request(db::Write& db, AccountId me, AccountId requester) {
    db.lock({between(me, requester)});
    auto request = db.one(follow_request_of, requester, me);
    auto ended = end_request(db, requester, me, true, false);
    // The follow has a number of its own, but the other server knows that of the request.
    if (!request.uri && ended) request.uri = sent_as(db, requester, me, *ended);
    begin_follow(db, me, request);
}

void reject_request(db::Write& db, AccountId me, AccountId requester) {
    db.lock({between(me, requester)});
    if (!end_request(db, requester, me, false, false)) throw base::NotFound();
}

const db::Query<Request> follow_of{
    "follow_of",
    R"(SELECT account_id, show_reblogs, notify, languages, uri FROM follows
       WHERE account_id = $1 AND target_id = $2)"
};

void withdraw_acceptance(db::Write& db, AccountId me, AccountId follower) {
    auto request = db.maybe(follow_of, follower, me);
    if (!request) return;
    end_follow(db, follower, me, true);
    ask_to_follow(db, me, *request);
}

const db::Query<AccountPair> follow_by_uri{
    "follow_by_uri",
    R"(SELECT account_id AS account, target_id AS target FROM follows WHERE uri = $1
       UNION ALL SELECT account_id, target_id FROM follow_requests WHERE uri = $1 LIMIT 1)"
};

std::optional<AccountPair> followed_by(db::Read& db, std::string_view uri) {
    if (uri.empty()) return std::nullopt;
    return db.maybe(follow_by_uri, uri);
}

const db::Query<AccountPair> follow_request_by_number{
    "follow_request_by_number",
    "SELECT account_id AS account, target_id AS target FROM follow_requests WHERE id = $1"
};

std::optional<AccountPair> followed_by_number(db::Read& db, FollowRequestId id) {
    return db.maybe(follow_request_by_number, id);
}

const db::Query<Backfill> backfills_of{
    "backfills_of",
    R"(SELECT id AS follow, target_id AS target, backfill_below AS below FROM follows
       WHERE account_id = $1 AND backfill_below > 0)"
};

std::vector<Backfill> backfills(db::Read& db, AccountId follower) { return db.all(backfills_of, follower); }

const db::Query<Backfill> backfill_of{
    "backfill_of",
    "SELECT id AS follow, target_id AS target, backfill_below AS below FROM follows WHERE id = $1"
};

std::optional<Backfill> backfill(db::Read& db, FollowId id) { return db.maybe(backfill_of, id); }

const db::Command move_backfill{"move_backfill", "UPDATE follows SET backfill_below = $2 WHERE id = $1"};

void set_backfill(db::Write& db, FollowId id, std::int64_t below) { db.run(move_backfill, id, below); }

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/list_severing.hpp"

#include "social/accounts/remote/server_limits.hpp"
#include "social/relationships/severed_follow.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace relationships {

namespace {

struct TieFound {
    base::FollowId id;
    AccountId there;
};
DESCRIBE(TieFound, id, there)

}  // namespace

const db::Command insert_list_servers{
    "insert_list_servers",
    R"(INSERT INTO list_servers (batch_id, domain) SELECT $1, value FROM json_each($2) WHERE TRUE
       ON CONFLICT (batch_id, domain) DO NOTHING)",
    R"(INSERT INTO list_servers (batch_id, domain) SELECT CAST($1 AS BIGINT), value FROM unnest($2::text[]) value
       ON CONFLICT (batch_id, domain) DO NOTHING)"
};
const db::Query<std::string> list_servers_after{
    "list_servers_after",
    "SELECT domain FROM list_servers WHERE batch_id = $1 AND domain > $2 ORDER BY domain LIMIT $3"
};

void note_list_servers(db::Write& db, ListBatchId batch, const std::vector<std::string>& servers) {
    if (!servers.empty()) db.run(insert_list_servers, batch, servers);
}

std::vector<std::string> servers_of_list(db::Read& db, ListBatchId batch, std::string_view after, int limit) {
    return db.all(list_servers_after, batch, after, limit);
}

// People.

const db::Query<AccountId> tied_people{
    "tied_people",
    R"(SELECT t.here FROM (
           SELECT account_id AS here FROM follows WHERE target_id IN LIST($2)
           UNION SELECT target_id FROM follows WHERE account_id IN LIST($2)
           UNION SELECT account_id FROM follow_requests WHERE target_id IN LIST($2)
           UNION SELECT target_id FROM follow_requests WHERE account_id IN LIST($2)) t
       WHERE NOT EXISTS (SELECT 1 FROM list_people p WHERE p.batch_id = $1 AND p.account_id = t.here))"
};
const db::Command insert_list_person{
    "insert_list_person",
    R"(INSERT INTO list_people (batch_id, account_id, severance_id) VALUES ($1, $2, $3)
       ON CONFLICT (batch_id, account_id) DO NOTHING)"
};
const db::Query<ListPerson> list_people_from{
    "list_people_from",
    R"(SELECT account_id AS account, severance_id AS severance FROM list_people
       WHERE batch_id = $1 AND account_id >= $2 ORDER BY account_id LIMIT $3)"
};
const db::Query<ListPerson> list_losers_after{
    "list_losers_after",
    R"(SELECT account_id AS account, severance_id AS severance FROM list_people p
       WHERE batch_id = $1 AND account_id > $2 AND EXISTS (SELECT 1 FROM severances s WHERE s.id = p.severance_id)
       ORDER BY account_id LIMIT $3)"
};

std::vector<AccountId> people_tied_to(db::Read& db, ListBatchId batch, const std::vector<AccountId>& there) {
    return db.all(tied_people, batch, there);
}

void note_list_person(db::Write& db, ListBatchId batch, AccountId account) {
    db.run(insert_list_person, batch, account, db.new_id<SeveranceId>());
}

std::vector<ListPerson> people_of_list(db::Read& db, ListBatchId batch, AccountId from, int limit) {
    return db.all(list_people_from, batch, from, limit);
}

std::vector<ListPerson> losers_of_list(db::Read& db, ListBatchId batch, AccountId after, int limit) {
    return db.all(list_losers_after, batch, after, limit);
}

// Ties.

// The table accounts belongs to accounts. Reading each account in an order of its own keeps PostgreSQL from
// starting with all suspended accounts.
#define TIES_OF_PERSON(table, here, there)                                                                \
    "SELECT f.id, f." there " AS there FROM " table " f CROSS JOIN accounts a ON a.id = f." there         \
    " WHERE f." here                                                                                      \
    " = $2 AND f.id > $3 AND a.suspended_at IS NOT NULL AND EXISTS (SELECT 1 FROM "                       \
    "list_servers s WHERE s.batch_id = $1 AND s.domain = a.domain) ORDER BY f.id LIMIT $4",               \
        "SELECT f.id, f." there " AS there FROM " table                                                   \
        " f CROSS JOIN LATERAL (SELECT domain FROM "                                                      \
        "accounts WHERE id = f." there                                                                    \
        " AND suspended_at IS NOT NULL OFFSET 0) a CROSS JOIN LATERAL "                                   \
        "(SELECT 1 FROM list_servers WHERE batch_id = $1 AND domain = a.domain OFFSET 0) s WHERE f." here \
        " = $2 AND f.id > $3 ORDER BY f.id LIMIT $4"
const db::Query<TieFound> list_ties_following{
    "list_ties_following", TIES_OF_PERSON("follows", "account_id", "target_id")
};
const db::Query<TieFound> list_ties_followers{
    "list_ties_followers", TIES_OF_PERSON("follows", "target_id", "account_id")
};
const db::Query<TieFound> list_ties_asking{
    "list_ties_asking", TIES_OF_PERSON("follow_requests", "account_id", "target_id")
};
const db::Query<TieFound> list_ties_asked{
    "list_ties_asked", TIES_OF_PERSON("follow_requests", "target_id", "account_id")
};

namespace {

const db::Query<TieFound>& ties(TieKind kind) {
    switch (kind) {
        case TieKind::following: return list_ties_following;
        case TieKind::followers: return list_ties_followers;
        case TieKind::asking: return list_ties_asking;
        case TieKind::asked: break;
    }
    return list_ties_asked;
}

}  // namespace

std::vector<ListTie> ties_of_person(
    db::Read& db, ListBatchId batch, const ListPerson& person, TieKind kind, std::int64_t after, int limit
) {
    std::vector<ListTie> out;
    db.each(
        ties(kind),
        [&](const TieFound& found) { out.push_back({found.id, kind, person, found.there}); },
        batch,
        person.account,
        after,
        limit
    );
    return out;
}

// list_people contains the event of each person. CROSS JOIN keeps SQLite from starting with all people of the
// list.
#define KEEP_SEVERED(here, there, theirs)                                                              \
    "INSERT INTO severed_follows (severance_id, target_id, theirs, account_id, show_reblogs, notify, " \
    "languages) SELECT p.severance_id, f." there ", " theirs ", f." here                               \
    ", f.show_reblogs, f.notify, f.languages FROM follows f CROSS JOIN list_people p "                 \
    "WHERE f.id IN LIST($2) AND p.batch_id = $1 AND p.account_id = f." here                            \
    " ON CONFLICT (severance_id, theirs, target_id) DO NOTHING"
const db::Command keep_following_of_list{
    "keep_following_of_list", KEEP_SEVERED("account_id", "target_id", "FALSE")
};
const db::Command keep_followers_of_list{
    "keep_followers_of_list", KEEP_SEVERED("target_id", "account_id", "TRUE")
};
const db::Query<base::FollowId> end_follows_of_list{
    "end_follows_of_list", "DELETE FROM follows WHERE id IN LIST($1) RETURNING id"
};
const db::Query<AccountId> who_endorses{
    "who_endorses", R"(SELECT account_id FROM endorsements WHERE account_id IN LIST($1) GROUP BY account_id)"
};
const db::Command delete_endorsements_of_list{
    "delete_endorsements_of_list", "DELETE FROM endorsements WHERE account_id = $1 AND target_id IN LIST($2)"
};

namespace {

bool is_follow(const ListTie& tie) {
    return tie.kind == TieKind::following || tie.kind == TieKind::followers;
}

void end_request(db::Write& db, const ListTie& tie) {
    if (tie.kind == TieKind::asking) unfollow(db, tie.person.account, tie.there);
    else refuse(db, tie.person.account, tie.there);
}

}  // namespace

void put_in_order(std::vector<ListTie>& ties) {
    std::ranges::sort(ties, {}, [](const ListTie& tie) {
        return std::tuple(!is_follow(tie), tie.there, tie.id);
    });
}

std::span<const ListTie> next_ties(std::span<const ListTie> all) {
    // The end of a request has reactions of its own, so it is more expensive.
    constexpr std::size_t follows = 100, requests = 25;
    const auto count = static_cast<std::size_t>(std::ranges::find_if_not(all, is_follow) - all.begin());
    return all.first(std::min(count > 0 ? std::min(count, follows) : requests, all.size()));
}

namespace {

// Accounts that are no longer followed cannot be endorsed.
void end_endorsements(
    db::Write& db, std::span<const ListTie> ties, const std::unordered_set<base::FollowId>& ended
) {
    std::map<AccountId, std::vector<AccountId>> followed;
    for (const auto& tie : ties)
        if (tie.kind == TieKind::following && ended.contains(tie.id))
            followed[tie.person.account].push_back(tie.there);
    if (followed.empty()) return;
    std::vector<AccountId> people;
    for (const auto& [person, _] : followed) people.push_back(person);
    // Endorsements are rare.
    for (const auto person : db.all(who_endorses, people))
        db.run(delete_endorsements_of_list, person, followed[person]);
}

}  // namespace

void sever(db::Write& db, ListBatchId batch, std::span<const ListTie> ties, TiesEnded& out) {
    std::vector<base::FollowId> following, followers;
    for (const auto& tie : ties) {
        if (tie.kind == TieKind::following) following.push_back(tie.id);
        else if (tie.kind == TieKind::followers) followers.push_back(tie.id);
        else end_request(db, tie);
    }
    if (!following.empty()) db.run(keep_following_of_list, batch, following);
    if (!followers.empty()) db.run(keep_followers_of_list, batch, followers);
    std::vector<base::FollowId> all = std::move(following);
    all.insert(all.end(), followers.begin(), followers.end());
    if (all.empty()) return;
    std::unordered_set<base::FollowId> ended;
    for (const auto id : db.all(end_follows_of_list, all)) ended.insert(id);
    end_endorsements(db, ties, ended);
    for (const auto& tie : ties) {
        if (!ended.contains(tie.id)) continue;
        const bool followed = tie.kind == TieKind::following;
        auto& person = out.people[tie.person.account];
        person.event = tie.person.severance;
        (followed ? person.following : person.followers).push_back(tie.there);
        (followed ? out.lost_follower : out.lost_followed).push_back(tie.there);
    }
}

FollowsEnded conclude(db::Write& db, std::string_view list, const TiesEnded& ended) {
    FollowsEnded out;
    FollowsSevered severed;
    auto followers = ended.lost_followed, followed = ended.lost_follower;
    for (const auto& [account, lost] : ended.people) {
        const auto following_count = std::ssize(lost.following), followers_count = std::ssize(lost.followers);
        followers.insert(followers.end(), lost.following.size(), account);
        followed.insert(followed.end(), lost.followers.size(), account);
        out.following += following_count;
        out.followers += followers_count;
        count_losses(
            db, lost.event, account, SeveranceType::domain_block, list, followers_count, following_count
        );
        if (following_count > 0) {
            accounts::touch_relations(db, account);
            severed.people.push_back({account, lost.following});
        }
        if (followers_count > 0) db.emit(FollowersSevered{account, lost.followers});
    }
    accounts::count_follows_ended(db, followers, followed);
    if (!severed.people.empty()) db.emit(severed);
    return out;
}

std::vector<AccountId> all_targets(const FollowsSevered& severed) {
    std::vector<AccountId> out;
    for (const auto& one : severed.people) out.insert(out.end(), one.targets.begin(), one.targets.end());
    return out;
}

// Restoring.

const db::Query<AccountId> severed_targets_after{
    "severed_targets_after",
    R"(SELECT target_id FROM severed_follows WHERE severance_id = $1 AND theirs = FALSE AND target_id > $2
       ORDER BY target_id LIMIT $3)"
};
const db::Query<SeveredFollow> severed_follow_of{
    "severed_follow_of",
    R"(SELECT target_id, '' AS acct, show_reblogs, notify, languages FROM severed_follows
       WHERE severance_id = $1 AND theirs = FALSE AND target_id = $2)"
};

std::vector<AccountId> severed_by_list(db::Read& db, SeveranceId event, AccountId after, int limit) {
    return db.all(severed_targets_after, event, after, limit);
}

bool follow_again(db::Write& db, const ListPerson& who, AccountId there) {
    const auto kept = db.maybe(severed_follow_of, who.severance, there);
    return kept && restore_one(db, who.account, *kept);
}

// Deleting.

const db::Command delete_list_people{
    "delete_list_people", R"(DELETE FROM list_people WHERE batch_id = $1 AND account_id IN LIST($2))"
};
const db::Command delete_list_servers{
    "delete_list_servers",
    R"(DELETE FROM list_servers WHERE batch_id = $1 AND domain IN (
           SELECT domain FROM list_servers WHERE batch_id = $1 ORDER BY domain LIMIT 500))"
};

bool forget_list(db::Write& db, ListBatchId batch) {
    constexpr int people_at_a_time = 50;
    std::vector<SeveranceId> events;
    std::vector<AccountId> people;
    for (const auto& one : people_of_list(db, batch, {}, people_at_a_time)) {
        events.push_back(one.severance);
        people.push_back(one.account);
    }
    if (people.empty()) return db.run(delete_list_servers, batch) > 0;
    if (!forget_severed(db, events)) db.run(delete_list_people, batch, people);
    return true;
}

const db::Command drop_own_list_people{
    "drop_own_list_people",
    R"(DELETE FROM list_people WHERE (batch_id, account_id) IN (
           SELECT batch_id, account_id FROM list_people WHERE account_id = $1 LIMIT $2))"
};

}  // namespace relationships

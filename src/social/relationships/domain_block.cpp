// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/domain_block.hpp"

#include "base/text/host.hpp"
#include "social/relationships/severed_follow.hpp"

namespace relationships {

const db::Command insert_domain_block{
    "insert_domain_block",
    R"(INSERT INTO user_domain_blocks (id, account_id, domain, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, domain) DO NOTHING)"
};

void block_domain(db::Write& db, AccountId me, std::string_view given) {
    auto domain = base::text::normalized_domain(given);
    if (!domain) throw base::Invalid("Validation failed: Domain is not a valid domain name");
    if (db.run(insert_domain_block, db.new_id<base::BlockId>(), me, *domain, db.now()) == 0) return;
    accounts::touch_relations(db, me);
    db.emit(DomainBlocked{db.new_id<SeveranceId>(), me, *domain});
}

const db::Command delete_domain_block{
    "delete_domain_block", "DELETE FROM user_domain_blocks WHERE account_id = $1 AND domain = $2"
};

void unblock_domain(db::Write& db, AccountId me, std::string_view given) {
    auto domain = base::text::normalized_domain(given);
    if (domain && db.run(delete_domain_block, me, *domain) > 0) accounts::touch_relations(db, me);
}

const db::Query<BlockedDomain> list_domain_blocks{
    "list_domain_blocks",
    R"(SELECT id AS cursor, domain FROM user_domain_blocks WHERE account_id = $1 AND id > $2 AND id < $3
       ORDER BY id DESC LIMIT $4)"
};

std::vector<BlockedDomain> domain_blocks(db::Read& db, AccountId account, const base::Range& page) {
    return db.all(list_domain_blocks, account, page.above, page.below, page.limit);
}

const db::Query<Losses> count_domain_follows{
    "count_domain_follows",
    R"(SELECT (SELECT count(*) FROM follows f JOIN accounts a ON a.id = f.target_id
               WHERE f.account_id = $1 AND a.domain = $2) AS following_count,
              (SELECT count(*) FROM follows f JOIN accounts a ON a.id = f.account_id
               WHERE f.target_id = $1 AND a.domain = $2) AS followers_count)"
};

Losses losses_by_blocking(db::Read& db, AccountId me, std::string_view given) {
    auto domain = base::text::normalized_domain(given);
    return domain ? db.one(count_domain_follows, me, *domain) : Losses{};
}

namespace {

struct Pair {
    std::int64_t id = 0;
    AccountId account, target;
};
DESCRIBE(Pair, id, account, target)

constexpr int chunk = 200;

}  // namespace

const db::Query<Pair> follows_with_domain{
    "follows_with_domain",
    R"(SELECT f.id, f.account_id AS account, f.target_id AS target FROM follows f JOIN accounts a ON a.id = f.target_id
       WHERE f.account_id = $1 AND f.id > $3 AND a.domain = $2
       UNION ALL
       SELECT f.id, f.account_id, f.target_id FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND f.id > $3 AND a.domain = $2
       ORDER BY 1 LIMIT $4)"
};
const db::Query<Pair> requests_with_domain{
    "requests_with_domain",
    R"(SELECT r.id, r.account_id AS account, r.target_id AS target
       FROM follow_requests r JOIN accounts a ON a.id = r.target_id WHERE r.account_id = $1 AND a.domain = $2
       UNION ALL
       SELECT r.id, r.account_id, r.target_id
       FROM follow_requests r JOIN accounts a ON a.id = r.account_id WHERE r.target_id = $1 AND a.domain = $2
       ORDER BY 1 LIMIT $3)"
};
const db::Query<bool> domain_is_blocked{
    "domain_is_blocked",
    "SELECT EXISTS (SELECT 1 FROM user_domain_blocks WHERE account_id = $1 AND domain = $2)"
};

namespace {

void end(db::Write& db, AccountId me, const Pair& pair) {
    if (pair.account == me) unfollow(db, me, pair.target);
    else refuse(db, me, pair.account);
}

}  // namespace

void begin_severing(db::Write& db, const DomainBlocked& e) {
    continue_severing(db, {e.severance, e.account, e.domain, 0});
}

void continue_severing(db::Write& db, const SeveringContinued& e) {
    if (!db.one(domain_is_blocked, e.account, e.domain)) return;  // unblocked meanwhile
    auto requests = db.all(requests_with_domain, e.account, e.domain, chunk);
    for (const auto& request : requests) end(db, e.account, request);
    auto follows = db.all(follows_with_domain, e.account, e.domain, e.after, chunk);
    std::int64_t following = 0;
    for (const auto& follow : follows) {
        bool theirs = follow.account != e.account;
        keep_severed(db, e.severance, e.account, theirs ? follow.account : follow.target, theirs);
        end(db, e.account, follow);
        if (!theirs) ++following;
    }
    auto followers = static_cast<std::int64_t>(follows.size()) - following;
    count_losses(
        db, e.severance, e.account, SeveranceType::user_domain_block, e.domain, followers, following
    );
    if (follows.size() == chunk || requests.size() == chunk) {
        auto left = e;
        if (!follows.empty()) left.after = follows.back().id;
        db.emit(left);
    } else if (!severances(db, {e.severance}).empty()) {
        db.emit(Severed{e.severance, e.account});
    }
}

}  // namespace relationships

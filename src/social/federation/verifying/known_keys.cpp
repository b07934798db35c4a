// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/verifying/known_keys.hpp"

#include "ap/url.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/verifying/acting_actor.hpp"
#include "social/federation/verifying/fetch_key.hpp"
#include "social/instance/domain_block.hpp"

namespace federation {

namespace {

constexpr std::int64_t memory_seconds = 300;
// Limit of failed key fetches per host in that time, against forged signatures that name it. Keys that
// verified a signature do not count, since a large server may have many new accounts; the HTTP client limits
// the requests to a host in general.
constexpr std::int64_t most_fetched_of_host = 300;
constexpr std::size_t most_claims = 3;

constexpr const char* wrong = "The signature does not fit the request";
constexpr const char* no_key = "The key of the signature could not be fetched now";

struct HeldKey {
    std::string public_key;
    base::Time created_at;
    base::AccountId account_id;
    std::string actor;
    std::optional<base::Time> suspended_at;
};
DESCRIBE(HeldKey, public_key, created_at, account_id, actor, suspended_at)

Authenticated refused(int status, std::string sentence) { return {status, std::move(sentence)}; }

Authenticated signed_by(const HeldKey& key) {
    Authenticated out;
    out.actor = key.actor;
    out.account = key.account_id;
    out.suspended = key.suspended_at.has_value();
    return out;
}

bool fits(const ap::Claim& claim, const std::string& key) {
    auto parsed = parsed_key(key);
    return parsed && ap::holds(claim, *parsed);
}

}  // namespace

// accounts belongs to accounts. Local accounts sign no incoming requests.
const db::Query<HeldKey> held_key{
    "held_key",
    R"(SELECT k.public_key, k.created_at, k.account_id, a.uri AS actor, a.suspended_at
       FROM actor_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = $1 AND a.domain <> '')"
};
const db::Query<FetchedKey> fetched_key{
    "fetched_key",
    R"(SELECT id, host, actor, public_key, fetched_at, 0 AS account, held FROM fetched_keys
       WHERE id = $1 AND fetched_at > $2)"
};
const db::Query<std::int64_t> fetched_of_host{
    "fetched_of_host", "SELECT count(*) FROM fetched_keys WHERE host = $1 AND fetched_at > $2 AND NOT held"
};
namespace {

class Judge {
public:
    Judge(const base::Ask& ask, db::Read& db, const Judging& judging)
        : ask_(ask), db_(db), judging_(judging) {}

    Authenticated judge(const ap::Claim& claim) {
        host_ = ap::host_of(claim.key_id);
        if (host_.empty() || has_our_host(db_.site(), claim.key_id))
            return refused(401, "The key of the signature has no address on another server");
        if (instance::limit_on(db_, host_).suspended) return refused(403, "This server is blocked here");
        auto held = db_.maybe(held_key, claim.key_id);
        if (held && fits(claim, held->public_key)) return signed_by(*held);
        // A key may have been rotated without notice, but not one that was just fetched.
        auto lately = db_.now().plus_seconds(-memory_seconds);
        if (held && held->created_at > lately) return refused(401, wrong);
        if (auto fetched = db_.maybe(fetched_key, claim.key_id, lately))
            return by_fetched(claim, *fetched, held);
        if (judging_.may_ask && !judging_.may_ask(claim.key_id)) return not_asked(claim);
        if (db_.one(fetched_of_host, host_, lately) >= most_fetched_of_host) return not_asked(claim);
        return by_asking(claim, held);
    }

private:
    Authenticated by_fetched(
        const ap::Claim& claim, const FetchedKey& key, const std::optional<HeldKey>& held
    ) {
        if (key.public_key.empty()) return held ? refused(401, wrong) : refused(503, no_key);
        if (!fits(claim, key.public_key)) return refused(401, wrong);
        Authenticated out;
        out.actor = key.actor;
        if (auto known = actor_here(db_, key.actor)) {
            out.account = known->account;
            out.suspended = known->suspended_at.has_value();
        }
        return out;
    }

    Authenticated by_asking(const ap::Claim& claim, const std::optional<HeldKey>& held) {
        auto shown = fetch_key(ask_, db_, claim.key_id);
        if (!shown.asked) return not_asked(claim, shown.retry_after);
        FetchedKey learned{claim.key_id, host_, shown.actor, shown.public_key, db_.now()};
        auto out = by_fetched(claim, learned, held);
        if (shown.nowhere) out = refused(401, "The key of the signature is nowhere to be had");
        if (shown.gone) {
            out = refused(401, "The key of the signature is gone");
            out.gone = held && held->actor == ap::without_fragment(claim.key_id);
            if (out.gone) out.actor = held->actor, out.account = held->account_id;
        }
        learned.account = out.account;
        learned.held = out.ok();
        out.learned = std::move(learned);
        return out;
    }

    Authenticated not_asked(const ap::Claim& claim, std::int64_t retry_after = 0) const {
        auto out = refused(503, no_key);
        out.not_asked = NotAsked{claim.key_id, host_, retry_after};
        return out;
    }

    const base::Ask& ask_;
    db::Read& db_;
    const Judging& judging_;
    std::string host_;
};

}  // namespace

Authenticated authenticate(
    const base::Ask& ask, db::Read& db, const ap::SignedRequest& request, const Judging& judging
) {
    auto reading = ap::read_signature(request, judging.received_at.value_or(db.now()));
    if (reading.claims.empty()) return refused(reading.refusal.status, reading.refusal.sentence);
    instance::expect_limit(db, ap::host_of(reading.claims[0].key_id));
    db.expect(held_key, reading.claims[0].key_id);
    Authenticated verdict;
    std::optional<NotAsked> not_asked;
    for (std::size_t i = 0; i < reading.claims.size() && i < most_claims; ++i) {
        verdict = Judge(ask, db, judging).judge(reading.claims[i]);
        if (verdict.ok()) return verdict;
        if (!not_asked) not_asked = verdict.not_asked;
    }
    if (!not_asked) return verdict;
    // One of several signatures may still be valid later.
    auto out = refused(503, no_key);
    out.learned = std::move(verdict.learned);
    out.not_asked = std::move(not_asked);
    return out;
}

KnownKey key_of(const base::Ask& ask, db::Read& db, const std::string& id) {
    auto host = ap::host_of(id);
    if (host.empty() || has_our_host(db.site(), id) || instance::limit_on(db, host).suspended) return {};
    if (auto held = db.maybe(held_key, id)) return {held->actor, parsed_key(held->public_key), {}};
    auto lately = db.now().plus_seconds(-memory_seconds);
    if (auto fetched = db.maybe(fetched_key, id, lately))
        return {fetched->actor, parsed_key(fetched->public_key), {}};
    if (db.one(fetched_of_host, host, lately) >= most_fetched_of_host) return {};
    auto shown = fetch_key(ask, db, id);
    if (!shown.asked) throw base::Unavailable();
    FetchedKey learned{id, host, shown.actor, shown.public_key, db.now()};
    return {shown.actor, parsed_key(shown.public_key), learned};
}

const db::Command renew_key{
    "renew_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET type = excluded.type, public_key = excluded.public_key,
           created_at = excluded.created_at WHERE actor_keys.account_id = excluded.account_id)"
};
const db::Command put_fetched_key{
    "put_fetched_key",
    R"(INSERT INTO fetched_keys (id, host, actor, public_key, fetched_at, held) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET host = excluded.host, actor = excluded.actor,
           public_key = excluded.public_key, fetched_at = excluded.fetched_at, held = excluded.held)"
};

void remember(db::Write& db, const FetchedKey& key) {
    db.run(put_fetched_key, key.id, key.host, key.actor, key.public_key, key.fetched_at, key.held);
    if (!key.account || key.public_key.empty()) return;
    auto type = key.public_key.starts_with("-----BEGIN") ? "pem" : "multibase";
    db.run(renew_key, key.id, key.account, type, key.public_key, key.fetched_at);
}

const db::Command purge_old_fetched_keys{
    "purge_old_fetched_keys",
    "DELETE FROM fetched_keys WHERE id IN (SELECT id FROM fetched_keys WHERE fetched_at < $1 LIMIT 1000)"
};

void purge_fetched_keys(db::Write& db) {
    db.run(purge_old_fetched_keys, db.now().plus_seconds(-memory_seconds));
}

}  // namespace federation

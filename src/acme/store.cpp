// SPDX-License-Identifier: AGPL-3.0-or-later
#include "acme/store.hpp"

#include "base/text/join.hpp"

namespace acme {

namespace {

constexpr std::int64_t week = 7 * 86'400;

const db::Command put_account{
    "acme_put_account",
    "INSERT INTO acme_accounts (directory, key, url) VALUES ($1, $2, '') ON CONFLICT (directory) DO NOTHING"
};
const db::Query<Account> account_at{
    "acme_account", "SELECT key, url FROM acme_accounts WHERE directory = $1"
};
const db::Command set_account_url{
    "acme_set_account_url", "UPDATE acme_accounts SET url = $2 WHERE directory = $1"
};

const db::Query<Issued> certificate_for{
    "acme_certificate_for",
    R"(SELECT names, directory, chain, key, issued_at, valid_until, renew_at, ask_at FROM acme_certificates
       ORDER BY CASE WHEN names = $1 THEN 0 ELSE 1 END, issued_at DESC LIMIT 1)"
};
const db::Command put_certificate{
    "acme_put_certificate",
    R"(INSERT INTO acme_certificates (names, directory, chain, key, issued_at, valid_until, renew_at, ask_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (names) DO UPDATE SET directory = excluded.directory,
           chain = excluded.chain, key = excluded.key, issued_at = excluded.issued_at,
           valid_until = excluded.valid_until, renew_at = excluded.renew_at, ask_at = excluded.ask_at)"
};
const db::Command set_renewal{
    "acme_set_renewal", "UPDATE acme_certificates SET renew_at = $2, ask_at = $3 WHERE names = $1"
};

const db::Query<OrderUnderWay> order_of{
    "acme_order", "SELECT url, key FROM acme_orders WHERE directory = $1 AND names = $2"
};
const db::Command put_order{
    "acme_put_order",
    R"(INSERT INTO acme_orders (directory, names, url, key) VALUES ($1, $2, $3, $4)
       ON CONFLICT (directory, names) DO UPDATE SET url = excluded.url, key = excluded.key)"
};
const db::Command delete_order{
    "acme_delete_order", "DELETE FROM acme_orders WHERE directory = $1 AND names = $2"
};

const db::Command put_proof{
    "acme_put_proof",
    R"(INSERT INTO acme_challenges (token, name, key_authorization) VALUES ($1, $2, $3)
       ON CONFLICT (token) DO UPDATE SET name = excluded.name, key_authorization = excluded.key_authorization)"
};
const db::Query<Proof> all_proofs{
    "acme_proofs", "SELECT token, name, key_authorization FROM acme_challenges ORDER BY token LIMIT 200"
};
const db::Command delete_proofs{"acme_delete_proofs", "DELETE FROM acme_challenges WHERE token <> ''"};

const db::Command put_try{
    "acme_put_try",
    R"(INSERT INTO acme_tries (id, names, tried_at, directory, outcome, ordered, told, wait_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};
const db::Command forget_tries{"acme_forget_tries", "DELETE FROM acme_tries WHERE tried_at < $1"};
const db::Query<Try> tries_since{
    "acme_tries",
    R"(SELECT tried_at AS at, directory, outcome, ordered, told, wait_until FROM acme_tries
       WHERE names = $1 AND tried_at > $2 AND tried_at <= $3 ORDER BY id LIMIT 1000)"
};

const db::Command lease{
    "acme_lease",
    R"(UPDATE acme_lease SET holder = $1, leased_until = $2
       WHERE id = 1 AND (holder = $1 OR leased_until < $3 OR leased_until > $2))"
};
const db::Command give_back{
    "acme_end_lease", "UPDATE acme_lease SET leased_until = 0 WHERE id = 1 AND holder = $1"
};
const db::Command free_lease{"acme_free_lease", "UPDATE acme_lease SET leased_until = 0 WHERE id = 1"};
const db::Command set_wanted{"acme_set_wanted", "UPDATE acme_lease SET wanted = $1 WHERE id = 1"};
const db::Query<bool> wanted{"acme_wanted", "SELECT wanted FROM acme_lease WHERE id = 1"};

}  // namespace

std::string joined(const Names& names) { return base::text::joined(names, " "); }

Account account(db::Write& db, const std::string& directory) {
    db.run(put_account, directory, new_key());
    return db.one(account_at, directory);
}

void keep_account_url(db::Write& db, const std::string& directory, const std::string& url) {
    db.run(set_account_url, directory, url);
}

std::optional<Issued> best_certificate(db::Read& db, const std::string& names) {
    return db.maybe(certificate_for, names);
}

void keep_certificate(db::Write& db, const Issued& issued) {
    db.run(
        put_certificate,
        issued.names,
        issued.directory,
        issued.chain,
        issued.key,
        issued.issued_at,
        issued.valid_until,
        issued.renew_at,
        issued.ask_at
    );
    end_order(db, issued.directory, issued.names);
    note_try(db, issued.names, {db.now(), issued.directory, Outcome::issued, true, "", {}});
    db.run(set_wanted, false);
}

void plan_renewal(db::Write& db, const std::string& names, base::Time renew_at, base::Time ask_at) {
    db.run(set_renewal, names, renew_at, ask_at);
}

std::optional<OrderUnderWay> order_under_way(
    db::Read& db, const std::string& directory, const std::string& names
) {
    return db.maybe(order_of, directory, names);
}

void keep_order(
    db::Write& db, const std::string& directory, const std::string& names, const OrderUnderWay& order
) {
    db.run(put_order, directory, names, order.url, order.key);
}

void end_order(db::Write& db, const std::string& directory, const std::string& names) {
    db.run(delete_order, directory, names);
    db.run(delete_proofs);
}

void show_proofs(db::Write& db, const std::vector<Proof>& shown) {
    for (const auto& proof : shown) db.run(put_proof, proof.token, proof.name, proof.key_authorization);
}

std::vector<Proof> proofs(db::Read& db) { return db.all(all_proofs); }

void note_try(db::Write& db, const std::string& names, const Try& made) {
    struct TryTag;
    db.run(
        put_try,
        db.new_id<base::Id<TryTag>>(),
        names,
        made.at,
        made.directory,
        made.outcome,
        made.ordered,
        made.told,
        made.wait_until
    );
    db.run(forget_tries, db.now().plus_seconds(-week));
}

std::vector<Try> tries(db::Read& db, const std::string& names) {
    return db.all(tries_since, names, db.now().plus_seconds(-week), db.now());
}

bool take_lease(db::Write& db, const std::string& holder, std::int64_t seconds) {
    return db.run(lease, holder, db.now().plus_seconds(seconds), db.now()) == 1;
}

void end_lease(db::Write& db, const std::string& holder) { db.run(give_back, holder); }

void release_lease(db::Write& db) { db.run(free_lease); }

void want_certificate(db::Write& db) { db.run(set_wanted, true); }

bool is_wanted(db::Read& db) { return db.one(wanted); }

}  // namespace acme

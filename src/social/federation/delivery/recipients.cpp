// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/recipients.hpp"

#include "db/lock.hpp"

#include <algorithm>
#include <set>

namespace federation {

// ---- inboxes and their ids ----

const db::Query<Recipient> known_inboxes{
    "known_inboxes", "SELECT id AS at, inbox FROM inboxes WHERE inbox IN LIST($1)"
};
const db::Query<InboxId> insert_inboxes{
    "insert_inboxes",
    "INSERT INTO inboxes (inbox) SELECT value FROM json_each($1) WHERE TRUE RETURNING id",
    "INSERT INTO inboxes (inbox) SELECT t.inbox FROM unnest($1::text[]) AS t (inbox) RETURNING id"
};

namespace {

InboxSet numbers_of(db::Write& db, const std::vector<std::string>& inboxes) {
    InboxSet out;
    std::set<std::string> unknown(inboxes.begin(), inboxes.end());
    for (const auto& known : db.all(known_inboxes, inboxes)) {
        out.push_back(known.at);
        unknown.erase(known.inbox);
    }
    if (!unknown.empty()) {
        const std::vector<std::string> strangers(unknown.begin(), unknown.end());
        for (auto id : db.all(insert_inboxes, strangers)) out.push_back(id);
    }
    std::ranges::sort(out);
    return out;
}

}  // namespace

// ---- the recipients of a post ----

struct SharedSet {
    std::int64_t id = 0;
    std::string inboxes;
};
DESCRIBE(SharedSet, id, inboxes)

struct Kept {
    std::int64_t set_id = 0;
    std::string shared, added, missing;
};
DESCRIBE(Kept, set_id, shared, added, missing)

const db::Query<Kept> kept_recipients{
    "kept_recipients",
    R"(SELECT r.set_id, COALESCE(s.inboxes, '') AS shared, r.added, r.missing
       FROM status_recipients r LEFT JOIN recipient_sets s ON s.id = r.set_id WHERE r.status_id = $1)"
};
const db::Query<SharedSet> latest_set_of{
    "latest_set_of", "SELECT id, inboxes FROM recipient_sets WHERE account_id = $1 ORDER BY id DESC LIMIT 1"
};
const db::Query<std::int64_t> insert_recipient_set{
    "insert_recipient_set",
    "INSERT INTO recipient_sets (account_id, inboxes, statuses) VALUES ($1, $2, 0) RETURNING id"
};
const db::Command count_in_set{
    "count_in_set", "UPDATE recipient_sets SET statuses = statuses + $2 WHERE id = $1"
};
const db::Command delete_unused_set{
    "delete_unused_set", "DELETE FROM recipient_sets WHERE id = $1 AND statuses <= 0"
};
const db::Command put_recipients{
    "put_recipients",
    R"(INSERT INTO status_recipients (status_id, set_id, added, missing) VALUES ($1, $2, $3, $4)
       ON CONFLICT (status_id) DO UPDATE SET set_id = excluded.set_id, added = excluded.added,
           missing = excluded.missing)"
};
const db::Command delete_recipients{
    "delete_recipients", "DELETE FROM status_recipients WHERE status_id = $1"
};

namespace {

InboxSet all_of(const Kept& kept) {
    return united(without(unpack(kept.shared), unpack(kept.missing)), unpack(kept.added));
}

std::size_t bytes(const Kept& kept) { return kept.added.size() + kept.missing.size(); }

Kept by_set(const InboxSet& all, std::int64_t id, const std::string& inboxes) {
    auto shared = unpack(inboxes);
    return {id, inboxes, pack(without(all, shared)), pack(without(shared, all))};
}

// Fewer than worth_a_set bytes are stored without a shared set. A new set is made when a post differs from
// the shared one by more than `tolerated` bytes and by more than 1/tolerated_part of its own size.
constexpr std::size_t worth_a_set = 64, tolerated = 16, tolerated_part = 16;

// A new set is made only when no more inboxes will follow.
Kept shortest(db::Write& db, AccountId author, const Kept& before, const InboxSet& all, bool last) {
    const Kept alone = by_set(all, 0, {});
    if (bytes(alone) < worth_a_set) return alone;
    auto best = alone;
    const auto try_set = [&](std::int64_t id, const std::string& inboxes) {
        if (auto form = by_set(all, id, inboxes); bytes(form) < bytes(best)) best = std::move(form);
    };
    if (before.set_id) try_set(before.set_id, before.shared);
    if (const auto latest = db.maybe(latest_set_of, author)) try_set(latest->id, latest->inboxes);
    if (!last || bytes(best) <= std::max(tolerated, bytes(alone) / tolerated_part)) return best;
    return {db.all(insert_recipient_set, author, db::Blob{alone.added}).at(0), alone.added, {}, {}};
}

void use_set(db::Write& db, std::int64_t id, int uses) {
    if (id == 0) return;
    db.run(count_in_set, id, uses);
    if (uses < 0) db.run(delete_unused_set, id);
}

}  // namespace

void remember_recipients(
    db::Write& db, AccountId author, StatusId status, const std::vector<std::string>& inboxes, bool last
) {
    if (inboxes.empty() && !last) return;
    db.lock({db::alone("recipients", author)});
    const auto before = db.maybe(kept_recipients, status).value_or(Kept{});
    const auto known = all_of(before);
    const auto all = inboxes.empty() ? known : united(known, numbers_of(db, inboxes));
    const bool final_form = before.set_id != 0 || bytes(before) < worth_a_set;
    if (all == known && (final_form || !last)) return;
    const auto now = shortest(db, author, before, all, last);
    db.run(put_recipients, status, now.set_id, db::Blob{now.added}, db::Blob{now.missing});
    if (now.set_id == before.set_id) return;
    use_set(db, now.set_id, 1);
    use_set(db, before.set_id, -1);
}

void forget_recipients(db::Write& db, StatusId status) {
    auto kept = db.maybe(kept_recipients, status);
    if (!kept) return;
    db.run(delete_recipients, status);
    use_set(db, kept->set_id, -1);
}

const db::Query<Recipient> inboxes_by_number{
    "inboxes_by_number", "SELECT id AS at, inbox FROM inboxes WHERE id IN LIST($1) ORDER BY id"
};

std::vector<Recipient> recipients(db::Read& db, StatusId status, InboxId after, std::size_t limit) {
    auto kept = db.maybe(kept_recipients, status);
    if (!kept) return {};
    auto all = all_of(*kept);
    all.erase(all.begin(), std::ranges::upper_bound(all, after));
    if (all.size() > limit) all.resize(limit);
    return db.all(inboxes_by_number, all);
}

}  // namespace federation

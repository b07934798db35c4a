// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/labels/use.hpp"

#include <algorithm>

namespace labels {

#define USES \
    "SELECT id, label_id, subject, subject_id, domain, source, source_id, created_at FROM label_uses "
#define OF_BEARER "subject = $1 AND subject_id = $2 AND domain = $3"

const db::Query<Use> uses_of_label{
    "uses_of_label", USES "WHERE label_id = $1 AND id < $2 AND id > $3 ORDER BY id DESC LIMIT $4"
};
const db::Query<LabelId> labels_on_bearer{
    "labels_on_bearer", "SELECT label_id FROM label_uses WHERE " OF_BEARER " ORDER BY label_id"
};
const db::Query<std::int64_t> count_servers_with_labels{
    "count_servers_with_labels", "SELECT count(*) FROM label_uses WHERE subject = 'server'"
};
const db::Query<LabelledServer> servers_with_labels{
    "servers_with_labels", "SELECT domain, label_id FROM label_uses WHERE subject = 'server'"
};
const db::Query<LabelledServer> servers_labelled_by_source{
    "servers_labelled_by_source",
    R"(SELECT domain, label_id FROM label_uses WHERE source = $1 AND source_id = $2 AND subject = 'server'
       ORDER BY domain, label_id)"
};
const db::Query<Found> labels_on_statuses{
    "labels_on_statuses",
    "SELECT subject_id, label_id FROM label_uses WHERE subject = 'status' AND subject_id IN LIST($1)"
};
const db::Query<Found> labels_on_accounts{
    "labels_on_accounts",
    "SELECT subject_id, label_id FROM label_uses WHERE subject = 'account' AND subject_id IN LIST($1)"
};
const db::Command insert_label_use{
    "insert_label_use",
    R"(INSERT INTO label_uses (id, label_id, subject, subject_id, domain, source, source_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (subject, subject_id, domain, label_id) DO NOTHING)"
};
const db::Command claim_label_use{
    "claim_label_use",
    "UPDATE label_uses SET source = 'staff', source_id = $5 WHERE " OF_BEARER
    " AND label_id = $4 AND source <> 'staff'"
};
const db::Command delete_label_use{
    "delete_label_use", "DELETE FROM label_uses WHERE " OF_BEARER " AND label_id = $4"
};
const db::Command delete_label_use_of{
    "delete_label_use_of",
    "DELETE FROM label_uses WHERE " OF_BEARER " AND label_id = $4 AND source = $5 AND source_id = $6"
};
const db::Command delete_labels_of_bearer{
    "delete_labels_of_bearer", "DELETE FROM label_uses WHERE " OF_BEARER
};
const db::Command drop_labels_of_account{
    "drop_labels_of_account",
    R"(DELETE FROM label_uses WHERE subject = 'account' AND subject_id = $1 AND domain = '' AND label_id IN (
           SELECT label_id FROM label_uses WHERE subject = 'account' AND subject_id = $1 AND domain = ''
           ORDER BY label_id LIMIT $2))"
};

namespace {

// Servers with labels are cached in memory by every node.
void changed(db::Write& db, const Bearer& bearer) {
    if (bearer.kind == BearerKind::server) move_version(db);
}

// Why no further label can be added; empty if one can.
std::string_view lacks_room(db::Read& db, const Bearer& bearer) {
    const auto there = labels_on(db, bearer);
    if (std::ssize(there) >= most_on_one) return "It bears too many labels already";
    const bool servers_are_full = bearer.kind == BearerKind::server && there.empty() &&
                                  db.one(count_servers_with_labels) >= most_labelled_servers;
    return servers_are_full ? "Too many servers bear labels already" : "";
}

}  // namespace

bool put(db::Write& db, LabelId label, const Bearer& on, const Source& by) {
    const bool is_staff = by.kind == UseSource::staff;
    for (const auto known : labels_on(db, on))
        if (known == label)
            return is_staff && db.run(claim_label_use, on.kind, on.id, on.domain, label, by.id) > 0;
    if (const auto why = lacks_room(db, on); !why.empty()) {
        if (is_staff) throw base::Invalid(std::string(why));
        return false;
    }
    const auto id = db.new_id<UseId>();
    if (db.run(insert_label_use, id, label, on.kind, on.id, on.domain, by.kind, by.id, db.now()) == 0)
        return false;
    changed(db, on);
    return true;
}

bool take(db::Write& db, LabelId label, const Bearer& from) {
    if (db.run(delete_label_use, from.kind, from.id, from.domain, label) == 0) return false;
    changed(db, from);
    return true;
}

bool take_of(db::Write& db, LabelId label, const Bearer& from, const Source& by) {
    if (db.run(delete_label_use_of, from.kind, from.id, from.domain, label, by.kind, by.id) == 0)
        return false;
    changed(db, from);
    return true;
}

void put_on_servers(db::Write& db, LabelId label, std::span<const std::string> domains, const Source& by) {
    auto room = most_labelled_servers - db.one(count_servers_with_labels);
    bool any = false;
    for (const auto& domain : domains) {
        if (room <= 0) break;
        const auto on = Bearer::server(domain);
        const auto there = labels_on(db, on);
        if (std::ssize(there) >= most_on_one || std::ranges::find(there, label) != there.end()) continue;
        db.run(
            insert_label_use, db.new_id<UseId>(), label, on.kind, on.id, on.domain, by.kind, by.id, db.now()
        );
        --room;
        any = true;
    }
    if (any) move_version(db);
}

void take_from_servers(db::Write& db, std::span<const LabelledServer> some, const Source& by) {
    for (const auto& one : some) {
        const auto from = Bearer::server(one.domain);
        db.run(delete_label_use_of, from.kind, from.id, from.domain, one.label_id, by.kind, by.id);
    }
    if (!some.empty()) move_version(db);
}

std::vector<LabelledServer> servers_labelled_by(db::Read& db, const Source& by) {
    return db.all(servers_labelled_by_source, by.kind, by.id);
}

std::vector<Use> uses_of(db::Read& db, LabelId label, const base::Range& r) {
    return db.all(uses_of_label, label, r.below, r.above, r.limit);
}

std::vector<LabelId> labels_on(db::Read& db, const Bearer& one) {
    return db.all(labels_on_bearer, one.kind, one.id, one.domain);
}

std::vector<LabelledServer> labelled_servers(db::Read& db) { return db.all(servers_with_labels); }

FoundOnes labels_among(
    db::Read& db, const std::vector<StatusId>& statuses, const std::vector<AccountId>& accounts
) {
    db.expect(labels_on_accounts, accounts);
    auto on_statuses = db.all(labels_on_statuses, statuses);
    return {std::move(on_statuses), db.all(labels_on_accounts, accounts)};
}

void forget_bearer(db::Write& db, const Bearer& gone) {
    db.run(delete_labels_of_bearer, gone.kind, gone.id, gone.domain);
}

}  // namespace labels

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/announce.hpp"

#include "base/json.hpp"

namespace streaming {

namespace {

void announce(db::Write& db, const char* event, base::StatusId id) {
    db.announce({std::string(statuses_channel), event, std::to_string(id.value)});
}

}  // namespace

void announce_published(db::Write& db, const statuses::Published& e) { announce(db, "update", e.id); }
void announce_edited(db::Write& db, const statuses::Edited& e) { announce(db, "status.update", e.id); }
void announce_deleted(db::Write& db, const statuses::Deleted& e) { announce(db, "delete", e.id); }

// A quote that is accepted on publication needs no second event.
void announce_quoted(db::Write& db, const statuses::Quoted& e) {
    if ((e.status.value >> 16) < db.now().ms) announce(db, "status.update", e.status);
}

void announce_quote_revoked(db::Write& db, const statuses::QuoteRevoked& e) {
    announce(db, "status.update", e.status);
}

void announce_policy_changed(db::Write& db, const statuses::InteractionPolicyChanged& e) {
    announce(db, "status.update", e.id);
}

void announce_revoked(db::Write& db, const accounts::TokensRevoked& e) {
    db.announce({std::string(tokens_channel), "revoked", base::json::to_string(e.tokens)});
}

void announce_access(db::Write& db, const accounts::AccessChanged& e) {
    db.announce({std::string(accounts_channel), "changed", std::to_string(e.account.value)});
}

void announce_suspended(db::Write& db, const media::SuspensionsChanged& e) {
    for (auto account : e.accounts) announce_access(db, {account});
}

}  // namespace streaming

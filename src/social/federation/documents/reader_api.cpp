// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/documents/reader_api.hpp"

#include "http/errors.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/domain_allow.hpp"
#include "social/instance/federation_mode.hpp"

namespace federation {

namespace {

using base::AccountId;
using base::StatusId;

std::string origin_of(const std::string& uri) {
    auto host = uri.find("://");
    if (host == uri.npos) return {};
    return uri.substr(0, uri.find_first_of("/?#", host + 3));
}

std::string host_of(const std::string& origin) { return origin.substr(origin.find("://") + 3); }

[[noreturn]] void refuse(int status, std::string_view sentence) {
    auto answer = http::failure(status, sentence);
    answer.headers.emplace_back("Vary", "Accept, Signature");
    throw http::Refusal(std::move(answer));
}

}  // namespace

Reader reader(const base::Ask& ask, db::Read& db, const http::Request& request) {
    auto mode = instance::federation_mode(db);
    bool all_sign = mode.readers_sign();
    Reader out{statuses::nobody(db), {}, !all_sign};
    if (request.header("Signature").empty()) {
        if (all_sign) refuse(401, "This request must be signed");
        return out;
    }
    out.shared = false;
    auto who = authenticate(
        ask,
        db,
        {http::to_string(request.method), request.target, db.site().public_url, request.headers, request.body}
    );
    if (who.learned) {
        auto key = *who.learned;
        key.fetched_at = {};  // so that repeating the question makes no new one
        ask(KeepKey{std::move(key)});
    }
    if (who.status == 403 || (who.ok() && who.suspended)) refuse(403, "This server does not talk to yours");
    if (!who.ok()) {
        if (all_sign) refuse(who.status, who.sentence);
        return out;
    }
    out.origin = origin_of(who.actor);
    if (instance::is_left_out(db, host_of(out.origin))) refuse(403, "This server does not talk to yours");
    if (!who.account) return out;
    out.audience = statuses::audience(db, who.account);
    if (auto account = accounts::find_account(db, who.account)) out.domain = account->domain;
    return out;
}

// follows belongs to relationships.
const db::Query<AccountId> follower_of_origin{
    "follower_of_origin",
    R"(SELECT a.id FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND f.origin = $2 AND f.origin <> '' AND a.uri <> '' AND a.suspended_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = $1 AND b.target_id = a.id) LIMIT 1)"
};
const db::Query<AccountId> mentioned_of_origin{
    "mentioned_of_origin",
    R"(SELECT a.id FROM mentions m JOIN accounts a ON a.id = m.account_id
       WHERE m.status_id = $1 AND a.suspended_at IS NULL AND substr(a.uri, 1, length($2)) = $2 LIMIT 1)",
    R"(SELECT a.id FROM mentions m JOIN accounts a ON a.id = m.account_id
       WHERE m.status_id = $1 AND a.suspended_at IS NULL AND starts_with(a.uri, $2) LIMIT 1)"
};
const db::Query<bool> blocks_host{
    "blocks_host",
    "SELECT EXISTS (SELECT 1 FROM user_domain_blocks WHERE account_id = $1 AND domain IN ($2, $3))"
};

bool hidden_from(db::Read& db, AccountId owner, const Reader& reader) {
    if (!reader.known()) return false;
    const auto* relations = reader.audience.relations.get();
    return (relations && relations->blocked_by.contains(owner)) ||
           db.one(blocks_host, owner, host_of(reader.origin), reader.domain);
}

Sight sight(db::Read& db, const Reader& reader, StatusId id) {
    auto found = statuses::visibility_facts(db, reader.audience, {id});
    if (found.empty() || found[0].local_only || hidden_from(db, found[0].account_id, reader))
        throw base::NoSuchStatus();
    if (statuses::visible(found[0], reader.audience)) return {reader.audience, found[0]};
    if (!reader.known()) throw base::NoSuchStatus();
    auto origin = reader.origin + "/";
    auto recipient = db.maybe(mentioned_of_origin, id, origin);
    if (!recipient) recipient = db.maybe(follower_of_origin, found[0].account_id, origin);
    if (!recipient) throw base::NoSuchStatus();
    auto audience = statuses::audience(db, *recipient);
    return {audience, statuses::visible_facts(db, audience, id)};
}

}  // namespace federation

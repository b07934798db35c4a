// SPDX-License-Identifier: AGPL-3.0-or-later
// What is done with statuses, of ours or of others, as activities.
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/former/former.hpp"
#include "social/statuses/documents/note_ap.hpp"
#include "social/statuses/documents/note_rows.hpp"
#include "social/statuses/interactions/reply_approval.hpp"

namespace statuses {

namespace uris = base::uris;
namespace write = ap::write;

namespace {

std::string actor_of(db::Read& db, AccountId id) {
    return accounts::uri_of(db.site(), accounts::account(db, id));
}

}  // namespace

std::string delete_activity(db::Read& db, StatusId id) {
    auto row = note_row(db, id);
    auto uri = row.own_uri(db.site());
    write::Tombstone tombstone{uri, "Tombstone", uri};
    auto out = write::removal(uris::removal(uri), row.actor(db.site()), write::embedded(tombstone));
    return write::document(std::move(out), write::of_statuses);
}

namespace {

write::Activity to_like(db::Read& db, AccountId account, StatusId status, base::FavouriteId id) {
    auto actor = actor_of(db, account);
    return write::like(
        uris::action(actor, "likes", id.value), actor, note_row(db, status).own_uri(db.site())
    );
}

}  // namespace

std::string like_activity(db::Read& db, AccountId account, StatusId status, base::FavouriteId id) {
    return write::document(to_like(db, account, status, id));
}

const db::Query<std::string> uri_of_favourite{
    "uri_of_favourite", "SELECT uri FROM favourites WHERE id = $1 AND uri IS NOT NULL"
};

std::string undo_like_activity(db::Read& db, AccountId account, StatusId status, base::FavouriteId id) {
    auto undone = to_like(db, account, status, id);
    // Others may know it by its id alone.
    if (former::took_over())
        if (auto uri = db.maybe(uri_of_favourite, id)) undone.id = *uri;
    return write::document(write::undo(std::move(undone)));
}

std::string vote_activity(
    db::Read& db, AccountId account, StatusId poll, const std::string& choice, std::int64_t vote
) {
    auto question = note_row(db, poll);
    auto actor = actor_of(db, account), author = question.actor(db.site());
    auto id = uris::action(actor, "votes", vote);
    write::Vote cast_vote{id, "Note", choice, question.own_uri(db.site()), actor, author};
    write::Activity out;
    out.id = uris::activity(id);
    out.type = "Create";
    out.actor = actor;
    out.published = base::WholeSeconds{db.now().ms};
    out.to = std::vector{author};
    out.object = write::embedded(cast_vote);
    return write::document(std::move(out));
}

namespace {

using Pinning = write::Activity (*)(std::string, std::string, write::Raw, std::string);

std::string pinning(db::Read& db, StatusId id, const char* what, Pinning made) {
    auto row = note_row(db, id);
    auto actor = row.actor(db.site());
    auto own = uris::action(actor, what, db.now().ms);
    return write::document(made(own, actor, write::reference(row.own_uri(db.site())), uris::featured(actor)));
}

}  // namespace

std::string pin_activity(db::Read& db, StatusId id) { return pinning(db, id, "pins", write::add); }
std::string unpin_activity(db::Read& db, StatusId id) { return pinning(db, id, "unpins", write::remove); }

const db::Query<QuoteId> quote_in_status{"quote_in_status", "SELECT id FROM quotes WHERE status_id = $1"};

namespace {

NoteQuote quote(db::Read& db, QuoteId id) {
    auto found = find_quote(db, id);
    if (!found || found->gone) throw base::NotFound();
    return *std::move(found);
}

}  // namespace

std::string quote_request_activity(db::Read& db, StatusId quoting) {
    auto asked = quote(db, db.one(quote_in_status, quoting));
    auto found = to_notes(db, {quoting});
    if (found.empty()) throw base::NoSuchStatus();
    const auto& note = found[0];
    auto id = uris::action(note.attributedTo, "quote_requests", asked.id.value);
    auto out =
        write::quote_request(id, note.attributedTo, quoted_uri(db.site(), asked), write::embedded(note));
    return write::document(std::move(out), write::terms_of(note) | write::of_quote_authorizations);
}

StatusId quoted_by(db::Read& db, QuoteId id) { return quote(db, id).quoted_id; }

std::string quote_authorization(db::Read& db, QuoteId id) {
    auto authorized = quote(db, id);
    if (authorized.state != QuoteState::accepted || !authorized.domain.empty()) throw base::NotFound();
    const auto& site = db.site();
    write::QuoteAuthorization out;
    out.attributedTo = accounts::uri_of(site, authorized.quoted_account_id, authorized.account_uri);
    out.id = uris::quote_authorization(out.attributedTo, id.value);
    out.interactingObject = note_row(db, authorized.status_id).own_uri(site);
    out.interactionTarget = quoted_uri(site, authorized);
    return write::document(std::move(out), write::of_quote_authorizations);
}

std::string delete_quote_authorization_activity(db::Read& db, QuoteId id) {
    auto revoked = find_quote(db, id);
    if (!revoked || !revoked->domain.empty()) throw base::NotFound();
    auto actor = accounts::uri_of(db.site(), revoked->quoted_account_id, revoked->account_uri);
    auto authorization_uri = uris::quote_authorization(actor, id.value);
    write::Tombstone object{authorization_uri, "QuoteAuthorization", {}};
    auto out = write::removal(uris::removal(authorization_uri), actor, write::embedded(object));
    return write::document(std::move(out), write::of_quote_authorizations);
}

namespace {

struct NamedRow {
    StatusId id;
    std::optional<std::string> uri;
    AccountId account_id;
    std::string account_uri;
    bool is_reblog = false;
};
DESCRIBE(NamedRow, id, uri, account_id, account_uri, is_reblog)

}  // namespace

const db::Query<NamedRow> names_of_statuses{
    "names_of_statuses",
    R"(SELECT s.id, s.uri, s.account_id, a.uri AS account_uri, s.reblog_of_id IS NOT NULL AS is_reblog
       FROM statuses s JOIN accounts a ON a.id = s.account_id WHERE s.id IN LIST($1))"
};

std::unordered_map<StatusId, std::string> uris_of(db::Read& db, const std::vector<StatusId>& ids) {
    std::unordered_map<StatusId, std::string> out;
    if (ids.empty()) return out;
    auto add = [&](const NamedRow& s) {
        out.emplace(s.id, uri_of(db.site(), {s.id, s.uri, s.account_id, s.account_uri, s.is_reblog}));
    };
    db.each(names_of_statuses, add, ids);
    return out;
}

namespace {

StoredReplyApproval approved_here(db::Read& db, StatusId reply) {
    auto approval = reply_approval_of(db, reply);
    if (!approval || !approval->author_local || approval->state != ReplyApprovalState::approved)
        throw base::NotFound();
    return *std::move(approval);
}

}  // namespace

StatusId answered_by(db::Read& db, StatusId reply) { return approved_here(db, reply).parent; }

std::string reply_authorization(db::Read& db, StatusId reply) {
    auto approval = approved_here(db, reply);
    write::ReplyAuthorization out;
    out.attributedTo = actor_of(db, approval.author);
    out.id = uris::reply_authorization(out.attributedTo, reply);
    out.interactingObject = note_row(db, reply).own_uri(db.site());
    out.interactionTarget = note_row(db, approval.parent).own_uri(db.site());
    return write::document(std::move(out), write::of_reply_control);
}

std::string delete_reply_authorization_activity(db::Read& db, AccountId author, StatusId reply) {
    auto actor = actor_of(db, author);
    auto uri = uris::reply_authorization(actor, reply);
    write::Tombstone object{uri, "ReplyAuthorization", {}};
    auto out = write::removal(uris::removal(uri), actor, write::embedded(object));
    return write::document(std::move(out), write::of_reply_control);
}

}  // namespace statuses

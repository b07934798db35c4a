// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/status_jobs.hpp"

#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/recipients.hpp"
#include "social/federation/documents/linked.hpp"
#include "social/statuses/documents/note_ap.hpp"

namespace federation {

namespace {

namespace uris = base::uris;

std::string object_of(const std::string& quoting) { return "quote " + quoting; }

}  // namespace

jobs::Change request_quote_authorization(db::Read& db, const statuses::QuoteAuthorizationWanted& e) {
    auto quote = statuses::quote_authorization_of(db, e.status);
    auto t = delivery_scope(db, e.status);
    if (!quote || !t || t->deleted || quote->state != statuses::QuoteState::pending) return {};
    auto inbox = inbox_of(db, quote->author);
    if (inbox.empty()) return {};
    auto out = std::make_shared<OutgoingActivity>();
    out->signer = quote->account;
    out->object = object_of(std::to_string(e.status.value));
    out->body = statuses::quote_request_activity(db, e.status);
    return [out, inbox, status = e.status, wide = wide_inbox_of(db, quote->author)](db::Write& write) {
        if (!statuses::find_status(write, status)) return;
        send(write, *out, {inbox});
        remember_recipients(write, out->signer, status, {wide});
    };
}

void deliver_quote_answered(db::Write& db, const statuses::QuoteAnswered& e) {
    auto author = accounts::account(db, e.author);
    auto inbox = inbox_of(db, e.account);
    if (inbox.empty() || !author.local()) return;
    auto actor = accounts::uri_of(db.site(), author);
    auto asker = accounts::uri_of(db.site(), accounts::account(db, e.account));
    auto request = ap::write::quote_request(
        e.request, asker, uris::status(actor, e.quoted), ap::write::reference(e.quoting)
    );
    auto number = db.new_id<ActivityId>().value;
    auto id = uris::action(actor, e.quote ? "accepts/quote_requests" : "rejects/quote_requests", number);
    auto answer = e.quote ? ap::write::accept(id, actor, ap::write::embedded(request))
                          : ap::write::reject(id, actor, ap::write::embedded(request));
    if (e.quote) answer.result = uris::quote_authorization(actor, e.quote.value);
    OutgoingActivity out;
    out.signer = e.author;
    out.object = object_of(e.quoting);
    out.body = ap::write::document(std::move(answer), ap::write::of_quote_authorizations);
    send(db, out, {inbox});
}

void deliver_quote_authorized(db::Write& db, const statuses::QuoteAuthorized& e) {
    deliver_update(db, e.status);
}

void deliver_policy_changed(db::Write& db, const statuses::InteractionPolicyChanged& e) {
    deliver_update(db, e.id);
}

jobs::Change deliver_quote_revoked(db::Read& db, const statuses::QuoteRevoked& e) {
    auto quote = statuses::quote_authorization_of(db, e.status);
    auto quoting = statuses::find_status(db, e.status);
    // The quoting post is deleted, which every recipient learns from its Delete.
    if (!quote || !quoting) return {};
    if (!quote->author_local) {
        if (!quote->account_local) return {};
        return [id = e.status](db::Write& write) { deliver_update(write, id); };
    }
    auto quoted = delivery_scope(db, e.quoted);
    if (!quoted) return {};
    OutgoingActivity out;
    out.signer = e.author;
    out.object = object_of(std::to_string(e.status.value));
    out.body = linked(db, e.author, statuses::delete_quote_authorization_activity(db, quote->id));
    ActivityFanOut way{{}, {}, recipients_of(*quoted)};
    if (quote->account_local) {
        if (auto other = delivery_scope(db, e.status))
            for (const auto& group : recipients_of(*other)) way.groups.push_back(group);
    } else {
        way.groups.push_back({Source::author, e.status.value});
    }
    return
        [out, way, quoted = e.quoted, quoter = wide_inbox_of(db, quote->account)](db::Write& write) mutable {
            way.activity = write.new_id<ActivityId>();
            record(write, way.activity, out);
            write.emit(way);
            // The quoter's server has the quoted post; from now on nothing else would record that.
            if (!quoter.empty()) remember_recipients(write, out.signer, quoted, {quoter});
        };
}

}  // namespace federation

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

// The object of the answer: the ReplyRequest, if one was received, else the reply itself.
ap::write::Raw answered(
    const std::string& request, const std::string& asker, const std::string& parent, const std::string& reply
) {
    if (request.empty()) return ap::write::reference(reply);
    return ap::write::embedded(ap::write::reply_request(request, asker, parent, ap::write::reference(reply)));
}

struct Verdict {
    StatusId reply, parent;
    AccountId account, author;
    std::string request;
    bool approved = false;
};

// From a local author to the remote author of the reply.
void answer(db::Write& db, const Verdict& v) {
    auto author = accounts::account(db, v.author);
    auto inbox = inbox_of(db, v.account);
    auto reply = statuses::uris_of(db, {v.reply})[v.reply];
    if (inbox.empty() || !author.local() || reply.empty()) return;
    auto actor = accounts::uri_of(db.site(), author);
    auto asker = accounts::uri_of(db.site(), accounts::account(db, v.account));
    auto number = db.new_id<ActivityId>().value;
    auto id = uris::action(actor, v.approved ? "accepts/replies" : "rejects/replies", number);
    auto object = answered(v.request, asker, uris::status(actor, v.parent), reply);
    auto said = v.approved ? ap::write::accept(id, actor, std::move(object))
                           : ap::write::reject(id, actor, std::move(object));
    said.to = std::vector{asker};
    if (v.approved) said.result = uris::reply_authorization(actor, v.reply);
    OutgoingActivity out;
    out.signer = v.author;
    out.object = "reply " + reply;
    out.body = ap::write::document(std::move(said), ap::write::of_reply_control);
    send(db, out, {inbox});
}

}  // namespace

void deliver_reply_approved(db::Write& db, const statuses::ReplyApproved& e) {
    auto approval = statuses::reply_approval_of(db, e.reply);
    if (!approval || !approval->author_local) return;
    if (approval->account_local) deliver_update(db, e.reply);
    else answer(db, {e.reply, e.parent, e.account, e.author, approval->request, true});
}

void deliver_reply_refused(db::Write& db, const statuses::ReplyRefused& e) {
    if (accounts::account(db, e.account).local()) deliver_update(db, e.reply);
    else answer(db, {e.reply, e.parent, e.account, e.author, e.request, false});
}

void deliver_reply_authorized(db::Write& db, const statuses::ReplyAuthorized& e) {
    deliver_update(db, e.reply);
}

jobs::Change deliver_reply_revoked(db::Read& db, const statuses::ReplyRevoked& e) {
    auto answered = delivery_scope(db, e.parent);
    if (!answered) return {};
    OutgoingActivity out;
    out.signer = e.author;
    out.object = "reply " + std::to_string(e.reply.value);
    out.body = linked(db, e.author, statuses::delete_reply_authorization_activity(db, e.author, e.reply));
    ActivityFanOut way{{}, {}, recipients_of(*answered)};
    way.groups.push_back({Source::author, e.reply.value});
    return [out, way](db::Write& write) mutable {
        way.activity = write.new_id<ActivityId>();
        record(write, way.activity, out);
        write.emit(way);
    };
}

}  // namespace federation

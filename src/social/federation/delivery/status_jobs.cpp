// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/status_jobs.hpp"

#include "social/accounts/account.hpp"
#include "social/federation/delivery/recipients.hpp"
#include "social/federation/delivery/updates.hpp"
#include "social/federation/documents/linked.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/statuses/documents/note_ap.hpp"

namespace federation {

namespace {

void want_activity(db::Write& db, ActivityKind kind, StatusId status) {
    db.emit(StatusActivityWanted{kind, status, db.new_id<ActivityId>()});
}

std::string object_of(StatusId status) { return "status " + std::to_string(status.value); }

}  // namespace

// A remote account's interaction with a local post that has ended: nothing else records that its server has
// the post.
struct HeardBy {
    StatusId status;
    AccountId author, account;
};
DESCRIBE(HeardBy, status, author, account)

namespace {

void remember_server_of(db::Write& db, const HeardBy& of) {
    auto inbox = wide_inbox_of(db, of.account);
    if (inbox.empty()) return;
    if (auto t = delivery_scope(db, of.status); t && !t->deleted)
        remember_recipients(db, of.author, of.status, {inbox});
}

}  // namespace

void deliver_published(db::Write& db, const statuses::Published& e) {
    if (!e.local) return;
    if (auto t = delivery_scope(db, e.id))
        want_activity(db, t->reblog_of ? ActivityKind::announce : ActivityKind::create, e.id);
}

void deliver_edited(db::Write& db, const statuses::Edited& e) { deliver_update(db, e.id); }

void deliver_update(db::Write& db, StatusId status) {
    if (delivery_scope(db, status)) want_activity(db, ActivityKind::update, status);
}

const db::Query<HeardBy> parent_heard_by{
    "parent_heard_by",
    R"(SELECT p.id AS status, p.account_id AS author, s.account_id AS account
       FROM statuses s JOIN statuses p ON p.id = s.in_reply_to_id
       WHERE s.id = $1 AND s.local = FALSE AND p.local = TRUE AND p.deleted_at IS NULL)"
};

void deliver_deleted(db::Write& db, const statuses::Deleted& e) {
    if (auto t = delivery_scope(db, e.id)) {
        want_activity(db, t->reblog_of ? ActivityKind::undo_announce : ActivityKind::delete_, e.id);
        return;
    }
    forget_recipients(db, e.id);
    if (auto parent = db.maybe(parent_heard_by, e.id)) remember_server_of(db, *parent);
}

// A rejected reply that is kept without its parent is sent as an Update; for others their deletion is sent.
void deliver_rejected(db::Write& db, const statuses::InteractionRejected& e) {
    if (auto t = delivery_scope(db, e.status); t && t->account == e.account)
        want_activity(db, ActivityKind::update, e.status);
}

void deliver_pinned(db::Write& db, const statuses::Pinned& e) {
    if (delivery_scope(db, e.status)) want_activity(db, ActivityKind::add, e.status);
}

void deliver_unpinned(db::Write& db, const statuses::Unpinned& e) {
    if (delivery_scope(db, e.status)) want_activity(db, ActivityKind::remove, e.status);
}

namespace {

std::string document(db::Read& db, const StatusActivityWanted& wanted) {
    switch (wanted.kind) {
        case ActivityKind::create: return statuses::create_activity(db, wanted.status);
        case ActivityKind::announce: return statuses::announce_activity(db, wanted.status);
        case ActivityKind::update: return statuses::update_activity(db, wanted.status);
        case ActivityKind::delete_: return statuses::delete_activity(db, wanted.status);
        case ActivityKind::undo_announce: return statuses::undo_announce_activity(db, wanted.status);
        case ActivityKind::add: return statuses::pin_activity(db, wanted.status);
        case ActivityKind::remove: return statuses::unpin_activity(db, wanted.status);
    }
    throw base::NotFound();
}

bool ends(ActivityKind kind) { return kind == ActivityKind::delete_ || kind == ActivityKind::undo_announce; }

// Of a deleted status only its Delete, Undo or Remove is sent.
bool outlives(ActivityKind kind) { return ends(kind) || kind == ActivityKind::remove; }

// Whether it also goes to everybody who was sent the status before. Edits of posts that are not public or
// unlisted go only to those who may see them now.
bool is_for_recipients(ActivityKind kind, statuses::Visibility visibility) {
    bool open = visibility == statuses::Visibility::public_ || visibility == statuses::Visibility::unlisted;
    return ends(kind) || (kind == ActivityKind::update && open);
}

// Signed for forwarding: public and unlisted posts, unless reading requires signed requests, and always
// deletions.
bool is_linked(db::Read& db, ActivityKind kind, statuses::Visibility visibility) {
    if (kind == ActivityKind::add || kind == ActivityKind::remove) return false;
    if (outlives(kind)) return true;
    bool open = visibility == statuses::Visibility::public_ || visibility == statuses::Visibility::unlisted;
    return open && !instance::federation_mode(db).readers_sign();
}

}  // namespace

std::string status_activity(
    db::Read& db, const StatusActivityWanted& wanted, AccountId author, statuses::Visibility visibility
) {
    auto body = document(db, wanted);
    return is_linked(db, wanted.kind, visibility) ? linked(db, author, std::move(body)) : body;
}

jobs::Change write_status_activity(db::Read& db, const StatusActivityWanted& wanted) {
    auto t = delivery_scope(db, wanted.status);
    if (!t || (t->deleted && !outlives(wanted.kind))) return {};
    using statuses::Visibility;
    auto out = std::make_shared<OutgoingActivity>();
    out->signer = t->account;
    out->object = object_of(t->id);
    out->body = status_activity(db, wanted, t->account, t->visibility);
    out->synchronized = t->visibility == Visibility::private_ && !t->deleted;
    bool pins = wanted.kind == ActivityKind::add || wanted.kind == ActivityKind::remove;
    ActivityFanOut way{
        wanted.activity, outlives(wanted.kind) ? StatusId{} : t->id, recipients_of(*t), {}, {}
    };
    if (pins) way.groups = {{Source::followers, t->account.value}};
    if (is_for_recipients(wanted.kind, t->visibility))
        way.groups.push_back({Source::recipients, t->id.value});
    if (ends(wanted.kind)) way.ended = t->id;
    way.kind = wanted.kind;
    way.version = t->version;
    return [out, way](db::Write& write) {
        if (way.unless_deleted && !statuses::find_status(write, way.unless_deleted)) return;
        record(write, way.activity, *out);
        write.emit(way);
    };
}

namespace {

// A local account that is not deleted.
bool may_deliver_for(db::Read& db, AccountId id) {
    auto account = accounts::find_account(db, id);
    return account && account->local() && !(account->suspended_at && accounts::is_gone(db, id));
}

void deliver_author(
    db::Write& db, AccountId signer, AccountId author, StatusId status,
    std::string (*document)(db::Read&, AccountId, StatusId, base::FavouriteId), base::FavouriteId id
) {
    auto inbox = inbox_of(db, author);
    if (inbox.empty() || !may_deliver_for(db, signer)) return;
    OutgoingActivity out;
    out.signer = signer;
    out.object = "favourite " + std::to_string(id.value);
    out.body = document(db, signer, status, id);
    send(db, out, {inbox});
}

}  // namespace

void deliver_favourited(db::Write& db, const statuses::Favourited& e) {
    deliver_author(db, e.account, e.author, e.status, statuses::like_activity, e.favourite);
}

void deliver_unfavourited(db::Write& db, const statuses::Unfavourited& e) {
    remember_server_of(db, {e.status, e.author, e.account});
    deliver_author(db, e.account, e.author, e.status, statuses::undo_like_activity, e.favourite);
}

void deliver_voted(db::Write& db, const statuses::Voted& e) {
    constexpr std::int64_t gathering_seconds = 180;
    auto inbox = inbox_of(db, e.author);
    if (inbox.empty()) {
        if (delivery_scope(db, e.poll)) plan_update(db, Update::poll, e.poll.value, gathering_seconds);
        return;
    }
    if (!may_deliver_for(db, e.account)) return;
    auto poll = statuses::find_poll(db, e.poll);
    if (!poll) return;
    for (auto choice : e.choices) {
        OutgoingActivity out;
        out.signer = e.account;
        out.object = object_of(e.poll);
        const auto& title = poll->options.at(static_cast<std::size_t>(choice)).title;
        out.body = statuses::vote_activity(db, e.account, e.poll, title, db.new_id<ActivityId>().value);
        send(db, out, {inbox});
    }
}

void deliver_poll_ended(db::Write& db, const statuses::PollEnded& e) {
    if (delivery_scope(db, e.poll)) plan_update(db, Update::poll, e.poll.value, 0);
}

}  // namespace federation

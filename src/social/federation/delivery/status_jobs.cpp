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

void tell(db::Write& db, Deed deed, StatusId status) { db.emit(Told{deed, status, db.new_id<ActivityId>()}); }

std::string object_of(StatusId status) { return "status " + std::to_string(status.value); }

}  // namespace

// What somebody of another server did with a post of ours, which is over: that the post is there is known no other way.
struct HeardBy {
    StatusId status;
    AccountId author, account;
};
DESCRIBE(HeardBy, status, author, account)

namespace {

void remember_server_of(db::Write& db, const HeardBy& of) {
    auto inbox = wide_inbox_of(db, of.account);
    if (inbox.empty()) return;
    if (auto t = telling(db, of.status); t && !t->deleted)
        remember_recipients(db, of.author, of.status, {inbox});
}

}  // namespace

void tell_published(db::Write& db, const statuses::Published& e) {
    if (!e.local) return;
    if (auto t = telling(db, e.id)) tell(db, t->reblog_of ? Deed::announce : Deed::create, e.id);
}

void tell_edited(db::Write& db, const statuses::Edited& e) {
    if (telling(db, e.id)) tell(db, Deed::update, e.id);
}

const db::Query<HeardBy> parent_heard_by{
    "parent_heard_by",
    R"(SELECT p.id AS status, p.account_id AS author, s.account_id AS account
       FROM statuses s JOIN statuses p ON p.id = s.in_reply_to_id
       WHERE s.id = $1 AND s.local = FALSE AND p.local = TRUE AND p.deleted_at IS NULL)"
};

void tell_deleted(db::Write& db, const statuses::Deleted& e) {
    if (auto t = telling(db, e.id)) {
        tell(db, t->reblog_of ? Deed::undo_announce : Deed::delete_, e.id);
        return;
    }
    forget_recipients(db, e.id);
    if (auto parent = db.maybe(parent_heard_by, e.id)) remember_server_of(db, *parent);
}

// An answer that is none any more is told as it is now; of the rest its end is.
void tell_rejected(db::Write& db, const statuses::InteractionRejected& e) {
    if (auto t = telling(db, e.status); t && t->account == e.account) tell(db, Deed::update, e.status);
}

void tell_pinned(db::Write& db, const statuses::Pinned& e) {
    if (telling(db, e.status)) tell(db, Deed::add, e.status);
}

void tell_unpinned(db::Write& db, const statuses::Unpinned& e) {
    if (telling(db, e.status)) tell(db, Deed::remove, e.status);
}

namespace {

std::string document(db::Read& db, const Told& told) {
    switch (told.deed) {
        case Deed::create: return statuses::create_activity(db, told.status);
        case Deed::announce: return statuses::announce_activity(db, told.status);
        case Deed::update: return statuses::update_activity(db, told.status);
        case Deed::delete_: return statuses::delete_activity(db, told.status);
        case Deed::undo_announce: return statuses::undo_announce_activity(db, told.status);
        case Deed::add: return statuses::pin_activity(db, told.status);
        case Deed::remove: return statuses::unpin_activity(db, told.status);
    }
    throw base::NotFound();
}

bool ends(Deed deed) { return deed == Deed::delete_ || deed == Deed::undo_announce; }

// What is said of a status that is gone by now, but its end, is not said.
bool outlives(Deed deed) { return ends(deed) || deed == Deed::remove; }

// Whether it is sent to everybody who was sent the status before. New words of what not everybody may read go to those
// alone who may read it now.
bool is_for_recipients(Deed deed, statuses::Visibility visibility) {
    bool open = visibility == statuses::Visibility::public_ || visibility == statuses::Visibility::unlisted;
    return ends(deed) || (deed == Deed::update && open);
}

// Others may pass on what everybody may read, unless all who read it have to say who they are; the end of something
// always.
bool is_linked(db::Read& db, Deed deed, statuses::Visibility visibility) {
    if (deed == Deed::add || deed == Deed::remove) return false;
    if (outlives(deed)) return true;
    bool open = visibility == statuses::Visibility::public_ || visibility == statuses::Visibility::unlisted;
    return open && !instance::federation_mode(db).readers_sign();
}

}  // namespace

jobs::Change write_told(db::Read& db, const Told& told) {
    auto t = telling(db, told.status);
    if (!t || (t->deleted && !outlives(told.deed))) return {};
    using statuses::Visibility;
    auto out = std::make_shared<Outgoing>();
    out->signer = t->account;
    out->object = object_of(t->id);
    out->body = document(db, told);
    if (is_linked(db, told.deed, t->visibility)) out->body = linked(db, t->account, std::move(out->body));
    out->synchronized = t->visibility == Visibility::private_ && !t->deleted;
    bool pins = told.deed == Deed::add || told.deed == Deed::remove;
    Spreading way{told.activity, outlives(told.deed) ? StatusId{} : t->id, reach(*t), {}, {}};
    if (pins) way.steps = {{Source::followers, t->account.value}};
    if (is_for_recipients(told.deed, t->visibility)) way.steps.push_back({Source::recipients, t->id.value});
    if (ends(told.deed)) way.ended = t->id;
    return [out, way](db::Write& write) {
        if (way.unless_deleted && !statuses::find_status(write, way.unless_deleted)) return;
        record(write, way.activity, *out);
        write.emit(way);
    };
}

namespace {

// Of this site, and not gone.
bool may_tell(db::Read& db, AccountId id) {
    auto account = accounts::find_account(db, id);
    return account && account->local() && !(account->suspended_at && accounts::is_gone(db, id));
}

void tell_author(
    db::Write& db, AccountId signer, AccountId author, StatusId status,
    std::string (*document)(db::Read&, AccountId, StatusId, base::FavouriteId), base::FavouriteId id
) {
    auto inbox = inbox_of(db, author);
    if (inbox.empty() || !may_tell(db, signer)) return;
    Outgoing out;
    out.signer = signer;
    out.object = "favourite " + std::to_string(id.value);
    out.body = document(db, signer, status, id);
    send(db, out, {inbox});
}

}  // namespace

void tell_favourited(db::Write& db, const statuses::Favourited& e) {
    tell_author(db, e.account, e.author, e.status, statuses::like_activity, e.favourite);
}

void tell_unfavourited(db::Write& db, const statuses::Unfavourited& e) {
    remember_server_of(db, {e.status, e.author, e.account});
    tell_author(db, e.account, e.author, e.status, statuses::undo_like_activity, e.favourite);
}

void tell_voted(db::Write& db, const statuses::Voted& e) {
    constexpr std::int64_t gathering_seconds = 180;
    auto inbox = inbox_of(db, e.author);
    if (inbox.empty()) {
        if (telling(db, e.poll)) plan_update(db, Update::poll, e.poll.value, gathering_seconds);
        return;
    }
    if (!may_tell(db, e.account)) return;
    auto poll = statuses::find_poll(db, e.poll);
    if (!poll) return;
    for (auto choice : e.choices) {
        Outgoing out;
        out.signer = e.account;
        out.object = object_of(e.poll);
        const auto& title = poll->options.at(static_cast<std::size_t>(choice)).title;
        out.body = statuses::vote_activity(db, e.account, e.poll, title, db.new_id<ActivityId>().value);
        send(db, out, {inbox});
    }
}

void tell_poll_ended(db::Write& db, const statuses::PollEnded& e) {
    if (telling(db, e.poll)) plan_update(db, Update::poll, e.poll.value, 0);
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/status_jobs.hpp"

#include "social/accounts/account.hpp"
#include "social/accounts/ending.hpp"
#include "social/federation/linked.hpp"
#include "social/federation/updates.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/statuses/note_ap.hpp"

namespace federation {

namespace {

void tell(db::Write& db, Deed deed, StatusId status) { db.emit(Told{deed, status, db.new_id<ActivityId>()}); }

std::string object_of(StatusId status) { return "status " + std::to_string(status.value); }

}  // namespace

void tell_published(db::Write& db, const statuses::Published& e) {
    if (!e.local) return;
    if (auto t = telling(db, e.id)) tell(db, t->reblog_of ? Deed::announce : Deed::create, e.id);
}

void tell_edited(db::Write& db, const statuses::Edited& e) {
    if (telling(db, e.id)) tell(db, Deed::update, e.id);
}

void tell_deleted(db::Write& db, const statuses::Deleted& e) {
    if (auto t = telling(db, e.id)) tell(db, t->reblog_of ? Deed::undo_announce : Deed::delete_, e.id);
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

// What is said of a status that is gone by now, but its end, is not said.
bool outlives(Deed deed) {
    return deed == Deed::delete_ || deed == Deed::undo_announce || deed == Deed::remove;
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
    Spreading way{told.activity, outlives(told.deed) ? StatusId{} : t->id, reach(*t)};
    if (pins) way.steps = {{Source::followers, t->account.value}};
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
    for (const auto& vote : statuses::votes_of(db, e.account, {e.poll})) {
        Outgoing out;
        out.signer = e.account;
        out.object = object_of(e.poll);
        const auto& title = poll->options.at(static_cast<std::size_t>(vote.choice)).title;
        out.body = statuses::vote_activity(db, e.account, e.poll, title, db.new_id<ActivityId>().value);
        send(db, out, {inbox});
    }
}

void tell_poll_ended(db::Write& db, const statuses::PollEnded& e) {
    if (telling(db, e.poll)) plan_update(db, Update::poll, e.poll.value, 0);
}

}  // namespace federation

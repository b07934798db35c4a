// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/incoming_posts.hpp"

#include "ap/url.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/fetch/read_status.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/relationships/follow_lists.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"

#include <algorithm>

namespace federation {

using base::AccountId;
using base::StatusId;
using statuses::RemoteReblog, statuses::RemoteStatus;

namespace {

constexpr std::size_t most_strangers = 4;  // fetched for one post
constexpr std::int64_t young_seconds = 86'400;

}  // namespace

// accounts belongs to accounts.
const db::Query<bool> names_somebody_here{
    "names_somebody_here", "SELECT EXISTS (SELECT 1 FROM accounts WHERE domain = '' AND id IN LIST($1))"
};

namespace {

bool is_local(db::Read& db, AccountId id) {
    return db.maybe(accounts::domain_of_account, id) == std::string();
}

bool answers_us(db::Read& db, const RemoteStatus& status) {
    auto parent = statuses::find_by_uri(db, status.in_reply_to);
    auto known = parent ? statuses::find_status(db, *parent) : std::nullopt;
    if (!known) return false;
    return is_local(db, known->account_id) || relationships::is_followed_here(db, known->account_id);
}

// Whether somebody here would see it: other posts are not stored.
bool concerns_us(db::Read& db, const RemoteStatus& status, const ap::Incoming& in) {
    std::vector<AccountId> named;
    for (const auto& mention : status.mentions) named.push_back(mention.account);
    using statuses::Visibility;
    if (in.relayed && status.visibility == statuses::Visibility::public_) return true;
    if (in.recipient || (!named.empty() && db.one(names_somebody_here, named))) return true;
    bool open = status.visibility == Visibility::public_ || status.visibility == Visibility::unlisted;
    if ((open || status.visibility == Visibility::private_) && relationships::is_followed_here(db, in.actor))
        return true;
    return open && answers_us(db, status);
}

std::optional<ap::Object> read_own(const ap::Document& document, const ap::Incoming& in, base::Time now) {
    auto object = ap::read_object(document, now, in.activity.actor);
    if (!object || object->attributed_to != in.activity.actor || !is_status(*object)) return std::nullopt;
    return *std::move(object);
}

// Fetched from its own server.
std::optional<ap::Object> shown_post(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    auto shown = fetch(ask, db, in.activity.object.id, fetch_signer(db, in));
    if (shown.outcome == FetchOutcome::failed) try_again(shown);
    if (shown.outcome != FetchOutcome::found || !ap::same_host(shown.id, in.activity.actor))
        return std::nullopt;
    return read_own(shown.document, in, db.now());
}

// The post, embedded by its author or fetched from its own server.
std::optional<ap::Object> post(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& object = in.activity.object;
    if (!ap::names_by_id(object) && ap::may_trust_embedded(in.activity))
        return read_own(object.embedded, in, db.now());
    if (object.id.empty() || statuses::find_by_uri(db, object.id)) return std::nullopt;
    return shown_post(ask, db, in);
}

// Some servers send only the id of the edited post; posts that are not known here are not fetched.
std::optional<ap::Object> edited(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& object = in.activity.object;
    if (!ap::names_by_id(object))
        return ap::may_trust_embedded(in.activity) ? read_own(object.embedded, in, db.now()) : std::nullopt;
    if (object.id.empty() || !statuses::find_by_uri(db, object.id)) return std::nullopt;
    return shown_post(ask, db, in);
}

RemoteStatus status_in(db::Read& db, const ap::Object& object, const ap::Incoming& in) {
    auto status = status_of(db, object, in.actor, in.activity.audience, in.recipient);
    status.delivered = true;
    return status;
}

// Adds the verdict of the moderation rules, for a new post or for an edit of a known one.
std::optional<RemoteStatus> judged(
    db::Read& db, std::optional<RemoteStatus> status, std::optional<StatusId> known = {}
) {
    if (status) statuses::judge(db, *status, known);
    return status;
}

// If it is to be stored, with its mentioned accounts fetched.
std::optional<RemoteStatus> wanted(
    const base::Ask& ask, db::Read& db, const ap::Object& object, const ap::Incoming& in
) {
    auto status = status_in(db, object, in);
    if (!concerns_us(db, status, in)) return std::nullopt;
    auto strangers = unknown_mentions(db, object, most_strangers);
    if (strangers.empty()) return status;
    for (const auto& uri : strangers) ask(accounts::Resolve{uri});
    return status_in(db, object, in);
}

}  // namespace

std::optional<RemoteStatus> created_post(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    auto object = post(ask, db, in);
    if (!object) return std::nullopt;
    // The id in the activity has been checked already.
    bool other = object->id != in.activity.object.id;
    if (other && ended_early(db, object->id, in.activity.actor)) return std::nullopt;
    // A known post is not changed by a Create.
    return judged(db, wanted(ask, db, *object, in));
}

bool take_post(db::Write& db, const RemoteStatus& status) {
    statuses::store_remote(db, status);
    return true;
}

std::optional<RemoteStatus> updated_post(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    auto object = edited(ask, db, in);
    if (!object || ended_early(db, object->id, in.activity.actor)) return std::nullopt;
    if (const auto known = statuses::find_by_uri(db, object->id))
        return judged(db, status_in(db, *object, in), known);
    auto yesterday = db.now().plus_seconds(-young_seconds);
    if (!object->published || *object->published < yesterday) return std::nullopt;
    return judged(db, wanted(ask, db, *object, in));
}

bool take_edit(db::Write& db, const RemoteStatus& status) {
    if (statuses::find_by_uri(db, status.uri)) statuses::edit_remote(db, status);
    else statuses::store_remote(db, status);
    return true;
}

std::optional<EndedPost> deleted_post(db::Read&, const ap::Incoming& in) {
    if (in.activity.object.id.empty()) return std::nullopt;
    return EndedPost{in.actor, in.activity.object.id};
}

bool take_end(db::Write& db, const EndedPost& post) {
    statuses::remove_remote(db, post.account, post.uri);
    return true;
}

namespace {

// The activity that a group announces (FEP-1b12), else an empty node.
ap::Node announced_activity(const ap::Incoming& in) {
    const auto& object = in.activity.object;
    bool activity = object.embedded && ap::kind_of(object.embedded.node()) == ap::Kind::activity;
    return activity ? object.embedded.node() : ap::Node();
}

bool is_answer(db::Read& db, StatusId id) {
    auto status = statuses::find_status(db, id);
    if (!status || status->in_reply_to_id) return status.has_value();
    auto facts = statuses::remote_facts(db, id);
    return facts && !facts->parent.empty();
}

}  // namespace

std::optional<AnnouncedChange> announced_change(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto activity = announced_activity(in);
    bool ends = activity.is("Delete");
    if (!ends && !activity.is("Update")) return std::nullopt;
    auto id = activity["object"].id();
    auto post = statuses::find_by_uri(db, id);
    if (!post || !relationships::is_followed_here(db, in.actor)) return std::nullopt;
    const bool asked = may_ask(db, id);
    if (!asked && !ends) return std::nullopt;
    AnnouncedChange out{in.actor, *post, ends};
    // Its own server says that its author deleted it; NodeBB may still show it for a minute.
    auto status = statuses::find_status(db, *post);
    bool by_author =
        status && accounts::find_by_uri(db, activity["actor"].id()) == std::optional(status->account_id);
    out.vanished = asked && ends && by_author && ap::same_host(in.activity.actor, id);
    // Signed by a recipient of the post, not of the Announce: the post's author may have blocked that one.
    if (asked && !out.vanished) reschedule_or_fail(ask(accounts::Resolve{id, fetch_signer(db, *post), true}));
    return out;
}

// An edit was already stored by the answer to the question.
bool take_change(db::Write& db, const AnnouncedChange& change) {
    if (change.vanished) statuses::remove_vanished(db, change.post);
    else if (change.ends && statuses::reblog_by(db, change.by, change.post))
        statuses::unreblog(db, change.by, change.post);
    return true;
}

std::optional<RemoteReblog> announced_post(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    auto id = ap::post_meant(in.activity.object);
    if (id.empty() || in.activity.id.empty()) return std::nullopt;
    auto original = statuses::find_by_uri(db, id);
    auto known = original ? statuses::find_status(db, *original) : std::nullopt;
    bool ours = known && is_local(db, known->account_id);
    if (!ours && (has_our_host(db.site(), id) || !relationships::is_followed_here(db, in.actor)))
        return std::nullopt;
    if (!original) {
        const auto& found = ask(accounts::Resolve{id, fetch_signer(db, in)});
        reschedule_or_fail(found);
        if (!found.status) return std::nullopt;
        original = found.status;
    }
    // It is stored as a reply in its thread.
    if (announced_activity(in) && is_answer(db, *original)) return std::nullopt;
    auto actor = stored_actor(db, in.actor);
    RemoteReblog out;
    out.uri = in.activity.id;
    out.account = in.actor;
    out.original = *original;
    out.published = in.activity.published;
    auto visibility = ap::visibility_of(in.activity.audience, actor ? actor->followers : std::string());
    switch (visibility) {
        case ap::Visibility::public_: out.visibility = statuses::Visibility::public_; break;
        case ap::Visibility::unlisted: out.visibility = statuses::Visibility::unlisted; break;
        case ap::Visibility::private_: out.visibility = statuses::Visibility::private_; break;
        default: return std::nullopt;
    }
    out.delivered = true;
    return out;
}

bool take_boost(db::Write& db, const RemoteReblog& boost) {
    statuses::reblog_remote(db, boost);
    return true;
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/read_actor.hpp"

#include "ap/actor.hpp"
#include "ap/collection.hpp"
#include "ap/url.hpp"
#include "ap/webfinger.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/profile/featuring.hpp"

namespace federation {

namespace {

struct LookedUp : ap::Found {
    bool may_pass = false;  // with `failed`: a retry may succeed
};

// WebFinger and host-meta are requested without a signature.
base::Fetch question_of(const std::string& url, bool plain) {
    base::Fetch question;
    question.url = url;
    question.headers = {{"Accept", "application/jrd+json, application/json, application/xrd+xml;q=0.5"}};
    question.most_bytes = 256 * 1024;
    question.seconds = 15;
    question.per_minute = 600;
    question.plain_http = plain;
    return question;
}

LookedUp look_up(const base::Ask& ask, db::Read& db, const ap::Handle& handle) {
    bool plain = db.site().public_url.starts_with("http://");
    auto last = FetchOutcome::refused;
    auto found = ap::look_up(
        handle,
        [&](const std::string& url) -> ap::Answer {
            last = FetchOutcome::refused;
            if (!may_ask(db, url)) return {};
            const auto& answer = ask(question_of(url, plain));
            last = outcome_of(answer);
            return {answer.failure == base::FetchFailure::none ? answer.status : 0, answer.body};
        },
        plain
    );
    return {std::move(found), last == FetchOutcome::failed};
}

// `found` when the handle's domain confirms that it belongs to this actor. A known actor with an unchanged
// handle needs no confirmation.
FetchOutcome confirmed(const base::Ask& ask, db::Read& db, const ap::Actor& actor) {
    if (auto account = accounts::find_by_uri(db, actor.id)) {
        auto known = stored_actor(db, *account);
        if (known && known->domain == actor.handle_domain &&
            base::text::same_ignoring_ascii_case(known->username, actor.username))
            return FetchOutcome::found;
    }
    auto found = look_up(ask, db, {actor.handle_name, actor.handle_domain});
    if (found.outcome == ap::Found::failed && found.may_pass) return FetchOutcome::failed;
    bool its_own = found.outcome == ap::Found::found && found.actor == actor.id &&
                   found.handle.domain == actor.handle_domain &&
                   base::text::same_ignoring_ascii_case(found.handle.name, actor.handle_name);
    return its_own ? FetchOutcome::found : FetchOutcome::refused;
}

struct StatusActivityWanted {
    std::optional<std::int64_t> total;
    bool hidden = false;
};

StatusActivityWanted told_of(
    const base::Ask& ask, db::Read& db, const ap::Listing& listing, std::string_view actor
) {
    if (listing.total || !ap::same_host(listing.id, actor)) return {listing.total, false};
    auto found = fetch(ask, db, listing.id);
    if (found.outcome != FetchOutcome::found) return {};
    auto collection = ap::read_collection(found.document);
    if (!collection) return {};
    return {collection->total, collection->hidden};
}

std::int64_t groups(const std::vector<std::string>& ids, const ap::Actor& actor) {
    using accounts::FeaturePolicy;
    std::int64_t out = 0;
    for (const auto& id : ids) {
        if (ap::is_public(id)) out |= FeaturePolicy::public_;
        else if (id == actor.followers.id) out |= FeaturePolicy::followers;
        else if (id == actor.following.id) out |= FeaturePolicy::following;
    }
    return out;
}

accounts::RemoteAccount account_of(const ap::Actor& actor) {
    accounts::RemoteAccount out;
    out.uri = actor.id;
    out.url = ap::same_host(actor.url, actor.id) ? actor.url : actor.id;
    out.username = actor.handle_name;
    out.domain = actor.handle_domain;
    out.actor_type = actor.type;
    out.display_name = actor.name;
    out.note = actor.summary;
    for (const auto& field : actor.fields) out.fields.push_back({field.name, field.value});
    out.locked = actor.manually_approves_followers;
    out.discoverable = actor.discoverable;
    out.indexable = actor.indexable;
    out.memorial = actor.memorial;
    out.suspended = actor.suspended;
    out.show_media = actor.show_media;
    out.show_media_replies = actor.show_replies_in_media;
    out.show_featured = actor.show_featured;
    out.avatar = actor.icon.url;
    out.avatar_description = actor.icon.description;
    out.header = actor.image.url;
    out.header_description = actor.image.description;
    out.followers_count = actor.followers.total;
    out.following_count = actor.following.total;
    out.statuses_count = actor.outbox.total;
    out.published = actor.published;
    out.attribution_domains = actor.attribution_domains;
    out.feature_policy =
        accounts::stored({groups(actor.can_feature.automatic, actor), groups(actor.can_feature.manual, actor)}
        );
    for (const auto& emoji : actor.tags.emojis)
        out.emojis.push_back({emoji.shortcode, emoji.url, emoji.updated});
    return out;
}

// Collections on other hosts are not trusted.
std::string own(const std::string& url, const std::string& actor) {
    return ap::same_host(url, actor) ? url : std::string();
}

// The inbox may be on another host, as WordPress.com has the inboxes of all blogs on one host. Hosts that may
// not be requested (our own, blocked ones) are not delivered to either.
std::string inbox_of(db::Read& db, const ap::Actor& actor) {
    return ap::same_host(actor.inbox, actor.id) || may_ask(db, actor.inbox) ? actor.inbox : std::string();
}

ActorRecord record_of(db::Read& db, const ap::Actor& actor) {
    ActorRecord out;
    out.account = account_of(actor);
    auto inbox = inbox_of(db, actor);
    auto shared = own(actor.shared_inbox, actor.id);
    if (shared.empty()) shared = own(actor.shared_inbox, inbox);
    out.row = {
        std::move(inbox),
        std::move(shared),
        own(actor.outbox.id, actor.id),
        own(actor.followers.id, actor.id),
        own(actor.following.id, actor.id),
        own(actor.featured.id, actor.id),
        own(actor.featured_tags.id, actor.id),
        own(actor.featured_collections, actor.id),
        actor.also_known_as
    };
    for (const auto& key : actor.keys)
        if (key.is_own(actor.id) && key.known())
            out.keys.push_back(
                {key.id, key.pem.empty() ? "multibase" : "pem", key.pem.empty() ? key.multibase : key.pem}
            );
    if (actor.moved_to.size() <= accounts::longest_uri) out.moved_to = actor.moved_to;
    return out;
}

}  // namespace

FoundActor read_actor(const base::Ask& ask, db::Read& db, const VerifiedDocument& verified, bool counts) {
    auto actor = ap::read_actor(verified.document, db.now());
    if (!actor || actor->id != verified.id) return {FetchOutcome::refused, verified.id, {}};
    if (auto said = confirmed(ask, db, *actor); said != FetchOutcome::found) return {said, verified.id, {}};
    auto record = record_of(db, *actor);
    if (counts && !actor->suspended) {
        auto& account = record.account;
        auto followers = told_of(ask, db, actor->followers, actor->id);
        auto following = told_of(ask, db, actor->following, actor->id);
        account.followers_count = followers.total;
        account.following_count = following.total;
        account.statuses_count = told_of(ask, db, actor->outbox, actor->id).total;
        if (followers.hidden || following.hidden) account.hide_collections = true;
    }
    return {FetchOutcome::found, actor->id, std::move(record)};
}

FoundActor find_actor(const base::Ask& ask, db::Read& db, std::string_view url, bool counts) {
    auto verified = fetch(ask, db, url);
    if (verified.outcome != FetchOutcome::found) return {verified.outcome, std::string(url), {}};
    return read_actor(ask, db, verified, counts);
}

FoundHandle find_handle(const base::Ask& ask, db::Read& db, std::string_view text) {
    auto handle = ap::parse_handle(text);
    if (!handle) return {FetchOutcome::missing, {}};
    auto found = look_up(ask, db, *handle);
    switch (found.outcome) {
        case ap::Found::found: return {FetchOutcome::found, found.actor};
        case ap::Found::gone: return {FetchOutcome::gone, {}};
        case ap::Found::failed: break;
    }
    return {found.may_pass ? FetchOutcome::failed : FetchOutcome::missing, {}};
}

std::string canonical_handle(std::string_view text) {
    auto handle = ap::parse_handle(text);
    return handle ? handle->text() : "";
}

std::string address_at_home(
    const base::Ask& ask, db::Read& db, std::string_view text, std::string_view encoded_id, bool is_actor
) {
    auto handle = ap::parse_handle(text);
    if (!handle) return {};
    bool plain = db.site().public_url.starts_with("http://");
    auto url = ap::webfinger_url(*handle, plain);
    if (!may_ask(db, url)) return {};
    const auto& answer = ask(question_of(url, plain));
    if (!answer.ok()) return {};
    auto jrd = ap::read_jrd(answer.body);
    return jrd ? ap::intent_url(*jrd, encoded_id, is_actor) : "";
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// The ActivityPub ids of everything local, built and parsed only here. Ids never change once published. An
// `actor` here is the id of a local actor: accounts::uri_of builds it from an account, actor() from its
// number. The ids of what belongs to an actor or a status begin with that one's id.
#pragma once
#include "base/ids.hpp"
#include "base/site.hpp"
#include "base/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace base::uris {

constexpr std::string_view public_collection = "https://www.w3.org/ns/activitystreams#Public";

// The server itself is an actor too.
constexpr AccountId server_actor{0};

std::string actor(const Site&, AccountId);
std::string shared_inbox(const Site&);
std::string context(const Site&, AccountId, StatusId);  // of the conversation that this status started
std::string emoji(const Site&, EmojiId);
std::string payload(const Site&, std::string_view unique);  // of an activity that cannot be fetched
std::string tag_page(const Site&, std::string_view name);
std::string profile_page(const Site&, std::string_view username);
std::string status_page(const Site&, std::string_view username, StatusId);

std::string inbox(std::string_view actor);
std::string outbox(std::string_view actor);
std::string followers(std::string_view actor);
std::string following(std::string_view actor);
std::string featured(std::string_view actor);
std::string featured_tags(std::string_view actor);
std::string followers_synchronization(std::string_view actor);
std::string main_key(std::string_view actor);
std::string featured_collections(std::string_view actor);
std::string collection(std::string_view actor, std::int64_t id);
std::string collection_item(std::string_view actor, std::int64_t id);
std::string feature_authorization(std::string_view actor, std::int64_t item);
std::string quote_authorization(std::string_view actor, std::int64_t quote);
std::string reply_authorization(std::string_view actor, StatusId reply);

std::string status(std::string_view actor, StatusId);
std::string activity(std::string_view status);  // its Create, or a boost's Announce
std::string replies(std::string_view status);
std::string likes(std::string_view status);
std::string shares(std::string_view status);

// Activities that cannot be fetched. `what` is a plural: "follows", "accepts/follows", "likes", "votes".
std::string action(std::string_view actor, std::string_view what, std::int64_t id);
std::string undo(std::string_view action);
std::string update(std::string_view actor_or_status, Time);
std::string removal(std::string_view actor_or_status);

// What kind of local thing an id, or the URL of a page, names.
enum class Kind {
    actor,
    inbox,
    outbox,
    followers,
    following,
    featured,
    featured_tags,
    followers_synchronization,
    key,
    featured_collections,
    collection,
    collection_item,
    feature_authorization,
    quote_authorization,
    reply_authorization,
    action,
    status,
    activity,
    replies,
    likes,
    shares,
    context,
    emoji,
};
struct Ours {
    Kind kind;
    AccountId account;     // of ids with a number; also server_actor when `username` is empty
    std::string username;  // of ids and pages with a name
    std::int64_t id = 0;   // of the status, quote, action, emoji …
    std::string action;    // "follows", where kind is action
    StatusId status() const { return {id}; }
};
bool is_ours(const Site&, std::string_view uri);  // on our host, whether it exists or not
std::optional<Ours> ours(const Site&, std::string_view uri);

}  // namespace base::uris

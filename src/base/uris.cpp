// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/uris.hpp"

#include <charconv>
#include <span>

#include "base/text/hashtag.hpp"
#include "base/text/utf8.hpp"

namespace base::uris {

namespace {

std::string joined(std::string_view a, std::string_view b) { return std::string(a) += b; }

struct Suffix {
    std::string_view path;
    Kind kind;
};

constexpr Suffix of_actors[] = {
    {"", Kind::actor},
    {"/inbox", Kind::inbox},
    {"/outbox", Kind::outbox},
    {"/followers", Kind::followers},
    {"/following", Kind::following},
    {"/collections/featured", Kind::featured},
    {"/collections/tags", Kind::featured_tags},
    {"/featured_collections", Kind::featured_collections},
    {"/followers_synchronization", Kind::followers_synchronization},
    {"#main-key", Kind::key},
    {"/main-key", Kind::key},  // GoToSocial's form
};
constexpr Suffix of_statuses[] = {
    {"", Kind::status},
    {"/activity", Kind::activity},
    {"/replies", Kind::replies},
    {"/likes", Kind::likes},
    {"/shares", Kind::shares},
};

std::string with_suffix(std::string_view owner, std::span<const Suffix> all, Kind kind) {
    for (const auto& suffix : all)
        if (suffix.kind == kind) return joined(owner, suffix.path);
    return std::string(owner);
}

}  // namespace

std::string actor(const Site& site, AccountId id) {
    if (id == server_actor) return site.public_url + "/actor";
    return site.public_url + "/ap/users/" + std::to_string(id.value);
}

std::string shared_inbox(const Site& site) { return site.public_url + "/inbox"; }

std::string context(const Site& site, AccountId account, StatusId status) {
    return site.public_url + "/contexts/" + std::to_string(account.value) + "-" +
           std::to_string(status.value);
}

std::string emoji(const Site& site, EmojiId id) {
    return site.public_url + "/emojis/" + std::to_string(id.value);
}

std::string payload(const Site& site, std::string_view unique) {
    return joined(site.public_url + "/payloads/", unique);
}

std::string tag_page(const Site& site, std::string_view name) {
    return site.public_url + "/tags/" + text::hashtag_in_address(name);
}

std::string profile_page(const Site& site, std::string_view username) {
    return joined(site.public_url + "/@", username);
}

std::string status_page(const Site& site, std::string_view username, StatusId id) {
    return profile_page(site, username) + "/" + std::to_string(id.value);
}

std::string inbox(std::string_view actor) { return with_suffix(actor, of_actors, Kind::inbox); }
std::string outbox(std::string_view actor) { return with_suffix(actor, of_actors, Kind::outbox); }
std::string followers(std::string_view actor) { return with_suffix(actor, of_actors, Kind::followers); }
std::string following(std::string_view actor) { return with_suffix(actor, of_actors, Kind::following); }
std::string featured(std::string_view actor) { return with_suffix(actor, of_actors, Kind::featured); }
std::string featured_tags(std::string_view actor) {
    return with_suffix(actor, of_actors, Kind::featured_tags);
}
std::string followers_synchronization(std::string_view actor) {
    return with_suffix(actor, of_actors, Kind::followers_synchronization);
}
std::string main_key(std::string_view actor) { return with_suffix(actor, of_actors, Kind::key); }

std::string featured_collections(std::string_view actor) {
    return with_suffix(actor, of_actors, Kind::featured_collections);
}

std::string collection(std::string_view actor, std::int64_t id) {
    return joined(actor, "/collections/") + std::to_string(id);
}

std::string collection_item(std::string_view actor, std::int64_t id) {
    return joined(actor, "/collection_items/") + std::to_string(id);
}

std::string feature_authorization(std::string_view actor, std::int64_t item) {
    return joined(actor, "/feature_authorizations/") + std::to_string(item);
}

std::string quote_authorization(std::string_view actor, std::int64_t quote) {
    return joined(actor, "/quote_authorizations/") + std::to_string(quote);
}

std::string reply_authorization(std::string_view actor, StatusId reply) {
    return joined(actor, "/reply_authorizations/") + std::to_string(reply.value);
}

std::string status(std::string_view actor, StatusId id) {
    return joined(actor, "/statuses/") + std::to_string(id.value);
}

std::string activity(std::string_view status) { return with_suffix(status, of_statuses, Kind::activity); }
std::string replies(std::string_view status) { return with_suffix(status, of_statuses, Kind::replies); }
std::string likes(std::string_view status) { return with_suffix(status, of_statuses, Kind::likes); }
std::string shares(std::string_view status) { return with_suffix(status, of_statuses, Kind::shares); }

std::string action(std::string_view actor, std::string_view what, std::int64_t id) {
    return joined(actor, "#").append(what) + "/" + std::to_string(id);
}

std::string undo(std::string_view action) { return joined(action, "/undo"); }

std::string update(std::string_view actor_or_status, Time time) {
    return joined(actor_or_status, "#updates/") + std::to_string(time.ms);  // milliseconds, to be unique
}

std::string removal(std::string_view actor_or_status) { return joined(actor_or_status, "#delete"); }

namespace {

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

bool skip(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

// Takes everything up to the next separator.
std::string_view take_part(std::string_view& text) {
    auto part = text.substr(0, text.find_first_of("/#?"));
    text.remove_prefix(part.size());
    return part;
}

// The path, when scheme, host and port are ours.
std::optional<std::string_view> our_path(const Site& site, std::string_view uri) {
    const auto& base = site.public_url;
    if (!text::same_ignoring_ascii_case(uri.substr(0, base.size()), base)) return std::nullopt;
    uri.remove_prefix(base.size());
    if (!uri.empty() && uri.front() != '/') return std::nullopt;
    return uri;
}

std::optional<Ours> of_number(Ours found, Kind kind, std::string_view text) {
    auto id = number(text);
    if (!id) return std::nullopt;
    found.kind = kind;
    found.id = *id;
    return found;
}

std::optional<Ours> of_status(Ours found, std::string_view rest) {
    auto id = number(take_part(rest));
    if (!id) return std::nullopt;
    found.id = *id;
    for (const auto& suffix : of_statuses) {
        if (suffix.path != rest) continue;
        found.kind = suffix.kind;
        return found;
    }
    return std::nullopt;
}

std::optional<Ours> of_actor(Ours found, std::string_view rest) {
    for (const auto& suffix : of_actors) {
        if (suffix.path != rest) continue;
        found.kind = suffix.kind;
        return found;
    }
    if (skip(rest, "/statuses/")) return of_status(std::move(found), rest);
    if (skip(rest, "/quote_authorizations/"))
        return of_number(std::move(found), Kind::quote_authorization, rest);
    if (skip(rest, "/reply_authorizations/"))
        return of_number(std::move(found), Kind::reply_authorization, rest);
    if (skip(rest, "/collections/")) return of_number(std::move(found), Kind::collection, rest);
    if (skip(rest, "/collection_items/")) return of_number(std::move(found), Kind::collection_item, rest);
    if (skip(rest, "/feature_authorizations/"))
        return of_number(std::move(found), Kind::feature_authorization, rest);
    auto last = rest.rfind('/');
    if (!skip(rest, "#") || last == rest.npos) return std::nullopt;
    found.action = rest.substr(0, last - 1);
    return of_number(std::move(found), Kind::action, rest.substr(last));
}

std::optional<Ours> of_page(std::string_view rest) {
    Ours found{Kind::actor, {}, std::string(take_part(rest)), 0, {}};
    if (found.username.empty()) return std::nullopt;
    if (rest.empty()) return found;
    if (!skip(rest, "/")) return std::nullopt;
    return of_number(std::move(found), Kind::status, rest);
}

std::optional<Ours> of_context(std::string_view rest) {
    auto dash = rest.find('-');
    if (dash == rest.npos) return std::nullopt;
    auto account = number(rest.substr(0, dash));
    if (!account) return std::nullopt;
    return of_number({Kind::context, {*account}, {}, 0, {}}, Kind::context, rest.substr(dash + 1));
}

}  // namespace

bool is_ours(const Site& site, std::string_view uri) { return our_path(site, uri).has_value(); }

std::optional<Ours> ours(const Site& site, std::string_view uri) {
    auto path = our_path(site, uri);
    if (!path) return std::nullopt;
    auto rest = *path;
    Ours found{Kind::actor, server_actor, {}, 0, {}};
    if (rest == "/inbox") return found.kind = Kind::inbox, found;
    if (skip(rest, "/ap/users/")) {
        auto id = number(take_part(rest));
        if (!id || *id == 0) return std::nullopt;
        found.account = {*id};
        return of_actor(std::move(found), rest);
    }
    if (skip(rest, "/users/")) {
        found.username = take_part(rest);
        if (found.username.empty()) return std::nullopt;
        return of_actor(std::move(found), rest);
    }
    if (skip(rest, "/@")) return of_page(rest);
    if (skip(rest, "/contexts/")) return of_context(rest);
    if (skip(rest, "/emojis/")) return of_number(std::move(found), Kind::emoji, rest);
    if (skip(rest, "/actor")) return of_actor(std::move(found), rest);
    return std::nullopt;
}

}  // namespace base::uris

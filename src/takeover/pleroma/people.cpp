// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/key.hpp"
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "base/text/utf8.hpp"
#include "social/instance/domain_block.hpp"
#include "takeover/compose.hpp"
#include "takeover/pleroma/reading.hpp"

#include <algorithm>

namespace takeover::pleroma {

namespace {

struct Handle {
    std::string name, domain;  // domain: empty for people of this site
};
Handle handle_of(const User& u) {
    if (u.local) return {u.nickname, {}};
    const auto at = u.nickname.find('@');
    Handle out{
        u.nickname.substr(0, at), at == u.nickname.npos ? host_of(u.ap_id) : u.nickname.substr(at + 1)
    };
    out.domain = base::text::ascii_lowered(out.domain);
    return out;
}

std::string fields_json(const Reading& r, const User& u) {
    constexpr std::size_t most = 32;
    std::vector<accounts::Field> out;
    for (const auto& item : (u.local ? u.raw_fields : u.fields).items) {
        const auto field = object_of(item);
        if (!field || out.size() == most) continue;
        accounts::Field kept;
        kept.name = text(*field, "name");
        if (u.local) {
            kept.value = text(*field, "value");
            kept.value_html = field_html(r.site, kept.value);
        } else kept.value_html = base::text::sanitize(text(*field, "value"));
        out.push_back(std::move(kept));
    }
    return base::json::to_string(out);
}

// Why it cannot be taken; nothing: it can.
std::optional<std::string> objection(const Reading& r, const User& u, const Handle& handle) {
    if (!is_name(handle.name)) return "its name is none";
    if (!is_address(u.ap_id)) return "its id is no address";
    if (u.local) {
        if (!r.is_here(u.ap_id)) return "it is of this server, its id is of another";
        return std::nullopt;
    }
    if (r.is_here(u.ap_id)) return "it is of another server, its id is of this one";
    if (!is_domain(handle.domain) || handle.domain == r.site.domain) return "its domain is none";
    if (!is_address(u.inbox)) return "it has no inbox";
    return std::nullopt;
}

// {"url": [{"href": "https://…"}]}
std::string picture_address(const std::string& json) {
    const auto picture = object_of(json);
    if (!picture) return {};
    for (const auto* url : list(*picture, "url")) {
        if (const auto* link = url->if_object()) return text(*link, "href");
        if (url->is_string()) return std::string(std::string_view(url->get_string()));
    }
    return {};
}

std::string picture_of(const Reading& r, const User& u, const std::string& json, Sink& sink) {
    const auto address = picture_address(json);
    if (!u.local) return is_address(address) ? address : "";
    if (address.empty()) return {};
    const auto path = upload_path(r, address);
    const auto found = path ? take_kept(r, uploads_folder, *path, sink) : Files::Found::outside;
    if (found == Files::Found::copied) return kept_name(uploads_folder, *path);
    if ((!path || found == Files::Found::missing) && may_lie_elsewhere(r, address)) return address;
    sink.refuse("file", address, problem_of(found, path.value_or(address)) + " of @" + u.nickname);
    return {};
}

ActorRow actor_of(const User& u) {
    auto kept = [](const std::string& uri) { return is_address(uri) ? uri : ""; };
    return {
        kept(u.inbox),
        kept(u.shared_inbox),
        "",
        kept(u.follower_address),
        kept(u.following_address),
        kept(u.featured_address)
    };
}

accounts::Account profile(const Reading& r, const User& u, const Handle& handle, Id id) {
    accounts::Account out;
    out.id = {id};
    out.username = handle.name;
    out.domain = handle.domain;
    constexpr std::string_view types[] = {"Person", "Service", "Application", "Group", "Organization"};
    out.actor_type = std::ranges::find(types, u.actor_type) == std::end(types) ? "Person" : u.actor_type;
    out.locked = u.is_locked;
    out.discoverable = u.is_discoverable;
    out.indexable = u.indexable;
    out.hide_collections = u.hide_followers || u.hide_follows;
    if (!u.is_active) out.suspended_at = u.updated_at;
    out.created_at = u.inserted_at;
    out.display_name = u.name.value_or("");
    out.uri = u.ap_id;
    out.fields = fields_json(r, u);
    out.attribution_domains = "[]";
    if (u.local) {
        out.note = u.raw_bio.empty() ? base::text::plain_text(base::text::sanitize(u.bio)) : u.raw_bio;
        out.note_html = html_of(r.site, out.note, "text/plain", {});
        return out;
    }
    out.note_html = base::text::sanitize(u.bio);
    out.url = is_address(u.uri) ? u.uri : u.ap_id;
    out.followers_count = std::max<std::int64_t>(u.follower_count, 0);
    out.following_count = std::max<std::int64_t>(u.following_count, 0);
    out.statuses_count = std::max<std::int64_t>(u.note_count, 0);
    return out;
}

// One of somebody elsewhere, where it is known; the first use asks for it anyway.
std::optional<KeyRow> their_key(const User& u, const std::map<std::string, SigningKey>& newer) {
    const auto found = newer.find(u.id);
    auto shown = ap::PublicKey::tidied(found == newer.end() ? u.public_key : found->second.public_key);
    auto id = found == newer.end() ? u.ap_id + "#main-key" : found->second.key_id;
    if (!shown || host_of(id) != host_of(u.ap_id)) return std::nullopt;
    return KeyRow{std::move(id), "pem", *std::move(shown), std::nullopt};
}

// A rule about a server there was asked with each thing that came; here it is written to the people whom it limits. The
// longest decides alone.
void apply_rules(const ServerRules& rules, Time now, AccountRow& row) {
    auto& a = row.account;
    for (const auto& domain : instance::domains_upwards(a.domain)) {
        const auto found = rules.find(domain);
        if (found == rules.end()) continue;
        const auto& rule = found->second;
        if (rule.severity == "suspend" && !a.suspended_at) {
            a.suspended_at = now;
            row.suspended_by = "domain";
        }
        if (rule.severity == "silence") {
            a.silenced_at = now;
            row.silenced_by = "domain";
        }
        if (rule.reject_media || rule.severity == "suspend")
            a.avatar = a.avatar_static = a.header = a.header_static = std::string();
        return;
    }
}

using Keys = std::map<std::string, SigningKey>;

void take_account(const Reading& r, const User& u, const Keys& keys, const ServerRules& rules, Sink& sink) {
    const auto id = r.account(sink, u.ap_id);
    if (!id) return;
    auto refuse = [&](const std::string& why) {
        sink.refuse("account", u.ap_id, "@" + db::Foreign::shown(u.nickname) + ": " + why);
        sink.numbers.drop("account", u.ap_id);
    };
    const auto handle = handle_of(u);
    if (auto why = objection(r, u, handle)) return refuse(*why);
    AccountRow row;
    row.account = profile(r, u, handle, *id);
    if (u.local) {
        const auto newer = keys.find(u.id);
        auto key = own_key(u, newer == keys.end() ? nullptr : &newer->second);
        // Who is deleted there has none any more; others cannot go on without.
        if (!key && u.is_active) return refuse("its pair of keys is none");
        if (key && !r.is_here(key->id)) return refuse("the id of its key is of another server");
        if (key) row.keys.push_back(*std::move(key));
        for (const auto& alias : u.also_known_as.items)
            if (is_address(alias)) row.aliases.push_back(alias);
    } else {
        row.actor = actor_of(u);
        if (auto key = their_key(u, keys)) row.keys.push_back(*std::move(key));
    }
    row.account.avatar = row.account.avatar_static = picture_of(r, u, u.avatar, sink);
    row.account.header = row.account.header_static = picture_of(r, u, u.banner, sink);
    if (!u.local) apply_rules(rules, r.choice.now, row);
    sink.put(
        std::move(row), "account", u.ap_id, "another account has its name, in capitals or not, or its id"
    );
}

// Of some people elsewhere.
Keys their_keys(const Reading& r, const std::vector<User>& rows) {
    Keys out;
    if (!r.has("signing_keys")) return out;
    std::string ids;
    for (const auto& u : rows) ids += (ids.empty() ? "{" : ",") + u.id;
    if (ids.empty()) return out;
    r.db.each<SigningKey>(
        "signing_keys",
        "WHERE user_id = ANY(CAST($1 AS uuid[])) ORDER BY key_id",
        {ids + "}"},
        [&](SigningKey key) { out.emplace(key.user_id, std::move(key)); },
        [](auto&, auto&) {}
    );
    return out;
}

// The server itself: others know its keys by two actors.
void copy_server_actors(const Reading& r, const Keys& keys, Sink& sink) {
    r.db.each<User>(
        table<User>(r.db, "users"),
        "WHERE x.local AND (x.ap_id LIKE '%/relay' OR x.ap_id LIKE '%/internal/fetch') ORDER BY x.id",
        {},
        [&](const User& u) {
            if (!r.is_here(u.ap_id)) return;
            const auto newer = keys.find(u.id);
            auto key = own_key(u, newer == keys.end() ? nullptr : &newer->second);
            if (!key || !r.is_here(key->id))
                return sink.refuse("account", u.ap_id, "the key of the server is none");
            sink.put(ServerKeyRow{*std::move(key)});
            sink.put(FormerPathRow{u.ap_id.substr(r.site.public_url.size()), "account", 0, std::nullopt});
        },
        r.refusing("account", sink)
    );
}

}  // namespace

void copy_accounts(const Reading& r, const std::string& from, Sink& sink) {
    const auto own = own_signing_keys(r.db);
    const auto rules = server_rules(r.config, [](auto&) {});
    if (from.empty()) copy_server_actors(r, own, sink);
    const auto part = static_cast<std::int64_t>(r.choice.chunk);
    auto position = from.empty() ? "00000000-0000-0000-0000-000000000000" : from;
    for (bool more = true; more;) {
        std::vector<User> rows;
        std::string last;
        // By the id, which a row that is refused does not tell.
        r.db.run(
            "SELECT max(y.id::text) FROM (SELECT id FROM users WHERE id > CAST($1 AS uuid) ORDER BY id "
            "LIMIT " +
                std::to_string(part) + ") y",
            {position},
            [&](const db::Foreign::Row& row) { last = row[0].value_or(""); }
        );
        more = !last.empty();
        if (!more) return;
        r.db.each<User>(
            table<User>(r.db, "users"),
            "WHERE x.id > CAST($1 AS uuid) AND x.id <= CAST($2 AS uuid) AND COALESCE(x.ap_id, '') <> '' "
            "ORDER BY x.id",
            {position, last},
            [&](User u) {
                if (r.account(sink, u.ap_id)) rows.push_back(std::move(u));
                else sink.done(u.id);
            },
            r.refusing("account", sink)
        );
        const auto theirs = their_keys(r, rows);
        for (const auto& u : rows) {
            take_account(r, u, u.local ? own : theirs, rules, sink);
            sink.done(u.id);
        }
        position = last;
    }
}

}  // namespace takeover::pleroma

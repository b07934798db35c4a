// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/key.hpp"
#include "base/json.hpp"
#include "base/json_read.hpp"
#include "base/text/html/html.hpp"
#include "base/uris.hpp"
#include "takeover/compose.hpp"
#include "takeover/mastodon/reading.hpp"

#include <unordered_map>
#include <unordered_set>

namespace takeover::mastodon {

namespace {

constexpr Id server_account = -99;
constexpr std::int64_t rsa = 0, ed25519 = 1;

std::optional<KeyRow> pair_of(
    const std::string& id, const std::string& public_pem, const std::string& private_pem
) {
    const auto pair = ap::PrivateKey::from_pem(private_pem);
    const auto shown = ap::PublicKey::from_pem(public_pem);
    if (!pair || !shown || !(pair->public_key() == *shown)) return std::nullopt;
    return KeyRow{id, shown->kind() == ap::KeyKind::rsa ? "rsa" : "ed25519", shown->pem(), pair->pem()};
}

}  // namespace

std::string actor_of(const Reading& r, const Account& a) {
    if (a.id == server_account) return base::uris::actor(r.site, base::uris::server_actor);
    if (a.id_scheme == 1) return base::uris::actor(r.site, {a.id});
    return r.site.public_url + "/users/" + a.username;
}

OwnKeys own_keys(
    const Secrets& secrets, const std::string& actor, const Account& a, const std::vector<Keypair>& pairs
) {
    OwnKeys out;
    auto keep = [&](const std::string& id, const std::string& public_pem, const std::string& private_pem) {
        if (std::ranges::find(out.keys, id, &KeyRow::id) != out.keys.end()) return;
        if (auto key = pair_of(id, public_pem, private_pem)) out.keys.push_back(*std::move(key));
        else out.broken = true;
    };
    for (const auto& pair : pairs) {
        if (pair.revoked || pair.expires_at || pair.private_key.empty()) continue;
        if (pair.type != rsa && pair.type != ed25519) continue;
        const auto fragment =
            pair.local_fragment.starts_with('#') ? pair.local_fragment : "#" + pair.local_fragment;
        keep(actor + fragment, pair.public_key, secrets.open(pair.private_key).value_or(""));
    }
    if (!a.private_key.empty()) keep(base::uris::main_key(actor), a.public_key, a.private_key);
    return out;
}

namespace {

struct Field {
    std::string name, value;
    std::optional<std::string> verified_at;
};

std::vector<Field> fields_of(const std::string& json) {
    std::vector<Field> out;
    if (json.empty() || json == "null") return out;
    try {
        const auto all = base::json::parse(json);
        for (const auto& one : all.as_array()) {
            const auto& field = one.as_object();
            auto text = [&](const char* name) {
                const auto* value = field.if_contains(name);
                return value && value->is_string() ? std::string(std::string_view(value->get_string())) : "";
            };
            out.push_back({text("name"), text("value"), given(text("verified_at"))});
        }
    } catch (const std::exception&) {
        out.clear();
    }
    return out;
}

std::string fields_json(const Reading& r, const Account& a) {
    constexpr std::size_t most = 32;
    std::vector<accounts::Field> out;
    for (const auto& field : fields_of(a.fields)) {
        if (out.size() == most) break;
        accounts::Field kept;
        kept.name = field.name;
        if (a.domain.empty()) {
            kept.value = field.value;
            kept.value_html = field_html(r.site, field.value);
        } else kept.value_html = base::text::sanitize(field.value);
        if (field.verified_at) kept.verified_at = base::parse_time(*field.verified_at);
        out.push_back(std::move(kept));
    }
    return base::json::to_string(out);
}

std::optional<std::string> objection(const Reading& r, const Account& a) {
    if (!is_name(a.username)) return "its name is none";
    if (a.domain.empty()) return std::nullopt;
    if (!is_address(a.uri)) return "its id is no address";
    if (r.is_here(a.uri)) return "it is of another server, its id is of this one";
    if (!is_address(a.inbox_url)) return "it has no inbox";
    return std::nullopt;
}

struct Picture {
    std::string file, still;
};

// Of somebody here. What moves has a still beside it.
Picture own_picture(
    const Reading& r, const Account& a, const char* folder, const std::string& name, const std::string& type,
    Sink& sink
) {
    if (name.empty()) return {};
    auto take = [&](const char* style, const std::string& file_name) -> std::string {
        const auto path = path_of(r.files, folder, a.id, style, file_name);
        const auto found = r.files.take(path, former_file(path));
        if (found == Files::Found::copied) return former_file(path);
        sink.refuse("file", path, problem_of(found, path) + " of @" + a.username);
        return {};
    };
    Picture out{take("original", name), {}};
    out.still = out.file;
    if (!out.file.empty() && type == "image/gif")
        if (auto still = take("static", name.substr(0, name.rfind('.')) + ".png"); !still.empty())
            out.still = std::move(still);
    return out;
}

std::string their_picture(const std::string& url) { return is_address(url) ? url : ""; }

accounts::Account profile(const Reading& r, const Account& a, const Sink& sink) {
    accounts::Account out;
    out.id = {a.id};
    out.username = a.username;
    out.domain = a.domain;
    out.actor_type = a.actor_type.empty() ? "Person" : a.actor_type;
    out.locked = a.locked;
    out.discoverable = a.discoverable;
    out.indexable = a.indexable;
    out.hide_collections = a.hide_collections;
    out.show_media = a.show_media;
    out.show_media_replies = a.show_media_replies;
    out.show_featured = a.show_featured;
    out.suspended_at = a.suspended_at;
    out.silenced_at = a.silenced_at;
    out.sensitized_at = a.sensitized_at;
    out.memorial = a.memorial;
    out.created_at = a.created_at;
    out.display_name = a.display_name;
    if (auto moved = r.account(sink, a.moved_to_account_id)) out.moved_to_id = {*moved};
    out.fields = fields_json(r, a);
    out.avatar_description = a.avatar_description;
    out.header_description = a.header_description;
    out.attribution_domains = base::json::to_string(a.attribution_domains.items);
    return out;
}

struct More {
    std::unordered_map<Id, AccountStats> stats;
    std::unordered_map<Id, std::vector<Keypair>> pairs;
    std::unordered_map<Id, std::vector<std::string>> aliases;
    std::unordered_set<Id> to_be_deleted;
};

using ServerRules = std::unordered_map<std::string, DomainBlock>;

ServerRules server_rules(const Reading& r, Sink& sink) {
    ServerRules out;
    r.all<DomainBlock>("domain block", "domain_blocks", sink, [&](DomainBlock b) {
        out.insert_or_assign(b.domain, std::move(b));
    });
    return out;
}

// Mastodon writes the moment of a rule about a server to those whom it limits: they come back when the rule ends.
void blame_rules(const ServerRules& rules, AccountRow& row) {
    const auto& a = row.account;
    for (std::string_view domain = a.domain; !domain.empty();) {
        if (const auto rule = rules.find(std::string(domain)); rule != rules.end()) {
            const auto since = rule->second.created_at;
            if (a.suspended_at == since && row.suspended_by.empty()) row.suspended_by = "domain";
            if (a.silenced_at == since) row.silenced_by = "domain";
        }
        const auto dot = domain.find('.');
        domain.remove_prefix(dot == domain.npos ? domain.size() : dot + 1);
    }
}

bool complete_own(const Reading& r, const Account& a, const More& more, AccountRow& row, Sink& sink) {
    static const std::vector<Keypair> none;
    const auto pairs = more.pairs.find(a.id);
    const auto actor = actor_of(r, a);
    auto own = own_keys(r.secrets, actor, a, pairs == more.pairs.end() ? none : pairs->second);
    // Who is deleted there has none any more; others cannot go on without.
    if (own.keys.empty() && !a.suspended_at) return false;
    // Nothing is left of whom it suspended and no longer means to delete.
    if (a.suspended_at && r.has("account_deletion_requests") && !more.to_be_deleted.contains(a.id))
        row.suspended_by = "gone";
    row.keys = std::move(own.keys);
    // Ours has a number, too, where theirs has.
    if (a.id_scheme != 1) row.account.uri = actor;
    row.account.note = a.note;
    row.account.note_html = html_of(r.site, a.note, "text/plain", {});
    auto avatar = own_picture(r, a, "accounts/avatars", a.avatar_file_name, a.avatar_content_type, sink);
    auto header = own_picture(r, a, "accounts/headers", a.header_file_name, a.header_content_type, sink);
    row.account.avatar = std::move(avatar.file);
    row.account.avatar_static = std::move(avatar.still);
    row.account.header = std::move(header.file);
    row.account.header_static = std::move(header.still);
    auto keep = [&](const std::string& alias) {
        if (is_address(alias) && row.aliases.size() < accounts::most_aliases &&
            std::ranges::find(row.aliases, alias) == row.aliases.end())
            row.aliases.push_back(alias);
    };
    if (const auto of = more.aliases.find(a.id); of != more.aliases.end())
        for (const auto& alias : of->second) keep(alias);
    for (const auto& alias : a.also_known_as.items) keep(alias);
    return true;
}

void complete_remote(const Account& a, const More& more, AccountRow& row) {
    auto kept = [](const std::string& uri) { return is_address(uri) ? uri : ""; };
    row.account.uri = a.uri;
    row.account.url = is_address(a.url) ? a.url : a.uri;
    row.account.note_html = base::text::sanitize(a.note);
    row.account.avatar = row.account.avatar_static = their_picture(a.avatar_remote_url);
    row.account.header = row.account.header_static = their_picture(a.header_remote_url);
    if (const auto stats = more.stats.find(a.id); stats != more.stats.end()) {
        row.account.followers_count = std::max<std::int64_t>(0, stats->second.followers_count);
        row.account.following_count = std::max<std::int64_t>(0, stats->second.following_count);
        row.account.statuses_count = std::max<std::int64_t>(0, stats->second.statuses_count);
        row.account.last_status_at = stats->second.last_status_at;
    }
    row.actor = ActorRow{
        a.inbox_url,
        kept(a.shared_inbox_url),
        kept(a.outbox_url),
        kept(a.followers_url),
        kept(a.following_url),
        kept(a.featured_collection_url)
    };
    // Where it has another id, it is asked for when it is needed.
    if (auto key = ap::PublicKey::tidied(a.public_key))
        row.keys.push_back({base::uris::main_key(a.uri), "pem", std::move(*key), std::nullopt});
    constexpr std::int64_t by_its_own_server = 1;
    if (a.suspended_at && a.suspension_origin == by_its_own_server) row.suspended_by = "remote";
}

void take_account(
    const Reading& r, const Account& a, const More& more, const ServerRules& rules, Sink& sink
) {
    if (!r.account(sink, a.id)) return;
    const auto former = std::to_string(a.id);
    auto refuse = [&](const std::string& why) {
        sink.refuse("account", former, "@" + db::Foreign::shown(a.username) + ": " + why);
    };
    if (auto why = objection(r, a)) return refuse(*why);
    AccountRow row;
    row.account = profile(r, a, sink);
    if (!a.domain.empty()) complete_remote(a, more, row);
    else if (!complete_own(r, a, more, row, sink)) return refuse("its pair of keys is none");
    blame_rules(rules, row);
    sink.put(std::move(row), "account", former, "somebody else has this name, in other letters, or this id");
}

std::vector<Account> accounts_among(const Reading& r, const std::string& ids, Sink& sink) {
    std::vector<Account> rows;
    r.of<Account>("account", table<Account>(r.db, "accounts"), "id", ids, sink, [&](Account row) {
        rows.push_back(std::move(row));
    });
    std::ranges::sort(rows, {}, &Account::id);
    return rows;
}

More more_about(const Reading& r, const std::string& ids, Sink& sink) {
    More more;
    r.of<AccountStats>(
        "account",
        table<AccountStats>(r.db, "account_stats"),
        "account_id",
        ids,
        sink,
        [&](AccountStats row) { more.stats.emplace(row.account_id, row); }
    );
    if (r.has("keypairs"))
        r.of<Keypair>("key", table<Keypair>(r.db, "keypairs"), "account_id", ids, sink, [&](Keypair row) {
            more.pairs[row.account_id].push_back(std::move(row));
        });
    r.of<Alias>("alias", table<Alias>(r.db, "account_aliases"), "account_id", ids, sink, [&](Alias row) {
        more.aliases[row.account_id].push_back(std::move(row.uri));
    });
    if (r.has("account_deletion_requests"))
        r.of<DeletionRequest>(
            "deletion",
            "account_deletion_requests AS x",
            "account_id",
            ids,
            sink,
            [&](const DeletionRequest& d) { more.to_be_deleted.insert(d.account_id); }
        );
    return more;
}

// The server itself acts as an actor, which others know by its key.
void copy_server_key(const Reading& r, Sink& sink) {
    const auto ids = as_array(&server_account, &server_account + 1);
    for (const auto& a : accounts_among(r, ids, sink)) {
        auto more = more_about(r, ids, sink);
        auto own = own_keys(r.secrets, actor_of(r, a), a, more.pairs[a.id]);
        if (own.keys.empty())
            return sink.refuse("account", std::to_string(a.id), "the key of the server is none");
        for (auto& key : own.keys) sink.put(ServerKeyRow{std::move(key)});
    }
}

}  // namespace

void copy_accounts(const Reading& r, const std::string& position, Sink& sink) {
    if (position.empty()) copy_server_key(r, sink);
    const auto rules = server_rules(r, sink);
    const auto& ids = r.kept.accounts;
    auto at = position.empty() ? ids.begin() : std::ranges::upper_bound(ids, std::stoll(position));
    while (at != ids.end()) {
        const auto end =
            at + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(r.choice.chunk), ids.end() - at);
        const auto part = as_array(&*at, &*at + (end - at));
        const auto more = more_about(r, part, sink);
        for (const auto& a : accounts_among(r, part, sink)) {
            take_account(r, a, more, rules, sink);
            sink.done(std::to_string(a.id));
        }
        at = end;
    }
}

}  // namespace takeover::mastodon

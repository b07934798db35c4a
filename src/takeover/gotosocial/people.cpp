// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/gotosocial/reading.hpp"

#include "ap/signatures/key.hpp"
#include "base/json.hpp"
#include "base/json_read.hpp"
#include "base/text/html/html.hpp"
#include "takeover/compose.hpp"

#include <set>
#include <unordered_set>

namespace takeover::gotosocial {

namespace {

// Who has to do with somebody here, or did something to a post of theirs; and whom the team limited, one by one. Others of a server
// that a rule suspends are suspended again as they come, and who left by themselves has their own id as what suspended them.
constexpr const char* kept_accounts = R"((SELECT a.id, a.created_at, a.username, a.domain, CASE WHEN
    COALESCE(a.domain, '') = ''
    OR a.id IN (SELECT account_id FROM follows) OR a.id IN (SELECT target_account_id FROM follows)
    OR a.id IN (SELECT account_id FROM follow_requests) OR a.id IN (SELECT target_account_id FROM follow_requests)
    OR a.id IN (SELECT account_id FROM blocks) OR a.id IN (SELECT target_account_id FROM blocks)
    OR a.id IN (SELECT target_account_id FROM user_mutes) OR a.id IN (SELECT target_account_id FROM account_notes)
    OR a.id IN (SELECT v.account_id FROM poll_votes v)
    OR a.id IN (SELECT n.origin_account_id FROM notifications n)
    OR a.id IN (SELECT f.account_id FROM status_faves f JOIN statuses s ON s.id = f.status_id WHERE s.local)
    OR a.uri IN (SELECT m.moved_to_uri FROM accounts m WHERE m.moved_to_uri IS NOT NULL AND m.domain IS NULL)
    OR a.id IN (SELECT account_id FROM reports) OR a.id IN (SELECT target_account_id FROM reports)
    OR a.sensitized_at IS NOT NULL OR a.silenced_at IS NOT NULL
    OR (a.suspended_at IS NOT NULL AND COALESCE(a.suspension_origin, '') <> a.id
        AND COALESCE(a.suspension_origin, '') NOT IN (SELECT id FROM domain_blocks))
    THEN 1 ELSE 0 END AS kept FROM accounts a) AS x)";

// In a thread of somebody here, or something they did something to.
constexpr const char* kept_statuses = R"(
    (s.local OR (s.thread_id <> '00000000000000000000000000'
                 AND s.thread_id IN (SELECT thread_id FROM statuses WHERE local))
    OR s.boost_of_id IN (SELECT id FROM statuses WHERE local)
    OR s.id IN (SELECT boost_of_id FROM statuses WHERE local AND boost_of_id IS NOT NULL)
    OR s.id IN (SELECT f.status_id FROM status_faves f JOIN accounts a ON a.id = f.account_id WHERE a.domain IS NULL)
    OR s.id IN (SELECT status_id FROM status_bookmarks)
    OR s.id IN (SELECT m.status_id FROM mentions m JOIN accounts a ON a.id = m.target_account_id
                WHERE a.domain IS NULL)
    OR s.id IN (SELECT n.status_id FROM notifications n WHERE n.status_id IS NOT NULL)
    OR s.id IN (SELECT status_id FROM filter_statuses)))";

// Few, in lists whose form differs between the engines.
std::set<std::string> reported_statuses(const Reading& r) {
    std::set<std::string> out;
    r.db.each<Report>(
        "reports",
        "",
        {},
        [&](const Report& p) { out.insert(p.statuses.items.begin(), p.statuses.items.end()); },
        [](auto&, auto&) {}
    );
    return out;
}

}  // namespace

// From the beginning each time: what was given before is given again.
void give_numbers(const Reading& r, const std::string&, Sink& sink) {
    auto& numbers = sink.numbers;
    std::unordered_set<std::string> named;
    auto give = [&](const std::string& wanted, const std::vector<std::string>& parameters) {
        r.db.each<KeptStatus>(
            "(SELECT s.id, s.created_at, s.account_id, s.thread_id FROM statuses s WHERE NOT "
            "s.pending_approval AND " +
                wanted + ") AS x",
            "ORDER BY id",
            parameters,
            [&](const KeptStatus& s) {
                numbers.give("status", s.id, s.created_at);
                numbers.give("thread", thread_of(s.thread_id, s.id), s.created_at);
                named.insert(s.account_id);
                sink.done("");
            },
            r.refusing("status", sink)
        );
    };
    give(r.choice.everything ? "TRUE" : kept_statuses, {});
    for (const auto& id : reported_statuses(r)) give("s.id = $1", {id});
    r.db.each<Mention>(
        "mentions",
        "ORDER BY id",
        {},
        [&](const Mention& m) {
            if (numbers.find("status", m.status_id)) named.insert(m.target_account_id);
        },
        [](auto&, auto&) {}
    );
    r.db.each<KeptAccount>(
        kept_accounts,
        "ORDER BY id",
        {},
        [&](const KeptAccount& a) {
            if (a.id != r.instance && (a.kept || r.choice.everything || named.contains(a.id)))
                numbers.give("account", a.id, a.created_at);
            sink.done("");
        },
        r.refusing("account", sink)
    );
}

namespace {

struct Field {
    std::string Name, Value;  // as GoToSocial writes them
};
DESCRIBE(Field, Name, Value)

std::string fields_json(const Reading& r, const Account& a, bool local) {
    constexpr std::size_t most = 32;
    std::vector<Field> given;
    const auto& text = local ? a.fields_raw : a.fields;
    if (text.empty() || text == "null") return "[]";
    try {
        given = base::json::read<std::vector<Field>>(text);
    } catch (const std::exception&) {
        return "[]";
    }
    std::vector<accounts::Field> out;
    for (const auto& field : given) {
        if (out.size() == most) break;
        accounts::Field kept;
        kept.name = field.Name;
        if (local) {
            kept.value = field.Value;
            kept.value_html = field_html(r.site, field.Value);
        } else kept.value_html = base::text::sanitize(field.Value);
        out.push_back(std::move(kept));
    }
    return base::json::to_string(out);
}

std::string type_of(std::int64_t number) {
    switch (number) {
        case 1: return "Application";
        case 2: return "Group";
        case 3: return "Organization";
        case 5: return "Service";
        default: return "Person";
    }
}

// Why it cannot be taken; nothing: it can.
std::optional<std::string> objection(const Reading& r, const Account& a) {
    if (!is_name(a.username)) return "its name is none";
    if (!is_address(a.uri)) return "its id is no address";
    if (a.domain.empty() && !r.is_here(a.uri)) return "it is of this server, its id is of another";
    if (!a.domain.empty() && r.is_here(a.uri)) return "it is of another server, its id is of this one";
    return std::nullopt;
}

// The digits behind "name": in JSON whose numbers are too long for any reader of JSON.
std::string number_named(std::string_view json, std::string_view name, std::size_t from = 0) {
    const auto at = json.find("\"" + std::string(name) + "\"", from);
    if (at == json.npos) return {};
    const auto begin = json.find_first_not_of(" \t\r\n:[", at + name.size() + 2);
    if (begin == json.npos) return {};
    return std::string(json.substr(begin, json.find_first_not_of("0123456789", begin) - begin));
}

}  // namespace

std::string thread_of(const std::string& thread, const std::string& status) {
    return thread.empty() || thread == "00000000000000000000000000" ? "of " + status : thread;
}

std::optional<ap::PrivateKey> private_key_of(std::string_view json) {
    const auto primes = json.find("\"Primes\"");
    if (primes == json.npos) return std::nullopt;
    const auto p = number_named(json, "Primes");
    const auto comma = json.find(',', primes);
    const auto begin = json.find_first_of("0123456789", comma == json.npos ? json.size() : comma);
    if (begin == json.npos) return std::nullopt;
    const std::string q(json.substr(begin, json.find_first_not_of("0123456789", begin) - begin));
    return ap::PrivateKey::from_numbers(
        {number_named(json, "N"), number_named(json, "E"), number_named(json, "D"), p, q}
    );
}

std::optional<ap::PublicKey> public_key_of(std::string_view json) {
    return ap::PublicKey::from_numbers(number_named(json, "N"), number_named(json, "E"));
}

std::optional<KeyRow> own_key(const Account& a) {
    const auto pair = private_key_of(a.private_key);
    const auto shown = public_key_of(a.public_key);
    if (!pair || !shown || !(pair->public_key() == *shown)) return std::nullopt;
    return KeyRow{a.public_key_uri, "rsa", shown->pem(), pair->pem()};
}

namespace {

// A picture of somebody here as a file of ours.
std::string own_picture(const Reading& r, const Account& a, const Attachment* picture, Sink& sink) {
    if (!picture || picture->file_path.empty()) return {};
    const auto found = r.files.take(picture->file_path, former_file(picture->file_path));
    if (found == Files::Found::copied) return former_file(picture->file_path);
    sink.refuse("file", picture->id, problem_of(found, picture->file_path) + " of @" + a.username);
    return {};
}

std::string their_picture(const std::string& url) { return is_address(url) ? url : ""; }

accounts::Account profile(
    const Reading& r, const Account& a, const AccountMore& more, Id id, const Sink& sink
) {
    const bool local = a.domain.empty();
    accounts::Account out;
    out.id = {id};
    out.username = a.username;
    out.domain = a.domain;
    out.actor_type = type_of(a.actor_type);
    out.locked = a.locked;
    out.discoverable = a.discoverable;
    out.hide_collections = more.hide_collections;
    out.suspended_at = a.suspended_at;
    out.silenced_at = a.silenced_at;
    out.sensitized_at = a.sensitized_at;
    out.memorial = a.memorialized_at.has_value();
    out.created_at = a.created_at;
    out.display_name = a.display_name;
    out.uri = a.uri;
    if (auto moved = sink.numbers.find("account", more.moved_to)) out.moved_to_id = {*moved};
    out.fields = fields_json(r, a, local);
    if (local) {
        out.note = a.note_raw;
        out.note_html = html_of(
            r.site,
            a.note_raw,
            more.status_content_type == "text/markdown" ? "text/markdown" : "text/plain",
            {}
        );
    } else {
        out.note_html = base::text::sanitize(a.note);
        out.url = is_address(a.url) ? a.url : a.uri;
        out.followers_count = more.followers_count;
        out.following_count = more.following_count;
        out.statuses_count = more.statuses_count;
        out.avatar = out.avatar_static = their_picture(a.avatar_remote_url);
        out.header = out.header_static = their_picture(a.header_remote_url);
    }
    out.attribution_domains = "[]";
    return out;
}

ActorRow actor_of(const Account& a) {
    auto kept = [](const std::string& uri) { return is_address(uri) ? uri : ""; };
    return {
        kept(a.inbox_uri),
        kept(a.shared_inbox_uri),
        kept(a.outbox_uri),
        kept(a.followers_uri),
        kept(a.following_uri),
        kept(a.featured_collection_uri)
    };
}

using Ids = std::unordered_set<std::string>;

Ids server_rules(const Reading& r) {
    Ids out;
    r.db.run("SELECT id FROM domain_blocks", {}, [&](const db::Foreign::Row& row) {
        out.emplace(row[0].value_or(""));
    });
    return out;
}

void take_account(
    const Reading& r, const Account& a, const AccountMore& more,
    const std::unordered_map<std::string, Attachment>& pictures, const Ids& rules, Sink& sink
) {
    const auto id = r.account(sink, a.id);
    if (!id) return;
    auto refuse = [&](const std::string& why) {
        sink.refuse("account", a.id, "@" + db::Foreign::shown(a.username) + ": " + why);
        sink.numbers.drop("account", a.id);
    };
    if (auto why = objection(r, a)) return refuse(*why);
    AccountRow row;
    row.account = profile(r, a, more, *id, sink);
    if (a.domain.empty()) {
        auto key = own_key(a);
        // Who is deleted there has none any more; others cannot go on without.
        if (!key && !(a.suspended_at && a.private_key.empty())) return refuse("its pair of keys is none");
        if (key && !r.is_here(key->id)) return refuse("the id of its key is of another server");
        if (key) row.keys.push_back(*std::move(key));
        auto picture = [&](const std::string& medium) {
            const auto found = pictures.find(medium);
            return own_picture(r, a, found == pictures.end() ? nullptr : &found->second, sink);
        };
        row.account.avatar = row.account.avatar_static = picture(a.avatar_media_attachment_id);
        row.account.header = row.account.header_static = picture(a.header_media_attachment_id);
        for (const auto& alias : a.also_known_as_uris.items)
            if (is_address(alias) && row.aliases.size() < accounts::most_aliases)
                row.aliases.push_back(alias);
    } else {
        row.actor = actor_of(a);
        // They come back when the rule ends, or when their own server lets them.
        if (a.suspended_at && rules.contains(a.suspension_origin)) row.suspended_by = "domain";
        if (a.suspended_at && a.suspension_origin == a.id) row.suspended_by = "remote";
        if (row.actor->inbox.empty()) return refuse("it has no inbox");
        // Where the key is not as we know keys, it is asked for when it is needed.
        if (auto key = public_key_of(a.public_key); key && is_address(a.public_key_uri))
            row.keys.push_back({a.public_key_uri, "pem", key->pem(), std::nullopt});
    }
    sink.put(std::move(row), "account", a.id, "somebody else has this name, in other letters, or this id");
}

}  // namespace

void copy_accounts(const Reading& r, const std::string& position, Sink& sink) {
    if (position.empty()) copy_instance_actor(r, sink);
    const auto rules = server_rules(r);
    r.parts<
        Account>("account", "accounts", position, sink, [&](const auto& rows, const auto& from, const auto& to) {
        std::unordered_map<std::string, AccountMore> more;
        r.db.each<AccountMore>(
            R"((SELECT a.id, t.id AS moved_to, s.hide_collections, s.status_content_type, n.followers_count,
                       n.following_count, n.statuses_count
                FROM accounts a LEFT JOIN accounts t ON t.uri = a.moved_to_uri
                LEFT JOIN account_settings s ON s.account_id = a.id
                LEFT JOIN account_stats n ON n.account_id = a.id) AS x)",
            "WHERE id > $1 AND id <= $2",
            {from, to},
            [&](AccountMore row) { more.emplace(row.id, std::move(row)); },
            r.refusing("account", sink)
        );
        std::unordered_map<std::string, Attachment> pictures;
        r.db.each<Attachment>(
            "media_attachments",
            R"(WHERE id IN (SELECT avatar_media_attachment_id FROM accounts WHERE domain IS NULL AND id > $1 AND id <= $2)
               OR id IN (SELECT header_media_attachment_id FROM accounts WHERE domain IS NULL AND id > $1 AND id <= $2))",
            {from, to},
            [&](Attachment row) { pictures.emplace(row.id, std::move(row)); },
            r.refusing("media", sink)
        );
        for (const auto& a : rows) take_account(r, a, more[a.id], pictures, rules, sink);
    });
}

// The server itself: others know its key by this account.
void copy_instance_actor(const Reading& r, Sink& sink) {
    r.db.each<Account>(
        "accounts",
        "WHERE id = $1",
        {r.instance},
        [&](const Account& a) {
            auto key = own_key(a);
            if (!key || !r.is_here(key->id))
                return sink.refuse("account", a.id, "the key of the server is none");
            sink.put(ServerKeyRow{*std::move(key)});
            const auto path = a.uri.substr(r.site.public_url.size());
            if (r.is_here(a.uri)) sink.put(FormerPathRow{path, "account", 0, std::nullopt});
        },
        r.refusing("account", sink)
    );
}

}  // namespace takeover::gotosocial

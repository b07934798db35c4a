// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "base/text/utf8.hpp"
#include "base/uris.hpp"
#include "takeover/compose.hpp"
#include "takeover/mitra/reading.hpp"

#include <algorithm>

namespace takeover::mitra {

namespace {

std::optional<JsonObject> all_of(const std::string& list) { return object_of("{\"all\":" + list + "}"); }

// [{"name": "Site", "value": "<a …>", "value_source": "https://alice.example"}]
std::string fields_json(const Reading& r, const Person& p) {
    constexpr std::size_t most = 32;
    std::vector<accounts::Field> out;
    const auto fields = all_of(p.extra_fields);
    for (const auto* item : fields ? list(*fields, "all") : std::vector<const Json*>{}) {
        const auto* field = item->if_object();
        if (!field || out.size() == most) continue;
        accounts::Field kept;
        kept.name = text(*field, "name");
        const auto html = base::text::sanitize(text(*field, "value"));
        if (p.local) {
            kept.value = text(*field, "value_source");
            if (kept.value.empty()) kept.value = base::text::plain_text(html);
            kept.value_html = field_html(r.site, kept.value);
        } else kept.value_html = html;
        out.push_back(std::move(kept));
    }
    return base::json::to_string(out);
}

// Why it cannot be taken; nothing: it can.
std::optional<std::string> objection(const Reading& r, const Person& p, const std::string& domain) {
    if (!is_name(p.username)) return "its name is none";
    if (p.local) return std::nullopt;
    if (!is_address(p.actor)) return "its id is no address";
    if (r.is_here(p.actor)) return "it is of another server, its id is of this one";
    if (!is_domain(domain) || domain == r.site.domain) return "its domain is none";
    return std::nullopt;
}

accounts::Account profile(
    const Reading& r, const Person& p, const std::string& domain, const std::string& page, Id id
) {
    accounts::Account out;
    out.id = {id};
    out.username = p.username;
    out.actor_type = p.type;
    out.locked = p.manually_approves_followers;
    out.created_at = dated(r, p.created_at);
    out.display_name = p.display_name.value_or("");
    out.fields = fields_json(r, p);
    out.attribution_domains = "[]";
    out.note_html = base::text::sanitize(p.bio);
    if (p.local) {
        out.uri = r.actor(p.username);
        out.hide_collections = true;  // there nobody but their owner sees these lists
        out.note = p.bio_source.empty() ? base::text::plain_text(out.note_html) : p.bio_source;
        return out;
    }
    out.domain = domain;
    out.uri = p.actor;
    out.url = is_address(page) ? page : p.actor;
    out.followers_count = std::max<std::int64_t>(p.follower_count, 0);
    out.following_count = std::max<std::int64_t>(p.following_count, 0);
    out.statuses_count = std::max<std::int64_t>(p.post_count, 0);
    return out;
}

// As others say of themselves.
std::optional<ActorRow> actor_of(const JsonObject& said) {
    auto kept = [&](const char* name) {
        auto uri = text(said, name);
        return is_address(uri) ? uri : std::string();
    };
    ActorRow out{
        kept("inbox"), kept("shared_inbox"), kept("outbox"), kept("followers"), "", kept("featured")
    };
    if (out.inbox.empty()) return std::nullopt;
    return out;
}

// What nobody can be elsewhere is a person here.
std::string kind_of(const std::string& type) {
    constexpr std::string_view types[] = {"Person", "Service", "Application", "Group", "Organization"};
    return std::ranges::find(types, type) == std::end(types) ? "Person" : type;
}

void take_account(const Reading& r, Person p, const ServerRules& rules, Sink& sink) {
    const auto id = r.account(sink, p.id);
    if (!id) return;
    auto refuse = [&](const std::string& why) {
        sink.refuse("account", p.id, "@" + db::Foreign::shown(p.username) + ": " + why);
        sink.numbers.drop("account", p.id);
    };
    const auto domain = base::text::ascii_lowered(p.domain);
    p.type = kind_of(p.type);
    if (auto why = objection(r, p, domain)) return refuse(*why);
    const auto said = object_of(p.actor_json);
    AccountRow row;
    row.account = profile(r, p, domain, said ? text(*said, "url") : "", *id);
    if (p.local) {
        row.keys = own_keys(row.account.uri, p);
        if (row.keys.size() != keys_of_each) return refuse("one of its keys is none");
        const auto aliases = all_of(p.aliases);
        for (const auto* item : aliases ? list(*aliases, "all") : std::vector<const Json*>{})
            if (const auto* alias = item->if_object(); alias && is_address(text(*alias, "id")))
                row.aliases.push_back(text(*alias, "id"));
    } else {
        row.actor = said ? actor_of(*said) : std::nullopt;
        if (!row.actor) return refuse("it has no inbox");
    }
    const auto whose = "@" + p.username;
    row.account.avatar = row.account.avatar_static = take_picture(r, p.avatar, p.local, whose, sink);
    row.account.header = row.account.header_static = take_picture(r, p.banner, p.local, whose, sink);
    if (const auto* rule = p.local ? nullptr : rules.on(host_of(p.actor))) {
        if (rule->severity == "suspend") {
            row.account.suspended_at = r.choice.now;
            row.suspended_by = "domain";
        }
        if (rule->reject_media || rule->severity == "suspend")
            row.account.avatar = row.account.avatar_static = row.account.header = row.account.header_static =
                std::string();
    }
    sink.put(std::move(row), "account", p.id, "another account has its name, in capitals or not, or its id");
}

}  // namespace

// The server itself acts under the address that it has here, too.
void copy_accounts(const Reading& r, const std::string& position, Sink& sink) {
    if (position.empty())
        r.db.each<ServerKeys>(
            server_keys_table,
            "",
            {},
            [&](const ServerKeys& keys) {
                auto pair = server_keys(base::uris::actor(r.site, base::uris::server_actor), keys);
                if (pair.empty() || pair.front().type != "rsa")
                    return sink.refuse("account", keys.id, "the key of the server is none");
                for (auto& key : pair) sink.put(ServerKeyRow{std::move(key)});
            },
            r.refusing("account", sink)
        );
    const auto rules = server_rules(r.db);
    r.each<Person>("account", people, position, sink, [&](Person p) {
        take_account(r, std::move(p), rules, sink);
    });
}

}  // namespace takeover::mitra

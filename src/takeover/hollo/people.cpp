// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "takeover/compose.hpp"
#include "takeover/hollo/reading.hpp"

#include <algorithm>

namespace takeover::hollo {

namespace {

// {"Site": "https://alice.example"}; of others as HTML.
std::string fields_json(const Reading& r, const Person& p) {
    constexpr std::size_t most = 32;
    std::vector<accounts::Field> out;
    const auto fields = object_of(p.fields);
    if (!fields) return base::json::to_string(out);
    for (const auto& field : *fields) {
        if (out.size() == most) break;
        accounts::Field kept;
        kept.name = std::string(field.key());
        const auto value = text(*fields, field.key());
        if (p.local) {
            kept.value = value;
            kept.value_html = field_html(r.site, value);
        } else kept.value_html = base::text::sanitize(value);
        out.push_back(std::move(kept));
    }
    return base::json::to_string(out);
}

// Why it cannot be taken; nothing: it can.
std::optional<std::string> objection(const Reading& r, const Person& p, const Handle& handle) {
    if (!is_name(handle.name)) return "its name is none";
    if (!is_address(p.iri)) return "its id is no address";
    if (p.local) {
        if (!r.is_here(p.iri)) return "it is of this server, its id is of another";
        return std::nullopt;
    }
    if (r.is_here(p.iri)) return "it is of another server, its id is of this one";
    if (!is_domain(handle.domain) || handle.domain == r.site.domain) return "its domain is none";
    if (!is_address(p.inbox_url)) return "it has no inbox";
    return std::nullopt;
}

std::string picture_of(const Reading& r, const Person& p, const std::string& address, Sink& sink) {
    if (p.local) return take_address(r, address, p.handle, sink);
    return is_address(address) ? address : "";
}

ActorRow actor_of(const Person& p) {
    auto kept = [](const std::string& uri) { return is_address(uri) ? uri : ""; };
    return {kept(p.inbox_url), kept(p.shared_inbox_url), "", kept(p.followers_url), "", kept(p.featured_url)};
}

accounts::Account profile(const Reading& r, const Person& p, const Handle& handle, Id id, const Sink& sink) {
    accounts::Account out;
    out.id = {id};
    out.username = handle.name;
    out.domain = p.local ? "" : handle.domain;
    out.actor_type = p.type;
    out.locked = p.locked;
    out.created_at = dated(r, p.made);
    out.display_name = p.name;
    out.uri = p.iri;
    out.fields = fields_json(r, p);
    out.attribution_domains = "[]";
    out.note_html = base::text::sanitize(p.bio_html);
    if (const auto other = p.successor.empty() ? std::nullopt : r.account(sink, p.successor);
        other && *other != id)
        out.moved_to_id = {*other};
    if (p.local) {
        out.note = p.bio;
        out.discoverable = p.discoverable;
        out.hide_collections = !p.shows_following;
        return out;
    }
    out.url = is_address(p.url) ? p.url : p.iri;
    out.followers_count = std::max<std::int64_t>(p.followers_count, 0);
    out.following_count = std::max<std::int64_t>(p.following_count, 0);
    out.statuses_count = std::max<std::int64_t>(p.posts_count, 0);
    return out;
}

void take_account(const Reading& r, const Person& p, Sink& sink) {
    const auto id = r.account(sink, p.id);
    if (!id) return;
    auto refuse = [&](const std::string& why) {
        sink.refuse("account", p.id, db::Foreign::shown(p.handle) + ": " + why);
        sink.numbers.drop("account", p.id);
    };
    const auto handle = handle_of(p.handle);
    if (auto why = objection(r, p, handle)) return refuse(*why);
    AccountRow row;
    row.account = profile(r, p, handle, *id, sink);
    if (p.local) {
        row.keys = own_keys(p);
        if (row.keys.size() != keys_of_each) return refuse("one of its pairs of keys is none");
        for (const auto& alias : p.aliases.items)
            if (is_address(alias)) row.aliases.push_back(alias);
    } else row.actor = actor_of(p);
    row.account.avatar = row.account.avatar_static = picture_of(r, p, p.avatar_url, sink);
    row.account.header = row.account.header_static = picture_of(r, p, p.cover_url, sink);
    sink.put(std::move(row), "account", p.id, "another account has its name, in capitals or not, or its id");
}

}  // namespace

// What others have of them is asked for anew with the first use: their keys are not in these tables.
void copy_accounts(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Person>("account", people, position, sink, [&](const Person& p) { take_account(r, p, sink); });
}

}  // namespace takeover::hollo

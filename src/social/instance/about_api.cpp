// SPDX-License-Identifier: AGPL-3.0-or-later
// The instance endpoints that show no account; those that do are in accounts/instance_api.cpp.
#include "base/text/languages.hpp"
#include "http/route.hpp"
#include "social/instance/about.hpp"
#include "social/instance/activity.hpp"
#include "social/instance/async_refresh.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/instance_entity.hpp"

namespace instance {
namespace {

using http::Viewer;

struct Week {
    std::string week, statuses, logins, registrations;
};
DESCRIBE(Week, week, statuses, logins, registrations)

std::vector<Week> weeks(db::Read& db) {
    if (!tells_activity(db)) throw base::NotFound();
    std::vector<Week> out;
    for (const auto& row : activity(db)) {
        auto text = [](std::int64_t number) { return std::to_string(number); };
        out.push_back({text(row.week), text(row.statuses), text(row.logins), text(row.registrations)});
    }
    return out;
}

std::vector<std::string> known_servers(db::Read& db) {
    if (!tells_peers(db)) throw base::NotFound();
    return peers(db);
}

struct Search {
    std::string q;
};
DESCRIBE(Search, q)

base::json::Raw search_servers(db::Read& db, const Search& form) {
    if (!tells_peers(db)) throw base::NotFound();
    if (http::form::is_blank(form.q)) return {"null"};
    auto begin = peer_prefix(form.q);
    return {base::json::to_string(begin ? peers_like(db, *begin) : std::vector<std::string>())};
}

std::vector<DomainBlock> limited_servers(db::Read& db, const std::optional<Viewer>& me) {
    if (!shows_domain_blocks(db, me.has_value())) throw base::NotFound();
    return domain_blocks(db, me.has_value());
}

ExtendedDescription description(db::Read& db) { return extended_description(db); }
PrivacyPolicy policy(db::Read& db) { return privacy_policy(db); }

TermsOfService terms(db::Read& db) {
    auto found = terms_of_service(db);
    if (!found) throw base::NotFound();
    return *found;
}

struct ByDate {
    std::string date;
};
DESCRIBE(ByDate, date)

TermsOfService terms_on(db::Read& db, const ByDate& path) {
    auto found = terms_of_service(db, path.date);
    if (!found) throw base::NotFound();
    return *found;
}

struct Language {
    std::string code, name;
};
DESCRIBE(Language, code, name)

std::vector<Language> languages(db::Read&) {
    std::vector<Language> out;
    for (const auto& [code, name] : base::text::languages())
        out.push_back({std::string(code), std::string(name)});
    return out;
}

struct ByRefresh {
    std::string id;
};
DESCRIBE(ByRefresh, id)

struct Refresh {
    AsyncRefresh async_refresh;
};
DESCRIBE(Refresh, async_refresh)

Refresh refresh(db::Read& db, const Viewer&, const ByRefresh& path) { return {refresh_by_id(db, path.id)}; }

// There are no donation campaigns; Mastodon responds in the same way without one.
http::Response donation_campaigns(db::Read&, const Viewer&) {
    http::Response response;
    response.status = 204;
    return response;
}

http::Response nodeinfo_links(db::Read& db) {
    http::Response response;
    response.body = nodeinfo_discovery(db.site());
    response.headers.emplace_back("Cache-Control", "max-age=259200, public");
    return response;
}

http::Response nodeinfo_of(db::Read& db, const char* version) {
    http::Response response;
    response.body = nodeinfo(db, version);
    response.content_type = "application/json; profile=\"http://nodeinfo.diaspora.software/ns/schema/" +
                            std::string(version) + "#\"";
    response.headers.emplace_back("Cache-Control", "max-age=1800, public");
    return response;
}

http::Response nodeinfo_2_0(db::Read& db) { return nodeinfo_of(db, "2.0"); }
http::Response nodeinfo_2_1(db::Read& db) { return nodeinfo_of(db, "2.1"); }

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<weeks>             ("/api/v1/instance/activity").cached(Caching::always).always_open(),
    http::get<known_servers>     ("/api/v1/instance/peers").cached(Caching::always).always_open(),
    http::get<search_servers>    ("/api/v1/peers/search").answering("string[]?").cached(Caching::always).always_open(),
    http::get<limited_servers>   ("/api/v1/instance/domain_blocks").cached(Caching::if_anonymous).always_open(),
    http::get<description>       ("/api/v1/instance/extended_description").cached(Caching::always).always_open(),
    http::get<policy>            ("/api/v1/instance/privacy_policy").cached(Caching::always).always_open(),
    http::get<terms>             ("/api/v1/instance/terms_of_service").cached(Caching::always).always_open(),
    http::get<terms_on>          ("/api/v1/instance/terms_of_service/:date").cached(Caching::always).always_open(),
    http::get<languages>         ("/api/v1/instance/languages").cached(Caching::always).always_open(),
    http::get<refresh>           ("/api/v1_alpha/async_refreshes/:id", "read"),
    http::get<donation_campaigns>("/api/v1/donation_campaigns"),
    http::get<nodeinfo_links>    ("/.well-known/nodeinfo"),
    http::get<nodeinfo_2_0>      ("/nodeinfo/2.0"),
    http::get<nodeinfo_2_1>      ("/nodeinfo/2.1"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace instance

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/instance_entity.hpp"

#include "social/instance/about.hpp"
#include "social/instance/activity.hpp"
#include "social/instance/configuration.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/instance/registrations.hpp"
#include "social/instance/settings.hpp"

namespace instance {

namespace {

constexpr int mastodon_api_version = 11;

std::string version_of(const base::Site& site) { return "4.7.0 (compatible; Dunlin " + site.version + ")"; }

struct Users {
    std::int64_t active_month = 0;
};
DESCRIBE(Users, active_month)
struct Usage {
    Users users;
};
DESCRIBE(Usage, users)
struct Thumbnail {
    std::string url, description;
};
DESCRIBE(Thumbnail, url, description)
struct Icon {
    std::string src, size;
};
DESCRIBE(Icon, src, size)
struct Registrations {
    bool enabled = true, approval_required = false, reason_required = false;
    std::optional<std::string> message;
    std::optional<int> min_age;
    std::optional<std::string> url;
};
DESCRIBE(Registrations, enabled, approval_required, reason_required, message, min_age, url)
struct ApiVersions {
    int mastodon = mastodon_api_version;
};
DESCRIBE(ApiVersions, mastodon)
struct Contact {
    std::string email;
    std::optional<base::json::Raw> account;
};
DESCRIBE(Contact, email, account)

struct V2 {
    static constexpr std::string_view entity = "Instance";

    std::string domain, title, version, source_url, description;
    Usage usage;
    Thumbnail thumbnail;
    std::vector<Icon> icon;
    std::vector<std::string> languages;
    Configuration configuration;
    Registrations registrations;
    ApiVersions api_versions;
    std::optional<int> wrapstodon;
    Contact contact;
    std::vector<Rule> rules;
};
DESCRIBE(
    V2, domain, title, version, source_url, description, usage, thumbnail, icon, languages, configuration,
    registrations, api_versions, wrapstodon, contact, rules
)

Registrations registrations(db::Read& db) {
    const auto& site = db.site();
    const bool approval = approval_required(db);
    Registrations out{site.registrations_open, approval, approval, {}, {}, {}};
    if (!site.registrations_open) out.message = "<p>Registrations are closed on this server.</p>";
    if (site.min_age > 0) out.min_age = site.min_age;
    return out;
}

std::vector<Icon> icons(const base::Site& site) {
    std::vector<Icon> out;
    for (int size : {36, 48, 72, 96, 144, 192, 256, 384, 512}) {
        auto side = std::to_string(size);
        out.push_back({site.asset("icons/" + side + ".png"), side + "x" + side});
    }
    return out;
}

struct Urls {
    std::string streaming_api;
};
DESCRIBE(Urls, streaming_api)
struct Stats {
    std::int64_t user_count = 0, status_count = 0, domain_count = 0;
};
DESCRIBE(Stats, user_count, status_count, domain_count)

struct V1 {
    static constexpr std::string_view entity = "V1::Instance";

    std::string uri, title, short_description, description, email, version;
    Urls urls;
    Stats stats;
    std::string thumbnail;
    std::vector<std::string> languages;
    bool registrations = true, approval_required = false, invites_enabled = false;
    V1Configuration configuration;
    std::optional<base::json::Raw> contact_account;
    std::vector<Rule> rules;
};
DESCRIBE(
    V1, uri, title, short_description, description, email, version, urls, stats, thumbnail, languages,
    registrations, approval_required, invites_enabled, configuration, contact_account, rules
)

}  // namespace

base::json::Raw instance_v2(db::Read& db, ContactOf contact_of) {
    const auto& site = db.site();
    V2 out{
        site.domain,
        site.title,
        version_of(site),
        site.source_url,
        site.description,
        {{statistics(db).active_month}},
        {site.asset("logo.png"), ""},
        icons(site),
        {site.language},
        configuration(site, vapid_public_key(db)),
        registrations(db),
        {},
        {},
        {site.contact_email, contact_of(db)},
        rules(db)
    };
    out.configuration.limited_federation = federation_mode(db).limited_federation;
    return {base::json::to_string(out)};
}

base::json::Raw instance_v1(db::Read& db, ContactOf contact_of) {
    const auto& site = db.site();
    auto size = statistics(db);
    V1 out{
        site.domain,
        site.title,
        site.description,
        site.description,
        site.contact_email,
        version_of(site),
        {site.streaming_url},
        {size.users, size.statuses, size.domains},
        site.asset("logo.png"),
        {site.language},
        site.registrations_open,
        approval_required(db),
        false,
        v1_configuration(site),
        contact_of(db),
        rules(db)
    };
    return {base::json::to_string(out)};
}

void describe_instances(base::json::Components& all) {
    base::json::component<V2>(all);
    base::json::component<V1>(all);
}

}  // namespace instance

// SPDX-License-Identifier: AGPL-3.0-or-later
// What options say together, and what follows from them.
#include "config/addresses.hpp"
#include "config/config_load.hpp"
#include "net/forwarded.hpp"
#include "net/host.hpp"

namespace server {

namespace {

bool is_postgres(const std::string& url) {
    return url.starts_with("postgres://") || url.starts_with("postgresql://");
}

void check_listen(const Config& config, Words& mistakes) {
    for (auto list : {&config.listen, &config.tls_listen})
        for (const auto& text : *list)
            if (!parse_endpoint(text))
                mistakes.push_back(
                    "listen: \"" + text +
                    "\" is not an address; write ADDR:PORT, for example 127.0.0.1:3000 or 0.0.0.0:3000"
                );
    if (config.listen.empty() && config.tls_listen.empty())
        mistakes.push_back("listen: give at least one address, for example 127.0.0.1:3000");
    if (!config.tls_listen.empty() && (config.tls_cert.empty() || config.tls_key.empty()))
        mistakes.push_back("tls_listen needs a certificate; set tls_cert and tls_key to its PEM files");
    if (config.tls_cert.empty() != config.tls_key.empty())
        mistakes.push_back("tls_cert and tls_key belong together; set both or none");
}

void settle_public_url(Config& config, Words& mistakes) {
    if (config.public_url.empty()) {
        auto first =
            parse_endpoint(config.listen.empty() ? config.tls_listen.front() : config.listen.front());
        if (first->port == 0) {
            mistakes.push_back(
                "public_url must be given when the system chooses the port (listen with port 0)"
            );
            return;
        }
        config.public_url = (config.listen.empty() ? "https://localhost:" : "http://localhost:") +
                            std::to_string(first->port);
    }
    auto url = parse_public_url(config.public_url);
    if (!url) {
        mistakes.push_back(
            "public_url: \"" + config.public_url +
            "\" is not understood; write http or https, host and port, "
            "without a path, for example https://social.example.org"
        );
        return;
    }
    config.public_url = (url->secure ? "https://" : "http://") + url->authority;
    if (config.domain.empty()) config.domain = url->authority;
    if (!config.streaming_url.empty() && !parse_public_url(config.streaming_url))
        mistakes.push_back(
            "streaming_url: \"" + config.streaming_url +
            "\" is not understood; write http or https, host and port, without a path"
        );
}

void check_database(const Config& config, Words& mistakes) {
    if (!config.database.empty() && !is_postgres(config.database))
        mistakes.push_back(
            "database must begin with postgres://; leave it empty for SQLite in the data folder"
        );
    if (!config.database_replica.empty() && !is_postgres(config.database_replica))
        mistakes.push_back("database_replica must begin with postgres://");
    if (!config.database_replica.empty() && config.database.empty())
        mistakes.push_back("database_replica needs a PostgreSQL database; set database too");
    if (config.shared_liveness.empty()) return;
    if (!parse_valkey_url(config.shared_liveness))
        mistakes.push_back(
            "shared_liveness is not understood; write redis://USER:PASSWORD@HOST:6379, or rediss:// with TLS"
        );
    if (config.database.empty())
        mistakes.push_back(
            "shared_liveness is for several nodes, which share a PostgreSQL database; set database too"
        );
}

void check_roles(const Config& config, Words& mistakes) {
    for (const auto& role : config.roles)
        if (role != "web" && role != "streaming" && role != "jobs")
            mistakes.push_back(
                "roles: \"" + role + "\" is none; write web, streaming, jobs, or some of them"
            );
    if (config.roles.empty()) mistakes.push_back("roles: give at least one of web, streaming, jobs");
    if (!config.postgres() &&
        !(config.has_role("web") && config.has_role("streaming") && config.has_role("jobs")))
        mistakes.push_back(
            "roles: with SQLite there is nobody else who could do the rest; leave it out, or set database too"
        );
}

void settle_mail(Config& config, Words& mistakes) {
    if (!config.smtp_url.empty() && !parse_smtp_url(config.smtp_url))
        mistakes.push_back(
            "smtp_url is not understood; write smtp://HOST:587, smtps://HOST:465 or, inside one machine, "
            "smtp+insecure://HOST:25"
        );
    if (config.smtp_from.empty())
        config.smtp_from = "noreply@" + config.domain.substr(0, config.domain.find(':'));
}

void check_other_servers(const Config& config, Words& mistakes) {
    bool dangerous =
        !config.allow_private_addresses.empty() || !config.host_overrides.empty() || config.allow_http_peers;
    if (dangerous && !config.test_mode)
        mistakes.push_back(
            "allow_private_addresses, host_overrides and allow_http_peers open the machines behind your "
            "firewall to strangers; they work with test_mode only"
        );
    const Config usual;
    bool hasty = config.delivery_retry_ms != usual.delivery_retry_ms ||
                 config.failure_day_seconds != usual.failure_day_seconds;
    if (hasty && !config.test_mode)
        mistakes.push_back(
            "delivery_retry_ms and failure_day_seconds make this server a nuisance to others; they work with "
            "test_mode only"
        );
    if (config.clock_offset_seconds != 0 && !config.test_mode)
        mistakes.push_back("clock_offset_seconds tells everybody a wrong time; it works with test_mode only");
    try {
        net::NetworkSet networks(config.allow_private_addresses);
    } catch (const std::invalid_argument& e) {
        mistakes.push_back(std::string("allow_private_addresses: ") + e.what());
    }
    auto is_url = [](const std::string& text) {
        return text.starts_with("https://") || text.starts_with("http://");
    };
    if (!config.translate_url.empty() && !is_url(config.translate_url))
        mistakes.push_back("translate_url must begin with https:// or http://");
    if (!config.source_url.empty() && !is_url(config.source_url))
        mistakes.push_back("source_url must begin with https:// or http://");
}

}  // namespace

void complete(Config& config, Words& mistakes) {
    if (config.data.empty()) mistakes.push_back("data: name a folder; \".\" is the current one");
    check_listen(config, mistakes);
    if (mistakes.empty()) settle_public_url(config, mistakes);
    if (!config.domain.empty() && !net::is_host(config.domain))
        mistakes.push_back(
            "domain: \"" + config.domain + "\" is not a host name; write it without http:// and path"
        );
    check_database(config, mistakes);
    check_roles(config, mistakes);
    settle_mail(config, mistakes);
    check_other_servers(config, mistakes);
    try {
        net::NetworkSet proxies(config.trusted_proxies);
    } catch (const std::invalid_argument& e) {
        mistakes.push_back(std::string("trusted_proxies: ") + e.what());
    }
}

base::Site site_of(const Config& config) {
    base::Site site;
    site.domain = config.domain;
    site.public_url = config.public_url;
    site.title = config.title;
    site.description = config.description;
    site.contact_email = config.contact_email;
    site.contact_account = config.contact_account;
    site.language = config.language;
    site.source_url = config.source_url.empty() ? config.public_url : config.source_url;
    site.translates = !config.translate_url.empty();
    auto url = parse_public_url(config.streaming_url.empty() ? config.public_url : config.streaming_url);
    if (url) site.streaming_url = (url->secure ? "wss://" : "ws://") + url->authority;
    site.max_characters = config.max_characters;
    site.max_media = config.max_media;
    site.max_poll_options = config.max_poll_options;
    site.registrations_open = config.registrations != Registrations::closed;
    site.approval_required = config.registrations == Registrations::approval;
    site.confirmation_required = config.confirmation;
    site.restricted = config.restricted;
    site.min_age = config.min_age;
    return site;
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// Checks of combinations of options, and derived values.
#include "base/log.hpp"
#include "base/log_file.hpp"
#include "config/addresses.hpp"
#include "config/config_load.hpp"
#include "net/forwarded.hpp"
#include "net/host.hpp"

#include <algorithm>

namespace server {

namespace {

bool is_postgres(const std::string& url) {
    return url.starts_with("postgres://") || url.starts_with("postgresql://");
}

void check_addresses(const std::string& option, const Words& given, Words& mistakes) {
    for (auto text = given.begin(); text != given.end(); ++text) {
        if (text->starts_with("unix:") && !parse_endpoint(*text))
            mistakes.push_back(
                option + ": \"" + *text +
                "\" is no place for a socket; write unix: and a path from the root on of at most 107 bytes, "
                "for example "
                "unix:/run/dunlin/http.sock"
            );
        else if (!parse_endpoint(*text))
            mistakes.push_back(
                option + ": \"" + *text +
                "\" is not an address; write ADDR:PORT, for example 127.0.0.1:3000 or 0.0.0.0:3000"
            );
        else if (std::find(given.begin(), text, *text) != text && !text->ends_with(":0"))
            mistakes.push_back(option + ": " + *text + " stands there twice; name it once");
    }
}

void check_acme(const Config& config, Words& mistakes) {
    if (!config.acme_directory.starts_with("https://"))
        mistakes.push_back(
            "acme_directory: \"" + config.acme_directory +
            "\" is not the address of an authority; write the one of its directory, for example "
            "https://acme-v02.api.letsencrypt.org/directory"
        );
    if (!config.acme_eab.empty() && config.acme_eab.find(':') == std::string::npos)
        mistakes.push_back(
            "acme_eab: write the id of the key that the authority gave, a colon, and the key, for example "
            "kid-1:c2VjcmV0"
        );
}

void check_listen(const Config& config, Words& mistakes) {
    check_addresses("listen", config.listen, mistakes);
    check_addresses("tls_listen", config.tls_listen, mistakes);
    for (const auto& text : config.tls_listen)
        if (text.starts_with("unix:"))
            mistakes.push_back(
                "tls_listen: " + text + " is for a proxy, which speaks TLS itself; write it into listen"
            );
    for (const auto& text : config.tls_listen)
        if (std::ranges::find(config.listen, text) != config.listen.end() && !text.ends_with(":0"))
            mistakes.push_back("tls_listen: " + text + " stands in listen, too; leave one of the two out");
    if (config.listen.empty() && config.tls_listen.empty())
        mistakes.push_back("listen: give at least one address, for example 127.0.0.1:3000");
    if (config.tls_cert.empty() != config.tls_key.empty()) {
        const bool key = config.tls_cert.empty();
        mistakes.push_back(
            std::string(key ? "tls_key: tls_cert" : "tls_cert: tls_key") +
            " is missing; the two belong together, so name both PEM files or none"
        );
    }
    check_acme(config, mistakes);
}

bool is_plain(const std::string& text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; });
}

void settle_public_url(Config& config, Words& mistakes) {
    if (config.public_url.empty()) {
        auto first =
            parse_endpoint(config.listen.empty() ? config.tls_listen.front() : config.listen.front());
        if (first->port == 0) {
            mistakes.push_back(
                std::string("public_url must be given when ") +
                (first->path.empty() ? "the system chooses the port (listen with port 0)"
                                     : "the server listens at a path, which no browser knows") +
                ", for example https://social.example.org"
            );
            return;
        }
        config.public_url = (config.listen.empty() ? "https://localhost:" : "http://localhost:") +
                            std::to_string(first->port);
    }
    auto url = parse_public_url(config.public_url);
    if (!url) {
        mistakes.push_back(
            "public_url: \"" + config.public_url + "\" is not understood; " +
            (is_plain(config.public_url)
                 ? "write http or https, host and port, without a path, for example "
                   "https://social.example.org"
                 : "write letters beyond a to z as DNS does, for example https://xn--exmple-cua.org for "
                   "ex\u00e4mple.org")
        );
        return;
    }
    config.public_url = (url->secure ? "https://" : "http://") + url->authority;
    if (config.domain.empty()) config.domain = url->authority;
    if (!config.streaming_url.empty() && !parse_public_url(config.streaming_url))
        mistakes.push_back(
            "streaming_url: \"" + config.streaming_url +
            "\" is not understood; write http or https, host and port, without a path, for example "
            "https://streaming.example.org"
        );
}

constexpr const char* postgres_example = ", for example postgres://dunlin:PASSWORD@127.0.0.1/dunlin";

// Whether user and password are escaped such that libpq parses them as intended; otherwise its error messages
// would show parts of them.
bool is_escaped(std::string_view url) {
    url.remove_prefix(url.find("://") + 3);
    url = url.substr(0, url.find('?'));
    const auto user = url.substr(0, std::min(url.size(), url.rfind('@') + 1));
    if (user.find('/') != user.npos || user.find('@') != user.rfind('@')) return false;
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    auto is_digit = [digits](char c) { return digits.find(c) != digits.npos; };
    for (auto at = user.find('%'); at != user.npos; at = user.find('%', at + 1))
        if (!is_digit(user[at + 1]) || !is_digit(user[at + 2])) return false;
    return true;
}

void check_password(const std::string& option, const std::string& url, Words& mistakes) {
    if (is_postgres(url) && !is_escaped(url))
        mistakes.push_back(
            option + ": in the user and password write %2F for /, %40 for @ and %25 for %" + postgres_example
        );
}

void check_database(const Config& config, Words& mistakes) {
    check_password("database", config.database, mistakes);
    check_password("database_replica", config.database_replica, mistakes);
    if (!config.database.empty() && !is_postgres(config.database))
        mistakes.push_back(
            std::string("database must begin with postgres://") + postgres_example +
            "; leave it empty for SQLite in the data folder"
        );
    if (!config.database_replica.empty() && !is_postgres(config.database_replica))
        mistakes.push_back(std::string("database_replica must begin with postgres://") + postgres_example);
    if (!config.database_replica.empty() && config.database.empty())
        mistakes.push_back("database_replica needs a PostgreSQL database; set database too, or leave it out");
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

void settle_media(Config& config, Words& mistakes) {
    if (config.s3_endpoint.empty()) config.s3_endpoint = "https://s3." + config.s3_region + ".amazonaws.com";
    if (!parse_public_url(config.s3_endpoint))
        mistakes.push_back(
            "s3_endpoint: \"" + config.s3_endpoint +
            "\" is not understood; write http or https, host and port, without a path, for example "
            "https://s3.eu-central-1.amazonaws.com"
        );
    const bool presigned = config.media_url == "presigned";
    if (!config.media_url.empty() && !presigned && !config.media_url.starts_with("https://") &&
        !config.media_url.starts_with("http://"))
        mistakes.push_back(
            "media_url must begin with https:// or http://, for example https://files.example.org, or be "
            "presigned"
        );
    while (config.media_url.ends_with('/')) config.media_url.pop_back();
    const bool some = !config.s3_bucket.empty() || config.media_store == MediaStore::s3;
    if (!some) return;
    for (const auto& [name, value] :
         {std::pair("s3_bucket", &config.s3_bucket),
          {"s3_access_key", &config.s3_access_key},
          {"s3_secret_key", &config.s3_secret_key},
          {"s3_region", &config.s3_region}})
        if (value->empty())
            mistakes.push_back(
                std::string(name) +
                " is missing; a bucket needs it, so set it too, or leave out what begins with s3_ and "
                "media_store"
            );
    const auto& prefix = config.s3_prefix;
    if (prefix.starts_with('/') || prefix.find("//") != prefix.npos)
        mistakes.push_back("s3_prefix: names in a bucket begin with no /; write it like social/");
}

void check_backup_key(const Config& config, Words& mistakes) {
    if (!config.backup_key.empty() && !parse_backup_key(config.backup_key))
        mistakes.push_back("backup_key: 64 digits from 0 to f are needed; make a key with `dunlin backup key`"
        );
}

// Checks the keys as given, before those of the media bucket are used as defaults.
void check_backup_keys(const Config& config, Words& mistakes) {
    if (!is_bucket_place(config.backup_to)) return;
    const bool access = !config.backup_s3_access_key.empty(), secret = !config.backup_s3_secret_key.empty();
    if (access != secret)
        mistakes.push_back(
            std::string(
                access ? "backup_s3_secret_key: backup_s3_access_key"
                       : "backup_s3_access_key: backup_s3_secret_key"
            ) +
            " is alone; the two belong together, so set both or none"
        );
    if (!access && !secret && (config.s3_access_key.empty() || config.s3_secret_key.empty()))
        mistakes.push_back(
            "backup_to: a bucket needs a key; set backup_s3_access_key and backup_s3_secret_key, or those "
            "without backup_"
        );
}

// Settings missing for the backup bucket are taken from the media bucket, as given. Also done if backup_to
// names no bucket, because commands may.
void settle_backup_bucket(Config& config) {
    const auto fall_back = [](std::string& own, const std::string& other) {
        if (own.empty()) own = other;
    };
    fall_back(config.backup_s3_endpoint, config.s3_endpoint);
    fall_back(config.backup_s3_region, config.s3_region);
    fall_back(config.backup_s3_endpoint, "https://s3." + config.backup_s3_region + ".amazonaws.com");
    if (!config.backup_s3_access_key.empty() || !config.backup_s3_secret_key.empty()) return;
    config.backup_s3_access_key = config.s3_access_key;
    config.backup_s3_secret_key = config.s3_secret_key;
}

bool is_one_server(const std::string& one, const std::string& other) {
    const auto a = parse_public_url(one), b = parse_public_url(other);
    return a && b && a->authority == b->authority;
}

// Call once both buckets are settled.
void check_backup_bucket(const Config& config, Words& mistakes) {
    if (!is_bucket_place(config.backup_to)) return;
    if (!parse_public_url(config.backup_s3_endpoint) && config.backup_s3_endpoint != config.s3_endpoint)
        mistakes.push_back(
            "backup_s3_endpoint: \"" + config.backup_s3_endpoint +
            "\" is not understood; write http or https, host and port, without a path, for example "
            "https://s3.eu-central-1.amazonaws.com"
        );
    const auto place = parse_bucket_place(config.backup_to);
    if (!place)
        mistakes.push_back(
            "backup_to: \"" + config.backup_to +
            "\" is not understood; write the bucket and what the names in it begin with, for example "
            "s3://backups/dunlin"
        );
    // Moving media out of a bucket takes along everything with the same prefix.
    if (place && place->bucket == config.s3_bucket &&
        is_one_server(config.backup_s3_endpoint, config.s3_endpoint) &&
        (place->prefix.starts_with(config.s3_prefix) || config.s3_prefix.starts_with(place->prefix)))
        mistakes.push_back(
            "backup_to: " + config.backup_to +
            " and media are not apart in that bucket, so who moves media away takes the backup along; write "
            "another bucket, or have the names of both begin differently, for example s3_prefix = "
            "\"social/\" and s3://" +
            place->bucket + "/backup"
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

void check_networks(const std::string& option, const Words& given, Words& mistakes) {
    try {
        net::NetworkSet networks(given);
    } catch (const std::invalid_argument& e) {
        mistakes.push_back(
            option + ": " + e.what() + "; write addresses or networks, for example 10.0.0.0/8 or 192.0.2.7"
        );
    }
}

// Options that expose the machine to strangers, disturb others, or falsify the time.
void check_test_mode(const Config& config, Words& mistakes) {
    if (config.test_mode) return;
    auto refuse = [&](bool given, const std::string& option, const std::string& reason) {
        if (given)
            mistakes.push_back(option + ": " + reason + "; it works with test_mode only, so leave it out");
    };
    const Config usual;
    const std::string opens = "it opens the machines behind your firewall to strangers";
    refuse(!config.allow_private_addresses.empty(), "allow_private_addresses", opens);
    refuse(!config.host_overrides.empty(), "host_overrides", opens);
    refuse(config.allow_http_peers, "allow_http_peers", opens);
    const std::string bothers = "it makes this server a nuisance to others";
    refuse(config.delivery_retry_ms != usual.delivery_retry_ms, "delivery_retry_ms", bothers);
    refuse(config.failure_day_seconds != usual.failure_day_seconds, "failure_day_seconds", bothers);
    refuse(config.clock_offset_seconds != 0, "clock_offset_seconds", "it tells everybody a wrong time");
}

void check_hosts(const std::string& option, const Words& given, Words& mistakes) {
    for (const auto& name : given)
        if (is_plain(name) && !net::is_host(name))
            mistakes.push_back(
                option + ": \"" + name +
                "\" is not a host name; write it without https:// and path, for example social.example.org"
            );
}

void check_urls(const Config& config, Words& mistakes) {
    auto check = [&](const std::string& url, const std::string& option, const std::string& example) {
        if (url.empty() || url.starts_with("https://") || url.starts_with("http://")) return;
        mistakes.push_back(option + " must begin with https:// or http://, for example " + example);
    };
    check(config.translate_url, "translate_url", "https://api-free.deepl.com");
    check(config.source_url, "source_url", "https://git.example.org/dunlin");
}

void check_other_servers(const Config& config, Words& mistakes) {
    check_test_mode(config, mistakes);
    check_networks("allow_private_addresses", config.allow_private_addresses, mistakes);
    check_networks("trusted_proxies", config.trusted_proxies, mistakes);
    check_hosts("host_names", config.host_names, mistakes);
    check_hosts("allowed_servers", config.allowed_servers, mistakes);
    check_urls(config, mistakes);
}

}  // namespace

void complete(Config& config, Words& mistakes) {
    if (config.data.empty())
        mistakes.push_back("data: name a folder, for example /var/lib/dunlin; \".\" is the current one");
    check_listen(config, mistakes);
    if (mistakes.empty()) settle_public_url(config, mistakes);
    if (!config.domain.empty() && !net::is_host(config.domain))
        mistakes.push_back(
            "domain: \"" + config.domain +
            "\" is not a host name; write it without http:// and path, for example example.org"
        );
    check_database(config, mistakes);
    check_roles(config, mistakes);
    check_backup_keys(config, mistakes);
    check_backup_key(config, mistakes);
    settle_backup_bucket(config);
    settle_media(config, mistakes);
    check_backup_bucket(config, mistakes);
    settle_mail(config, mistakes);
    check_other_servers(config, mistakes);
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
    site.appeal_days = config.appeal_days;
    return site;
}

void use_log(const Config& config, LogFormat format) {
    constexpr std::uintmax_t megabyte = 1 << 20;
    base::log_to(
        {config.log_file, static_cast<std::uintmax_t>(config.log_file_mb) * megabyte, config.log_files}
    );
    base::set_log(static_cast<base::LogLevel>(config.log_level), format == LogFormat::json);
}

}  // namespace server

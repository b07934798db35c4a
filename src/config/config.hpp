// SPDX-License-Identifier: AGPL-3.0-or-later
// Everything an operator can configure. The initial values are the defaults; config_table.hpp gives each
// member its name, help and allowed values. The file, the environment, the flags and docs/config.md are
// derived from that table.
#pragma once
#include "base/site.hpp"

#include <boost/describe.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace server {

BOOST_DEFINE_ENUM_CLASS(Registrations, open, approval, closed)
BOOST_DEFINE_ENUM_CLASS(LogLevel, debug, info, warning, error)
BOOST_DEFINE_ENUM_CLASS(LogFormat, text, json)
BOOST_DEFINE_ENUM_CLASS(LogRequests, none, failed, all)
BOOST_DEFINE_ENUM_CLASS(Metrics, local, all, off)
BOOST_DEFINE_ENUM_CLASS(MediaStore, folder, s3)
BOOST_DEFINE_ENUM_CLASS(TranslateService, libretranslate, deepl)

using Words = std::vector<std::string>;

struct Config {
    std::string data = "data";

    Words listen{"127.0.0.1:3000"};
    Words tls_listen;
    std::string tls_cert, tls_key;
    std::string acme_directory = "https://acme-v02.api.letsencrypt.org/directory";
    std::string acme_email, acme_eab;
    Words acme_names;
    std::string public_url;
    std::string domain;
    std::string streaming_url;
    Words host_names;
    Words trusted_proxies{"127.0.0.0/8", "::1/128"};

    std::string title = "Dunlin";
    std::string description;
    std::string contact_email, contact_account;
    std::string language = "en";

    Registrations registrations = Registrations::open;
    bool confirmation = true;
    int min_age = 0;
    bool restricted = false;
    bool authorized_fetch = false, limited_federation = false;
    Words allowed_servers;
    bool email_subscriptions = false;
    bool web_client = true;
    bool weekly_digest = true;
    int appeal_days = 20;

    int max_characters = 5000;
    int max_media = 4;
    int max_poll_options = 4;
    int max_upload_mb = 100;
    bool accept_heif = true;
    bool media_without_sandbox = false;
    bool rate_limits = true;

    std::string database, database_replica, shared_liveness;
    int readers = 0;
    int writers = 0;
    int queue = 4096;
    int job_threads = 2;
    int cpu_threads = 0;
    int cpu_queue = 64;
    std::string media;
    MediaStore media_store = MediaStore::folder;
    std::string media_url;
    int media_cache_mb = 1024;
    int remote_posts_days = 0;
    int home_days = 180;
    std::string s3_endpoint, s3_bucket, s3_region = "us-east-1", s3_access_key, s3_secret_key, s3_prefix;
    bool s3_path_style = true;

    std::string backup_to, backup_key;
    std::string backup_s3_endpoint, backup_s3_region, backup_s3_access_key, backup_s3_secret_key;
    std::string backup_keep = "2d all, 30d daily, 1y monthly";
    int backup_every = 24, backup_verify_every = 7;
    int backup_queue_mb = 512;

    Words roles{"web", "streaming", "jobs"};
    int io_threads = 2;
    int max_connections = 10'000;
    int max_connections_per_address = 128;
    int body_memory_mb = 96;
    int upload_space_mb = 1024;
    int disk_reserve_mb = 1024;
    int idle_timeout = 75;
    int stop_grace = 5;

    std::string smtp_url, smtp_user, smtp_password, smtp_from;

    std::string source_url;
    std::string translate_url, translate_key;
    TranslateService translate_service = TranslateService::libretranslate;

    bool check_mail_hosts = true;
    Words allow_private_addresses, host_overrides;
    std::string extra_ca_file;
    bool allow_http_peers = false;
    int delivery_retry_ms = 15'000;
    int delivery_poll_seconds = 15;
    int failure_day_seconds = 86'400;
    int clock_offset_seconds = 0;

    LogLevel log_level = LogLevel::info;
    LogFormat log_format = LogFormat::text;
    std::string log_file;
    int log_file_mb = 50, log_files = 10;
    LogRequests log_requests = LogRequests::failed;
    Metrics metrics = Metrics::local;

    bool test_mode = false;

    // `serve --rehearse`, which is not an option: nothing leaves this machine.
    bool rehearsal = false;

    // Not an option either: the place that sets each option, "dunlin.toml:3". Absent: the default, or the
    // site's own choice.
    std::map<std::string, std::string> set_at;

    // Derived values.
    bool postgres() const { return !database.empty(); }
    bool has_role(std::string_view role) const { return std::ranges::find(roles, role) != roles.end(); }
    std::filesystem::path data_path() const { return data; }
    std::filesystem::path database_file() const { return data_path() / "dunlin.db"; }
    std::filesystem::path media_path() const {
        return media.empty() ? data_path() / "media" : std::filesystem::path(media);
    }
    std::filesystem::path spool_path() const { return data_path() / "spool"; }
    std::filesystem::path mail_path() const { return data_path() / "mail"; }
};

// The configuration is invalid; the text has a line for each mistake and says what to do.
struct ConfigError : std::runtime_error {
    using runtime_error::runtime_error;
};

base::Site site_of(const Config&);
// Sets where log lines go and which ones; their format stays as it was at startup.
void use_log(const Config&, LogFormat);

// The request cannot be carried out; the text says why and what to do.
struct Refused : std::runtime_error {
    using runtime_error::runtime_error;
};

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/config_table.hpp"

#include "base/text/utf8.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace server {

namespace {

// clang-format off
constexpr Option table[] = {
    {"Addresses", "data", &Config::data,
     "Folder of everything the server keeps: the database (SQLite), media, mail that was not sent."},
    {"Addresses", "listen", &Config::listen,
     "Addresses to listen on, ADDR:PORT or [ADDR]:PORT, or unix:/PATH: a socket for a proxy on this machine, which is believed who asks. Port 0 lets the system choose."},
    {"Addresses", "public_url", &Config::public_url,
     "What people type into the browser: http or https, host and port, no path. Ids of posts contain it: choose it before the first post.",
     0, 0, "http://localhost and the first port of listen"},
    {"Addresses", "domain", &Config::domain,
     "The part of handles after the @. Never change it once other servers know you.",
     0, 0, "host and port of public_url"},
    {"Addresses", "streaming_url", &Config::streaming_url,
     "Where clients find the streams when that is not public_url: http or https, host and port, no path. Requests that come here by another name are sent there.",
     0, 0, "public_url"},
    {"Addresses", "host_names", &Config::host_names,
     "Other names by which the API may be called, besides those of public_url, domain and streaming_url, the addresses of listen, and this machine's own. By any other it answers 421."},
    {"Addresses", "tls_listen", &Config::tls_listen,
     "Addresses on which the server itself speaks TLS; a proxy in front does not need this. Without tls_cert it has a certificate issued to itself and renewed."},
    {"Addresses", "tls_cert", &Config::tls_cert, "PEM file of the certificate and its chain, for tls_listen. SIGHUP reads it again."},
    {"Addresses", "tls_key", &Config::tls_key, "PEM file of the certificate's key. SIGHUP reads it again."},
    {"Addresses", "acme_directory", &Config::acme_directory,
     "The authority that issues certificates, by the address of its ACME directory. By asking it you agree to its terms."},
    {"Addresses", "acme_email", &Config::acme_email, "Address that the authority may write to."},
    {"Addresses", "acme_names", &Config::acme_names,
     "Names the certificate is for. Each must lead to this server.", 0, 0, "hosts of public_url and streaming_url"},
    Option{"Addresses", "acme_eab", &Config::acme_eab,
     "For authorities that bind accounts to their own (EAB): the id of the key they gave, a colon, and the key in base64url."}.masked(),
    {"Addresses", "trusted_proxies", &Config::trusted_proxies,
     "Networks (CIDR) whose X-Forwarded-For and X-Forwarded-Proto are believed."},

    Option{"The site", "title", &Config::title, "Name of the site."}.changed_by_team(),
    Option{"The site", "description", &Config::description, "One or two sentences about it."}.changed_by_team(),
    Option{"The site", "contact_email", &Config::contact_email, "Address people may write to."}.changed_by_team(),
    Option{"The site", "contact_account", &Config::contact_account, "Name of the local account people may talk to."}.changed_by_team(),
    Option{"The site", "language", &Config::language, "Main language of the site, as ISO 639: en, de, ja …"}.changed_by_team(),

    {"The site", "source_url", &Config::source_url,
     "Where the source of this very server can be had, as its licence demands of who changed it.", 0, 0, "public_url"},

    Option{"People", "registrations", &Config::registrations,
     "Who may sign up: everybody, whoever a moderator approves, or nobody."}.changed_by_team(),
    Option{"People", "confirmation", &Config::confirmation, "Whether a new user must follow a link sent by e-mail first."}.changed_by_team(),
    {"People", "check_mail_hosts", &Config::check_mail_hosts,
     "Whether DNS is asked who takes the mail of an address before somebody signs up with it."},
    Option{"People", "min_age", &Config::min_age, "Age that must be stated to sign up; 0 does not ask.", 0, 120}.changed_by_team(),
    Option{"People", "restricted", &Config::restricted, "Refuses API calls without a login, except those needed to log in."}.changed_by_team(),
    Option{"People", "email_subscriptions", &Config::email_subscriptions,
     "Whether users whose role may can have their public posts sent by mail to people without an account."}.changed_by_team(),
    Option{"People", "weekly_digest", &Config::weekly_digest,
     "Whether those who look after the server get a letter about it once a week."}.changed_by_team(),
    Option{"People", "appeal_days", &Config::appeal_days,
     "Days for which somebody can appeal what the team did about them; the Digital Services Act of the EU asks for six months, 183. It holds for what was decided before, too.", 1, 3650}.changed_by_team(),
    {"People", "web_client", &Config::web_client,
     "Whether who is signed in gets the web client here; otherwise the pages without JavaScript."},

    Option{"Limits", "max_characters", &Config::max_characters, "Longest post.", 1, 100'000}.changed_by_team(),
    Option{"Limits", "max_media", &Config::max_media, "Most attachments of a post.", 1, 16}.changed_by_team(),
    Option{"Limits", "max_poll_options", &Config::max_poll_options, "Most options of a poll.", 2, 20}.changed_by_team(),
    {"Limits", "max_upload_mb", &Config::max_upload_mb, "No request body may be larger, whatever its kind.", 1, 4096},
    {"Limits", "accept_heif", &Config::accept_heif, "Whether HEIC and AVIF images may be uploaded."},
    {"Limits", "media_without_sandbox", &Config::media_without_sandbox,
     "Decodes uploads even where the system denies the decoder a wall of its sandbox (Landlock, seccomp). Dangerous: a faulty decoder is then all that stands between an upload and this server's files."},
    {"Limits", "rate_limits", &Config::rate_limits, "Limits how often each user, token and address may ask."},

    Option{"Storage", "database", &Config::database,
     "postgres://user:password@host/name; empty: SQLite in the data folder.", 0, 0, "SQLite: dunlin.db in data"}.masked(),
    Option{"Storage", "database_replica", &Config::database_replica,
     "postgres:// of a replica that serves what only reads."}.masked(),
    Option{"Storage", "shared_liveness", &Config::shared_liveness,
     "Valkey or Redis by which the nodes of a site tell each other at once what happens, redis://user:password@host:6379 or rediss:// with TLS. It keeps nothing, and the site works without it.",
     0, 0, "PostgreSQL passes it on"}.masked(),
    {"Storage", "readers", &Config::readers, "Database connections that read.", 0, 256, "cores, at least 2; 16 with PostgreSQL"},
    {"Storage", "writers", &Config::writers, "Database connections that write, with PostgreSQL.", 0, 256, "16"},
    {"Storage", "queue", &Config::queue, "Reads, and changes, that may wait; more are refused with 503.", 1, 1'000'000},
    {"Storage", "media", &Config::media, "Folder of uploaded files.", 0, 0, "media in data"},
    {"Storage", "media_store", &Config::media_store,
     "Where uploaded files are put: into that folder, or into a bucket that speaks S3. They are found in both when s3_bucket is set; dunlin media migrate moves them."},
    {"Storage", "media_url", &Config::media_url,
     "Where readers are sent for a file that is in the bucket: an address of a CDN or of the bucket itself, under which its names stand, or presigned for addresses of the bucket that are good for two hours. Empty: this server reads it for them."},
    {"Storage", "media_cache_mb", &Config::media_cache_mb,
     "Disk space in data for copies of what was read from the bucket lately.", 16, 16'777'216},
    {"Storage", "s3_endpoint", &Config::s3_endpoint,
     "Where the bucket is reached: http or https, host and port, no path.", 0, 0, "https://s3.REGION.amazonaws.com"},
    {"Storage", "s3_bucket", &Config::s3_bucket, "Name of the bucket."},
    {"Storage", "s3_region", &Config::s3_region, "Its region; what it is called elsewhere than at Amazon is in their manual."},
    {"Storage", "s3_access_key", &Config::s3_access_key, "Name of the key that may read, write, list and delete there."},
    Option{"Storage", "s3_secret_key", &Config::s3_secret_key, "The key itself."}.masked(),
    {"Storage", "s3_path_style", &Config::s3_path_style,
     "Whether the bucket is named in the path, as most servers take it; otherwise before the host."},
    {"Storage", "s3_prefix", &Config::s3_prefix, "What all names in the bucket begin with, such as social/, where other things are in it, too."},
    {"Storage", "remote_posts_days", &Config::remote_posts_days,
     "Days after which public posts of other servers go that nobody here had anything to do with; who asks for one fetches it again. 0: they stay.", 0, 36'500},
    {"Storage", "home_days", &Config::home_days,
     "Days after which what stands in somebody's home goes when they were not here meanwhile; it is complete as soon as they are back. 0: it stays.", 0, 36'500},

    {"Backup", "backup_to", &Config::backup_to,
     "Folder that is kept as a backup while the server runs, on another disk, or a bucket, s3://BUCKET/PREFIX: with SQLite every moment of the last days, with PostgreSQL a copy a day, made by one of the nodes that have this. Empty: there is none."},
    {"Backup", "backup_s3_endpoint", &Config::backup_s3_endpoint,
     "Where the bucket of backup_to is reached: http or https, host and port, no path.", 0, 0, "s3_endpoint; https://s3.REGION.amazonaws.com"},
    {"Backup", "backup_s3_region", &Config::backup_s3_region, "Its region.", 0, 0, "s3_region"},
    {"Backup", "backup_s3_access_key", &Config::backup_s3_access_key,
     "Name of the key that may read, write, list and delete there; best one that may do that in this bucket only.", 0, 0, "s3_access_key"},
    Option{"Backup", "backup_s3_secret_key", &Config::backup_s3_secret_key, "The key itself.", 0, 0, "s3_secret_key"}.masked(),
    Option{"Backup", "backup_key", &Config::backup_key,
     "Key with which a backup is encrypted before it leaves the machine, made by `dunlin backup key`: 64 digits, which must also be kept elsewhere. Empty: it is not encrypted."}.masked(),
    {"Backup", "backup_keep", &Config::backup_keep,
     "What stays of it: every moment of so long, then one copy an hour, a day, a week or a month (hourly, daily, weekly, monthly). Lengths are 12h, 2d, 3w, 6m, 1y."},
    {"Backup", "backup_every", &Config::backup_every, "Hours between two whole copies.", 1, 24 * 365},
    {"Backup", "backup_verify_every", &Config::backup_verify_every, "Days between two times that it is restored aside and looked at; 0: never.", 0, 365},
    {"Backup", "backup_queue_mb", &Config::backup_queue_mb,
     "How large SQLite's log may become while backup_to is away; then it is given up, and a whole copy is made when it is back.", 16, 1'048'576},

    {"Machine", "roles", &Config::roles,
     "What this server does for its site: web (all that is asked but streams), streaming, jobs (background work, deliveries, what other servers bring). Where one of several does not do all, others do the rest."},
    {"Machine", "io_threads", &Config::io_threads, "Threads that serve connections.", 1, 64},
    {"Machine", "job_threads", &Config::job_threads, "Threads that wait for background jobs.", 1, 64},
    {"Machine", "cpu_threads", &Config::cpu_threads, "Threads for passwords and images.", 0, 64, "half the cores"},
    {"Machine", "cpu_queue", &Config::cpu_queue, "Such tasks that may wait; more are refused with 503.", 1, 10'000},
    {"Machine", "max_connections", &Config::max_connections, "Open connections; more are refused.", 1, 1'000'000},
    {"Machine", "max_connections_per_address", &Config::max_connections_per_address,
     "Open connections of one address, of IPv6 of one /64; more are refused. Not for trusted_proxies, but for whom they name.", 1, 1'000'000},
    {"Machine", "body_memory_mb", &Config::body_memory_mb,
     "Memory for the bodies of requests that are not answered yet, a third of it for who shows no token; one address gets a quarter.", 12, 65'536},
    {"Machine", "upload_space_mb", &Config::upload_space_mb,
     "Disk space in data for uploads that are not answered yet; one address gets a third, or one upload.", 1, 1'048'576},
    {"Machine", "disk_reserve_mb", &Config::disk_reserve_mb,
     "Room that is kept free on the disks of data and media: with less nothing new is taken, and below twice as much copies of others' pictures make room. A tenth of a disk at most.", 0, 1'048'576},
    {"Machine", "idle_timeout", &Config::idle_timeout, "Seconds after which a silent connection is closed.", 1, 3600},
    {"Machine", "stop_grace", &Config::stop_grace, "Seconds that requests in flight get to finish when the server stops, which takes five seconds more at most.", 0, 600},

    {"Mail", "smtp_url", &Config::smtp_url,
     "smtp://HOST:PORT (STARTTLS) or smtps://HOST:PORT (TLS). Empty: mail is written to mail in data and never sent, and "
     "nobody gets any about notifications."},
    {"Mail", "smtp_user", &Config::smtp_user, "Name to log in with there."},
    Option{"Mail", "smtp_password", &Config::smtp_password, "Password to log in with there."}.masked(),
    {"Mail", "smtp_from", &Config::smtp_from, "Sender of our mail: Dunlin <social@example.org>.", 0, 0, "noreply@ and the domain"},

    {"Other servers", "translate_url", &Config::translate_url,
     "LibreTranslate: its address. DeepL: https://api.deepl.com or https://api-free.deepl.com. Empty: posts are not translated."},
    {"Other servers", "translate_service", &Config::translate_service, "Which of the two stands at translate_url."},
    Option{"Other servers", "translate_key", &Config::translate_key, "Key that it demands."}.masked(),
    Option{"Other servers", "authorized_fetch", &Config::authorized_fetch,
     "Other servers must sign what they read of accounts and posts."}.changed_by_team(),
    Option{"Other servers", "limited_federation", &Config::limited_federation,
     "Talks to allowed_servers only, which must sign what they read."}.changed_by_team(),
    Option{"Other servers", "allowed_servers", &Config::allowed_servers, "Domains of those, with limited_federation."}.changed_by_team(),
    {"Other servers", "extra_ca_file", &Config::extra_ca_file, "PEM file of an authority to believe besides the system's."},
    {"Other servers", "allow_private_addresses", &Config::allow_private_addresses,
     "With test_mode only: networks (CIDR) that may be asked although they are not public."},
    {"Other servers", "host_overrides", &Config::host_overrides,
     "With test_mode only: name=ADDR:PORT, where a name is reached instead."},
    {"Other servers", "allow_http_peers", &Config::allow_http_peers, "With test_mode only: asks other servers over http, too."},
    {"Other servers", "delivery_retry_ms", &Config::delivery_retry_ms,
     "With test_mode only: milliseconds before a delivery is first tried again; later delays grow with it.", 1, 15'000},
    {"Other servers", "delivery_poll_seconds", &Config::delivery_poll_seconds,
     "Seconds between two looks for deliveries that another process has written.", 1, 3600},
    {"Other servers", "failure_day_seconds", &Config::failure_day_seconds,
     "With test_mode only: seconds of what counts as a day when days of failure are counted.", 1, 86'400},
    {"Other servers", "clock_offset_seconds", &Config::clock_offset_seconds,
     "With test_mode only: seconds by which the clock of this server is ahead."},

    Option{"Watching", "log_level", &Config::log_level, "The least important lines to log."}.on_hangup(),
    {"Watching", "log_format", &Config::log_format, "Lines for people, or one JSON object a line."},
    Option{"Watching", "log_requests", &Config::log_requests, "Which requests get a line: none, those answered with 500 and above, or all."}.on_hangup(),
    Option{"Watching", "log_file", &Config::log_file,
     "File for the lines instead of stderr. What cannot be written there goes to stderr. SIGUSR1 opens it again."}.on_hangup(),
    Option{"Watching", "log_file_mb", &Config::log_file_mb,
     "How large that file becomes before another one is begun; 0 leaves it to others, such as logrotate.", 0, 65'536}.on_hangup(),
    Option{"Watching", "log_files", &Config::log_files, "How many of them there are; the oldest goes.", 1, 1000}.on_hangup(),
    {"Watching", "metrics", &Config::metrics, "Who may read /metrics: this machine and trusted_proxies, everybody, or nobody."},
    {"Watching", "test_mode", &Config::test_mode, "For automated tests only: no rate limits, and no mail leaves the machine."},
};
// clang-format on

// Keeps the table short enough to be read as a whole.
static_assert(std::size(table) < 104);

// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string as_option(std::string_view name) {
    std::string out(name);
    for (char& c : out) c = c == '-' || c == '.' ? '_' : base::text::ascii_lower(c);
    return out;
}

}  // namespace

std::span<const Option> options() { return table; }

const Option* find_option(std::string_view name) {
    auto found = std::ranges::find(table, name, &Option::name);
    return found == std::end(table) ? nullptr : found;
}

std::string nearest_option(std::string_view name) {
    auto wanted = as_option(name);
    // Names in earlier versions.
    constexpr std::pair<std::string_view, std::string_view> renamed[] = {
        {"crunch_threads", "cpu_threads"}, {"crunch_queue", "cpu_queue"}
    };
    for (const auto& [then, now] : renamed)
        if (name == then) return std::string(now);
    auto far = [&](const Option& o) { return distance(wanted, o.name); };
    const auto& nearest = *std::ranges::min_element(table, {}, far);
    return far(nearest) <= std::max<std::size_t>(2, wanted.size() / 3) ? std::string(nearest.name)
                                                                       : std::string();
}

std::string environment_name(const Option& option) {
    std::string name = "DUNLIN_";
    for (char c : option.name) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name;
}

std::string flag_name(const Option& option) {
    std::string name = "--" + std::string(option.name);
    std::ranges::replace(name, '_', '-');
    return name;
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/app.hpp"

#include "base/crypto.hpp"
#include "base/fetch.hpp"
#include "base/log.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "config/config_table.hpp"
#include "config/host_names.hpp"
#include "db/engine.hpp"
#include "db/migrate.hpp"
#include "db/transaction.hpp"
#include "federating/remote_resolvers.hpp"
#include "net/tls.hpp"
#include "sandbox/media.hpp"
#include "server/backups.hpp"
#include "server/checks/certificates.hpp"
#include "server/checks/checks.hpp"
#include "server/external_services.hpp"
#include "server/https.hpp"
#include "server/monitoring/control_questions.hpp"
#include "server/nodes/node_rows.hpp"
#include "server/staff_routes.hpp"
#include "server/tables.hpp"
#include "server/web/client.hpp"
#include "server/web/pages.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/accounts/users/setup.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/collections/remote.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/federation/documents/reader_api.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/federation/inbox/unverified.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/former/former.hpp"
#include "social/instance/settings.hpp"
#include "social/media/copy.hpp"
#include "social/media/hashes/hash.hpp"
#include "social/media/processing.hpp"
#include "social/oauth/pages/language.hpp"
#include "social/oauth/pages/page.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/oauth/token.hpp"
#include "social/push/queue.hpp"
#include "social/statuses/remote/thread_wanted.hpp"
#include "social/statuses/translation/translation.hpp"
#include "social/streaming/join.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/post_import.hpp"

#include <algorithm>
#include <future>
#include <system_error>

namespace server {

namespace {

// After current requests had their time, how long the database may take before its work is cancelled.
constexpr std::chrono::milliseconds cancel_after{1500};

http::Router router(const Config& config) {
    if (!config.web_client) use_client({});
    http::Router router;
    for (auto slice : routes()) router.add(slice);
    add_client_routes(router);
    return router;
}

std::string addresses(const Config& config) {
    std::string all;
    for (auto list : {&config.listen, &config.tls_listen})
        for (const auto& text : *list) all += (all.empty() ? "" : ", ") + text;
    return all;
}

std::optional<DataDirectoryLock> lock_data_directory(const Config& config) {
    prepare_data_directory(config);
    if (config.postgres()) {  // other nodes may be using it
        empty_spool(config, std::chrono::hours(24));
        return std::nullopt;
    }
    std::optional<DataDirectoryLock> lock(config);
    empty_spool(config);
    return lock;
}

std::shared_ptr<db::LogFollower> follower(const Config& config) {
    if (config.backup_to.empty() || config.postgres()) return nullptr;
    const auto most = static_cast<std::uint64_t>(config.backup_queue_mb) << 20;
    return std::make_shared<db::LogFollower>(config.database_file(), most);
}

// Limits how many threads wait for the bucket in each direction, however slow it is.
std::unique_ptr<ThreadPool> threads_for(const MediaPlaces& media, int queue) {
    constexpr int threads = 8;
    return media.bucket ? std::make_unique<ThreadPool>(threads, queue) : nullptr;
}

DeliveryWorkerOptions delivery_worker_options(const Config& config) {
    DeliveryWorkerOptions options;
    options.pace.retry_ms = config.delivery_retry_ms;
    options.pace.failure_day_ms = config.failure_day_seconds * std::int64_t{1000};
    options.poll_seconds = config.delivery_poll_seconds;
    return options;
}

}  // namespace

App::App(const Config& config, const net::Supervisor& supervisor)
    : config_(config),
      supervisor_(supervisor),
      log_requests_(config.log_requests),
      lock_(lock_data_directory(config)),
      site_(site_of(config)),
      node_name_(base::hex(base::random_bytes(8))),
      reactions_(server::reactions()),
      media_(media_places(config, ending_.get_token())),
      services_(external_services(config, media_.store, ending_.get_token(), mail_)),
      stranger_(client_options(config), ending_.get_token()),
      cpu_(config.cpu_threads, config.cpu_queue),
      fetch_(8, config.cpu_queue),
      fetch_keys_(4, 16),
      encode_(1, 8),
      bodies_(1, config.max_connections),
      to_bucket_(threads_for(media_, config.cpu_queue)),
      from_bucket_(threads_for(media_, config.cpu_queue * 4)),
      trouble_watch_(config.postgres()),
      vitals_watch_(machine_of(config)),
      follower_(follower(config)),
      engine_(db::open_engine(database_options(), gate_)),
      hub_(std::make_shared<streaming::Hub>([this](auto job) {
          return engine_->read(std::move(job), db::newest);
      })),
      runner_(*engine_, reactions_, services_, periodic(), work_making_room()),
      inbox_(
          *engine_, services_, server::inbox(),
          config.postgres() ? InboxWorker::together_on_postgres : InboxWorker::together_on_sqlite
      ),
      verifier_("verifying", [this] { return verify_some(); }),
      encoder_(
          "encoding", [sessions = jobs::sessions(*engine_, services_),
                       store = media_.store] { return media::encode_next(sessions, store); }
      ),
      archiver_(
          "archiving",
          [sessions = jobs::sessions(*engine_, services_), store = media_.store,
           ending = std::function<bool()>([this] { return archiver_.stopping(); })]() -> jobs::Idle {
              const auto made = transfer::make_next_archive(sessions, store, ending);
              const auto brought = transfer::import_some_posts({sessions, store, ending});
              return made && brought ? made : std::nullopt;
          }
      ),
      delivery_worker_(*engine_, client_options(config), delivery_worker_options(config)),
      pusher_(*engine_, client_options(config), config.delivery_retry_ms),
      router_(router(config)),
      meter_(router_),
      limiter_(config.rate_limits && !config.test_mode),
      nodes_(node_name_, broadcast(), limiter_, here()),
      started_at_(clock_now()),
      dispatch_(router_, *engine_, limiter_, services_, dispatch_options()),
      readiness_(*engine_, nodes_.name()),
      root_(
          config, {dispatch_,
                   *engine_,
                   meter_,
                   [this] { return sample(); },
                   [this](http::Pending reply) { readiness_.answer(std::move(reply)); },
                   bucket_reading(),
                   [this](const std::string& token) {
                       return certificate_ ? certificate_->answer(token) : std::nullopt;
                   }}
      ),
      server_(std::make_unique<net::Server>(server_options(), root_)),
      watchdog_(supervisor, *server_, *engine_) {
    notifications::use_attachments(attachments());
    statuses::use_gate(gate());
    streaming::answer_joining(services_, hub_);
    answer_about_servers();
    auto waiting = jobs::sessions(*engine_, services_);
    media::watch_pictures(media_.store, waiting);
    register_remote_resolvers(services_, waiting);
    register_copy_resolver(services_, waiting, media_.store, config.spool_path());
    // If the queue is full, the key is not remembered, and just has to be fetched again.
    services_.answers<federation::KeepKey>([this](const federation::KeepKey& asked) {
        auto keep = [key = asked.key](db::Write& db) mutable {
            key.fetched_at = db.now();
            federation::remember(db, key);
        };
        return engine_->write("keep_key", keep, [](std::exception_ptr) {});
    });
    if (auto missing = unanswered(services_, questions()); !missing.empty())
        throw std::logic_error(missing[0]);
}

App::~App() { stop(); }

db::Options App::database_options() {
    db::Options options;
    options.sqlite_file = config_.database_file();
    options.postgres_url = config_.database;
    options.replica_url = config_.database_replica;
    options.readers = config_.readers;
    options.writers = config_.writers;
    options.queue = static_cast<std::size_t>(config_.queue);
    options.follower = follower_;
    options.context = {&site_, clock_now, &reactions_, node_name_};
    options.prepare = [this](db::Connection& connection) { prepare(connection); };
    options.alone = [this](db::Connection& connection) { release_leases(connection); };
    options.announced = [this](std::vector<db::Announcement> announcements) {
        nodes_.tell(announcements);
        announced(std::move(announcements));
    };
    return options;
}

void App::prepare(db::Connection& connection) {
    const net::StillStarting still_starting(supervisor_);
    auto tell = [this](const std::string& name, std::size_t number, std::size_t of) {
        supervisor_.mention(
            "STATUS=Bringing the database up to date: " + name + ", " + std::to_string(number) + " of " +
            std::to_string(of)
        );
    };
    auto migrated = db::migrate(connection, clock_now(), tell);
    if (!migrated.empty())
        base::log_info(
            "the database is up to date now",
            {{"migrations", std::to_string(migrated.size())}, {"last", migrated.back()}}
        );
    db::Context context{&site_, clock_now, &reactions_};
    db::write_now(connection, context, instance::ensure_keys);
    db::write_now(connection, context, [this](db::Write& db) {
        accounts::send_notification_mails(db, !config_.smtp_url.empty() || config_.test_mode);
    });
    db::write_now(connection, context, federation::complete_keys);
    begin_with_settings(connection, context);
    context.site = &db::site_now(site_);
    const auto reason = db::read_now(connection, context, [this](db::Read& db) {
        return reason_not_to_serve(db, config_.rehearsal);
    });
    if (reason) throw db::MigrationError(*reason);
    former::use_past(db::read_now(connection, context, former::read_past));
    const auto secret = db::read_now(connection, context, instance::unsubscribe_key);
    limiter_.use_secret("limits " + secret);
    dispatch_.use_secret("writers " + secret);
    setup_code_ = db::write_now(connection, context, accounts::setup_code);
    if (auto doubt = db::read_now(connection, context, doubt_about_contact)) base::log_warning(*doubt);
}

namespace {

// How long to keep a media worker ready after the last picture, so that the next one need not wait for it to
// start; after that its memory is more useful elsewhere.
constexpr std::chrono::minutes media_worker_waits{10};

std::string_view sentence_of(int status) {
    switch (status) {
        case 401: return "Please sign in first.";
        case 403: return "You may not do this.";
        case 404: return "There is nothing at this address.";
        case 422: return "What was sent cannot be used.";
        case 429:
            return "Too many attempts. Please wait some minutes and try again. To sign in at once, use a "
                   "browser in "
                   "which you have signed in before, or choose a new password by the link we send to your "
                   "address.";
        case 503: return "The server is busy. Please try again in a moment.";
        default: return "Something went wrong on our side. Please try again.";
    }
}

}  // namespace

http::DispatchOptions App::dispatch_options() {
    http::DispatchOptions options;
    options.site = &site_;
    options.clock = clock_now;
    options.spool = config_.spool_path();
    options.has_replica = !config_.database_replica.empty();
    options.wrote = [this](std::uint64_t who, db::Position position) { nodes_.tell_writer(who, position); };
    options.most_body_bytes = static_cast<std::uint64_t>(config_.max_upload_mb) << 20;
    options.bodies = [this](std::function<void()> task) { return bodies_.push(std::move(task)); };
    options.authenticate = [this](db::Read& db, std::string_view token) {
        return noted(oauth::look_up(db, token));
    };
    if (config_.postgres()) options.expect = oauth::expect_token;
    options.authenticate_session = [this](db::Read& db, const http::Request& request) {
        return noted(oauth::session_credentials(db, request));
    };
    options.staff_routes = staff_routes();
    options.making_room = routes_making_room();
    options.kept_out = [this](auto& db, const auto& route, const auto& request, const auto& viewer) {
        return kept_out(db, route, request, viewer);
    };
    options.open_to_suspended = routes_of_suspended();
    options.barred = accounts::has_no_access;
    options.known_browser = oauth::known_browser;
    options.other_face = other_face;
    options.took_over = former::took_over;
    options.otherwise = federation::former_routes();
    options.has_other_ids = former::has_other_ids;
    options.use_own_ids = former::use_own_ids;
    options.is_own_host = [names = HostNames(config_)](std::string_view host) {
        return names.contains(host);
    };
    options.cpu = [this](std::function<void()> task) { return cpu_.push(std::move(task)); };
    for (const auto& [question, pool] : questions()) {
        if (pool == Pool::files && to_bucket_)
            options.pools[question] = [this](auto task) { return to_bucket_->push(std::move(task)); };
        if (pool == Pool::fetch)
            options.pools[question] = [this](auto task) { return fetch_.push(std::move(task)); };
        if (pool == Pool::keys) {
            options.pools[question] = [this](auto task) { return fetch_keys_.push(std::move(task)); };
            options.when_full[question] = base::Fetched{base::FetchFailure::busy};
        }
        if (pool != Pool::encode) continue;
        options.pools[question] = [this](auto task) { return encode_.push(std::move(task)); };
        options.unhurried.insert(question);
    }
    options.read_only = [this](bool makes_room) { return gate_->refusal(makes_room); };
    options.error_page = [this](const http::Request& request, int status) {
        const auto& site = db::site_now(site_);
        auto language = oauth::reading_language(site, request);
        const auto paused = status == 503 ? sentence_of_pause() : std::nullopt;
        return oauth::error_page(site, language, status, paused ? *paused : std::string(sentence_of(status)));
    };
    options.finished = [this](const http::Route& route, int status, double seconds) {
        meter_.finished(route, status, seconds);
    };
    return options;
}

BucketReading App::bucket_reading() {
    if (!media_.bucket) return {};
    return {
        media_.bucket,
        config_.media_url,
        [this](std::function<void()> task) { return from_bucket_->push(std::move(task)); },
        clock_now
    };
}

jobs::Idle App::verify_some() {
    auto idle = federation::verify_some(jobs::sessions(*engine_, services_));
    if (!idle) verifier_.wake();  // another host may be due as well
    return idle;
}

http::Credentials App::noted(oauth::Known known) {
    if (known.state == http::TokenState::live && !known.noted) {
        // If the queue is full, the note is lost, and the next request writes it.
        auto note = [holder = known.holder](db::Write& write) { oauth::note_use(write, holder); };
        engine_->write("note_token_use", note, [](std::exception_ptr) {});
    }
    return known;
}

net::ServerOptions App::server_options() {
    net::ServerOptions options;
    options.listen = supervisor_.sockets();
    const bool own = options.listen.empty();
    for (const auto& text : own ? config_.listen : Words{}) options.listen.push_back(*parse_endpoint(text));
    for (const auto& text : own ? config_.tls_listen : Words{}) {
        options.listen.push_back(*parse_endpoint(text));
        options.listen.back().tls = true;
    }
    options.tls_certificate = config_.tls_cert;
    options.tls_key = config_.tls_key;
    options.threads = static_cast<unsigned>(config_.io_threads);
    options.trusted_proxies = config_.trusted_proxies;
    options.max_connections = static_cast<std::size_t>(config_.max_connections);
    options.idle_timeout = std::chrono::seconds(config_.idle_timeout);
    options.max_connections_per_address = static_cast<std::size_t>(config_.max_connections_per_address);
    const auto memory = static_cast<std::uint64_t>(config_.body_memory_mb) << 20;
    options.bodies_of_strangers = {memory / 3, memory / 12};
    options.bodies_of_users = {memory - memory / 3, memory / 4};
    const auto upload = static_cast<std::uint64_t>(config_.max_upload_mb) << 20;
    const auto disk = std::max(static_cast<std::uint64_t>(config_.upload_space_mb) << 20, upload);
    options.uploads = {disk, std::max(disk / 3, upload)};
    options.strict_transport = config_.public_url.starts_with("https://");
    options.access_log = [this](const net::AccessLine& line) { log_request(line); };
    return options;
}

// Without the query, which may contain secrets.
void App::log_request(const net::AccessLine& line) const {
    auto wanted = log_requests_.load(std::memory_order_relaxed);
    if (wanted == LogRequests::none || (wanted == LogRequests::failed && line.status < 500)) return;
    auto took = static_cast<double>(line.took.count()) / 1000;
    base::log_info(
        "request",
        {{"id", line.request_id},
         {"from", line.remote_address},
         {"method", line.method},
         {"path", line.target.substr(0, line.target.find('?'))},
         {"status", std::to_string(line.status)},
         {"bytes", std::to_string(line.bytes_out)},
         {"ms", base::json::to_string(took)},
         {"agent", line.user_agent}}
    );
}

std::string App::answer_command(std::string_view question) {
    if (question == vitals_question) return base::json::to_string(vitals());
    if (question == limits_question) return base::json::to_string(refused(http::Refusals::most));
    if (question == pauses_question) return base::json::to_string(look_at_pauses());
    return question == streams_question ? base::json::to_string(hub_->open()) : "";
}

// Missing support for sockets on the file system does not prevent serving.
void App::open_control_socket() {
    try {
        control_.emplace(config_.data_path(), [this](std::string_view question) {
            return answer_command(question);
        });
    } catch (const std::system_error& e) {
        base::log_warning(
            std::string("dunlin streaming will not find this server, as there can be no socket here: ") +
            e.what()
        );
    }
}

// Frees what a killed process had leased, so that it need not wait for the leases to expire.
void App::release_leases(db::Connection& connection) {
    db::Context context{&site_, clock_now, &reactions_};
    db::write_now(connection, context, [](db::Write& db) {
        free_leases(db, "");
        acme::release_lease(db);
    });
}

void App::start() {
    running_ = true;
    look_at_pauses();
    keep_before_upgrade(config_);
    engine_->start();
    has_database_ = true;
    if (follower_) keeper_.emplace(keeper_options(config_, *engine_), follower_).start();
    if (config_.postgres() && !config_.backup_to.empty()) {
        db::Options copied;
        copied.postgres_url = config_.database;
        dumps_.emplace(keeper_options(config_, *engine_), copied, *engine_, nodes_.name()).start();
    }
    if (has_own_certificate(config_)) make_certificate_keeper();  // before any thread that uses it
    runner_.lead(false);                                          // until the leader is known
    nodes_.start();
    sandbox::allow_workers(true);
    sandbox::require_walls(!config_.media_without_sandbox);
    sandbox::keep_worker_ready(media_worker_waits);
    if (to_bucket_) sandbox::most_images_at_once(static_cast<int>(cpu_.threads()));
    if (!cpu_.push([this] { check_sandbox(); })) base::log_warning("the media sandbox was not tried");
    if (config_.has_role("jobs")) {
        runner_.start(config_.job_threads);
        inbox_.start();
        verifier_.start(4);
        encoder_.start(1);
        archiver_.start(1);
        if (!config_.rehearsal) {  // in a rehearsal, deliveries stay in the queue
            delivery_worker_.start();
            pusher_.start();
        }
    }
    fetch_.push([this] {
        if (config_.rehearsal) return;  // no outgoing requests
        auto fetch = [this](const base::Fetch& question) {
            return std::any_cast<base::Fetched>(services_.answer({"", typeid(base::Fetch), question}));
        };
        if (auto doubt = doubt_about_domain(config_, fetch)) base::log_warning(*doubt);
        if (auto doubt = doubt_about_mail(config_, ending_.get_token())) base::log_warning(*doubt);
        const auto bucket = ask_bucket(config_);
        for (const auto* all : {&bucket.faults, &bucket.doubts})
            for (const auto& one : *all) base::log_warning(one);
    });
    open_control_socket();
    look_at_pauses();  // applies pauses set before the start
    // Loads the stored certificate. If there is none, HTTPS clients have to wait for the first one.
    if (certificate_) certificate_->load();
    try {
        server_->start();
    } catch (const std::system_error& e) {
        throw Refused(
            "Cannot listen on " + addresses(config_) + " (" + e.code().message() +
            "); stop the program that does, or choose another address with --listen"
        );
    }
    if (certificate_) certificate_->start();
    watchdog_.start();
}

void App::make_certificate_keeper() {
    auto options = acme_options(config_, nodes_.name());
    options.fetch = [this](const base::Fetch& question) {
        return std::any_cast<base::Fetched>(services_.answer({"", typeid(base::Fetch), question}));
    };
    options.use = [this](const acme::Certificate& issued) { server_->use_tls({issued.chain, issued.key}); };
    options.show = [this](const std::map<std::string, acme::Certificate>& by_name) {
        std::map<std::string, net::TlsIdentity> shown;
        for (const auto& [name, certificate] : by_name) shown[name] = {certificate.chain, certificate.key};
        server_->show_challenges(shown);
    };
    certificate_.emplace(jobs::sessions(*engine_, services_), std::move(options));
}

// Runs once at startup, so that the operator learns of a problem before somebody uploads.
void App::check_sandbox() {
    try {
        sandbox::run_worker(
            {"selftest", "silent"}, "/dev/null", config_.spool_path(), std::chrono::seconds(20)
        );
    } catch (const std::system_error& e) {
        if (e.code() != std::errc::operation_not_permitted) return;
        base::log_error(
            "uploads are refused: the system denies the media worker its sandbox",
            {{"cause", e.what()},
             {"do",
              "run Linux 5.13 or newer with Landlock and seccomp, in a container that allows them, or set "
              "media_without_sandbox"}}
        );
    }
}

void App::stop() {
    if (!std::exchange(running_, false)) return;
    ending_.request_stop();
    watchdog_.stop();
    control_.reset();
    auto certificate = std::async(std::launch::async, [this] {
        if (certificate_) certificate_->stop();
    });
    // Stops everything concurrently while current requests are still served. Whatever takes longer is
    // cancelled.
    const auto grace = std::chrono::seconds(config_.stop_grace);
    const auto last = std::chrono::steady_clock::now() + grace + cancel_after;
    auto aside = [](auto end) { return std::async(std::launch::async, std::move(end)); };
    auto wait_for = [&](std::future<void> end) {
        if (end.wait_until(last) == std::future_status::ready) return;
        engine_->cancel();
        end.wait();
    };
    auto delivery_worker = aside([this] { delivery_worker_.stop(); });
    auto pusher = aside([this] { pusher_.stop(); });
    auto inbox = aside([this] { inbox_.stop(); });
    auto verifier = aside([this] { verifier_.stop(); });
    auto archiver = aside([this] { archiver_.stop(); });
    auto runner = aside([this] { runner_.stop(); });
    auto dumps = aside([this] {
        if (dumps_) dumps_->stop();
    });
    server_->stop(grace);
    sandbox::allow_workers(false);
    sandbox::keep_worker_ready(std::chrono::seconds(0));
    wait_for(aside([this] {
        encoder_.stop();
        encode_.stop();
        fetch_.stop();
        fetch_keys_.stop();
        cpu_.stop();
        bodies_.stop();
        if (to_bucket_) to_bucket_->stop();
        if (from_bucket_) from_bucket_->stop();
    }));
    wait_for(std::move(delivery_worker));
    wait_for(std::move(pusher));
    wait_for(std::move(inbox));
    wait_for(std::move(verifier));
    wait_for(std::move(archiver));
    wait_for(std::move(runner));
    wait_for(std::move(certificate));
    wait_for(std::move(dumps));
    nodes_.stop();
    if (has_database_) wait_for(aside([this] { leave(); }));
    wait_for(aside([this] { engine_->stop(); }));
    if (keeper_) wait_for(aside([this] { keeper_->stop(); }));
}

void App::reload(const Config& config) {
    for (const auto& option : options())
        if (!option.reloadable && value_of(config, option) != value_of(config_, option))
            base::log_warning("an option needs a restart to change", {{"option", option.name}});
    use_log(config, config_.log_format);
    log_requests_ = config.log_requests;
    if (!config_.tls_listen.empty()) server_->reload_tls();
}

}  // namespace server

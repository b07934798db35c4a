// SPDX-License-Identifier: AGPL-3.0-or-later
// The running server: all long-lived objects, each after those it depends on.
#pragma once
#include "acme/keeper.hpp"
#include "backup/dump_keeper.hpp"
#include "backup/keeper.hpp"
#include "config/data_directory.hpp"
#include "db/open.hpp"
#include "db/write_gate.hpp"
#include "federating/delivery_worker.hpp"
#include "federating/inbox_worker.hpp"
#include "federating/pusher.hpp"
#include "http/dispatch.hpp"
#include "jobs/runner.hpp"
#include "net/local/control_socket.hpp"
#include "net/local/supervisor.hpp"
#include "server/doctor/stranger.hpp"
#include "server/media/places.hpp"
#include "server/monitoring/disk_room.hpp"
#include "server/monitoring/mail_figures.hpp"
#include "server/monitoring/readiness.hpp"
#include "server/monitoring/troubles.hpp"
#include "server/monitoring/vitals.hpp"
#include "server/monitoring/watchdog.hpp"
#include "server/nodes/nodes.hpp"
#include "server/pauses.hpp"
#include "server/root_handler.hpp"
#include "server/thread_pool.hpp"
#include "social/oauth/token.hpp"
#include "social/streaming/hub.hpp"

#include <atomic>
#include <mutex>

namespace server {

std::string host_name();  // of this machine

class App {
public:
    // Creates the folders, takes the lock and migrates; on failure throws a sentence for the operator. The
    // supervisor must outlive this object.
    App(const Config&, const net::Supervisor&);
    ~App();

    void start();  // returns when connections are accepted
    // Finishes current requests, queued changes and running jobs, unless they ask other servers. Takes at
    // most five seconds more than the option stop_grace.
    void stop();
    void reload(const Config&);  // applies options that can change at runtime; warns about the others

    std::vector<net::Endpoint> endpoints() const { return server_->endpoints(); }
    // The code with which the owner account can be created in the browser; nullopt once there is one.
    const std::optional<std::string>& setup_code() const { return setup_code_; }

private:
    db::Options database_options();
    std::unique_ptr<base::Broadcast> broadcast();
    Nodes::Here here();
    void announced(std::vector<db::Announcement>);
    void wake_everybody();
    void beat();
    void begin_with_settings(db::Connection&, const db::Context&);
    void follow_settings();
    void look_at_disks();
    void note_troubles();
    void count_vitals();
    void answer_about_servers();
    insight::Vitals vitals();
    std::vector<insight::RefusedOne> refused(std::size_t most);
    std::vector<insight::Finding> examine();
    void leave();
    void prepare(db::Connection&);
    http::DispatchOptions dispatch_options();
    BucketReading bucket_reading();
    jobs::Idle verify_some();
    http::Credentials noted(oauth::Known);  // also records, once a day, that the token was used
    net::ServerOptions server_options();
    void make_certificate_keeper();
    void check_sandbox();
    void log_request(const net::AccessLine&) const;
    Sample sample() const;
    std::string answer_command(std::string_view question);
    PauseState look_at_pauses();
    // In maintenance mode: the response for everybody who is not staff, except on the sign-in pages.
    std::optional<http::Response>
    kept_out(db::Read&, const http::Route&, const http::Request&, const std::optional<http::Viewer>&) const;
    std::optional<std::string> sentence_of_pause() const;  // for pages; nullopt: not paused
    void open_control_socket();
    void release_leases(db::Connection&);

    // The options as of startup.
    Config config_;
    const net::Supervisor& supervisor_;
    std::atomic<LogRequests> log_requests_;
    // Only one server may use the data folder; with PostgreSQL any number can share a database.
    std::optional<DataDirectoryLock> lock_;
    // What sessions carry: the site's settings, the reactions to events, and this node's name.
    base::Site site_;
    const std::string node_name_;
    std::mutex settings_mutex_;
    std::int64_t settings_version_ = 0, settings_written_ = 0;  // in use, and written for rules
    jobs::Reactions reactions_;
    // Answers questions of handlers and jobs that involve external services, and their threads.
    std::stop_source ending_;
    MediaPlaces media_;
    const std::shared_ptr<MailFigures> mail_ = std::make_shared<MailFigures>();
    base::ExternalServices services_;
    Stranger stranger_;
    ThreadPool cpu_, fetch_, fetch_keys_, encode_, bodies_;
    std::unique_ptr<ThreadPool> to_bucket_, from_bucket_;  // if there is a bucket
    // The database with its threads. Its commits wake the runner, which is therefore accessed only then.
    const std::shared_ptr<db::WriteGate> gate_ = std::make_shared<db::WriteGate>();
    std::atomic<bool> in_maintenance_ = false;
    mutable std::mutex sentences_mutex_;
    std::string maintenance_sentence_, read_only_sentence_;  // as given by the operator
    DiskWatch disk_watch_{*gate_};
    int beats_until_room_is_made_ = 0;
    TroubleWatch trouble_watch_;
    VitalsWatch vitals_watch_;
    mutable std::mutex troubles_mutex_, examining_mutex_, examined_mutex_;
    Troubles troubles_;  // as last seen by this process
    std::vector<insight::Finding> examined_;
    std::chrono::steady_clock::time_point examined_at_{};
    std::shared_ptr<db::LogFollower> follower_;
    std::unique_ptr<db::RunningEngine> engine_;
    std::optional<backup::Keeper> keeper_;     // for SQLite
    std::optional<backup::DumpKeeper> dumps_;  // for PostgreSQL
    std::optional<std::string> setup_code_;
    // The listeners of streams; commits are announced there as well.
    std::shared_ptr<streaming::Hub> hub_;
    // Background work.
    jobs::Runner runner_;
    InboxWorker inbox_;
    jobs::Worker verifier_, encoder_, archiver_;
    DeliveryWorker delivery_worker_;
    Pusher pusher_;
    // Request handling.
    http::Router router_;
    Meter meter_;
    http::Limiter limiter_;
    // The other nodes of this site, and what this one reports about itself.
    Nodes nodes_;
    const base::Time started_at_;
    std::atomic<std::int64_t> beat_late_ms_ = 0;
    std::atomic<int> beats_ = 0;
    http::Dispatch dispatch_;
    Readiness readiness_;
    RootHandler root_;
    // The sockets, last: requests arrive only once everything else is ready.
    std::unique_ptr<net::Server> server_;
    std::optional<acme::Keeper> certificate_;
    std::optional<net::ControlSocket> control_;
    Watchdog watchdog_;
    bool running_ = false;
    bool has_database_ = false;  // false if opening it failed
};

}  // namespace server

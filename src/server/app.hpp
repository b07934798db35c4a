// SPDX-License-Identifier: AGPL-3.0-or-later
// The running server: every long-lived object, in the order in which each stands on those before it.
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
    // Makes the folders, takes the lock, migrates; throws a sentence for the operator when that fails. The supervisor
    // outlives it.
    App(const Config&, const net::Supervisor&);
    ~App();

    void start();  // returns when connections are accepted
    // Finishes requests in flight, changes that wait and jobs that run, as far as they ask nobody elsewhere. Takes five
    // seconds longer than the option stop_grace at most.
    void stop();
    void reload(const Config&);  // what may change while it runs; warns of the rest

    std::vector<net::Endpoint> endpoints() const { return server_->endpoints(); }
    // With it the owner can be made in the browser; nothing once there is one.
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
    http::Credentials noted(oauth::Known);  // and writes down, once a day, that it was used
    net::ServerOptions server_options();
    void make_certificate_keeper();
    void check_sandbox();
    void log_request(const net::AccessLine&) const;
    Sample sample() const;
    std::string answer_command(std::string_view question);
    PauseState look_at_pauses();
    // In maintenance: the answer to whom is not of the team, except where they sign in.
    std::optional<http::Response>
    kept_out(db::Read&, const http::Route&, const http::Request&, const std::optional<http::Viewer>&) const;
    std::optional<std::string> sentence_of_pause() const;  // for pages; nothing: there is none
    void open_control_socket();
    void release_leases(db::Connection&);

    // The options as they were at the start.
    Config config_;
    const net::Supervisor& supervisor_;
    std::atomic<LogRequests> log_requests_;
    // The data folder is ours alone; with PostgreSQL any number of servers may share a database.
    std::optional<DataDirectoryLock> lock_;
    // What sessions carry: the facts of the site, who reacts to events, and who this is among the nodes.
    base::Site site_;
    const std::string node_name_;
    std::mutex settings_mutex_;
    std::int64_t settings_version_ = 0, settings_written_ = 0;  // which are used, and which rules find
    jobs::Reactions reactions_;
    // Answers to what handlers and jobs ask of the outside world, and the threads that find them.
    std::stop_source ending_;
    MediaPlaces media_;
    const std::shared_ptr<MailFigures> mail_ = std::make_shared<MailFigures>();
    base::ExternalServices services_;
    Stranger stranger_;
    ThreadPool cpu_, fetch_, fetch_keys_, encode_, bodies_;
    std::unique_ptr<ThreadPool> to_bucket_, from_bucket_;  // where there is one
    // The database with its threads. Its commits wake the runner, which is therefore looked up then.
    const std::shared_ptr<db::WriteGate> gate_ = std::make_shared<db::WriteGate>();
    std::atomic<bool> in_maintenance_ = false;
    mutable std::mutex sentences_mutex_;
    std::string maintenance_sentence_, read_only_sentence_;  // as the operator gave them
    DiskWatch disk_watch_{*gate_};
    int beats_until_room_is_made_ = 0;
    TroubleWatch trouble_watch_;
    VitalsWatch vitals_watch_;
    mutable std::mutex troubles_mutex_, examining_mutex_, examined_mutex_;
    Troubles troubles_;  // as they were last seen here
    std::vector<insight::Finding> examined_;
    std::chrono::steady_clock::time_point examined_at_{};
    std::shared_ptr<db::LogFollower> follower_;
    std::unique_ptr<db::RunningEngine> engine_;
    std::optional<backup::Keeper> keeper_;     // of SQLite
    std::optional<backup::DumpKeeper> dumps_;  // of PostgreSQL
    std::optional<std::string> setup_code_;
    // Who listens to streams. What is committed is announced there, too.
    std::shared_ptr<streaming::Hub> hub_;
    // Background work.
    jobs::Runner runner_;
    InboxWorker inbox_;
    jobs::Worker verifier_, encoder_, archiver_;
    DeliveryWorker delivery_worker_;
    Pusher pusher_;
    // From bytes to bytes.
    http::Router router_;
    Meter meter_;
    http::Limiter limiter_;
    // Other servers of this site, and what this one tells of itself.
    Nodes nodes_;
    const base::Time started_at_;
    std::atomic<std::int64_t> beat_late_ms_ = 0;
    std::atomic<int> beats_ = 0;
    http::Dispatch dispatch_;
    Readiness readiness_;
    RootHandler root_;
    // Sockets, last: nobody calls before everything stands.
    std::unique_ptr<net::Server> server_;
    std::optional<acme::Keeper> certificate_;
    std::optional<net::ControlSocket> control_;
    Watchdog watchdog_;
    bool running_ = false;
    bool has_database_ = false;  // which may be what failed to start
};

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// The program as one of the nodes of a site: what it tells the others, what it does with what they tell, and its row among them.
#include "base/text/join.hpp"
#include "server/app.hpp"

#include "config/addresses.hpp"
#include "server/nodes/node_rows.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/federation/inbox/unverified.hpp"
#include "social/instance/site_setting.hpp"
#include "social/media/media_jobs.hpp"
#include "social/media/processing.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/push/queue.hpp"
#include "social/streaming/announce.hpp"
#include "social/transfer/archive.hpp"

#include <algorithm>

namespace server {

namespace {

// The row is updated every ten seconds.
constexpr int beats_of_row = 2;
constexpr int beats_of_troubles = 12;  // once a minute

// Whoever has a stream open here sees what a mail would tell.
void spare_mails(db::Engine& engine, const std::shared_ptr<streaming::Hub>& hub) {
    const auto open = hub->figures();
    if (open.websockets + open.event_streams == 0) return;
    auto spare = [&engine, hub](db::Read& db) {
        auto here = notification_mails::due_soon(db);
        std::erase_if(here, [&](base::AccountId account) { return !hub->listens(account); });
        if (here.empty()) return;
        auto write = [here = std::move(here)](db::Write& db) { notification_mails::need_no_mail(db, here); };
        engine.write("need_no_mail", write, [](std::exception_ptr) {});
    };
    engine.read(std::move(spare), db::newest);  // a replica may not know what is due yet
}

}  // namespace

std::unique_ptr<base::Broadcast> App::broadcast() {
    auto valkey = parse_valkey_url(config_.shared_liveness);
    if (!valkey) return db::open_broadcast(database_options());
    valkey->extra_ca_file = config_.extra_ca_file;
    valkey->channel = "dunlin " + config_.domain;
    return std::make_unique<net::ValkeyBroadcast>(*std::move(valkey));
}

Nodes::Here App::here() {
    auto glance = [this] { hub_->announced({{std::string(streaming::glance_channel), {}, {}}}); };
    Nodes::Here here;
    here.announced = [this](std::vector<db::Announcement> news) { announced(std::move(news)); };
    here.missed = [this, glance] {
        wake_everybody();
        glance();
    };
    here.beat = [this, glance] {
        glance();
        readiness_.tick();
        look_at_disks();
        follow_settings();
        if (beats_ % beats_of_troubles == 1) note_troubles();
        if (beats_ % beats_of_row == 0) count_vitals();
        if (beats_ % beats_of_row == 0) spare_mails(*engine_, hub_);
        if (beats_++ % beats_of_row == 0) beat();
    };
    here.wrote = [this](std::uint64_t who, db::Position position) {
        dispatch_.wrote_elsewhere(who, position);
    };
    here.works = config_.has_role("jobs");
    return here;
}

// Updates the row, and decides whether this node does periodic work.
void App::beat() {
    const auto stats = engine_->stats();
    const auto open = hub_->figures();
    NodeRow row{
        nodes_.name(), host_name(), base::text::joined(config_.roles, ","), site_.version, started_at_
    };
    row.late_ms = beat_late_ms_;
    row.waiting = static_cast<std::int64_t>(stats.reads_waiting + stats.writes_waiting);
    row.listeners = open.websockets + open.event_streams;
    row.jobs_done = runner_.done();
    auto leads = std::make_shared<bool>(false), left = std::make_shared<bool>(false);
    auto write = [row, leads, left](db::Write& db) {
        db.beside_others();
        *left = others_left_leases(db, row.name);
        write_node(db, row);
        *leads = leading_node(db) == row.name;
    };
    auto done = [this, leads, left, asked = std::chrono::steady_clock::now()](std::exception_ptr error) {
        if (error) return;
        const auto late = std::chrono::steady_clock::now() - asked;
        beat_late_ms_ = std::chrono::duration_cast<std::chrono::milliseconds>(late).count();
        runner_.lead(*leads);
        if (*leads && *left && config_.postgres())
            engine_->write("free_leases", free_leases_of_gone, [](std::exception_ptr) {});
    };
    const db::MakingRoom making_room;  // updates the same row again and again
    engine_->write("write_node", write, done);
}

// Called for a commit here or, a moment later, on another node.
void App::announced(std::vector<db::Announcement> announcements) {
    // Only once for everything in a commit.
    auto has = [&](std::string_view channel) {
        return std::ranges::find(announcements, channel, &db::Announcement::channel) != announcements.end();
    };
    if (has(instance::options_channel)) follow_settings();
    if (has(jobs::wake_channel)) runner_.wake();
    if (has(federation::delivery_channel)) delivery_worker_.wake();
    if (has(push::push_channel)) pusher_.wake();
    if (has(federation::inbox_channel)) inbox_.wake();
    if (has(federation::unverified_channel)) verifier_.wake();
    if (has(media::encoding_channel)) encoder_.wake();
    if (has(transfer::archive_channel)) archiver_.wake();
    if (media_.bucket)
        for (const auto& one : announcements)
            if (one.channel == media::gone_channel)
                for (const auto& file : media::files_gone(one.payload)) media_.bucket->forget(file);
    hub_->announced(std::move(announcements));
}

void App::wake_everybody() {
    follow_settings();
    runner_.wake();
    delivery_worker_.wake();
    pusher_.wake();
    inbox_.wake();
    verifier_.wake();
    encoder_.wake();
    archiver_.wake();
}

void App::leave() {
    try {
        // All workers here have ended by now or are cut off.
        auto gone = [this](db::Write& db) {
            if (config_.postgres()) free_leases(db, nodes_.name());
            remove_node(db, nodes_.name());
        };
        db::write_and_wait(*engine_, "remove_node", gone);
    } catch (const std::exception&) {
        // The row will expire.
    }
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/troubles.hpp"

#include "base/text/figures.hpp"
#include "server/backups.hpp"
#include "server/nodes/node_rows.hpp"

namespace server {

namespace {

using base::text::shown_bytes;

constexpr std::int64_t minute = 60, hour = 3600, day = 86'400;

std::string ago(base::Time now, std::int64_t ms) { return base::text::span((now.ms - ms) / 1000); }

void see_disk(const std::optional<DiskRoom>& disk, Troubles& found) {
    if (!disk || disk->room() == Room::plenty) return;
    found.push_back(
        {"disk",
         shown_bytes(disk->free) + " are free on the disk of " + disk->folder +
             (disk->room() == Room::none ? ", and nothing new is taken until there are "
                                         : "; nothing new is taken below ") +
             shown_bytes(disk->reserve) + ". Make room, for example with dunlin media prune --to 1024"}
    );
}

void see_certificate(const Sample& sample, base::Time now, Troubles& found) {
    if (!sample.certificate || !ends_soon(*sample.certificate, now)) return;
    const auto left = (sample.certificate->until.ms - now.ms) / 1000;
    found.push_back(
        {"certificate",
         (left > 0 ? "It is good for another " + base::text::span(left)
                   : "It ended " + base::text::span(-left) + " ago") +
             "; dunlin doctor says why it is not renewed"}
    );
}

void see_mail(const Sample& sample, Troubles& found) {
    constexpr std::int64_t enough = 3;
    if (sample.mails_failed_in_a_row < enough) return;
    found.push_back(
        {"mail",
         "The last " + std::to_string(sample.mails_failed_in_a_row) + " tries failed (" +
             sample.mail_failure + "); see smtp_url and dunlin doctor --mail-to"}
    );
}

void see_replica(const Sample& sample, Troubles& found) {
    const auto& replica = sample.database.replica;
    if (!replica || replica->serves) return;
    found.push_back(
        {"replica",
         "It is silent, away or late, so that the primary serves everything; dunlin doctor compares the two"}
    );
}

void see_files(const Sample& sample, Troubles& found) {
    const auto open = sample.process.open_files, most = sample.process.open_files_at_most;
    if (most == 0 || open < most / 8 * 7) return;
    found.push_back(
        {"files",
         std::to_string(open) + " of " + std::to_string(most) +
             " files and sockets are open; write LimitNOFILE=65536 into the unit, or lower max_connections"}
    );
}

struct HostsCounted {
    std::int64_t known = 0, failing = 0;
};
DESCRIBE(HostsCounted, known, failing)

// Among hosts that accepted a delivery in the last week.
const db::Query<HostsCounted> living_hosts{
    "living_hosts",
    R"(SELECT count(*) AS known, COALESCE(SUM(CASE WHEN failures > 0 THEN 1 ELSE 0 END), 0) AS failing
       FROM hosts WHERE delivered_at > $1)"
};

void see_hosts(db::Read& db, Troubles& found) {
    constexpr std::int64_t few = 5;
    const auto hosts = db.one(living_hosts, db.now().plus_seconds(-7 * day));
    if (hosts.failing < few || hosts.failing * 2 <= hosts.known) return;
    found.push_back(
        {"servers",
         std::to_string(hosts.failing) + " of " + std::to_string(hosts.known) +
             " servers that took something this week do not now; see dunlin federation queue, and whether "
             "this "
             "machine reaches the internet"}
    );
}

void see_queues(db::Read& db, Troubles& found) {
    const auto late = lateness(db);
    if (late.jobs > hour)
        found.push_back(
            {"work",
             "The oldest has waited for " + base::text::span(static_cast<std::int64_t>(late.jobs)) +
                 "; dunlin jobs list names what fails, and a server with the role jobs must run"}
        );
    if (late.inbox > hour)
        found.push_back(
            {"inbox",
             "The oldest has waited for " + base::text::span(static_cast<std::int64_t>(late.inbox)) +
                 "; see the log for what fails, and whether a server with the role jobs runs"}
        );
}

// Each node that started later replaces one that disappeared, and may have disappeared since.
void see_nodes(db::Read& db, Troubles& found) {
    const auto gone = gone_nodes(db);
    if (gone.empty()) return;
    std::size_t came = 0;
    auto count = [&](const auto& all) {
        for (const auto& one : all) came += one.started_at > gone.front().seen_at;
    };
    count(nodes(db)), count(gone);
    if (came >= gone.size()) return;
    std::string hosts;
    for (const auto& one : gone) hosts += (hosts.empty() ? "" : ", ") + one.host;
    found.push_back(
        {"node",
         "Not heard of for " + ago(db.now(), gone.front().seen_at.ms) + ": " + hosts + ". See dunlin nodes"}
    );
}

}  // namespace

void TroubleWatch::see_requests(const Sample& sample, bool paused, base::Time now, Troubles& found) {
    constexpr std::int64_t looked_back = 5 * minute;
    constexpr std::uint64_t few = 10, percent = 100;
    if (paused) requests_.clear();
    requests_.push_back({now, sample.answered, sample.failed});
    while (requests_.front().at < now.plus_seconds(-looked_back)) requests_.pop_front();
    const auto answered = sample.answered - requests_.front().answered,
               failed = sample.failed - requests_.front().failed;
    if (failed < few || failed * percent <= answered) return;
    found.push_back(
        {"errors",
         std::to_string(failed) + " of " + std::to_string(answered) +
             " requests of the last minutes were answered with 500 or above; the log names each"}
    );
}

Troubles TroubleWatch::look(
    const Sample& sample, const std::optional<DiskRoom>& disk, bool paused, base::Time now
) {
    Troubles found;
    see_disk(disk, found);
    see_certificate(sample, now, found);
    see_mail(sample, found);
    see_replica(sample, found);
    see_files(sample, found);
    see_requests(sample, paused, now, found);
    if (among_nodes_ && !sample.nodes.connected)
        found.push_back(
            {"nodes_deaf",
             "The connection by which they tell each other what happens is gone; see the log, and PostgreSQL "
             "or "
             "shared_liveness"}
        );
    return found;
}

Troubles troubles_of_backup(const backup::Keeper::Figures& backup, base::Time now) {
    constexpr std::int64_t log_ms = 15 * minute * 1000;
    Troubles found;
    const auto late = backup.every * 3 / 2 + hour * 1000;
    const bool is_ahead = is_of_the_future(backup.base, now);
    const bool base_is_old = backup.base > 0 && now.ms - backup.base > late;
    const bool log_is_old = backup.log > 0 && now.ms - backup.log > log_ms;
    const bool never_came = backup.base == 0 && backup.since > 0 && now.ms - backup.since > day * 1000;
    if (backup.away || is_ahead || base_is_old || log_is_old || never_came || !backup.failure.empty()) {
        std::string how = "It does not come on";
        if (!backup.failure.empty())
            how = (backup.away ? "The last tries failed: " : "It is not whole: ") + backup.failure;
        else if (backup.away) how = "Its folder or bucket cannot be written";
        if (log_is_old) how += "; it reaches to " + ago(now, backup.log) + " ago";
        else if (is_ahead) how += "; the last copy is of a time that is to come";
        else if (backup.base > 0) how += "; the last copy is " + ago(now, backup.base) + " old";
        else how += "; there is no copy yet";
        found.push_back({"backup", how + ". dunlin doctor and the log say why"});
    }
    if (!backup.sound)
        found.push_back(
            {"backup_unsound",
             "That was found " + ago(now, backup.verified) +
                 " ago; dunlin backup verify names what is damaged, dunlin backup makes a whole copy"}
        );
    return found;
}

Troubles troubles_of_site(db::Read& db) {
    Troubles found;
    see_queues(db, found);
    see_hosts(db, found);
    see_nodes(db, found);
    return found;
}

jobs::Change find_site_troubles(db::Read& db) {
    auto found = troubles_of_site(db);
    if (found.empty()) return {};
    return [found = std::move(found)](db::Write& write) { moderation::note_troubles(write, "", found); };
}

}  // namespace server

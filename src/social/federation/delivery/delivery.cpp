// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/delivery.hpp"

#include "ap/url.hpp"

#include <algorithm>

namespace federation {

const db::Query<std::string> suspended_domains{
    "suspended_domains", "SELECT domain FROM domain_blocks WHERE severity = 'suspend'"
};

Shunned::Shunned(db::Read& db) {
    for (auto& domain : db.all(suspended_domains)) domains_.insert(std::move(domain));
}

bool Shunned::contains(std::string_view host) const {
    host = host.substr(0, host.rfind(':'));
    while (!domains_.empty()) {
        if (domains_.contains(host)) return true;
        auto dot = host.find('.');
        if (dot == host.npos) return false;
        host.remove_prefix(dot + 1);
    }
    return false;
}

const db::Command insert_activity{
    "insert_activity",
    R"(INSERT INTO activities (id, signer, object, low, always, synchronized, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7))"
};

void record(db::Write& db, ActivityId id, const Outgoing& out) {
    db.run(insert_activity, id, out.signer, out.object, out.low, out.always, out.synchronized, out.body);
}

namespace {

struct Addresses {
    std::vector<std::string> inboxes, hosts;  // side by side
};

}  // namespace

const db::Query<std::string> unavailable_of_hosts{
    "unavailable_of_hosts",
    R"(SELECT authority FROM hosts WHERE unavailable_since IS NOT NULL
           AND authority IN LIST($1))"
};

namespace {

Addresses addresses(
    db::Read& db, const std::vector<std::string>& inboxes, bool always, bool farewell = false
) {
    std::set<std::string> unique(inboxes.begin(), inboxes.end());
    const auto own = ap::host_of(db.site().public_url);
    const Shunned shunned(db);
    Addresses found;
    for (const auto& inbox : unique) {
        auto host = ap::host_of(inbox);
        if (host.empty() || host == own || host == db.site().domain) continue;
        if (!farewell && shunned.contains(host)) continue;
        found.inboxes.push_back(inbox);
        found.hosts.push_back(std::move(host));
    }
    if (always || found.hosts.empty()) return found;
    auto silent = db.all(unavailable_of_hosts, found.hosts);
    if (silent.empty()) return found;
    Addresses left;
    for (std::size_t i = 0; i < found.hosts.size(); ++i) {
        if (std::ranges::find(silent, found.hosts[i]) != silent.end()) continue;
        left.inboxes.push_back(std::move(found.inboxes[i]));
        left.hosts.push_back(std::move(found.hosts[i]));
    }
    return left;
}

}  // namespace

// SQLite would read the second list anew for every member of the first if they were joined.
const db::Command insert_deliveries{
    "insert_deliveries",
    R"(INSERT INTO deliveries (activity_id, inbox, host, object, run_at)
       SELECT $1, i.value, json_extract($3, '$[' || i.key || ']'), $4, max($5, COALESCE((SELECT max(e.run_at) FROM deliveries e
                  WHERE e.inbox = i.value AND e.object = $4 AND e.activity_id < $1), 0))
       FROM json_each($2) i WHERE TRUE
       ON CONFLICT (activity_id, inbox) DO NOTHING)",
    R"(INSERT INTO deliveries (activity_id, inbox, host, object, run_at)
       SELECT $1, t.inbox, t.host, $4::text, GREATEST($5::bigint, COALESCE((SELECT max(e.run_at) FROM deliveries e
                  WHERE e.inbox = t.inbox AND e.object = $4 AND e.activity_id < $1), 0))
       FROM unnest($2::text[], $3::text[]) AS t (inbox, host)
       ON CONFLICT (activity_id, inbox) DO NOTHING)"
};
const db::Command wake_hosts{
    "wake_hosts",
    R"(INSERT INTO hosts (authority, next_at) SELECT DISTINCT value, $2 FROM json_each($1) WHERE TRUE
       ON CONFLICT (authority) DO UPDATE
           SET next_at = min(COALESCE(hosts.next_at, max($2, hosts.paused_until)), max($2, hosts.paused_until)))",
    R"(INSERT INTO hosts (authority, next_at)
       SELECT DISTINCT t.authority, $2::bigint FROM unnest($1::text[]) AS t (authority) ORDER BY 1
       ON CONFLICT (authority) DO UPDATE
           SET next_at = LEAST(hosts.next_at, GREATEST($2, hosts.paused_until)))"
};

namespace {

void write_deliveries(db::Write& db, ActivityId id, const std::string& object, const Addresses& to) {
    db.run(insert_deliveries, id, to.inboxes, to.hosts, object, db.now());
    db.run(wake_hosts, to.hosts, db.now());
    db.announce({std::string(delivery_channel), {}, {}});
}

}  // namespace

void send(db::Write& db, const Outgoing& out, const std::vector<std::string>& inboxes) {
    auto to = addresses(db, inboxes, out.always, out.farewell);
    if (to.inboxes.empty()) return;
    auto id = db.new_id<ActivityId>();
    record(db, id, out);
    write_deliveries(db, id, out.object, to);
}

struct Recorded {
    std::string object;
    bool always = false;
};
DESCRIBE(Recorded, object, always)

const db::Query<Recorded> recorded_activity{
    "recorded_activity", "SELECT object, always FROM activities WHERE id = $1"
};

std::vector<std::string> deliver(db::Write& db, ActivityId id, const std::vector<std::string>& inboxes) {
    auto what = db.maybe(recorded_activity, id);
    if (!what) return {};
    auto to = addresses(db, inboxes, what->always);
    if (!to.inboxes.empty()) write_deliveries(db, id, what->object, to);
    return std::move(to.inboxes);
}

bool is_recorded(db::Read& db, ActivityId id) { return db.maybe(recorded_activity, id).has_value(); }

// Its rows keep their times; of those of a whole cluster that returns at once, none would come through.
const db::Command host_lives{
    "host_lives",
    R"(UPDATE hosts SET failures = 0, failure_days = 0, unavailable_since = NULL, paused_until = 0,
           next_at = (SELECT min(d.run_at) FROM deliveries d WHERE d.host = authority)
       WHERE authority = $1 AND (failures > 0 OR failure_days > 0 OR unavailable_since IS NOT NULL))"
};

void heard_from(db::Write& db, const std::string& host) {
    if (db.run(host_lives, host) > 0) db.announce({std::string(delivery_channel), {}, {}});
}

const db::Query<std::string> hosts_known{"hosts_known", "SELECT authority FROM hosts"};
const db::Command delete_deliveries_to{"delete_deliveries_to", "DELETE FROM deliveries WHERE host = $1"};

void stop_deliveries(db::Write& db, const instance::ServerLimited& limited) {
    const Shunned shunned(db);
    if (!shunned.contains(limited.domain)) return;
    for (const auto& host : db.all(hosts_known))
        if (shunned.contains(host)) db.run(delete_deliveries_to, host);
}

// An id holds its time. A day is long enough for the jobs that still look for inboxes.
const db::Command delete_done_activities{
    "delete_done_activities",
    R"(DELETE FROM activities WHERE id IN (
           SELECT a.id FROM activities a WHERE a.id < $1
               AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.activity_id = a.id) ORDER BY a.id LIMIT 500))"
};

void purge_activities(db::Write& db) {
    constexpr std::int64_t day = 86'400;
    db.run(delete_done_activities, db.now().plus_seconds(-day).ms << 16);
}

}  // namespace federation

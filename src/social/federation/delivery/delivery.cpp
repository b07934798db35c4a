// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/delivery.hpp"

#include "ap/url.hpp"

#include <algorithm>

namespace federation {

namespace {

struct DomainRule {
    std::string domain;
    bool suspended = false;
};
DESCRIBE(DomainRule, domain, suspended)

}  // namespace

const db::Query<DomainRule> rules_of_domains{
    "rules_of_domains", "SELECT domain, severity = 'suspend' AS suspended FROM domain_blocks"
};
const db::Query<DomainRule> rules_about_domains{
    "rules_about_domains",
    "SELECT domain, severity = 'suspend' AS suspended FROM domain_blocks WHERE domain IN LIST($1)"
};

BlockedHosts::BlockedHosts(db::Read& db) {
    for (auto& rule : db.all(rules_of_domains)) rules_.emplace(std::move(rule.domain), rule.suspended);
}

BlockedHosts::BlockedHosts(db::Read& db, const std::vector<std::string>& hosts) {
    std::set<std::string> domains;
    for (const auto& host : hosts)
        for (auto& domain : instance::domains_upwards(host)) domains.insert(std::move(domain));
    if (domains.empty()) return;
    const std::vector<std::string> all(domains.begin(), domains.end());
    for (auto& rule : db.all(rules_about_domains, all))
        rules_.emplace(std::move(rule.domain), rule.suspended);
}

bool BlockedHosts::contains(std::string_view host) const {
    host = host.substr(0, host.rfind(':'));
    while (!rules_.empty()) {
        if (const auto rule = rules_.find(host); rule != rules_.end()) return rule->second;
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

void record(db::Write& db, ActivityId id, const OutgoingActivity& out) {
    db.run(insert_activity, id, out.signer, out.object, out.low, out.always, out.synchronized, out.body);
}

namespace {

struct Addresses {
    std::vector<std::string> inboxes, hosts;  // parallel arrays
};

}  // namespace

const db::Query<std::string> unavailable_of_hosts{
    "unavailable_of_hosts",
    R"(SELECT authority FROM hosts WHERE unavailable_since IS NOT NULL
           AND authority IN LIST($1))"
};

namespace {

Addresses addresses(
    db::Read& db, const std::vector<std::string>& inboxes, bool always, bool deletion_notice = false
) {
    std::set<std::string> unique(inboxes.begin(), inboxes.end());
    const auto own = ap::host_of(db.site().public_url);
    std::vector<std::string> hosts;
    for (const auto& inbox : unique) hosts.push_back(ap::host_of(inbox));
    const BlockedHosts blocked_hosts(db, hosts);
    Addresses found;
    for (const auto& inbox : unique) {
        auto host = ap::host_of(inbox);
        if (host.empty() || host == own || host == db.site().domain) continue;
        if (!deletion_notice && blocked_hosts.contains(host)) continue;
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

// In a join, SQLite would parse the second list again for every member of the first.
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

void send(db::Write& db, const OutgoingActivity& out, const std::vector<std::string>& inboxes) {
    auto to = addresses(db, inboxes, out.always, out.deletion_notice);
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

const db::Command update_body_of_activity{
    "update_body_of_activity", "UPDATE activities SET body = $2 WHERE id = $1"
};

void record_again(db::Write& db, ActivityId id, const std::string& body) {
    db.run(update_body_of_activity, id, body);
}

bool is_recorded(db::Read& db, ActivityId id) { return db.maybe(recorded_activity, id).has_value(); }

#define HAS_FAILED "(failures > 0 OR failure_days > 0 OR unavailable_since IS NOT NULL)"

const db::Query<bool> host_is_failing{
    "host_is_failing", "SELECT EXISTS (SELECT 1 FROM hosts WHERE authority = $1 AND " HAS_FAILED ")"
};

bool is_failing(db::Read& db, const std::string& host) { return db.one(host_is_failing, host); }

void expect_failing(db::Read& db, const std::string& host) { db.expect(host_is_failing, host); }

// The deliveries keep their run_at: if all became due when a large cluster comes back, none would get
// through.
const db::Command host_lives{
    "host_lives",
    R"(UPDATE hosts SET failures = 0, failure_days = 0, unavailable_since = NULL, paused_until = 0,
           next_at = (SELECT min(d.run_at) FROM deliveries d WHERE d.host = authority)
       WHERE authority = $1 AND )" HAS_FAILED
};

const db::Command see_host_again{
    "see_host_again",
    R"(UPDATE hosts SET next_at = (SELECT min(d.run_at) FROM deliveries d WHERE d.host = authority)
       WHERE authority = $1)"
};

void heard_from(db::Write& db, const std::string& host) {
    if (db.run(host_lives, host) == 0) return;
    db.run(see_host_again, host);  // also sees deliveries written while the UPDATE waited for its lock
    db.announce({std::string(delivery_channel), {}, {}});
}

const db::Query<std::string> hosts_by_name{
    "hosts_by_name", "SELECT authority FROM hosts WHERE authority > $1 ORDER BY authority LIMIT $2"
};
const db::Command delete_deliveries_to{
    "delete_deliveries_to",
    R"(DELETE FROM deliveries WHERE (activity_id, inbox) IN (
           SELECT activity_id, inbox FROM deliveries WHERE host = $1 ORDER BY run_at, activity_id LIMIT $2))"
};

jobs::Change stop_deliveries(db::Read& db, const instance::ServerLimited& limited) {
    return stop_more_deliveries(db, {limited.domain, {}});
}

jobs::Change stop_more_deliveries(db::Read& db, const StoppingContinued& left) {
    constexpr int page = 1000;
    constexpr std::int64_t chunk = 500;
    const BlockedHosts blocked_hosts(db);
    if (!blocked_hosts.contains(left.domain)) return {};
    auto hosts = db.all(hosts_by_name, left.after, page);
    const bool last = hosts.size() < page;
    auto seen = hosts.empty() ? left.after : hosts.back();
    std::erase_if(hosts, [&](const std::string& host) { return !blocked_hosts.contains(host); });
    return [left, last, seen = std::move(seen), hosts = std::move(hosts)](db::Write& write) {
        auto room = chunk;
        auto after = left.after;
        for (const auto& host : hosts) {
            room -= write.run(delete_deliveries_to, host, room);
            if (room == 0)
                return write.emit(StoppingContinued{left.domain, after});  // this host may have more
            after = host;
        }
        if (!last) write.emit(StoppingContinued{left.domain, seen});
    };
}

namespace {

struct Walked {
    ActivityId id;
    bool done = false;
};
DESCRIBE(Walked, id, done)

}  // namespace

const db::Query<Walked> next_activities{
    "next_activities",
    R"(SELECT a.id, NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.activity_id = a.id) AS done
       FROM (SELECT id FROM activities WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3) a ORDER BY a.id)"
};
const db::Command delete_activity{"delete_activity", "DELETE FROM activities WHERE id = $1"};

jobs::Change purge_activities(db::Read& db) { return purge_more_activities(db, {}); }

// Ids contain their time. Within a day, jobs may still be looking for an activity's inboxes.
jobs::Change purge_more_activities(db::Read& db, const PurgingContinued& left) {
    constexpr std::int64_t day = 86'400;
    constexpr int chunk = 500;
    auto walked = db.all(next_activities, left.after, db.now().plus_seconds(-day).ms << 16, chunk);
    const bool last = walked.size() < chunk;
    if (last && std::ranges::none_of(walked, &Walked::done)) return {};
    return [last, walked = std::move(walked)](db::Write& write) {
        for (const auto& one : walked)
            if (one.done) write.run(delete_activity, one.id);
        if (!last) write.emit(PurgingContinued{walked.back().id});
    };
}

}  // namespace federation

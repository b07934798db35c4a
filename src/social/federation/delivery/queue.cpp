// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/queue.hpp"

#include "db/lock.hpp"

#include <random>

namespace federation {

// ---- outcomes of deliveries ----

struct Host {
    std::string authority;
    SignatureScheme signature_scheme = SignatureScheme::draft;
    std::int64_t failures = 0, failure_days = 0, failure_day = 0;
    std::optional<Time> unavailable_since;
    Time paused_until;
    std::optional<Time> delivered_at, failed_at;
};
DESCRIBE(
    Host, authority, signature_scheme, failures, failure_days, failure_day, unavailable_since, paused_until,
    delivered_at, failed_at
)

const db::Query<Host> host_row{
    "host_row",
    R"(SELECT authority, signature_scheme, failures, failure_days, failure_day, unavailable_since, paused_until, delivered_at,
           failed_at FROM hosts WHERE authority = $1)"
};
const db::Command update_host{
    "update_host",
    R"(UPDATE hosts SET signature_scheme = $2, failures = $3, failure_days = $4, failure_day = $5, unavailable_since = $6,
           paused_until = $7, delivered_at = $8, failed_at = $9 WHERE authority = $1)"
};
// In a join, SQLite would parse the second list again for every member of the first.
const db::Command delete_deliveries{
    "delete_deliveries",
    R"(DELETE FROM deliveries WHERE (activity_id, inbox) IN (
           SELECT a.value, json_extract($2, '$[' || a.key || ']') FROM json_each($1) a))",
    R"(DELETE FROM deliveries WHERE (activity_id, inbox) IN (
           SELECT t.activity, t.inbox FROM unnest($1::bigint[], $2::text[]) AS t (activity, inbox)))"
};
const db::Command postpone_delivery{
    "postpone_delivery",
    "UPDATE deliveries SET attempts = attempts + 1, run_at = $3, error = $4 WHERE activity_id = $1 AND inbox "
    "= $2"
};
const db::Command postpone_what_follows{
    "postpone_what_follows",
    R"(UPDATE deliveries SET run_at = $3 WHERE inbox = $2 AND activity_id > $1 AND run_at < $3
           AND object = (SELECT object FROM activities WHERE id = $1))"
};
const db::Command delete_for_unavailable{
    "delete_for_unavailable",
    R"(DELETE FROM deliveries WHERE (activity_id, inbox) IN (
           SELECT d.activity_id, d.inbox FROM deliveries d JOIN activities a ON a.id = d.activity_id
           WHERE d.host = $1 AND a.always = FALSE LIMIT $2))"
};
const db::Command actor_may_be_gone{
    "actor_may_be_gone", "UPDATE actors SET refreshed_at = 0 WHERE inbox = $1"
};

namespace {

// In chunks, as there may be very many: an event continues with the rest.
void drop_some(db::Write& db, const std::string& host) {
    constexpr std::int64_t chunk = 500;
    if (db.run(delete_for_unavailable, host, chunk) == chunk) db.emit(UnavailableContinued{host});
}

double chance() {
    thread_local std::minstd_rand random{std::random_device{}()};
    return std::uniform_real_distribution<>(0, 1)(random);
}

void count_failure(db::Write& db, Host& host, const Outcome& outcome, const Pace& pace) {
    ++host.failures;
    host.failed_at = db.now();
    auto day = db.now().ms / pace.failure_day_ms;
    if (day != host.failure_day) ++host.failure_days;
    host.failure_day = day;
    auto pause = outcome.wait_seconds * 1000;
    if (host.failures >= breaking_failures) pause = std::max(pause, pause_ms(pace));
    host.paused_until = std::max(host.paused_until, Time{db.now().ms + pause});
    if (host.failure_days >= unavailable_days && !host.unavailable_since) {
        host.unavailable_since = db.now();
        drop_some(db, host.authority);
    }
}

void count_success(db::Write& db, Host& host, const Outcome& outcome) {
    host.signature_scheme = outcome.signature_scheme;
    host.failures = host.failure_days = 0;
    host.unavailable_since.reset();
    host.paused_until = {};
    host.delivered_at = db.now();
}

void count(db::Write& db, Host& host, const Outcome& outcome, const Pace& pace) {
    if (outcome.verdict == Verdict::delivered) return count_success(db, host, outcome);
    if (outcome.verdict == Verdict::failed) return count_failure(db, host, outcome, pace);
    if (outcome.verdict == Verdict::unready) return;
    host.failures = 0;
    if (outcome.gone) db.run(actor_may_be_gone, outcome.delivery.inbox);
}

// Whether it is to be retried.
bool retry_later(db::Write& db, const Outcome& outcome, const Pace& pace) {
    const bool unready = outcome.verdict == Verdict::unready;
    if (outcome.verdict != Verdict::failed && !unready) return false;
    const auto& d = outcome.delivery;
    auto delay = retry_delay(d.attempts + 1, d.low, chance(), chance(), pace);
    if (!delay) return false;
    // A key is generated within seconds, but never for a deleted account.
    if (unready) delay = std::min<std::int64_t>(*delay, 1000LL << std::min<std::int64_t>(d.attempts, 20));
    Time at{db.now().ms + std::max(*delay, outcome.wait_seconds * 1000)};
    db.run(postpone_delivery, d.activity, d.inbox, at, outcome.error);
    db.run(postpone_what_follows, d.activity, d.inbox, at);
    return true;
}

void take_outcomes(db::Write& db, const std::vector<Outcome>& outcomes, const Pace& pace) {
    std::map<std::string, std::vector<const Outcome*>> by_host;
    for (const auto& outcome : outcomes) by_host[outcome.host].push_back(&outcome);
    std::vector<ActivityId> activities;
    std::vector<std::string> inboxes;
    for (const auto& [name, all] : by_host) {
        auto host = db.maybe(host_row, name);
        if (!host) continue;
        for (const auto* outcome : all) {
            count(db, *host, *outcome, pace);
            if (retry_later(db, *outcome, pace)) continue;
            activities.push_back(outcome->delivery.activity);
            inboxes.push_back(outcome->delivery.inbox);
        }
        db.run(
            update_host,
            name,
            host->signature_scheme,
            host->failures,
            host->failure_days,
            host->failure_day,
            host->unavailable_since,
            host->paused_until,
            host->delivered_at,
            host->failed_at
        );
    }
    if (!activities.empty()) db.run(delete_deliveries, activities, inboxes);
}

}  // namespace

const db::Command release_host{
    "release_host",
    R"(UPDATE hosts SET leased_until = 0, next_at = (
           SELECT max(m.at, paused_until) FROM (SELECT min(d.run_at) AS at FROM deliveries d WHERE d.host = $1) m)
       WHERE authority = $1)",
    R"(UPDATE hosts SET leased_until = 0, next_at = (
           SELECT CASE WHEN m.at IS NULL THEN NULL ELSE GREATEST(m.at, paused_until) END
           FROM (SELECT min(d.run_at) AS at FROM deliveries d WHERE d.host = $1) m)
       WHERE authority = $1)"
};
// Lock the row first: the statement that releases the host must see deliveries that were queued for it
// meanwhile.
const db::Command hold_host{"hold_host", "SELECT $1", "SELECT 1 FROM hosts WHERE authority = $1 FOR UPDATE"};

namespace {

void release(db::Write& db, const std::string& host) {
    db.run(hold_host, host);
    db.run(release_host, host);
}

}  // namespace

const db::Command release_all_hosts{
    "release_all_hosts", "UPDATE hosts SET leased_until = 0 WHERE " LEASED_BY("$1")
};

void release_hosts(db::Write& db, std::string_view node) {
    db.run(release_all_hosts, node);
    db.announce({std::string(delivery_channel), {}, {}});
}

void drop_for_unavailable(db::Write& db, const UnavailableContinued& left) {
    auto host = db.maybe(host_row, left.host);
    if (host && host->unavailable_since) drop_some(db, left.host);  // unless it is available again
}

// ---- what is due ----

struct Leased {
    std::string authority;
    SignatureScheme signature_scheme = SignatureScheme::draft;
    std::int64_t failures = 0;
};
DESCRIBE(Leased, authority, signature_scheme, failures)

// The expression of the index hosts_due: 1 for hosts that failed last time.
#define FAILING "CASE WHEN failures > 0 THEN 1 ELSE 0 END "

const db::Query<Leased> lease_hosts{
    "lease_hosts",
    "UPDATE hosts SET leased_until = $2, leased_by = $5 WHERE authority IN (SELECT authority FROM hosts "
    "WHERE " FAILING
    "= $4 AND next_at <= $1 AND leased_until < $1 ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED) "
    "RETURNING authority, signature_scheme, failures"
};
const db::Query<Delivery> due_deliveries{
    "due_deliveries",
    R"(SELECT d.activity_id AS activity, d.inbox, d.attempts, a.signer, a.low, a.synchronized
       FROM deliveries d JOIN activities a ON a.id = d.activity_id
       WHERE d.host = $1 AND d.run_at <= $2 AND NOT EXISTS (SELECT 1 FROM deliveries e
           WHERE e.inbox = d.inbox AND e.object = d.object AND e.activity_id < d.activity_id)
       ORDER BY d.run_at, d.activity_id LIMIT $3)"
};
#define FIRST_DUE(failing)                                          \
    "SELECT (SELECT next_at FROM hosts WHERE " FAILING "= " failing \
    " AND next_at IS NOT NULL AND leased_until < $1 "               \
    "ORDER BY next_at LIMIT 1) AS at "
const db::Query<Time> next_due{
    "next_due",
    "SELECT k.at FROM (" FIRST_DUE("0") "UNION ALL " FIRST_DUE("1"
    ) ") k WHERE k.at IS NOT NULL ORDER BY k.at LIMIT 1"
};

namespace {

void lease(db::Write& db, Work& work, int capacity, bool failing) {
    if (capacity <= 0) return;
    auto until = db.now().plus_seconds(lease_seconds);
    for (auto& host : db.all(lease_hosts, db.now(), until, capacity, failing ? 1 : 0, db.node())) {
        // A host that failed last time gets a single delivery first.
        auto due = db.all(due_deliveries, host.authority, db.now(), failing ? 1 : most_in_batch);
        if (due.empty()) release(db, host.authority);
        else
            work.batches.push_back({std::move(host.authority), host.signature_scheme, failing, std::move(due)}
            );
    }
}

}  // namespace

Work exchange(db::Write& db, const Report& report, const Capacity& capacity, const Pace& pace) {
    db.beside_others();
    take_outcomes(db, report.outcomes, pace);
    for (const auto& host : report.finished) release(db, host);
    Work work;
    lease(db, work, capacity.healthy, false);
    lease(db, work, capacity.failing, true);
    work.next_at = db.maybe(next_due, db.now());
    work.now = db.now();
    return work;
}

// ---- what is sent ----

struct Body {
    ActivityId id;
    std::string body;
};
DESCRIBE(Body, id, body)

const db::Query<Body> bodies_of_activities{
    "bodies_of_activities", "SELECT id, body FROM activities WHERE id IN LIST($1)"
};

std::map<ActivityId, std::string> bodies(db::Read& db, const std::vector<ActivityId>& ids) {
    std::map<ActivityId, std::string> out;
    for (auto& [id, body] : db.all(bodies_of_activities, ids)) out.emplace(id, std::move(body));
    return out;
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/unverified.hpp"

#include "ap/url.hpp"
#include "base/deadline.hpp"
#include "base/json_read.hpp"
#include "base/log.hpp"
#include "base/text/utf8.hpp"
#include "db/lock.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/inbox/inbox.hpp"

#include <algorithm>
#include <chrono>

namespace federation {

namespace {

constexpr std::int64_t lease_seconds = 300;
// Fetching a key that was not found is repeated after five minutes at the earliest.
constexpr std::int64_t retry_seconds[] = {330, 1800, 7200, 28'800};  // five tries
constexpr std::int64_t longest_pause_seconds = 60;
constexpr int most_in_turn = 50;
constexpr std::chrono::seconds longest_turn{60};
constexpr std::int64_t never = 253'402'300'799'999;

struct Header {
    std::string name, value;
};
DESCRIBE(Header, name, value)

std::string written(const ap::Headers& headers) {
    std::vector<Header> out;
    for (const auto& [name, value] : headers) out.push_back({name, value});
    return base::json::to_string(out);
}

std::int64_t bytes_of(const Unverified& item) {
    constexpr std::int64_t of_a_row = 200;
    return of_a_row + std::ssize(item.target) + std::ssize(item.headers) + std::ssize(item.body);
}

ap::Headers headers_of(const Unverified& item) {
    ap::Headers headers;
    for (auto& header : base::json::read<std::vector<Header>>(item.headers))
        headers.emplace_back(std::move(header.name), std::move(header.value));
    return headers;
}

}  // namespace

Unverified unverified(const Authenticated& verdict, const ap::SignedRequest& request, AccountId recipient) {
    return {
        {},
        verdict.not_asked->host,
        verdict.not_asked->key,
        recipient,
        {},
        0,
        std::string(request.target),
        written(request.headers),
        std::string(request.body)
    };
}

Authenticated bringer(
    const base::Ask& ask, db::Read& db, const ap::SignedRequest& request, const ap::Activity& activity,
    const Judging& judging
) {
    auto verdict = authenticate(ask, db, request, judging);
    bool ends = activity.is("Delete") && activity.object.id == activity.actor;
    if (verdict.gone && ends && activity.actor == verdict.actor) verdict.status = 200;
    // The sender may differ from the actor where the activity carries its own signature or proof (verify_embedded.cpp).
    bool passed_on = activity.actor != verdict.actor;
    if (verdict.ok() && passed_on && !activity.has_signature && !activity.has_proof) {
        verdict.status = 401;
        verdict.sentence = "This is signed by somebody else";
    }
    return verdict;
}

Item received(const Authenticated& bringer, const ap::SignedRequest& request, AccountId recipient) {
    Item item;
    item.recipient_id = recipient;
    item.signer = bringer.actor;
    for (const auto& [name, value] : request.headers)
        if (base::text::same_ignoring_ascii_case(name, "collection-synchronization"))
            item.synchronization = value.substr(0, 2048);
    item.body = request.body;
    return item;
}

// ---- waiting activities ----

const db::Command count_unverified{
    "count_unverified",
    R"(INSERT INTO unverified_hosts (host, items, bytes, next_at) VALUES ($1, 1, $2, $3)
       ON CONFLICT (host) DO UPDATE SET items = unverified_hosts.items + 1, bytes = unverified_hosts.bytes + $2
       WHERE unverified_hosts.items < $4 AND unverified_hosts.bytes + $2 <= $5)"
};
const db::Command discount_unverified{
    "discount_unverified", "UPDATE unverified_hosts SET items = items - 1, bytes = bytes - $2 WHERE host = $1"
};
const db::Command forget_unverified_host{
    "forget_unverified_host", "DELETE FROM unverified_hosts WHERE host = $1 AND items <= 0"
};
const db::Command insert_unverified_item{
    "insert_unverified_item",
    R"(INSERT INTO unverified_items (id, host, key_id, recipient_id, received_at, run_at, bytes, target, headers, body)
       VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9))"
};

bool keep(db::Write& db, const Unverified& item) {
    auto bytes = bytes_of(item);
    auto most = most_unverified_of_host, most_bytes = most_unverified_bytes_of_host;
    if (db.run(count_unverified, item.host, bytes, db.now(), most, most_bytes) == 0) return false;
    if (db.run(count_unverified, "", bytes, Time{never}, most_unverified, most_unverified_bytes) == 0) {
        db.run(discount_unverified, item.host, bytes);
        db.run(forget_unverified_host, item.host);
        return false;
    }
    db.run(
        insert_unverified_item,
        db.new_id<ItemId>(),
        item.host,
        item.key,
        item.recipient_id,
        db.now(),
        bytes,
        item.target,
        item.headers,
        item.body
    );
    db.announce({std::string(unverified_channel), {}, {}});
    return true;
}

const db::Query<bool> key_has_unverified{
    "key_has_unverified", "SELECT EXISTS (SELECT 1 FROM unverified_items WHERE key_id = $1)"
};

bool waits(db::Read& db, std::string_view key) { return db.one(key_has_unverified, key); }

// ---- verifying ----

namespace {

struct Turn {
    std::string host;
    std::int64_t refusals = 0;
};
DESCRIBE(Turn, host, refusals)

}  // namespace

const db::Query<Turn> lease_unverified_host{
    "lease_unverified_host",
    R"(UPDATE unverified_hosts SET leased_until = $2, leased_by = $3 WHERE host = (
           SELECT host FROM unverified_hosts WHERE next_at <= $1 AND leased_until < $1 ORDER BY next_at LIMIT 1
           FOR UPDATE SKIP LOCKED)
       RETURNING host, refusals)"
};
const db::Query<Time> next_unverified_host{
    "next_unverified_host",
    "SELECT next_at FROM unverified_hosts WHERE next_at > $1 AND leased_until < $1 ORDER BY next_at LIMIT 1"
};
const db::Query<Unverified> next_unverified_item{
    "next_unverified_item",
    R"(SELECT id, host, key_id AS key, recipient_id, received_at, attempts, target, headers, body FROM unverified_items
       WHERE host = $1 AND run_at <= $2 ORDER BY run_at, id LIMIT 1)"
};
const db::Command delete_unverified_item{
    "delete_unverified_item", "DELETE FROM unverified_items WHERE id = $1"
};
const db::Command postpone_unverified_item{
    "postpone_unverified_item",
    "UPDATE unverified_items SET attempts = attempts + 1, run_at = $2 WHERE id = $1"
};
const db::Query<Time> next_unverified_of_host{
    "next_unverified_of_host",
    "SELECT run_at FROM unverified_items WHERE host = $1 ORDER BY run_at, id LIMIT 1"
};
const db::Command give_back_unverified_host{
    "give_back_unverified_host",
    "UPDATE unverified_hosts SET leased_until = 0, next_at = $2, refusals = $3 WHERE host = $1"
};
const db::Command release_unverified_hosts{
    "release_unverified_hosts", "UPDATE unverified_hosts SET leased_until = 0 WHERE " LEASED_BY("$1")
};

void release_unverified(db::Write& db, std::string_view node) {
    db.run(release_unverified_hosts, node);
    db.announce({std::string(unverified_channel), {}, {}});
}

namespace {

// False: another thread did it.
bool remove(db::Write& db, const Unverified& item) {
    if (db.run(delete_unverified_item, item.id) == 0) return false;
    for (const auto& host : {item.host, std::string()}) {
        db.run(discount_unverified, host, bytes_of(item));
        db.run(forget_unverified_host, host);
    }
    return true;
}

struct Verified {
    Authenticated bringer;
    std::optional<Item> arrived;
    std::string about;
};

void settle(db::Write& db, const Unverified& item, const Verified& verified) {
    const auto& bringer = verified.bringer;
    if (bringer.learned) remember(db, *bringer.learned);
    if (bringer.status == 503 && item.attempts < std::ssize(retry_seconds)) {
        db.run(postpone_unverified_item, item.id, db.now().plus_seconds(retry_seconds[item.attempts]));
        return;
    }
    if (!remove(db, item) || !verified.arrived) return;
    keep(db, *verified.arrived, verified.about);
    heard_from(db, ap::host_of(bringer.actor));
}

Verified verified(const base::Ask& ask, db::Read& db, const Unverified& item) {
    auto document = ap::read_json(item.body);
    if (!document) return {{400, "This is not JSON"}, {}, {}};
    auto activity = ap::read_activity(*document, db.now());
    if (!activity) return {{400, "This is no activity"}, {}, {}};
    auto headers = headers_of(item);
    ap::SignedRequest request{"POST", item.target, db.site().public_url, headers, item.body};
    Verified out{bringer(ask, db, request, *activity, {item.received_at, {}}), {}, {}};
    if (!out.bringer.ok()) return out;
    out.arrived = received(out.bringer, request, item.recipient_id);
    out.arrived->id = item.id;
    out.about = subject_of(*activity);
    return out;
}

// An activity that cannot be judged does not block those behind it.
Verified judged(const jobs::Sessions& sessions, const Unverified& item) {
    try {
        return sessions.ask([&](const base::Ask& ask, db::Read& db) { return verified(ask, db, item); });
    } catch (const base::Stopping&) {
        throw;
    } catch (const std::exception& e) {
        base::log_warning("what was received cannot be judged", {{"host", item.host}, {"cause", e.what()}});
        return {{503, e.what()}, {}, {}};
    }
}

// False: its host cannot be asked now.
bool verify(const jobs::Sessions& sessions, const Unverified& item, Turn& turn, std::int64_t& pause) {
    auto judgement = judged(sessions, item);
    if (const auto& not_asked = judgement.bringer.not_asked) {
        // At least 1, 2, then 4 seconds, as other requests to the host finish within seconds.
        auto longer = std::int64_t{1} << std::min<std::int64_t>(turn.refusals++, 2);
        pause = std::clamp<std::int64_t>(not_asked->retry_after, longer, longest_pause_seconds);
        return false;
    }
    turn.refusals = 0;
    sessions.change("settle_unverified", [&](db::Write& db) { settle(db, item, judgement); });
    return true;
}

void give_back(db::Write& db, const Turn& turn, std::int64_t pause) {
    auto next = db.maybe(next_unverified_of_host, turn.host);
    if (!next) return;
    db.run(
        give_back_unverified_host, turn.host, std::max(*next, db.now().plus_seconds(pause)), turn.refusals
    );
}

}  // namespace

jobs::Idle verify_some(const jobs::Sessions& sessions) {
    std::optional<Turn> turn;
    jobs::Idle idle;
    sessions.change("lease_unverified", [&](db::Write& db) {
        db.beside_others();
        idle.reset();
        turn = db.maybe(lease_unverified_host, db.now(), db.now().plus_seconds(lease_seconds), db.node());
        if (turn) return;
        const auto next = db.maybe(next_unverified_host, db.now());
        idle = next ? std::chrono::milliseconds(next->ms - db.now().ms) : jobs::WorkSignal::longest;
    });
    if (!turn) return idle;
    std::int64_t pause = 0;
    auto end = [&] {
        sessions.change("give_back_unverified", [&](db::Write& db) { give_back(db, *turn, pause); });
    };
    const auto late = std::chrono::steady_clock::now() + longest_turn;
    try {
        for (int i = 0; i < most_in_turn && std::chrono::steady_clock::now() < late; ++i) {
            std::optional<Unverified> item;
            sessions.look([&](db::Read& db) { item = db.maybe(next_unverified_item, turn->host, db.now()); });
            if (!item || !verify(sessions, *item, *turn, pause)) break;
        }
    } catch (const base::Stopping&) {
        end();
        throw;
    }
    end();
    return idle;
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/alerts/alert.hpp"

#include "base/errors.hpp"
#include "base/log.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/instance/settings.hpp"
#include "social/moderation/webhooks/webhook.hpp"

namespace moderation {

namespace {

constexpr TroubleKind kinds[] = {
    {"backup", "The backup is not made any more"},
    {"backup_unsound", "The backup is not whole"},
    {"certificate", "The certificate ends soon"},
    {"disk", "The disk is nearly full"},
    {"errors", "Many requests fail"},
    {"files", "Hardly any more connections can be opened"},
    {"inbox", "What other servers send is read late"},
    {"mail", "Mail does not go out"},
    {"node", "A node of the site is gone"},
    {"nodes_deaf", "The nodes of the site do not hear each other"},
    {"replica", "The replica of the database is left out"},
    {"servers", "Many other servers cannot be reached"},
    {"work", "Background work is late"},
};

constexpr std::string_view last_letter = "alerts_reported_at";
constexpr std::string_view last_look = "alerts_looked_at", first_look = "alerts_looked_since";
constexpr std::int64_t stale_seconds = 180;  // what was seen by a node that is gone
constexpr std::int64_t kept_seconds = 30 * 86'400;

#define ALERTS "SELECT id, kind, place, since, seen_at, reported_at, over_at, detail FROM alerts "

const db::Command see_trouble{
    "see_trouble",
    R"(INSERT INTO alerts (id, kind, place, since, seen_at, reported_at, over_at, detail)
       VALUES ($1, $2, $3, $4, $4, NULL, NULL, $5)
       ON CONFLICT (kind, place) WHERE over_at IS NULL
           DO UPDATE SET seen_at = excluded.seen_at, detail = excluded.detail)"
};
const db::Query<Alert> alerts_that_stand{
    "alerts_that_stand", ALERTS "WHERE over_at IS NULL ORDER BY since, id"
};
const db::Query<Alert> alerts_seen_since{
    "alerts_seen_since",
    ALERTS "WHERE seen_at > $1 AND reported_at IS NOT NULL ORDER BY seen_at DESC LIMIT 100"
};
const db::Query<Alert> alert_by_id{"alert_by_id", ALERTS "WHERE id = $1"};
// Only as they were when they were looked at: what was seen again meanwhile is not over.
const db::Command end_alert{
    "end_alert", "UPDATE alerts SET over_at = $2 WHERE id = $1 AND seen_at = $3 AND over_at IS NULL"
};
const db::Command drop_alert{
    "drop_alert", "DELETE FROM alerts WHERE id = $1 AND seen_at = $2 AND reported_at IS NULL"
};
const db::Command note_alert_told{
    "note_alert_told", "UPDATE alerts SET reported_at = $2 WHERE id = $1 AND reported_at IS NULL"
};
const db::Command forget_alerts{"forget_alerts", "DELETE FROM alerts WHERE seen_at < $1"};

constexpr std::int64_t digest_kept_seconds = 366 * 86'400;

const db::Command insert_digest{
    "insert_digest", "INSERT INTO digests (id, made_at, content) VALUES ($1, $2, $3)"
};
const db::Query<std::string> digest_by_id{"digest_by_id", "SELECT content FROM digests WHERE id = $1"};
const db::Command forget_digests{"forget_digests", "DELETE FROM digests WHERE made_at < $1"};

struct Found {
    std::vector<Alert> begun, over, passed;
};

Found look_through(db::Read& db) {
    Found found;
    const auto ago = [&](base::Time at) { return (db.now().ms - at.ms) / 1000; };
    for (auto& one : db.all(alerts_that_stand)) {
        const auto unseen = ago(one.seen_at);
        if (one.reported_at) {
            if (unseen >= alert_over_seconds) found.over.push_back(std::move(one));
        } else if (unseen >= stale_seconds) {
            found.passed.push_back(std::move(one));
        } else if (ago(one.since) - unseen >= alert_after_seconds) {
            found.begun.push_back(std::move(one));
        }
    }
    return found;
}

base::Time noted(db::Read& db, std::string_view name) {
    const auto ms = instance::setting(db, name);
    return {ms ? std::atoll(ms->c_str()) : 0};
}

bool may_write_now(db::Read& db) {
    return noted(db, last_letter).plus_seconds(alert_letters_apart_seconds) <= db.now();
}

// Since when this runs without a pause. Before that nobody may have been there to see what is still wrong.
base::Time looking_since(db::Read& db) {
    const auto last = noted(db, last_look);
    const bool paused = last.plus_seconds(stale_seconds) < db.now();
    return paused ? db.now() : noted(db, first_look);
}

void tell(db::Write& db, const Found& found) {
    AlertsToTell letter;
    for (const auto& one : found.begun) {
        if (db.run(note_alert_told, one.id, db.now()) == 0) continue;
        letter.begun.push_back(one.id);
        call_webhooks(db, "alert.began", one.id.value);
    }
    for (const auto& one : found.over) {
        if (db.run(end_alert, one.id, db.now(), one.seen_at) == 0) continue;
        letter.over.push_back(one.id);
        call_webhooks(db, "alert.ended", one.id.value);
    }
    if (letter.begun.empty() && letter.over.empty()) return;
    instance::set_setting(db, last_letter, std::to_string(db.now().ms));
    for (const auto& one : accounts::staff_who_may(db, who_gets_alerts)) {
        letter.user = one.user;
        db.emit(letter);
    }
}

void show(instance::View& view, std::string_view section, const Alert& one) {
    auto& row = view.add(section);
    row.say("WHAT", sentence_of_trouble(one.kind)).set("DETAIL", one.detail);
    if (!one.place.empty()) row.add("AT").set("PLACE", one.place);
}

}  // namespace

std::span<const TroubleKind> trouble_kinds() { return kinds; }

std::string_view sentence_of_trouble(std::string_view kind) {
    const auto found = std::ranges::find(kinds, kind, &TroubleKind::kind);
    return found == std::end(kinds) ? kind : found->sentence;
}

void note_troubles(db::Write& db, std::string_view place, const std::vector<Trouble>& troubles) {
    for (const auto& one : troubles)
        db.run(see_trouble, db.new_id<AlertId>(), one.kind, place, db.now(), one.detail);
}

std::vector<Alert> standing_alerts(db::Read& db) { return db.all(alerts_that_stand); }

std::vector<Alert> past_alerts(db::Read& db, base::Time since) { return db.all(alerts_seen_since, since); }

Alert alert(db::Read& db, AlertId id) {
    auto found = db.maybe(alert_by_id, id);
    if (!found) throw base::NotFound();
    return *found;
}

DigestId keep_digest(db::Write& db, const std::string& content) {
    const auto id = db.new_id<DigestId>();
    db.run(forget_digests, db.now().plus_seconds(-digest_kept_seconds));
    db.run(insert_digest, id, db.now(), content);
    return id;
}

std::string digest_content(db::Read& db, DigestId id) { return db.one(digest_by_id, id); }

jobs::Change tell_of_alerts(db::Read& db) {
    auto found = look_through(db);
    if (db.all(alerts_that_stand).empty()) return {};
    const auto since = looking_since(db);
    if (!may_write_now(db)) found.begun.clear(), found.over.clear();
    if (since.plus_seconds(alert_over_seconds) > db.now()) found.over.clear();
    for (const auto& one : found.begun)
        base::log_warning(
            "the owners are told of trouble",
            {{"what", one.kind}, {"where", one.place}, {"detail", one.detail}}
        );
    return [found = std::move(found), since](db::Write& write) {
        instance::set_setting(write, first_look, std::to_string(since.ms));
        instance::set_setting(write, last_look, std::to_string(write.now().ms));
        for (const auto& one : found.passed) write.run(drop_alert, one.id, one.seen_at);
        tell(write, found);
        write.run(forget_alerts, write.now().plus_seconds(-kept_seconds));
    };
}

void mail_alerts(const base::Ask& ask, db::Read& db, const AlertsToTell& e) {
    auto user = accounts::find_user(db, e.user);
    if (!user) return;
    instance::View view;
    std::vector<Alert> begun, over;
    for (auto [ids, into] : {std::pair{&e.begun, &begun}, {&e.over, &over}})
        for (auto id : *ids)
            if (auto found = db.maybe(alert_by_id, id)) into->push_back(*std::move(found));
    if (begun.empty() && over.empty()) return;
    if (!begun.empty()) {
        auto& wrong = view.add("WRONG");
        for (const auto& one : begun) show(wrong, "TROUBLE", one);
    }
    if (!over.empty()) {
        auto& right = view.add("RIGHT");
        for (const auto& one : over) show(right, "TROUBLE", one);
    }
    view.show_if(!begun.empty(), "BEGUN").show_if(begun.empty(), "OVER");
    view.set("LINK", db.site().public_url + "/settings/moderation/health");
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "alerts", view);
}

}  // namespace moderation

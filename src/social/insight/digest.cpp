// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/digest.hpp"

#include "base/json_read.hpp"
#include "base/text/figures.hpp"
#include "social/insight/dimension.hpp"
#include "social/instance/activity.hpp"
#include "social/instance/settings.hpp"
#include "social/media/copy.hpp"
#include "social/moderation/webhooks/webhook.hpp"

#include <algorithm>

namespace insight {

namespace {

constexpr std::string_view last_week = "digest_week", wanted = "weekly_digest";
constexpr std::int64_t day = 86'400, week = 7 * day;
constexpr std::int64_t hour_of_day = 6 * 3600;  // of Monday, in UTC
constexpr std::size_t most_shown = 5;

// 1970 began on a Thursday.
std::int64_t week_of(base::Time now) {
    const auto seconds = now.ms / 1000 - hour_of_day;
    return (seconds + 3 * day) / week;
}

// reports, users and appeals belong to moderation and accounts. So many that nobody counts them by hand are enough.
struct Waiting {
    std::int64_t reports = 0, sign_ups = 0, appeals = 0;
};
DESCRIBE(Waiting, reports, sign_ups, appeals)
const db::Query<Waiting> what_waits{
    "digest_what_waits",
    R"(SELECT (SELECT count(*) FROM (SELECT id FROM reports WHERE action_taken_at IS NULL ORDER BY id LIMIT 1000) r) AS reports,
              (SELECT count(*) FROM (SELECT account_id FROM users WHERE approved = FALSE ORDER BY account_id LIMIT 1000) u) AS sign_ups,
              (SELECT count(*) FROM (SELECT id FROM appeals WHERE state = 'pending' ORDER BY id LIMIT 1000) a) AS appeals)"
};

// hosts belongs to federation. Those that were given up until they are heard of.
const db::Query<DigestServer> unavailable_hosts{
    "digest_unavailable_hosts",
    R"(SELECT authority AS host, unavailable_since AS since FROM hosts WHERE unavailable_since IS NOT NULL
       ORDER BY authority LIMIT $1)"
};
void see_site(db::Read& db, Digest& out) {
    const auto site = instance::statistics(db);
    out.accounts = site.users;
    out.active_in_month = site.active_month;
    out.servers = site.domains;
    const auto weeks = instance::activity(db);
    out.from = {weeks[1].week * 1000};
    out.until = {weeks[0].week * 1000};
    out.posts = weeks[1].statuses;
    out.posts_before = weeks[2].statuses;
    out.signed_up = weeks[1].registrations;
    const auto waiting = db.one(what_waits);
    out.reports_waiting = waiting.reports;
    out.sign_ups_waiting = waiting.sign_ups;
    out.appeals_waiting = waiting.appeals;
    out.unavailable = db.all(unavailable_hosts, static_cast<std::int64_t>(most_shown));
    out.database_bytes = db.one(room_of_database);
    out.copies_bytes = media::usage_of_copies(db).bytes;
    out.alerts = moderation::past_alerts(db, out.from);
    if (out.alerts.size() > 4 * most_shown) out.alerts.resize(4 * most_shown);
}

void see_server(const Vitals& now, Digest& out) {
    auto first = [](std::vector<SlowOne> all) {
        std::erase_if(all, [](const SlowOne& one) { return one.longest_ms == 0; });
        std::ranges::sort(all, std::ranges::greater(), &SlowOne::longest_ms);
        if (all.size() > most_shown) all.resize(most_shown);
        return all;
    };
    out.host = now.host;
    out.free_for_data = now.free_for_data;
    out.free_for_media = now.free_for_media;
    out.backup = now.backup;
    out.statements = first(now.statements);
    out.changes = first(now.long_changes);
    if (!now.queues) return;
    out.jobs_given_up = now.queues->jobs_given_up;
    out.servers_failing = now.queues->hosts_failing + now.queues->hosts_unavailable;
}

std::string date(base::Time at) { return base::to_string(base::Date{at.midnight().ms}); }

std::string bytes(std::int64_t n) { return base::text::shown_bytes(static_cast<std::uint64_t>(n)); }

void line(instance::View& list, std::string_view label, const std::string& value) {
    list.add("LINE").say("LABEL", label).set("VALUE", value);
}

void line(instance::View& list, std::string_view label, std::int64_t count) {
    line(list, label, std::to_string(count));
}

void show_unavailable(instance::View& view, const Digest& digest) {
    if (digest.unavailable.empty()) return;
    auto& list = view.add("LIST").say("TITLE", "Not asked any more, since");
    for (const auto& one : digest.unavailable)
        list.add("LINE").set("LABEL", one.host).set("VALUE", date(one.since));
}

void show_room(instance::View& view, const Digest& digest) {
    auto& list = view.add("LIST").say("TITLE", "Room");
    line(list, "The database takes", bytes(digest.database_bytes));
    line(list, "Copies of others' pictures take", bytes(digest.copies_bytes));
    if (digest.free_for_data) line(list, "Free for the database", bytes(*digest.free_for_data));
    if (digest.free_for_media) line(list, "Free for media", bytes(*digest.free_for_media));
}

void show_backup(instance::View& view, const Digest& digest) {
    auto& list = view.add("LIST").say("TITLE", "Backup");
    if (!digest.backup) {
        list.add("LINE").say("LABEL", "Backup").say("VALUE", "None is made");
        return;
    }
    auto told = [&](std::string_view label, const std::optional<base::Time>& at) {
        auto& shown = list.add("LINE").say("LABEL", label);
        if (at) shown.set("VALUE", base::to_string(*at));
        else shown.say("VALUE", "Never");
    };
    told("Last copy of the backup", digest.backup->copied_at);
    if (digest.backup->reaches_to) told("The backup reaches to", digest.backup->reaches_to);
    told("Last restored aside", digest.backup->verified_at);
    if (!digest.backup->sound)
        list.add("LINE").say("LABEL", "Trouble").say("VALUE", "The backup is not whole");
}

void show_slow(instance::View& view, std::string_view title, const std::vector<SlowOne>& all) {
    if (all.empty()) return;
    auto& list = view.add("LIST").say("TITLE", title);
    for (const auto& one : all)
        list.add("LINE").set("LABEL", one.name).set("VALUE", std::to_string(one.longest_ms) + " ms");
}

}  // namespace

Digest digest(db::Read& db, const std::optional<Vitals>& server) {
    Digest out;
    see_site(db, out);
    if (server) see_server(*server, out);
    return out;
}

void send_digest(const base::Ask& ask, db::Read& db, const accounts::Recipient& to, const Digest& digest) {
    instance::View view;
    view.set("FROM", date(digest.from)).set("UNTIL", date(digest.until.plus_seconds(-1)));
    auto& people = view.add("LIST").say("TITLE", "People and posts");
    line(people, "Accounts", digest.accounts);
    line(people, "Active in the last month", digest.active_in_month);
    line(people, "Signed up in this week", digest.signed_up);
    line(people, "Posts in this week", digest.posts);
    line(people, "Posts in the week before", digest.posts_before);
    auto& waiting = view.add("LIST").say("TITLE", "What waits for the team");
    line(waiting, "Reports", digest.reports_waiting);
    line(waiting, "Sign-ups", digest.sign_ups_waiting);
    line(waiting, "Appeals", digest.appeals_waiting);
    auto& servers = view.add("LIST").say("TITLE", "Other servers");
    line(servers, "Known servers", digest.servers);
    if (digest.servers_failing) line(servers, "Other servers that fail", *digest.servers_failing);
    show_unavailable(view, digest);
    show_room(view, digest);
    show_backup(view, digest);
    auto& troubles = view.add("LIST").say("TITLE", "What went wrong");
    if (digest.jobs_given_up) line(troubles, "Jobs that were given up", *digest.jobs_given_up);
    for (const auto& one : digest.alerts)
        troubles.add("LINE")
            .say("LABEL", moderation::sentence_of_trouble(one.kind))
            .set("VALUE", date(one.since) + (one.place.empty() ? "" : " (" + one.place + ")"));
    show_slow(view, "Slow statements", digest.statements);
    show_slow(view, "Longest changes", digest.changes);
    view.set("LINK", db.site().public_url + "/settings/moderation/health");
    accounts::send_mail(ask, db.site(), to, "digest", view);
}

jobs::Change begin_digest(db::Read& db) {
    const auto now = std::to_string(week_of(db.now()));
    if (instance::setting(db, last_week) == now) return {};
    return [now](db::Write& write) {
        const auto before = instance::setting(write, last_week);
        if (before == now) return;  // another node was first
        instance::set_setting(write, last_week, now);
        // A new site has no week to tell of.
        if (before && instance::setting(write, wanted) != "false") write.emit(DigestDue{});
    };
}

jobs::Change write_weekly_digest(const base::Ask& ask, db::Read& db, const DigestDue&) {
    auto content = base::json::to_string(digest(db, ask(LookAtServer{0})));
    return [content = std::move(content)](db::Write& write) {
        const auto id = moderation::keep_digest(write, content);
        moderation::call_webhooks(write, "digest.written", id.value);
        for (const auto& one : accounts::staff_who_may(write, moderation::who_gets_alerts))
            write.emit(DigestWritten{one.user, id});
    };
}

void mail_weekly_digest(const base::Ask& ask, db::Read& db, const DigestWritten& e) {
    const auto user = accounts::find_user(db, e.user);
    if (!user) return;
    const auto content = moderation::digest_content(db, e.digest);
    send_digest(ask, db, accounts::recipient(*user), base::json::read<Digest>(content));
}

}  // namespace insight

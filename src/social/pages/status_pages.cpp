// SPDX-License-Identifier: AGPL-3.0-or-later
// How this server does and what it takes, for everybody; and by which apps one gets in.
#include "http/route.hpp"
#include "social/insight/vitals.hpp"
#include "social/instance/activity.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/instance/registrations.hpp"
#include "social/instance/settings.hpp"
#include "social/oauth/pages/page.hpp"
#include "social/pages/page.hpp"
#include "social/pages/settings/settings_page.hpp"

#include <algorithm>

namespace pages {
namespace {

using instance::View;

// What people meet of what is wrong. The rest helps those alone who look after the server, and those who would harm it.
constexpr std::string_view met_by_people[] = {"errors", "inbox", "mail", "servers", "work"};

// Each kind once, since it was first seen on one of the nodes; and only what has lasted, so that the page does not flicker.
std::vector<moderation::Alert> troubles(db::Read& db) {
    std::vector<moderation::Alert> out;
    for (auto& one : moderation::standing_alerts(db))
        if (one.reported_at && std::ranges::find(met_by_people, one.kind) != std::end(met_by_people) &&
            std::ranges::find(out, one.kind, &moderation::Alert::kind) == out.end())
            out.push_back(std::move(one));
    return out;
}

void show_state(db::Read& db, View& view, const std::string& pause) {
    auto found = troubles(db);
    if (!pause.empty()) view.add("PAUSED").say("SENTENCE", pause);
    view.show_if(pause.empty() && found.empty(), "WELL");
    if (found.empty()) return;
    auto& list = view.add("WRONG");
    for (const auto& one : found)
        list.add("TROUBLE")
            .say("WHAT", moderation::sentence_of_trouble(one.kind))
            .add("SINCE")
            .set("WHEN", minute_of(one.since));
}

std::string_view who_may_sign_up(db::Read& db) {
    if (!db.site().registrations_open) return "Nobody, unless invited";
    return instance::approval_required(db) ? "Whoever a moderator approves" : "Everybody";
}

void show_facts(db::Read& db, View& view) {
    const auto& site = db.site();
    auto counted = instance::statistics(db);
    auto fact = [&](std::string_view name, std::int64_t value) {
        view.add("FACT").say("NAME", name).set("VALUE", std::to_string(value));
    };
    auto said = [&](std::string_view name, std::string_view value) {
        view.add("FACT").say("NAME", name).say("VALUE", value);
    };
    fact("People", counted.users);
    fact("Of them here in the last month", counted.active_month);
    fact("Posts", counted.statuses);
    if (instance::tells_peers(db)) fact("Other servers it knows", counted.domains);
    said("Who may sign up", who_may_sign_up(db));
    if (instance::federation_mode(db).limited_federation) said("Talks only to", "Allowed servers");
    fact("Longest post, in characters", site.max_characters);
    fact("Media in one post", site.max_media);
}

void show_weeks(db::Read& db, View& view) {
    if (!instance::tells_activity(db)) return;
    auto& weeks = view.add("WEEKS");
    for (const auto& one : instance::activity(db))
        weeks.add("WEEK")
            .set("DAY", day_of({one.week * 1000}))
            .set("POSTS", std::to_string(one.statuses))
            .set("PEOPLE", std::to_string(one.logins))
            .set("SIGN_UPS", std::to_string(one.registrations));
}

http::Response status(const base::Ask& ask, db::Read& db, const http::Request& request) {
    const auto& pause = ask(insight::LookAtPause{});
    View view;
    show_state(db, view, pause);
    show_facts(db, view);
    show_weeks(db, view);
    view.set("VERSION", db.site().version).set("SOURCE", db.site().source_url);
    view.show_if(instance::setting(db, "noindex") == "true", "UNLISTED");
    return html(
        db, request, {.name = "status", .title = "How the server does", .said = true}, std::move(view)
    );
}

// Where apps find the server, which is not always what handles end with.
std::string host_of(const base::Site& site) {
    return site.public_url.substr(site.public_url.find("://") + 3);
}

http::Response apps(db::Read& db, const http::Request& request) {
    View view;
    view.set("HOST", host_of(db.site()));
    view.show_if(instance::setting(db, "noindex") == "true", "UNLISTED");
    return html(db, request, {.name = "apps", .title = "Apps", .said = true}, std::move(view));
}

// Under the short names, too, by which people look for them.
http::Response to_privacy(db::Read&) { return oauth::redirect("/privacy-policy"); }
http::Response to_terms(db::Read&) { return oauth::redirect("/terms-of-service"); }

constexpr http::Route table[] = {
    http::get<status>("/status"),
    http::get<apps>("/apps"),
    http::get<to_privacy>("/privacy"),
    http::get<to_terms>("/terms"),
};

}  // namespace

std::span<const http::Route> status_routes() { return table; }

}  // namespace pages

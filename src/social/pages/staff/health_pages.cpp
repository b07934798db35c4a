// SPDX-License-Identifier: AGPL-3.0-or-later
// How the server does, for those who look after it: what is wrong, why it is slow, and the figures of both, as `dunlin top` has
// them (social/insight/vitals.hpp).
#include "base/text/figures.hpp"
#include "http/route.hpp"
#include "social/insight/vitals.hpp"
#include "social/pages/staff/staff_page.hpp"

namespace pages {
namespace {

using insight::Vitals, base::text::figure;

const std::string health_path = address_of(health_part);

std::string percent(double value) { return figure(value) + " %"; }
std::string size(std::int64_t value) { return base::text::shown_bytes(static_cast<std::uint64_t>(value)); }

void fact(instance::View& list, std::string_view name, const std::string& value) {
    list.add("FACT").say("NAME", name).set("VALUE", value);
}

void show_trouble(instance::View& view, const Vitals& now, const std::vector<moderation::Alert>& standing) {
    view.show_if(now.troubles.empty() && now.slow_because.empty() && standing.empty(), "WELL");
    if (!now.troubles.empty() || !standing.empty()) {
        auto& list = view.add("WRONG");
        for (const auto& one : standing) {
            auto& row = list.add("TROUBLE").say("WHAT", moderation::sentence_of_trouble(one.kind));
            row.set("DETAIL", one.detail).set("PLACE", one.place);
            row.add("SINCE").set("WHEN", minute_of(one.since));
        }
        for (const auto& one : now.troubles)
            if (std::ranges::find(standing, one.kind, &moderation::Alert::kind) == standing.end())
                list.add("TROUBLE")
                    .say("WHAT", moderation::sentence_of_trouble(one.kind))
                    .set("DETAIL", one.detail);
    }
    if (now.slow_because.empty()) return;
    auto& list = view.add("SLOW");
    for (const auto& one : now.slow_because)
        list.add("TROUBLE").say("WHAT", insight::sentence_of_slowness(one.kind)).set("DETAIL", one.detail);
}

void show_figures(instance::View& view, const Vitals& now) {
    auto& list = view.add("FIGURES");
    fact(list, "Requests a second", figure(now.rates.requests));
    fact(list, "Of those, failed", figure(now.rates.failed));
    fact(list, "Time spent writing", percent(now.rates.writer_percent));
    fact(list, "Time spent reading", percent(now.rates.readers_percent));
    fact(
        list, "Reads and changes that wait", figure(now.reads_waiting) + " + " + figure(now.changes_waiting)
    );
    fact(list, "CPU, of one core", percent(now.rates.cpu_percent));
    fact(list, "Memory", size(now.memory_bytes));
    fact(list, "Connections", figure(now.connections));
    fact(list, "Open streams", figure(now.listeners));
    fact(list, "Running for", base::text::span(now.up_seconds));
    if (now.queues) {
        const auto& queues = *now.queues;
        fact(list, "Jobs that wait", figure(queues.jobs_waiting));
        fact(list, "Jobs that were given up", figure(queues.jobs_given_up));
        fact(
            list,
            "Deliveries that wait",
            figure(queues.deliveries_waiting) + " + " + figure(queues.deliveries_retrying)
        );
        fact(
            list,
            "Other servers that fail",
            figure(queues.hosts_failing) + " + " + figure(queues.hosts_unavailable)
        );
    }
    if (now.backup) {
        const auto& backup = *now.backup;
        auto when = [](const std::optional<base::Time>& at) {
            return at ? minute_of(*at) : std::string("-");
        };
        fact(list, "Last copy of the backup", when(backup.copied_at));
        if (backup.reaches_to) fact(list, "The backup reaches to", when(backup.reaches_to));
        fact(list, "Last restored aside", when(backup.verified_at));
    }
    if (now.database_bytes) fact(list, "The database takes", size(*now.database_bytes));
    if (now.free_for_data) fact(list, "Free for the database", size(*now.free_for_data));
    if (now.free_for_media) fact(list, "Free for media", size(*now.free_for_media));
    if (now.certificate_until) fact(list, "The certificate is good until", day_of(*now.certificate_until));
}

void row(instance::View& list, const std::string& name, const std::string& state, const std::string& hint) {
    auto& one = list.add("ROW").set("NAME", name).set("HINT", hint);
    if (!state.empty()) one.add("COUNTED").set("COUNT", state);
}

void show_lists(instance::View& view, const Vitals& now) {
    auto list = [&](std::string_view title, bool any) -> instance::View* {
        return any ? &view.add("LIST").say("TITLE", title) : nullptr;
    };
    if (auto* routes = list("Takes most time", !now.routes.empty()))
        for (const auto& one : now.routes)
            row(*routes,
                one.method + " " + one.path,
                percent(one.percent),
                figure(one.requests) + " × " + figure(one.mean_ms) + " ms");
    if (auto* slow = list("Slow statements", !now.statements.empty()))
        for (const auto& one : now.statements)
            row(*slow, one.name, figure(one.times) + " ×", "≤ " + figure(one.longest_ms) + " ms");
    if (auto* changes = list("Longest changes", !now.long_changes.empty()))
        for (const auto& one : now.long_changes) row(*changes, one.name, figure(one.longest_ms) + " ms", "");
    if (auto* refused = list("Refused by rate limits lately", !now.refused.empty()))
        for (const auto& one : now.refused)
            row(*refused, one.who, figure(one.times) + " ×", one.limit + ", " + minute_of(one.last));
    if (auto* nodes = list("Nodes", !now.nodes.empty()))
        for (const auto& one : now.nodes)
            row(*nodes,
                one.host + (one.name == now.node ? " *" : ""),
                one.roles,
                one.version + ", " + base::text::span(one.up_seconds));
    if (auto* hours = list("The last day", !now.hours.empty()))
        for (const auto& one : now.hours)
            row(*hours,
                minute_of(one.from),
                figure(one.requests) + (one.failed > 0 ? ", 5xx: " + figure(one.failed) : ""),
                "W " + percent(one.writer_percent) + ", R " + percent(one.readers_percent) + ", CPU " +
                    percent(one.cpu_percent));
}

http::Response look(const base::Ask& ask, db::Read& db, const http::Request& request) {
    auto who = member(db, request, health_part.any_of);
    if (who.answer()) return *who.answer();
    const auto& now = ask(insight::LookAtServer{});
    instance::View view;
    view.set("HOST", now.host).set("VERSION", now.version);
    show_trouble(view, now, moderation::standing_alerts(db));
    show_figures(view, now);
    show_lists(view, now);
    return staff_page(
        db, request, who, &health_part, "staff_health", "How the server does", {}, std::move(view)
    );
}

// All that `dunlin doctor` looks at, which takes some seconds.
http::Response examine(const base::Ask& ask, db::Read& db, const http::Request& request) {
    auto who = member(db, request, health_part.any_of);
    if (who.answer()) return *who.answer();
    const auto& found = ask(insight::ExamineServer{});
    instance::View view;
    for (const auto& one : found) {
        auto& row = view.add("FINDING").set("CHECK", one.check).set("TEXT", one.text);
        row.say("LEVEL", one.level == "ok" ? "well" : one.level == "warning" ? "a warning" : "a fault");
    }
    return staff_page(
        db, request, who, &health_part, "staff_doctor", "Everything was looked at", {}, std::move(view)
    );
}

constexpr http::Route table[] = {
    http::get<look>("/settings/moderation/health"),
    http::get<examine>("/settings/moderation/health/doctor"),
};

}  // namespace

std::span<const http::Route> health_pages() { return table; }

}  // namespace pages

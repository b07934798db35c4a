// SPDX-License-Identifier: AGPL-3.0-or-later
// What belongs to the server: its key for push messages, rules about other servers, its own rules, reports.
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "takeover/pleroma/reading.hpp"

#include <algorithm>

namespace takeover::pleroma {

namespace {

// A line of its configuration file: `public_key: "BL…",`.
std::string in_quotes(const Settings& settings, const char* name) {
    const auto found = settings.find(name);
    if (found == settings.end()) return {};
    std::string value = found->second;
    std::erase_if(value, [](char c) { return c == '"' || c == ',' || c == '\''; });
    return value;
}

// "bad.example", or with a reason; "*." before it means what is below it as well, as here everything does.
struct Limited {
    std::string domain, reason;
};
std::vector<Limited> servers_of(const Term& rules, const char* name) {
    std::vector<Limited> out;
    const auto* found = rules.find(name);
    if (!found) return out;
    for (const auto& item : found->items) {
        Limited one;
        if (item.kind == Term::Kind::text) one.domain = item.word;
        else if (item.items.size() == 2) one = {item.items[0].word, item.items[1].word};
        if (one.domain.starts_with("*.")) one.domain.erase(0, 2);
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace

ServerRules server_rules(const Config& config, const std::function<void(const std::string&)>& bad) {
    const auto& simple = config.of(":pleroma", ":mrf_simple");
    ServerRules out;
    auto each = [&](const char* name, auto change) {
        for (const auto& [domain, reason] : servers_of(simple, name)) {
            if (!is_domain(domain)) {
                bad(domain);
                continue;
            }
            auto& row = out.try_emplace(domain, ServerRuleRow{0, domain, "noop"}).first->second;
            change(row);
            if (!reason.empty() && !row.public_comment) row.public_comment = db::Foreign::shown(reason);
        }
    };
    each("reject", [](ServerRuleRow& row) { row.severity = "suspend"; });
    each("federated_timeline_removal", [](ServerRuleRow& row) {
        if (row.severity == "noop") row.severity = "silence";
    });
    each("media_removal", [](ServerRuleRow& row) { row.reject_media = true; });
    each("report_removal", [](ServerRuleRow& row) { row.reject_reports = true; });
    return out;
}

PushKey push_key(const Config& config, const Settings& settings) {
    const auto& set = config.of(":web_push_encryption", ":vapid_details");
    PushKey out{set.text_of("public_key"), set.text_of("private_key")};
    if (out.point.empty()) out = {in_quotes(settings, "public_key"), in_quotes(settings, "private_key")};
    return out;
}

// Few rows: at once, and again if it was cut off.
void copy_site(const Reading& r, const std::string&, Sink& sink) {
    if (!r.push.point.empty()) put_push_key("vapid_details", r.push.point, r.push.number, sink);
    const auto& simple = r.config.of(":pleroma", ":mrf_simple");
    auto refuse = [&](const std::string& domain) {
        sink.refuse("domain block", db::Foreign::shown(domain), "it names no domain");
    };
    for (auto& [domain, row] : server_rules(r.config, refuse)) {
        row.id = sink.numbers.give("domain_block", domain, r.choice.now);
        row.created_at = r.choice.now;
        sink.put(std::move(row));
    }
    for (const auto& [domain, reason] : servers_of(simple, "accept"))
        if (is_domain(domain))
            sink.put(AllowedServerRow{
                sink.numbers.give("domain_allow", domain, r.choice.now), domain, r.choice.now
            });
    if (!r.has("rules")) return;
    r.db.each<Rule>(
        table<Rule>(r.db, "rules"),
        "ORDER BY x.priority DESC, x.id",
        {},
        [&, position = std::int64_t{0}](const Rule& rule) mutable {
            const auto id = sink.numbers.give("rule", std::to_string(rule.id), r.choice.now);
            sink.put(RuleRow{id, position++, rule.text, rule.hint, std::nullopt});
        },
        r.refusing("rule", sink)
    );
}

// Whom it is about stands first, then posts: by their addresses or as they were.
void copy_reports(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT a.data->>'id' AS uri, a.id, a.actor, a.data, a.inserted_at, a.updated_at "
        "FROM activities a WHERE a.data->>'type' = 'Flag') AS x";
    r.each<Report>("report", from, position, sink, [&](const Report& p) {
        const auto data = object_of(p.data);
        const auto by = r.account(sink, p.actor);
        ReportRow row;
        std::optional<Id> about;
        std::vector<base::StatusId> shown;
        for (const auto* item : data ? list(*data, "object") : std::vector<const Json*>{}) {
            const auto* object = item->if_object();
            const auto address = object              ? text(*object, "id")
                                 : item->is_string() ? std::string(std::string_view(item->get_string()))
                                                     : std::string();
            if (!about) about = r.account(sink, address);
            const auto status = r.status(sink, address);
            if (!status) continue;
            row.statuses.push_back(*status);
            shown.push_back({*status});
        }
        if (!by || !about) return sink.refuse("report", p.uri, "one of the two did not come along");
        row.id = sink.numbers.give("report", p.uri, p.inserted_at);
        sink.numbers.set("report", flake_of(p.id), row.id);
        row.account_id = *by;
        row.target_id = *about;
        row.comment = base::text::plain_text(base::text::sanitize(text(*data, "content")));
        row.status_ids = base::json::to_string(shown);
        const auto state = text(*data, "state");
        if (state == "closed" || state == "resolved") row.action_taken_at = p.updated_at;
        row.created_at = p.inserted_at;
        row.updated_at = p.updated_at;
        sink.put(std::move(row));
    });
}

}  // namespace takeover::pleroma

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notification_entity.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <algorithm>
#include <utility>

namespace notifications {

namespace {

// For OpenAPI; append() writes it.
struct NotificationEntity {
    static constexpr std::string_view entity = "Notification";

    NotificationId id;
    std::string type;
    base::Time created_at;
    std::string group_key;
    base::json::Omit<bool> filtered;
    base::json::Omit<Fallback> fallback;
    base::json::Raw account;
    base::json::Omit<base::json::Raw> status;
    base::json::Spread<Attached> attached;
};
DESCRIBE(NotificationEntity, id, type, created_at, group_key, filtered, fallback, account, status, attached)

void append(
    std::string& out, const Notification& n, const base::json::Omit<Fallback>& fallback,
    const accounts::RenderedAccount& sender, const statuses::Page& page,
    const statuses::VisibilityFacts* status, const Attached* attached
) {
    out += "{\"id\":";
    base::json::write(out, n.id);
    out += ",\"type\":";
    base::json::write(out, word_of(n.type));
    out += ",\"created_at\":";
    base::json::write(out, n.created_at);
    out += ",\"group_key\":";
    base::json::write(out, n.group_key);
    if (n.filtered) out += ",\"filtered\":true";
    if (fallback.value) {
        out += ",\"fallback\":";
        base::json::write(out, *fallback.value);
    }
    out += ",\"account\":";
    sender.append_to(out, true);
    if (auto before = out.size(); status) {
        out += ",\"status\":";
        if (!page.append(out, *status)) out.resize(before);
    }
    const char* separator = ",";
    if (attached) base::json::write_members(out, separator, *attached);
    out += '}';
}

}  // namespace

std::vector<statuses::VisibilityFacts> shown_in(
    const std::vector<Notification>& found, const StatusFacts& facts
) {
    std::vector<statuses::VisibilityFacts> out;
    base::IdMap<StatusId, bool> seen;
    out.reserve(found.size());
    seen.reserve(found.size());
    for (const auto& n : found) {
        auto f = facts.find(n.status_id);
        if (f == facts.end() || std::exchange(seen[n.status_id], true)) continue;
        out.push_back(f->second);
    }
    return out;
}

std::string json_list(
    db::Read& db, const statuses::Audience& viewer, const std::vector<Notification>& found,
    const StatusFacts& facts, const SupportedTypes& supported
) {
    std::vector<accounts::Version> senders;
    for (const auto& n : found) senders.push_back({n.from_account_id, n.from_version});
    auto people = accounts::render(db, senders);
    auto shown = shown_in(found, facts);
    statuses::Page page(db, viewer, shown);
    auto things = attached(db, viewer, found);
    std::string out = "[";
    constexpr std::size_t opening_and_account = 2000;
    out.reserve(
        found.size() * (opening_and_account + page.weight(shown) / std::max<std::size_t>(1, shown.size()))
    );
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto& n = found[i];
        auto sender = people.find(n.from_account_id);
        if (sender == people.end()) continue;
        auto status = facts.find(n.status_id);
        if (!things.empty()) things[i].annual_report = {};  // included only in groups
        if (out.size() > 1) out += ',';
        append(
            out,
            n,
            fallback(db.site(), n.type, supported),
            *sender->second,
            page,
            status == facts.end() ? nullptr : &status->second,
            things.empty() ? nullptr : &things[i]
        );
    }
    out += ']';
    return out;
}

std::string json(
    db::Read& db, const statuses::Audience& viewer, const Notification& n, const StatusFacts& facts,
    const SupportedTypes& supported
) {
    auto list = json_list(db, viewer, {n}, facts, supported);
    if (list == "[]") throw base::NotFound();
    return list.substr(1, list.size() - 2);
}

void describe_notification(base::json::Components& all) { base::json::component<NotificationEntity>(all); }

}  // namespace notifications

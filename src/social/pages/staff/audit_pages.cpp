// SPDX-License-Identifier: AGPL-3.0-or-later
// The log of the team: who did what to whom.
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/moderation/audit.hpp"
#include "social/pages/staff/staff_page.hpp"

namespace pages {
namespace {

constexpr int a_page = 40;

// `about`: the number of an account; `by`: a handle.
struct ListForm {
    std::optional<std::int64_t> about, max_id;
    std::string by;
};
DESCRIBE(ListForm, about, max_id, by)

http::Response list(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, audit_part.any_of);
    if (who.answer()) return *who.answer();
    moderation::AuditFilter filter;
    if (form.about) filter.target = {"Account", *form.about};
    std::string_view name = form.by;
    if (name.starts_with('@')) name.remove_prefix(1);
    auto by = name.empty() ? std::nullopt : accounts::find_by_acct(db, name);
    if (!name.empty()) filter.actor = by ? by->id : base::AccountId{-1};  // an unknown one did nothing
    base::Range range;
    range.limit = a_page;
    if (form.max_id) range.below = *form.max_id;
    auto entries = moderation::audit_entries(db, range, filter);
    std::vector<base::AccountId> people;
    for (const auto& entry : entries) people.push_back(entry.actor_id);
    auto names = handles(db, people);
    instance::View view;
    view.set("BY", form.by).show_if(entries.empty(), "NONE");
    for (const auto& entry : entries) {
        auto& row = view.add("ENTRY");
        row.set("WHEN", minute_of(entry.at)).set("ACTION", entry.action).set("KIND", entry.target_kind);
        row.set("TARGET", entry.target_name);
        auto actor = names.find(entry.actor_id);
        if (actor != names.end()) row.add("ACTOR").set("HANDLE", actor->second);
        else row.add(entry.actor_id ? "NOBODY" : "OPERATOR");
        if (!entry.details.empty()) row.add("DETAILS").set("TEXT", entry.details);
    }
    if (entries.size() == a_page) {
        auto url = address_of(audit_part) + "?max_id=" + std::to_string(entries.back().id.value);
        if (form.about) url += "&about=" + std::to_string(*form.about);
        if (by) url += "&by=" + by->acct();
        view.add("OLDER").set("URL", url);
    }
    return staff_page(db, request, who, &audit_part, "staff_audit", "Log", {}, std::move(view));
}

constexpr http::Route table[] = {http::get<list>("/settings/moderation/audit")};

}  // namespace

std::span<const http::Route> audit_pages() { return table; }

}  // namespace pages

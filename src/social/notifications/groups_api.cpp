// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/notifications/group_entity.hpp"
#include "social/statuses/core/viewer_api.hpp"

#include <algorithm>

namespace notifications {
namespace {

using http::Viewer;

std::vector<std::string> grouped_of(const std::optional<std::vector<std::string>>& words) {
    auto all = groupable();
    if (!words) return all;
    std::vector<std::string> out;
    for (const auto& word : *words)
        if (auto type = type_named(word))
            if (std::string stored(base::word(*type)); std::ranges::find(all, stored) != all.end())
                out.push_back(stored);
    return out;
}

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
    std::vector<std::string> types, exclude_types;
    bool include_filtered = false;
    std::optional<std::vector<std::string>> grouped_types, supported_types;
    std::optional<std::string> expand_accounts;
};
DESCRIBE(
    PageForm, max_id, since_id, min_id, limit, types, exclude_types, include_filtered, grouped_types,
    supported_types, expand_accounts
)

// Whether avatars are sufficient for all but the first account of a group.
bool partial_avatars(const std::optional<std::string>& expand) {
    if (!expand || expand->empty() || *expand == "full") return false;
    if (*expand != "partial_avatars")
        throw base::BadRequest("Invalid value for 'expand_accounts': allowed are 'full' and 'partial_avatars'"
        );
    return true;
}

http::RawPage index(db::Read& db, const Viewer& me, const PageForm& form) {
    Wanted wanted{true, partial_avatars(form.expand_accounts), form.supported_types};
    auto viewer = statuses::audience(db, me);
    auto which = filter_of(form.types, form.exclude_types, me.permissions);
    which.include_filtered = form.include_filtered;
    StatusFacts facts;
    auto found = groups(db, viewer, http::range_of(form), {which, grouped_of(form.grouped_types)}, facts);
    http::RawPage page{results(db, viewer, found, facts, wanted).text, {}};
    if (!found.empty())
        page.cursors = base::cursors_of(found.front().head.id.value, found.back().head.id.value, true, false);
    return page;
}

struct CountForm {
    http::Limit<100, 1000> limit;
    std::vector<std::string> types, exclude_types;
    std::optional<std::vector<std::string>> grouped_types;
};
DESCRIBE(CountForm, limit, types, exclude_types, grouped_types)

struct Count {
    std::int64_t count = 0;
};
DESCRIBE(Count, count)

Count unread(db::Read& db, const Viewer& me, const CountForm& form) {
    GroupFilter filter{
        filter_of(form.types, form.exclude_types, me.permissions), grouped_of(form.grouped_types)
    };
    return {unread_groups(db, me.account, form.limit.value, filter)};
}

struct ByKey {
    std::string group_key;
    std::optional<std::vector<std::string>> supported_types;
};
DESCRIBE(ByKey, group_key, supported_types)

base::json::Raw show(db::Read& db, const Viewer& me, const ByKey& path) {
    auto viewer = statuses::audience(db, me);
    StatusFacts facts;
    auto one = group(db, viewer, path.group_key, facts);
    if (!goes_with(one.head.type, me.permissions)) throw base::NotFound();
    return results(db, viewer, {one}, facts, {false, false, path.supported_types});
}

void dismiss_one(db::Write& db, const Viewer& me, const ByKey& path) {
    dismiss_group(db, me.account, path.group_key);
}

void clear_all(db::Write& db, const Viewer& me) { clear(db, me.account); }

struct MembersForm {
    std::string group_key;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(MembersForm, group_key, max_id, since_id, min_id, limit)

http::RawPage people(db::Read& db, const Viewer& me, const MembersForm& form) {
    auto found = members(db, me.account, form.group_key, http::range_of(form));
    std::vector<accounts::Version> versions;
    for (const auto& member : found) versions.push_back({member.account_id, member.version});
    auto rendered = accounts::render(db, versions);
    std::string body = "[";
    for (const auto& member : found) {
        auto account = rendered.find(member.account_id);
        if (account == rendered.end()) continue;
        if (body.size() > 1) body += ',';
        account->second->append_to(body, true);
    }
    http::RawPage page{body + "]", {}};
    bool full = found.size() == static_cast<std::size_t>(form.limit.value);
    if (!found.empty())
        page.cursors = base::cursors_of(found.front().id.value, found.back().id.value, full, false);
    return page;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>        ("/api/v2/notifications",                     "read:notifications").answering("GroupedNotificationsResults"),
    http::get<unread>       ("/api/v2/notifications/unread_count",        "read:notifications"),
    http::get<show>         ("/api/v2/notifications/:group_key",          "read:notifications").answering("GroupedNotificationsResults"),
    http::get<people>       ("/api/v2/notifications/:group_key/accounts", "read:notifications").answering("Account[]"),
    http::post<clear_all>   ("/api/v2/notifications/clear",               "write:notifications"),
    http::post<dismiss_one> ("/api/v2/notifications/:group_key/dismiss",  "write:notifications"),
};
// clang-format on

}  // namespace

std::span<const http::Route> group_routes() { return table; }

}  // namespace notifications

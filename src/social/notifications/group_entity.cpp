// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/group_entity.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <unordered_set>

namespace notifications {

namespace {

// Accounts without duplicates, in the order of first reference: complete ones, and those with only an avatar.
struct People {
    std::vector<accounts::Version> whole, partial;
};

People people_of(const std::vector<Group>& groups, bool partial_avatars) {
    People people;
    std::unordered_set<AccountId> seen;
    auto take = [&](const accounts::Version& account, std::vector<accounts::Version>& into) {
        if (seen.insert(account.id).second) into.push_back(account);
    };
    if (partial_avatars)
        for (const auto& group : groups)
            if (!group.samples.empty()) take(group.samples[0], people.whole);
    for (const auto& group : groups)
        for (const auto& account : group.samples)
            take(account, partial_avatars ? people.partial : people.whole);
    return people;
}

std::size_t weight(const accounts::RenderedAccounts& all) {
    constexpr std::size_t around = 64;
    std::size_t bytes = 0;
    for (const auto& [id, account] : all) bytes += account->json.size() + around;
    return bytes;
}

void append_accounts(
    std::string& out, const std::vector<accounts::Version>& wanted, const accounts::RenderedAccounts& rendered
) {
    const char* separator = "";
    out += '[';
    for (const auto& account : wanted) {
        auto found = rendered.find(account.id);
        if (found == rendered.end()) continue;
        out += separator;
        separator = ",";
        found->second->append_to(out, true);
    }
    out += ']';
}

GroupEntity entity(const base::Site& site, const Group& group, Attached attached, const Wanted& wanted) {
    GroupEntity e;
    e.group_key = group.key;
    e.notifications_count = group.count;
    e.type = word_of(group.head.type);
    e.most_recent_notification_id = group.newest.value;
    if (wanted.page) {
        e.page_min_id = group.oldest_of_page;
        e.page_max_id = group.newest;
        e.latest_page_notification_at = group.latest;
    }
    e.fallback = fallback(site, group.head.type, wanted.supported);
    for (const auto& account : group.samples) e.sample_account_ids.push_back(account.id);
    if (group.head.status_id) e.status_id = group.head.status_id;
    e.attached.value = std::move(attached);
    return e;
}

}  // namespace

base::json::Raw results(
    db::Read& db, const statuses::Audience& viewer, const std::vector<Group>& groups,
    const StatusFacts& facts, const Wanted& wanted
) {
    auto people = people_of(groups, wanted.partial_avatars);
    auto accounts = accounts::render(db, people.whole);
    std::vector<Notification> heads;
    heads.reserve(groups.size());
    for (const auto& group : groups) heads.push_back(group.head);
    auto shown = shown_in(heads, facts);
    statuses::Page page(db, viewer, shown);
    std::string out;
    constexpr std::size_t of_group = 800;
    out.reserve(weight(accounts) + page.weight(shown) + groups.size() * of_group);
    out += "{\"accounts\":";
    append_accounts(out, people.whole, accounts);
    if (wanted.partial_avatars)
        out += ",\"partial_accounts\":" + accounts::render_partial(db, people.partial);
    out += ",\"statuses\":";
    page.append_list(out, shown);
    auto things = attached(db, viewer, heads);
    std::vector<GroupEntity> entities;
    entities.reserve(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i)
        entities.push_back(
            entity(db.site(), groups[i], things.empty() ? Attached{} : std::move(things[i]), wanted)
        );
    out += ",\"notification_groups\":";
    base::json::write(out, entities);
    out += '}';
    return {std::move(out)};
}

}  // namespace notifications

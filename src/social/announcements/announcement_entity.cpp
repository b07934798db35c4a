// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/announcements/announcement_entity.hpp"

#include "base/json_read.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/announcements/reaction.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <algorithm>

namespace announcements {

namespace {

template <class T>
std::vector<T> read_list(const std::string& json) {
    return base::json::read<std::vector<T>>(json);
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// Everything that the announcements reference.
struct Loaded {
    std::vector<accounts::Account> accounts;
    std::vector<std::pair<StatusId, std::string>> statuses;
    std::vector<Counted> reactions;
    std::vector<emojis::Emoji> emojis;
    std::vector<AnnouncementId> dismissed;
    emojis::InTexts in_texts;
};

void load_statuses(
    db::Read& db, const statuses::Audience& viewer, const std::vector<StatusId>& ids, Loaded& out
) {
    auto facts = statuses::visibility_facts(db, viewer, ids);
    std::erase_if(facts, [&](const statuses::VisibilityFacts& f) { return !statuses::visible(f, viewer); });
    auto bodies = statuses::json_each(db, viewer, facts);
    for (std::size_t i = 0; i < facts.size(); ++i)
        out.statuses.emplace_back(facts[i].id, std::move(bodies[i]));
}

Loaded load(db::Read& db, const statuses::Audience& viewer, const std::vector<Announcement>& all) {
    Loaded out;
    std::vector<AnnouncementId> ids;
    std::vector<AccountId> mentioned;
    std::vector<StatusId> linked;
    for (const auto& a : all) {
        ids.push_back(a.id);
        append(mentioned, read_list<AccountId>(a.mentions));
        append(linked, read_list<StatusId>(a.statuses));
        out.in_texts.add(a.html, "");
    }
    if (!mentioned.empty()) out.accounts = accounts::accounts(db, mentioned);
    if (!linked.empty()) load_statuses(db, viewer, linked, out);
    out.in_texts.load(db);
    out.dismissed = dismissed(db, viewer.viewer);
    out.reactions = reactions(db, ids, viewer.viewer);
    std::vector<base::EmojiId> custom;
    for (const auto& r : out.reactions)
        if (r.custom_emoji_id) custom.push_back(r.custom_emoji_id);
    if (!custom.empty()) out.emojis = emojis::by_id(db, custom);
    return out;
}

std::vector<Mentioned> mentions(const base::Site& site, const Announcement& a, const Loaded& all) {
    std::vector<Mentioned> out;
    for (auto id : read_list<AccountId>(a.mentions)) {
        auto account = std::ranges::find(all.accounts, id, &accounts::Account::id);
        if (account == all.accounts.end()) continue;
        out.push_back({id, account->username, accounts::url_of(site, *account), account->acct()});
    }
    return out;
}

std::vector<Reaction> reactions(const base::Site& site, const Announcement& a, const Loaded& all) {
    std::vector<Reaction> out;
    for (const auto& r : all.reactions) {
        if (r.announcement_id != a.id) continue;
        out.push_back({r.name, r.count, r.me, {}, {}});
        auto emoji = std::ranges::find(all.emojis, r.custom_emoji_id, &emojis::Emoji::id);
        if (emoji == all.emojis.end()) continue;
        out.back().url = site.media(emoji->file);
        out.back().static_url = site.media(emoji->static_file);
    }
    return out;
}

Entity entity(const base::Site& site, const Announcement& a, const Loaded& all) {
    Entity out;
    out.id = a.id;
    out.content = a.html;
    out.starts_at = a.starts_at;
    out.ends_at = a.ends_at;
    out.all_day = a.all_day;
    out.published_at = a.published_at;
    out.updated_at = a.updated_at;
    out.read = std::ranges::find(all.dismissed, a.id) != all.dismissed.end();
    out.mentions = mentions(site, a, all);
    for (auto id : read_list<StatusId>(a.statuses))
        for (const auto& [status, body] : all.statuses)
            if (status == id) out.statuses.push_back({body});
    for (const auto& name : read_list<std::string>(a.tags))
        out.tags.push_back({name, base::uris::tag_page(site, name)});
    out.emojis = {all.in_texts.used(site, {a.html}, "")};
    out.reactions = reactions(site, a, all);
    return out;
}

}  // namespace

std::vector<Entity> entities(
    db::Read& db, const statuses::Audience& viewer, const std::vector<Announcement>& announcements
) {
    std::vector<Entity> out;
    if (announcements.empty()) return out;
    auto all = load(db, viewer, announcements);
    for (const auto& a : announcements) out.push_back(entity(db.site(), a, all));
    return out;
}

}  // namespace announcements

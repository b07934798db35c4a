// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account_entity.hpp"

#include "base/cache.hpp"
#include "base/json_read.hpp"
#include "social/accounts/profile/featuring.hpp"
#include "social/accounts/profile/picture.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/emojis/emoji.hpp"

#include <algorithm>

namespace accounts {

namespace {

struct FieldEntity {
    static constexpr std::string_view entity = "Field";

    std::string name, value;
    std::optional<Time> verified_at;
};
DESCRIBE(FieldEntity, name, value, verified_at)

struct AccountRole {
    base::RoleId id;
    std::string name, color;
};
DESCRIBE(AccountRole, id, name, color)

// Entity Account, except for `feature_approval`, which is last in the JSON and depends on the viewer.
struct Entity {
    static constexpr base::json::RawMember raw_members[] = {{"emojis", "CustomEmoji[]"}};

    AccountId id;
    std::string username, acct, display_name;
    bool locked = false, bot = false;
    std::optional<bool> discoverable;
    bool indexable = false, group = false;
    Time created_at;
    std::string note, url, uri, avatar, avatar_static, avatar_description, header, header_static,
        header_description;
    std::int64_t followers_count = 0, following_count = 0, statuses_count = 0;
    std::optional<base::Date> last_status_at;
    std::optional<bool> hide_collections;
    bool show_media = true, show_media_replies = true, show_featured = true;
    base::json::Omit<bool> noindex, email_subscriptions;
    base::json::Omit<base::json::Raw> moved;
    base::json::Omit<bool> suspended, limited, memorial;
    base::json::Raw emojis;
    std::vector<FieldEntity> fields;
    base::json::Omit<std::vector<AccountRole>> roles;
};
DESCRIBE(
    Entity, id, username, acct, display_name, locked, bot, discoverable, indexable, group, created_at, note,
    url, uri, avatar, avatar_static, avatar_description, header, header_static, header_description,
    followers_count, following_count, statuses_count, last_status_at, hide_collections, show_media,
    show_media_replies, show_featured, noindex, email_subscriptions, moved, suspended, limited, memorial,
    emojis, fields, roles
)

struct RoleRow {
    AccountId account_id;
    base::RoleId id;
    std::string name, color;
};
DESCRIBE(RoleRow, account_id, id, name, color)

base::Cache<RenderedAccount>& kept() {
    static base::Cache<RenderedAccount> cache(8 << 20);
    return cache;
}

// The text in which emojis are searched: remote notes have no source.
const std::string& note_of(const Account& a) { return a.local() ? a.note : a.note_html; }

Entity blanked(const base::Site& site, const Account& a) {
    Entity e;
    e.id = a.id;
    e.username = a.username;
    e.acct = a.acct();
    e.created_at = a.created_at.midnight();
    e.url = url_of(site, a);
    e.uri = uri_of(site, a);
    e.avatar = e.avatar_static = site.asset("avatars/missing.png");
    e.header = e.header_static = site.asset("headers/missing.png");
    e.discoverable = false;
    e.hide_collections = a.hide_collections;
    e.suspended = true;
    e.emojis = {"[]"};
    if (a.local()) {
        e.noindex = noindex(a);
        e.roles = std::vector<AccountRole>{};
    }
    return e;
}

Entity entity(
    const base::Site& site, const Account& a, const emojis::InTexts& emojis, const std::vector<RoleRow>& roles
) {
    if (a.suspended_at) return blanked(site, a);
    Entity e = blanked(site, a);
    e.suspended = {};
    e.display_name = a.display_name;
    e.locked = a.locked;
    e.bot = a.actor_type == "Service" || a.actor_type == "Application";
    e.group = a.actor_type == "Group";
    e.discoverable = a.discoverable;
    e.indexable = a.indexable;
    e.note = a.note_html;
    e.avatar = picture_address(site, a, PictureOf::avatar);
    e.avatar_static = picture_address(site, a, PictureOf::avatar_static);
    e.avatar_description = a.avatar_description;
    e.header = picture_address(site, a, PictureOf::header);
    e.header_static = picture_address(site, a, PictureOf::header_static);
    e.header_description = a.header_description;
    e.followers_count = a.followers_count;
    e.following_count = a.following_count;
    e.statuses_count = a.statuses_count;
    if (a.last_status_at) e.last_status_at = base::Date{a.last_status_at->ms};
    e.show_media = a.show_media;
    e.show_media_replies = a.show_media_replies;
    e.show_featured = a.show_featured;
    if (a.silenced_at) e.limited = true;
    if (a.memorial) e.memorial = true;
    e.emojis = {emojis.used(site, {a.display_name, note_of(a), a.fields}, a.domain)};
    for (auto& field : fields_of(a)) e.fields.push_back({field.name, field.value_html, field.verified_at});
    for (const auto& role : roles)
        if (role.account_id == a.id && e.roles.value)
            e.roles.value->push_back({role.id, role.name, role.color});
    return e;
}

std::string words(std::int64_t groups) {
    constexpr std::pair<std::int64_t, const char*> names[] = {
        {FeaturePolicy::public_, "\"public\""},
        {FeaturePolicy::followers, "\"followers\""},
        {FeaturePolicy::following, "\"following\""},
    };
    std::string out = "[";
    for (const auto& [group, word] : names)
        if ((groups & group) != 0) (out += out.size() > 1 ? "," : "") += word;
    return out + "]";
}

Rendered rendered(const Account& a, const Entity& entity) {
    auto out = std::make_shared<RenderedAccount>();
    const char* separator = "";
    out->json = "{";
    base::json::write_members(out->json, separator, entity);
    auto policy = feature_policy(a);
    out->json += ",\"feature_approval\":{\"automatic\":" + words(policy.automatic) +
                 ",\"manual\":" + words(policy.manual) + ",\"current_user\":\"";
    out->user_word = base::word(approval_for(policy, {}));
    return out;
}

}  // namespace

std::vector<Field> fields_of(const Account& a) {
    if (a.fields.empty() || a.fields == "[]") return {};
    return base::json::read<std::vector<Field>>(a.fields);
}

const db::Query<RoleRow> highlighted_roles{
    "highlighted_roles",
    R"(SELECT u.account_id, r.id, r.name, r.color FROM users u JOIN roles r ON r.id = u.role_id
       WHERE u.account_id IN (SELECT value FROM json_each($1)) AND r.highlighted = TRUE)",
    R"(SELECT u.account_id, r.id, r.name, r.color FROM users u JOIN roles r ON r.id = u.role_id
       WHERE u.account_id = ANY((SELECT $1::bigint[])::bigint[]) AND r.highlighted = TRUE)"
};

namespace {

void render_rows(db::Read& db, const std::vector<Account>& rows, RenderedAccounts& out, bool follow_moves) {
    if (rows.empty()) return;
    emojis::InTexts emojis;
    std::vector<AccountId> local;
    RenderedAccounts targets;
    std::vector<AccountId> moved_to;
    for (const auto& a : rows) {
        for (const auto* text : {&a.display_name, &note_of(a), &a.fields}) emojis.add(*text, a.domain);
        if (a.local()) local.push_back(a.id);
        if (a.moved_to_id && follow_moves) moved_to.push_back(a.moved_to_id);
    }
    emojis.load(db);
    if (!local.empty()) db.expect(highlighted_roles, local);
    bool letters = !local.empty() && digests_are_offered(db);
    auto offering = letters ? offering_digests(db, local) : std::vector<AccountId>{};
    auto roles = local.empty() ? std::vector<RoleRow>{} : db.all(highlighted_roles, local);
    if (!moved_to.empty()) render_rows(db, accounts(db, moved_to), targets, false);
    for (const auto& a : rows) {
        auto e = entity(db.site(), a, emojis, roles);
        if (auto target = targets.find(a.moved_to_id); target != targets.end() && !a.suspended_at)
            e.moved = base::json::Raw{target->second->for_viewer(false)};
        if (letters && a.local()) e.email_subscriptions = std::ranges::find(offering, a.id) != offering.end();
        out[a.id] = rendered(a, e);
    }
}

}  // namespace

void expect_rendered(db::Read& db, Version wanted) {
    if (!kept().find({wanted.id.value, wanted.version})) expect_accounts(db, {wanted.id});
}

RenderedAccounts render(db::Read& db, std::span<const Version> wanted) {
    RenderedAccounts out;
    out.reserve(wanted.size());
    std::vector<AccountId> missing;
    for (auto [id, version] : wanted) {
        if (!id || out.contains(id)) continue;
        if (auto found = kept().find({id.value, version})) out.emplace(id, std::move(found));
        else if (std::ranges::find(missing, id) == missing.end()) missing.push_back(id);
    }
    if (missing.empty()) return out;
    auto rows = accounts(db, missing);
    render_rows(db, rows, out, true);
    for (const auto& a : rows) {
        const auto& made = out[a.id];
        if (db.is_committed()) kept().put({a.id.value, a.version}, made, made->json.size());
    }
    return out;
}

Rendered render(db::Read& db, const Account& a) {
    if (auto found = kept().find({a.id.value, a.version})) return found;
    RenderedAccounts out;
    render_rows(db, {a}, out, true);
    if (db.is_committed()) kept().put({a.id.value, a.version}, out[a.id], out[a.id]->json.size());
    return out[a.id];
}

std::string render_list(db::Read& db, const std::vector<AccountId>& ids, bool logged_in) {
    RenderedAccounts found;
    render_rows(db, accounts(db, ids), found, true);
    std::string out = "[";
    for (auto id : ids) {
        auto rendered = found.find(id);
        if (rendered == found.end()) continue;
        if (out.size() > 1) out += ',';
        rendered->second->append_to(out, logged_in);
    }
    return out + "]";
}

void describe_account(base::json::Components& all) {
    base::json::ObjectSchema account, approval;
    base::json::add_members<Entity>(account, all);
    approval.add("automatic", base::json::reference("string[]"), true);
    approval.add("manual", base::json::reference("string[]"), true);
    approval.add("current_user", base::json::reference("string"), true);
    account.add("feature_approval", approval.text(), true);
    all.put("Account", account.text());
}

}  // namespace accounts

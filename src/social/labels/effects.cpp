// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/labels/effects.hpp"

#include "base/cache.hpp"
#include "base/json.hpp"
#include "social/accounts/account.hpp"
#include "social/labels/use.hpp"

#include <algorithm>
#include <set>

namespace labels {

const db::Query<Choice> label_choices_of{
    "label_choices_of", "SELECT label_id, effect FROM label_choices WHERE account_id = $1 ORDER BY label_id"
};
const db::Command put_label_choice{
    "put_label_choice",
    R"(INSERT INTO label_choices (account_id, label_id, effect) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, label_id) DO UPDATE SET effect = excluded.effect)"
};
const db::Command delete_label_choice{
    "delete_label_choice", "DELETE FROM label_choices WHERE account_id = $1 AND label_id = $2"
};
const db::Command drop_own_label_choices{
    "drop_own_label_choices",
    R"(DELETE FROM label_choices WHERE account_id = $1 AND label_id IN (
           SELECT label_id FROM label_choices WHERE account_id = $1 ORDER BY label_id LIMIT $2))"
};

namespace {

struct ServerOf {
    AccountId id;
    std::string domain;
};
DESCRIBE(ServerOf, id, domain)

}  // namespace

// The table accounts belongs to accounts.
const db::Query<ServerOf> servers_of_accounts{
    "servers_of_accounts", "SELECT id, domain FROM accounts WHERE id IN LIST($1) AND domain <> ''"
};

namespace {

using Choices = std::vector<Choice>;

base::Cache<Choices>& kept() {
    static base::Cache<Choices> cache(8 << 20);
    return cache;
}

std::shared_ptr<const Choices> kept_choices(db::Read& db, AccountId account, std::int64_t version) {
    if (auto found = kept().find({account.value, version})) return found;
    auto made = std::make_shared<const Choices>(choices_of(db, account));
    if (db.is_committed()) kept().put({account.value, version}, made, made->size() * sizeof(Choice));
    return made;
}

// The effect of each label that has one for the viewer.
std::map<LabelId, LabelEffect> wanted(const Table& table, const Choices& choices) {
    std::map<LabelId, LabelEffect> out;
    for (const auto& [id, label] : table.labels) {
        const auto chosen = std::ranges::find(choices, id, &Choice::label_id);
        const auto effect = chosen == choices.end() ? label.effect : chosen->effect;
        if (effect != LabelEffect::none) out.emplace(id, effect);
    }
    return out;
}

using Marks = std::unordered_map<std::int64_t, std::vector<LabelId>>;

Marks marks_of(const std::vector<Found>& found) {
    Marks out;
    for (const auto& one : found) out[one.subject_id].push_back(one.label_id);
    return out;
}

Marks server_marks(db::Read& db, const Table& table, const std::vector<AccountId>& authors) {
    Marks out;
    if (table.servers.empty()) return out;
    for (const auto& one : db.all(servers_of_accounts, authors))
        if (auto found = table.on_server(one.domain); !found.empty()) out[one.id.value] = std::move(found);
    return out;
}

void add(std::set<LabelId>& to, const Marks& marks, std::int64_t of) {
    if (const auto found = marks.find(of); found != marks.end())
        to.insert(found->second.begin(), found->second.end());
}

}  // namespace

std::vector<Choice> choices_of(db::Read& db, AccountId account) { return db.all(label_choices_of, account); }

bool chooses(db::Read& db, AccountId account, std::int64_t relations_version) {
    return table(db) && !kept_choices(db, account, relations_version)->empty();
}

void choose(db::Write& db, AccountId account, LabelId id, std::optional<LabelEffect> effect) {
    label(db, id);
    if (effect) db.run(put_label_choice, account, id, *effect);
    else db.run(delete_label_choice, account, id);
    accounts::touch_relations(db, account);
    db.announce({"user:" + std::to_string(account.value), "filters_changed", ""});
}

std::unordered_map<StatusId, std::vector<Applying>> applying(
    db::Read& db, AccountId viewer, std::int64_t relations_version, std::span<const Posted> posts
) {
    std::unordered_map<StatusId, std::vector<Applying>> out;
    const auto all = table(db);
    if (!all) return out;
    const auto effects = wanted(*all, *kept_choices(db, viewer, relations_version));
    std::vector<StatusId> statuses;
    std::vector<AccountId> authors;
    for (const auto& post : posts) {
        if (post.author == viewer) continue;
        statuses.push_back(post.status);
        authors.push_back(post.author);
    }
    if (effects.empty() || statuses.empty()) return out;
    const auto found = labels_among(db, statuses, authors);
    const auto on_statuses = marks_of(found.on_statuses), on_accounts = marks_of(found.on_accounts),
               on_servers = server_marks(db, *all, authors);
    for (const auto& post : posts) {
        if (post.author == viewer || out.contains(post.status)) continue;
        std::set<LabelId> borne;
        add(borne, on_statuses, post.status.value);
        add(borne, on_accounts, post.author.value);
        add(borne, on_servers, post.author.value);
        for (const auto wanted : {LabelEffect::hide, LabelEffect::warn})
            for (const auto id : borne)
                if (const auto effect = effects.find(id); effect != effects.end() && effect->second == wanted)
                    out[post.status].push_back({*all->find(id), wanted});
    }
    return out;
}

// As a filter.

namespace {

struct LabelFilter {
    std::string id, title;
    base::json::Raw context;
    std::optional<Time> expires_at;
    LabelEffect filter_action = LabelEffect::warn;
};
DESCRIBE(LabelFilter, id, title, context, expires_at, filter_action)

struct LabelResult {
    LabelFilter filter;
    std::vector<std::string> keyword_matches;
    std::optional<std::vector<StatusId>> status_matches;
};
DESCRIBE(LabelResult, filter, keyword_matches, status_matches)

}  // namespace

std::string filter_results(std::span<const Applying> all) {
    std::vector<LabelResult> results;
    for (const auto& [label, effect] : all) {
        auto& one = results.emplace_back();
        one.filter.id = "label-" + std::to_string(label.id.value);
        one.filter.title = label.title;
        one.filter.context = {R"(["home","notifications","public","thread","account"])"};
        one.filter.filter_action = effect;
        one.keyword_matches = {label.name};
    }
    return base::json::to_string(results);
}

}  // namespace labels

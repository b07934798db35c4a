// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/site_setting.hpp"

#include "social/instance/settings.hpp"

#include <algorithm>
#include <charconv>

namespace instance {

namespace {

constexpr std::size_t longest_text = 2000, longest_list = 20'000;

const std::vector<std::string> audiences{"disabled", "users", "all"};

std::vector<SiteSetting> stored_here() {
    using enum SettingKind;
    return {
        {"trends", yes_or_no, "true"},
        {"trendable_by_default", yes_or_no, "false"},
        {"profile_directory", yes_or_no, "true"},
        {"noindex", yes_or_no, "false"},
        {"show_domain_blocks", choice, audiences[0], audiences},
        {"show_domain_blocks_rationale", choice, audiences[0], audiences},
    };
}

std::vector<SiteSetting>& all() {
    static std::vector<SiteSetting> settings = stored_here();
    return settings;
}

constexpr std::string_view option_prefix = "option_";

std::string stored_name(const SiteSetting& one) {
    return one.option ? std::string(option_prefix) + one.name : one.name;
}

[[noreturn]] void refuse(const SiteSetting& one, const std::string& value) {
    throw base::Invalid("\"" + value + "\" is not possible for " + one.name);
}

void check_number(const SiteSetting& one, const std::string& value) {
    int number = 0;
    const auto end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, number);
    if (read.ec == std::errc{} && read.ptr == end && number >= one.least && number <= one.most) return;
    throw base::Invalid(
        one.name + " is a number from " + std::to_string(one.least) + " to " + std::to_string(one.most)
    );
}

void check(const SiteSetting& one, const std::string& value) {
    const auto most = one.kind == SettingKind::list ? longest_list : longest_text;
    if (value.size() > most) throw base::Invalid("The text for " + one.name + " is too long");
    switch (one.kind) {
        case SettingKind::text:
        case SettingKind::list: return;
        case SettingKind::number: return check_number(one, value);
        case SettingKind::yes_or_no:
            if (value != "true" && value != "false") refuse(one, value);
            return;
        case SettingKind::choice:
            if (std::ranges::find(one.choices, value) == one.choices.end()) refuse(one, value);
            return;
    }
}

#define CHANGES "SELECT id, name, actor_id, at, before_value, after_value FROM setting_changes "

const db::Query<SettingChange> changes_down{
    "setting_changes_down", CHANGES "WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<SettingChange> changes_of_setting{
    "changes_of_setting", CHANGES "WHERE name = $1 ORDER BY id DESC LIMIT $2"
};
const db::Query<SettingChange> setting_change_by_id{"setting_change_by_id", CHANGES "WHERE id = $1"};
const db::Command insert_setting_change{
    "insert_setting_change",
    R"(INSERT INTO setting_changes (id, name, actor_id, at, before_value, after_value)
       VALUES ($1, $2, $3, $4, $5, $6))"
};
// In the statement itself, so that concurrent changes on PostgreSQL get different versions.
const db::Command next_version_of_options{
    "next_version_of_options",
    R"(INSERT INTO settings (name, value) VALUES ('options_version', '1')
       ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(settings.value AS BIGINT) + 1 AS TEXT))"
};
struct StoredOption {
    std::string name, value;
};
DESCRIBE(StoredOption, name, value)
const db::Query<StoredOption> stored_option_rows{
    "stored_option_rows", "SELECT name, value FROM settings WHERE name IN LIST($1)"
};

void store(
    db::Write& db, base::AccountId by, const SiteSetting& one, const std::optional<std::string>& before,
    const std::optional<std::string>& after
) {
    if (after) set_setting(db, stored_name(one), *after);
    else remove_setting(db, stored_name(one));
    const auto id = db.new_id<SettingChangeId>();
    db.run(insert_setting_change, id, one.name, by, db.now(), before, after);
    if (!one.option) return;
    db.run(next_version_of_options);
    db.announce({std::string(options_channel), {}, {}});
}

void require_free(const SiteSetting& one) {
    if (!one.set_at.empty())
        throw base::Invalid(one.name + " is set in the configuration of the server, which wins");
}

}  // namespace

void use_options(std::vector<SiteSetting> options) {
    for (auto& one : stored_here()) options.push_back(std::move(one));
    all() = std::move(options);
}

std::span<const SiteSetting> site_settings() { return all(); }

const SiteSetting& site_setting(std::string_view name) {
    const auto found = std::ranges::find(all(), name, &SiteSetting::name);
    if (found == all().end()) throw base::NotFound();
    return *found;
}

std::string value_of(db::Read& db, const SiteSetting& one) {
    if (!one.set_at.empty()) return one.value;
    return setting(db, stored_name(one)).value_or(one.value);
}

std::int64_t version_of_options(db::Read& db) {
    const auto stored = setting(db, "options_version");
    return stored ? std::stoll(*stored) : 0;
}

StoredOptions stored_options(db::Read& db) {
    std::vector<std::string> names;
    for (const auto& one : all())
        if (one.option) names.push_back(one.name);
    return stored_options_named(db, names);
}

StoredOptions stored_options_named(db::Read& db, std::span<const std::string> names) {
    StoredOptions out{version_of_options(db), {}};
    std::vector<std::string> stored;
    for (const auto& name : names) stored.push_back(std::string(option_prefix) + name);
    for (auto& [name, value] : db.all(stored_option_rows, stored))
        out.values[name.substr(option_prefix.size())] = value;
    return out;
}

void require_possible(const SiteSetting& one, const std::string& value) {
    require_free(one);
    check(one, value);
}

bool set(db::Write& db, base::AccountId by, const SiteSetting& one, const std::string& value) {
    require_possible(one, value);
    const auto before = setting(db, stored_name(one));
    if (before.value_or(one.value) == value) return false;
    store(db, by, one, before, value);
    return true;
}

std::string undo(db::Write& db, base::AccountId by, SettingChangeId id) {
    const auto change = db.one(setting_change_by_id, id);
    const auto& one = site_setting(change.name);
    require_free(one);
    const auto latest = setting_changes(db, change.name, 1);
    if (latest.front().id != id) throw base::Invalid("It was changed again since, so it is not taken back");
    if (change.before_value) check(one, *change.before_value);
    store(db, by, one, change.after_value, change.before_value);
    return change.name;
}

std::vector<SettingChange> setting_changes(db::Read& db, const base::Range& range) {
    return db.all(changes_down, range.below, range.above, range.limit);
}

std::vector<SettingChange> setting_changes(db::Read& db, std::string_view name, int limit) {
    return db.all(changes_of_setting, name, limit);
}

}  // namespace instance

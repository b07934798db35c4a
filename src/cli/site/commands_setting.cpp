// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/accounts/users/role.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/site/site_acts.hpp"

#include <algorithm>

namespace server {

namespace {

using instance::SiteSetting;

struct ShownSetting {
    std::string name, value, from;  // "default", "stored", or the place that sets it
};
DESCRIBE(ShownSetting, name, value, from)

ShownSetting shown(db::Read& db, const SiteSetting& one) {
    auto value = instance::value_of(db, one);
    const bool usual = value == one.value;
    return {one.name, std::move(value), !one.set_at.empty() ? one.set_at : usual ? "default" : "stored"};
}

const SiteSetting& known(const std::string& name) {
    const auto all = instance::site_settings();
    const auto found = std::ranges::find(all, name, &SiteSetting::name);
    if (found == all.end())
        throw Refused("There is no setting \"" + name + "\"; `dunlin setting list` shows them all");
    return *found;
}

std::string cell(const std::optional<std::string>& value) {
    if (!value) return "(as configured)";
    std::string line = value->empty() ? "-" : *value;
    std::ranges::replace(line, '\n', ' ');
    return line;
}

void say(const ShownSetting& now) { print(now.name + " = " + cell(now.value)); }

}  // namespace

int list_settings(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    std::vector<ShownSetting> all;
    cli.read([&](db::Read& db) {
        for (const auto& one : instance::site_settings()) all.push_back(shown(db, one));
    });
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"SETTING", "VALUE", "FROM"}};
    for (const auto& one : all) rows.push_back({one.name, cell(one.value), one.from});
    print_table(rows);
    return 0;
}

int get_setting(const Settings& settings, const SettingOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto& setting = known(order.name);
    const auto now = cli.read([&](db::Read& db) { return shown(db, setting); });
    if (settings.json) return print_json(now), 0;
    print(now.value);
    return 0;
}

int set_setting(const Settings& settings, const SettingOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto& setting = known(order.name);
    if (!setting.set_at.empty())
        throw Refused(
            order.name + " is set by " + setting.set_at +
            ", which wins: change it there, or take it away there"
        );
    cli.write([&](db::Write& db) {
        moderation::change_settings(db, accounts::the_operator(), {{order.name, order.value}});
    });
    const auto now = cli.read([&](db::Read& db) { return shown(db, setting); });
    if (settings.json) print_json(now);
    else say(now);
    return 0;
}

int undo_setting(const Settings& settings, const SettingOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto& setting = known(order.name);
    cli.write([&](db::Write& db) {
        const auto last = instance::setting_changes(db, order.name, 1);
        if (last.empty()) throw Refused(order.name + " was never changed");
        moderation::undo_setting(db, accounts::the_operator(), last.front().id);
    });
    const auto now = cli.read([&](db::Read& db) { return shown(db, setting); });
    if (settings.json) print_json(now);
    else say(now);
    return 0;
}

int show_setting_history(const Settings& settings, const SettingOrder& order) {
    constexpr int most = 100;
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    std::vector<instance::SettingChange> all;
    std::vector<std::vector<std::string>> rows{{"AT", "SETTING", "FROM", "TO", "BY"}};
    if (!order.name.empty()) known(order.name);
    cli.read([&](db::Read& db) {
        base::Range latest;
        latest.limit = most;
        all = order.name.empty() ? instance::setting_changes(db, latest)
                                 : instance::setting_changes(db, order.name, most);
        for (const auto& one : all) {
            rows.push_back(
                {base::to_string(one.at),
                 one.name,
                 cell(one.before_value),
                 cell(one.after_value),
                 one.actor_id ? moderation::name_of(db, one.actor_id) : "operator"}
            );
        }
    });
    if (settings.json) return print_json(all), 0;
    if (all.empty()) return print("Nothing was changed yet."), 0;
    print_table(rows);
    return 0;
}

}  // namespace server

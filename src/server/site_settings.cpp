// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/site_settings.hpp"

#include "base/log.hpp"
#include "config/config_table.hpp"
#include "db/engine.hpp"
#include "db/transaction.hpp"
#include "server/app.hpp"
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/instance/settings.hpp"

namespace server {

namespace {

instance::SettingKind kind(const Option& option) {
    using enum instance::SettingKind;
    if (is_switch(option)) return yes_or_no;
    if (is_list(option)) return list;
    if (std::holds_alternative<int Config::*>(option.member)) return number;
    return std::holds_alternative<std::string Config::*>(option.member) ? text : choice;
}

}  // namespace

std::vector<instance::SiteSetting> site_settings_of(const Config& config) {
    std::vector<instance::SiteSetting> all;
    for (const auto& option : options()) {
        if (!option.of_site) continue;
        instance::SiteSetting one{std::string(option.name), kind(option), value_of(config, option)};
        if (one.kind == instance::SettingKind::choice) one.choices = choices_of(option);
        one.least = option.least;
        one.most = option.most;
        one.option = true;
        if (auto place = config.set_at.find(one.name); place != config.set_at.end())
            one.set_at = place->second;
        all.push_back(std::move(one));
    }
    return all;
}

Config with_stored(Config config, const instance::StoredOptions& stored) {
    for (const auto& [name, value] : stored.values) {
        const auto* option = find_option(name);
        if (!option || !option->of_site || config.set_at.contains(name)) continue;
        try {
            set_value(config, *option, {value});
        } catch (const ConfigError& e) {
            base::log_warning("a setting of the site is left out", {{"name", name}, {"cause", e.what()}});
        }
    }
    return config;
}

void write_down(db::Write& db, const Config& config) {
    accounts::offer_digests(db, config.email_subscriptions);
    instance::set_federation_mode(
        db, {config.authorized_fetch, config.limited_federation, config.allowed_servers}
    );
    instance::set_setting(db, "weekly_digest", config.weekly_digest ? "true" : "false");
}

// ---- of the running server ----

void App::begin_with_settings(db::Connection& connection, const db::Context& context) {
    instance::use_options(site_settings_of(config_));
    const auto stored = db::read_now(connection, context, instance::stored_options);
    const auto config = with_stored(config_, stored);
    db::write_now(connection, context, [&](db::Write& db) { write_down(db, config); });
    db::use_site(std::make_unique<const base::Site>(site_of(config)));
    settings_version_ = settings_written_ = stored.version;
}

// By a change here, the word of another node, or by the clock: a command beside the server tells nobody.
void App::follow_settings() {
    auto look = [this](db::Read& db) {
        const std::lock_guard lock(settings_mutex_);
        const auto version = instance::version_of_options(db);
        if (version == settings_version_ && version == settings_written_) return;
        const auto config = with_stored(config_, instance::stored_options(db));
        if (std::exchange(settings_version_, version) != version) {
            db::use_site(std::make_unique<const base::Site>(site_of(config)));
            base::log_info("the settings of the site were changed");
        }
        const db::MakingRoom making_room;  // of rows that are there
        auto write = [config](db::Write& write) { write_down(write, config); };
        auto done = [this, version](std::exception_ptr error) {
            const std::lock_guard writing(settings_mutex_);
            if (!error) settings_written_ = version;
        };
        engine_->write("write_down_settings", write, done);
    };
    engine_->read(look, db::newest);
}

}  // namespace server

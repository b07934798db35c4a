// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/site_settings.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"
#include "config/clock.hpp"
#include "config/config_table.hpp"
#include "db/engine.hpp"
#include "db/open.hpp"
#include "db/transaction.hpp"
#include "server/app.hpp"
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/instance/settings.hpp"
#include "social/statuses/remote/old_posts.hpp"
#include "social/timelines/idle_homes.hpp"

#include <algorithm>

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

Config with_stored_there(const Config& config) {
    const base::Within within(std::chrono::steady_clock::now() + std::chrono::seconds(5));
    db::Options options;
    options.postgres_url = config.database;
    options.sqlite_file = config.database_file();
    options.keep_log = true;  // a backup follows the log
    if (!config.postgres() && !std::filesystem::exists(options.sqlite_file)) return config;
    std::vector<std::string> names;
    for (const auto& one : site_settings_of(config)) names.push_back(one.name);
    const auto site = site_of(config);
    try {
        const auto connection = db::open_connection(options, db::Mode::read);
        return with_stored(config, db::read_now(*connection, {&site, clock_now, nullptr}, [&](db::Read& db) {
                               return instance::stored_options_named(db, names);
                           }));
    } catch (const std::exception&) {
        return config;  // problems of the database are reported by other checks
    }
}

void write_down(db::Write& db, const Config& config) {
    accounts::offer_digests(db, config.email_subscriptions);
    instance::set_federation_mode(
        db, {config.authorized_fetch, config.limited_federation, config.allowed_servers}
    );
    instance::set_setting(db, "weekly_digest", config.weekly_digest ? "true" : "false");
    statuses::keep_remote_posts_for(db, config.remote_posts_days);
    timelines::keep_idle_homes_for(db, config.home_days);
}

// ---- in the running server ----

void App::begin_with_settings(db::Connection& connection, const db::Context& context) {
    instance::use_options(site_settings_of(config_));
    const auto stored = db::read_now(connection, context, instance::stored_options);
    const auto config = with_stored(config_, stored);
    db::write_now(connection, context, [&](db::Write& db) { write_down(db, config); });
    db::use_site(std::make_unique<const base::Site>(site_of(config)));
    settings_version_ = settings_written_ = stored.version;
}

// Called after a change here, a message of another node, and periodically, because a command cannot notify
// the servers.
void App::follow_settings() {
    // Reads may finish out of order: an older version must not replace a newer one.
    auto newer = [this](std::int64_t version) {
        const std::lock_guard lock(settings_mutex_);
        return version > settings_version_ || version > settings_written_;
    };
    auto use = [this](std::int64_t version, const Config& config) {
        const std::lock_guard lock(settings_mutex_);
        if (version <= settings_version_) return;
        settings_version_ = version;
        db::use_site(std::make_unique<const base::Site>(site_of(config)));
        base::log_info("the settings of the site were changed");
    };
    // Reads again inside the transaction, so that it writes the current values.
    auto write_them = [this] {
        auto written = std::make_shared<std::int64_t>(0);
        auto write = [this, written](db::Write& db) {
            const auto stored = instance::stored_options(db);
            write_down(db, with_stored(config_, stored));
            *written = stored.version;
        };
        auto done = [this, written](std::exception_ptr error) {
            const std::lock_guard lock(settings_mutex_);
            if (!error) settings_written_ = std::max(settings_written_, *written);
        };
        const db::MakingRoom making_room;  // only updates existing rows
        engine_->write("write_down_settings", write, done);
    };
    auto look = [this, newer, use, write_them](db::Read& db) {
        try {
            if (!newer(instance::version_of_options(db))) return;
            const auto stored = instance::stored_options(db);
            use(stored.version, with_stored(config_, stored));
            // Without holding the lock: if nothing may be written now, `done` is called immediately on this
            // thread.
            write_them();
        } catch (const std::exception& e) {  // another attempt follows soon
            base::log_debug("the settings of the site cannot be read", {{"cause", e.what()}});
        }
    };
    engine_->read(look, db::newest);
}

}  // namespace server

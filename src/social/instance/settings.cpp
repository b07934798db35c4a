// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/settings.hpp"

#include "base/crypto.hpp"

#include <charconv>

namespace instance {

const db::Query<std::string> setting_by_name{"setting_by_name", "SELECT value FROM settings WHERE name = $1"};

std::optional<std::string> setting(db::Read& db, std::string_view name) {
    return db.maybe(setting_by_name, name);
}

void expect_setting(db::Read& db, std::string_view name) { db.expect(setting_by_name, name); }

const db::Command put_setting{
    "put_setting",
    "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = "
    "excluded.value"
};

void set_setting(db::Write& db, std::string_view name, std::string_view value) {
    db.run(put_setting, name, value);
}

const db::Command delete_setting{"delete_setting", "DELETE FROM settings WHERE name = $1"};

void remove_setting(db::Write& db, std::string_view name) { db.run(delete_setting, name); }

std::int64_t number_setting(db::Read& db, std::string_view name, std::int64_t otherwise) {
    if (const auto text = setting(db, name))
        std::from_chars(text->data(), text->data() + text->size(), otherwise);
    return otherwise;
}

void move_version(db::Write& db, std::string_view name) {
    set_setting(db, name, std::to_string(db.new_id<base::Id<struct VersionTag>>().value));
}

void ensure_keys(db::Write& db) {
    if (!setting(db, "unsubscribe_key")) set_setting(db, "unsubscribe_key", base::random_token());
    if (setting(db, "vapid_public_key")) return;
    auto key = base::new_p256_key();
    set_setting(
        db, "vapid_public_key", base::base64url(key.public_point) + "="
    );  // 65 bytes: one padding sign
    set_setting(db, "vapid_private_key", key.private_pem);
}

std::string vapid_public_key(db::Read& db) { return setting(db, "vapid_public_key").value_or(""); }

std::string vapid_private_key(db::Read& db) { return setting(db, "vapid_private_key").value_or(""); }

std::string unsubscribe_key(db::Read& db) { return setting(db, "unsubscribe_key").value(); }

}  // namespace instance

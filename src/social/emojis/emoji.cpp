// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/emojis/emoji.hpp"

#include "base/text/scan.hpp"
#include "social/instance/remote_file.hpp"

#include <algorithm>

namespace emojis {

const db::Query<Emoji> picker_emojis{
    "picker_emojis",
    R"(SELECT id, shortcode, domain, file, static_file, category, featured, visible_in_picker, created_at
       FROM custom_emojis
       WHERE domain = '' AND disabled = FALSE AND visible_in_picker = TRUE ORDER BY shortcode)"
};

std::vector<Emoji> picker(db::Read& db) { return db.all(picker_emojis); }

const db::Query<Emoji> emoji_named{
    "emoji_named",
    R"(SELECT id, shortcode, domain, file, static_file, category, featured, visible_in_picker, created_at
       FROM custom_emojis
       WHERE shortcode = $1 AND domain = '' AND disabled = FALSE)"
};

std::optional<Emoji> named(db::Read& db, std::string_view shortcode) {
    return db.maybe(emoji_named, shortcode);
}

const db::Query<Emoji> emojis_by_id{
    "emojis_by_id",
    R"(SELECT id, shortcode, domain, file, static_file, category, featured, visible_in_picker, created_at
       FROM custom_emojis
       WHERE id IN LIST($1))"
};

std::vector<Emoji> by_id(db::Read& db, const std::vector<EmojiId>& ids) { return db.all(emojis_by_id, ids); }

const db::Query<Emoji> emojis_named{
    "emojis_named",
    R"(SELECT id, shortcode, domain, file, static_file, category, featured, visible_in_picker, created_at
       FROM custom_emojis
       WHERE shortcode IN LIST($1) AND domain IN LIST($2)
         AND disabled = FALSE)"
};

// Kept as name@domain until they are looked up.
void InTexts::add(std::string_view text, std::string_view domain) {
    if (text.find(':') == std::string_view::npos) return;
    for (auto& name : base::text::shortcodes(text)) wanted_.push_back(name + "@" + std::string(domain));
}

void InTexts::load(db::Read& db) {
    if (wanted_.empty()) return;
    std::vector<std::string> names, domains;
    for (const auto& wanted : wanted_) {
        auto at = wanted.find('@');
        names.push_back(wanted.substr(0, at));
        domains.push_back(wanted.substr(at + 1));
    }
    for (auto* all : {&names, &domains}) {
        std::ranges::sort(*all);
        all->erase(std::unique(all->begin(), all->end()), all->end());
    }
    found_ = db.all(emojis_named, names, domains);
}

std::vector<Emoji> InTexts::found(std::initializer_list<std::string_view> texts, std::string_view domain)
    const {
    std::vector<Emoji> out;
    if (found_.empty()) return out;
    for (auto text : texts) {
        if (text.find(':') == std::string_view::npos) continue;
        for (const auto& name : base::text::shortcodes(text)) {
            auto is_it = [&](const Emoji& e) { return e.shortcode == name && e.domain == domain; };
            auto emoji = std::ranges::find_if(found_, is_it);
            if (emoji == found_.end()) continue;
            if (std::ranges::find(out, name, &Emoji::shortcode) == out.end()) out.push_back(*emoji);
        }
    }
    return out;
}

std::string InTexts::used(
    const base::Site& site, std::initializer_list<std::string_view> texts, std::string_view domain
) const {
    if (found_.empty()) return "[]";
    std::vector<CustomEmoji> out;
    for (const auto& emoji : found(texts, domain)) out.push_back(entity(site, emoji));
    return base::json::to_string(out);
}

CustomEmoji entity(const base::Site& site, const Emoji& emoji) {
    return {
        emoji.shortcode,
        instance::file_address(site, emoji.file, "emojis/" + std::to_string(emoji.id.value)),
        instance::file_address(
            site, emoji.static_file, "emojis/" + std::to_string(emoji.id.value) + "/still"
        ),
        emoji.visible_in_picker,
        {},
        {}
    };
}

const db::Command put_emoji{
    "put_emoji",
    R"(INSERT INTO custom_emojis (id, shortcode, file, static_file, category, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (shortcode, domain) DO UPDATE SET
           file = excluded.file, static_file = excluded.static_file, category = excluded.category,
           created_at = excluded.created_at, disabled = FALSE)"
};

EmojiId put(
    db::Write& db, std::string_view shortcode, std::string_view file, std::string_view static_file,
    const std::optional<std::string>& category
) {
    bool letters = std::ranges::all_of(shortcode, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!letters || shortcode.size() < 2 || shortcode.size() > 128)
        throw base::Invalid("Validation failed: Shortcode must be 2 to 128 letters, digits or underscores");
    auto id = db.new_id<EmojiId>();
    db.run(put_emoji, id, shortcode, file, static_file, category, db.now());
    return id;
}

#define SITE_EMOJIS                                                                                      \
    "SELECT id, shortcode, file, static_file, category, visible_in_picker, disabled FROM custom_emojis " \
    "WHERE domain = '' "

const db::Query<SiteEmoji> emojis_of_site{"emojis_of_site", SITE_EMOJIS "ORDER BY shortcode"};
const db::Query<SiteEmoji> emoji_of_site{"emoji_of_site", SITE_EMOJIS "AND id = $1"};
const db::Query<SiteEmoji> emoji_of_site_named{"emoji_of_site_named", SITE_EMOJIS "AND shortcode = $1"};
const db::Command change_emoji{
    "change_emoji", "UPDATE custom_emojis SET disabled = $2, visible_in_picker = $3 WHERE id = $1"
};
const db::Command delete_emoji{"delete_emoji", "DELETE FROM custom_emojis WHERE id = $1"};

std::vector<SiteEmoji> site_emojis(db::Read& db) { return db.all(emojis_of_site); }

SiteEmoji site_emoji(db::Read& db, EmojiId id) { return db.one(emoji_of_site, id); }

std::optional<SiteEmoji> find_site_emoji(db::Read& db, std::string_view shortcode) {
    return db.maybe(emoji_of_site_named, shortcode);
}

void change(db::Write& db, EmojiId id, bool disabled, bool visible_in_picker) {
    db.run(change_emoji, id, disabled, visible_in_picker);
}

void remove(db::Write& db, EmojiId id) { db.run(delete_emoji, id); }

}  // namespace emojis

// SPDX-License-Identifier: AGPL-3.0-or-later
// Custom emojis: what is stored, and which of them a text uses.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace emojis {

using base::EmojiId;

struct Emoji {
    EmojiId id;
    std::string shortcode, domain, file, static_file;
    std::optional<std::string> category;
    bool featured = false, visible_in_picker = true;
    base::Time created_at;  // of its files, where they were replaced
};
DESCRIBE(Emoji, id, shortcode, domain, file, static_file, category, featured, visible_in_picker, created_at)

// Entity CustomEmoji; category and featured only in GET custom_emojis.
struct CustomEmoji {
    std::string shortcode, url, static_url;
    bool visible_in_picker = true;
    base::json::Omit<std::string> category;
    base::json::Omit<bool> featured;
};
DESCRIBE(CustomEmoji, shortcode, url, static_url, visible_in_picker, category, featured)

// Those of this site that may be picked, by shortcode.
std::vector<Emoji> picker(db::Read&);

// An enabled one of this site.
std::optional<Emoji> named(db::Read&, std::string_view shortcode);
// Enabled or not, in no order.
std::vector<Emoji> by_id(db::Read&, const std::vector<EmojiId>&);

// The enabled emojis that any of the texts (plain or HTML) uses, for authors of `domain`. No text with a colon
// pair asks the database.
class InTexts {
public:
    void add(std::string_view text, std::string_view domain);
    void load(db::Read&);
    // What these texts use, in order of appearance, once each.
    std::vector<Emoji> found(std::initializer_list<std::string_view> texts, std::string_view domain) const;
    // What this one text uses, in order of appearance, once each; JSON array of CustomEmoji.
    std::string used(
        const base::Site&, std::initializer_list<std::string_view> texts, std::string_view domain
    ) const;

private:
    std::vector<std::string> wanted_;
    std::vector<Emoji> found_;
};

CustomEmoji entity(const base::Site&, const Emoji&);

// A new emoji of this site, or other files for the one of that name. Throws Invalid.
EmojiId put(
    db::Write&, std::string_view shortcode, std::string_view file, std::string_view static_file,
    const std::optional<std::string>& category
);

// Those of this site by shortcode, also those that are disabled: what staff sees.
struct SiteEmoji {
    EmojiId id;
    std::string shortcode, file, static_file;
    std::optional<std::string> category;
    bool visible_in_picker = true, disabled = false;
};
DESCRIBE(SiteEmoji, id, shortcode, file, static_file, category, visible_in_picker, disabled)
std::vector<SiteEmoji> site_emojis(db::Read&);
SiteEmoji site_emoji(db::Read&, EmojiId);  // throws NotFound
std::optional<SiteEmoji> find_site_emoji(db::Read&, std::string_view shortcode);
void change(db::Write&, EmojiId, bool disabled, bool visible_in_picker);
void remove(db::Write&, EmojiId);  // its files stay

// Custom emojis of other servers, known by their domain.
struct RemoteEmoji {
    std::string shortcode, url;  // without colons
    std::optional<base::Time> changed_at;
};
DESCRIBE(RemoteEmoji, shortcode, url, changed_at)

constexpr std::size_t most_remote_emojis = 100;  // that one document may bring

// Keeps those that are new or have another picture. What is no name or no web address is passed over.
void store_remote(db::Write&, std::string_view domain, const std::vector<RemoteEmoji>&);

}  // namespace emojis

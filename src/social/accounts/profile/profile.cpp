// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/profile.hpp"

#include "base/json.hpp"
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/mentions.hpp"
#include "social/accounts/search.hpp"
#include "social/media/media.hpp"

#include <algorithm>

namespace accounts {

namespace {

constexpr std::size_t display_name_max = 40, note_max = 500, fields_max = 4, field_max = 255,
                      description_max = 150;

using Errors = std::vector<base::FieldError>;

void check_length(
    Errors& errors, const char* field, const std::optional<std::string>& text, std::size_t max
) {
    if (text && base::text::graphemes(*text) > max)
        errors.push_back(
            {field, "ERR_TOO_LONG", "is too long (maximum is " + std::to_string(max) + " characters)"}
        );
}

// Accepts what people paste: "https://example.com", "*.example.com".
std::vector<std::string> bare_domains(const std::vector<std::string>& given) {
    std::vector<std::string> out;
    for (std::string_view one : given) {
        one = base::text::trimmed(one);
        for (std::string_view before : {"http://", "https://", "*."})
            if (one.starts_with(before)) one.remove_prefix(before.size());
        if (one.ends_with('/')) one.remove_suffix(1);
        if (one.empty()) continue;
        auto domain = base::text::normalized_domain(one).value_or(std::string(one));
        if (std::ranges::find(out, domain) == out.end()) out.push_back(std::move(domain));
    }
    return out;
}

void check_domains(Errors& errors, const std::vector<std::string>& given) {
    constexpr std::size_t most = 100;
    if (given.size() > most)
        return errors.push_back(
            {"attribution_domains", "ERR_TOO_LONG", "is too long (maximum is 100 domains)"}
        );
    for (const auto& domain : bare_domains(given))
        if (!base::text::normalized_domain(domain))
            return errors.push_back({"attribution_domains", "ERR_INVALID", "is not a valid domain name"});
}

void check(const ProfileChanges& changes) {
    Errors errors;
    check_length(errors, "display_name", changes.display_name, display_name_max);
    check_length(errors, "avatar_description", changes.avatar_description, description_max);
    check_length(errors, "header_description", changes.header_description, description_max);
    if (changes.note && base::text::status_length(*changes.note) > note_max)
        errors.push_back({"note", "ERR_TOO_LONG", "is too long (maximum is 500 characters)"});
    if (changes.attribution_domains) check_domains(errors, *changes.attribution_domains);
    if (changes.fields) {
        if (changes.fields->size() > fields_max)
            errors.push_back({"fields", "ERR_TOO_LONG", "is too long (maximum is 4 fields)"});
        for (const auto& field : *changes.fields)
            if (base::text::is_blank(field.name) && !base::text::is_blank(field.value))
                errors.push_back({"fields", "ERR_INVALID", "contains values with missing labels"});
    }
    if (!errors.empty()) throw base::Invalid(std::move(errors));
}

std::string note_html(db::Read& db, const std::string& note) {
    auto entities = base::text::scan(note);
    auto found = mentions(db, note, entities);
    auto tags_url = db.site().public_url + "/tags/";
    return base::text::to_html(note, entities, {found.links, tags_url});
}

// A verified link stays verified while its value is unchanged.
std::string fields_json(db::Read& db, const Account& account, const std::vector<ProfileField>& fields) {
    auto before = fields_of(account);
    std::vector<Field> out;
    for (const auto& given : fields) {
        Field field;
        field.name = base::text::first_graphemes(given.name, field_max);
        field.value = base::text::first_graphemes(given.value, field_max);
        auto entities = base::text::scan(field.value);
        auto found = mentions(db, field.value, entities);
        auto tags_url = db.site().public_url + "/tags/";
        field.value_html = base::text::to_inline_html(field.value, {found.links, tags_url, true, true});
        auto same = std::ranges::find(before, field.value, &Field::value);
        if (same != before.end()) field.verified_at = same->verified_at;
        out.push_back(std::move(field));
    }
    return base::json::to_string(out);
}

}  // namespace

ProfileChanges render(db::Read& db, const Account& account, ProfileChanges changes) {
    // Forms send their empty rows along.
    auto is_empty = [](const ProfileField& field) {
        return base::text::is_blank(field.name) && base::text::is_blank(field.value);
    };
    if (changes.fields) std::erase_if(*changes.fields, is_empty);
    check(changes);
    if (changes.note) changes.note_html = note_html(db, *changes.note);
    if (changes.fields) changes.fields_json = fields_json(db, account, *changes.fields);
    return changes;
}

const db::Command update_profile{
    "update_profile",
    R"(UPDATE accounts SET version = version + 1, display_name = $2, note = $3, note_html = $4, fields = $5,
           avatar = $6, avatar_static = $7, avatar_description = $8, header = $9, header_static = $10,
           header_description = $11, locked = $12, actor_type = $13, discoverable = $14, hide_collections = $15,
           indexable = $16, attribution_domains = $17, show_media = $18, show_media_replies = $19, show_featured = $20
       WHERE id = $1)"
};

namespace {

template <class To, class From>
void apply(To& to, const std::optional<From>& from) {
    if (from) to = *from;
}

void leave(db::Write& db, const Picture& old) {
    if (auto files = replaced(old); !files.empty()) db.emit(media::FilesReleased{std::move(files)});
}

void apply_pictures(db::Write& db, Account& a, const ProfileChanges& changes) {
    if (changes.avatar) {
        leave(db, {a.avatar, a.avatar_static});
        a.avatar = changes.avatar->file;
        a.avatar_static = changes.avatar->static_file;
    }
    if (changes.header) {
        leave(db, {a.header, a.header_static});
        a.header = changes.header->file;
        a.header_static = changes.header->static_file;
    }
}

}  // namespace

void change_profile(db::Write& db, AccountId id, const ProfileChanges& changes) {
    auto a = account(db, id);
    bool was_locked = a.locked;
    apply(a.display_name, changes.display_name);
    if (base::text::is_blank(a.display_name)) a.display_name.clear();  // the username is shown instead
    apply(a.note, changes.note);
    apply(a.note_html, changes.note_html);
    apply(a.fields, changes.fields_json);
    apply(a.avatar_description, changes.avatar_description);
    apply(a.header_description, changes.header_description);
    apply(a.locked, changes.locked);
    apply(a.discoverable, changes.discoverable);
    apply(a.hide_collections, changes.hide_collections);
    apply(a.indexable, changes.indexable);
    apply(a.show_media, changes.show_media);
    apply(a.show_media_replies, changes.show_media_replies);
    apply(a.show_featured, changes.show_featured);
    apply_pictures(db, a, changes);
    if (changes.bot) a.actor_type = *changes.bot ? "Service" : "Person";
    if (changes.attribution_domains)
        a.attribution_domains = base::json::to_string(bare_domains(*changes.attribution_domains));
    db.run(
        update_profile,
        id,
        a.display_name,
        a.note,
        a.note_html,
        a.fields,
        a.avatar,
        a.avatar_static,
        a.avatar_description,
        a.header,
        a.header_static,
        a.header_description,
        a.locked,
        a.actor_type,
        a.discoverable,
        a.hide_collections,
        a.indexable,
        a.attribution_domains,
        a.show_media,
        a.show_media_replies,
        a.show_featured
    );
    if (changes.display_name) index_names(db, id);
    db.emit(ProfileChanged{id});
    if (was_locked && !a.locked) db.emit(Unlocked{id});
}

}  // namespace accounts

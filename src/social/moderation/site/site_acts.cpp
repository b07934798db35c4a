// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/site/site_acts.hpp"

#include "base/text/blank.hpp"
#include "base/text/csv.hpp"
#include "base/text/host.hpp"
#include "base/text/languages.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/emojis/emoji.hpp"
#include "social/instance/registrations.hpp"
#include "social/media/media.hpp"

#include <algorithm>

namespace moderation {

namespace permission = accounts::permission;

// ---- the site ----

namespace {

std::string word(bool value) { return value ? "true" : "false"; }

std::string now(db::Read& db, std::string_view name) {
    return instance::value_of(db, instance::site_setting(name));
}

// Beyond what its kind allows.
void check(const std::string& name, const std::string& value) {
    auto refuse = [&](const std::string& what) {
        throw base::Invalid("\"" + what + "\" is not possible for " + name);
    };
    if (name == "title" && base::text::is_blank(value)) refuse(value);
    if (name == "language" && !base::text::find_language(value)) refuse(value);
    if (name == "contact_email" && !value.empty() && !accounts::email_form_errors(value).empty())
        refuse(value);
    // What is no domain allows nobody, and all that are talked to now would be cut off.
    if (name == "allowed_servers")
        for (const auto& server : base::text::listed(value))
            if (!base::text::normalized_domain(server)) refuse(server);
}

// Whoever opens the door opens it also where sign-ups wait because nobody looked after the site.
void end_waiting(db::Write& db, const std::string& changed) {
    if (changed == "registrations" && now(db, changed) == "open") instance::require_approval(db, false);
}

}  // namespace

SiteChoices site_choices(db::Read& db) {
    return {
        now(db, "trends") == "true",
        now(db, "trendable_by_default") == "true",
        now(db, "profile_directory") == "true",
        now(db, "noindex") == "true",
        now(db, "show_domain_blocks"),
        now(db, "show_domain_blocks_rationale")
    };
}

void change_site(db::Write& db, const accounts::Actor& by, const SiteChoices& wanted) {
    change_settings(
        db,
        by,
        {{"show_domain_blocks", wanted.show_domain_blocks},
         {"show_domain_blocks_rationale", wanted.show_domain_blocks_rationale},
         {"trends", word(wanted.trends)},
         {"trendable_by_default", word(wanted.trendable_by_default)},
         {"profile_directory", word(wanted.profile_directory)},
         {"noindex", word(wanted.hidden_from_search)}}
    );
}

void change_settings(db::Write& db, const accounts::Actor& by, const WantedSettings& wanted) {
    accounts::require(by, permission::manage_settings);
    for (const auto& [name, value] : wanted) {
        instance::require_possible(instance::site_setting(name), value);
        check(name, value);
    }
    for (const auto& [name, value] : wanted) {
        const bool waited = name == "registrations" && instance::approval_required(db);
        const bool changed = instance::set(db, by.account, instance::site_setting(name), value);
        end_waiting(db, name);
        if (changed || (waited && !instance::approval_required(db)))
            log(db, by, "update", {"Setting", 0, name});
    }
}

void undo_setting(db::Write& db, const accounts::Actor& by, instance::SettingChangeId id) {
    accounts::require(by, permission::manage_settings);
    const auto name = instance::undo(db, by.account, id);
    end_waiting(db, name);
    log(db, by, "update", {"Setting", 0, name});
}

void write_text(db::Write& db, const accounts::Actor& by, instance::Text which, const std::string& markdown) {
    accounts::require(by, permission::manage_settings);
    instance::set_text(db, which, markdown);
    log(db, by, "update", {"Setting", 0, std::string(base::word(which))});
}

void publish_terms(
    db::Write& db, const accounts::Actor& by, const std::string& markdown, base::Date effective
) {
    accounts::require(by, permission::manage_settings);
    if (base::text::is_blank(markdown)) throw base::Invalid("Validation failed: Text can't be blank");
    instance::publish_terms(db, markdown, effective);
    log(db, by, "create", {"TermsOfService", 0, base::to_string(effective)});
}

// ---- rules of the house ----

namespace {
Subject subject(const instance::Rule& rule) { return {"Rule", rule.id.value, rule.text}; }
}  // namespace

base::RuleId add_house_rule(
    db::Write& db, const accounts::Actor& by, const std::string& text, const std::string& hint
) {
    accounts::require(by, permission::manage_rules);
    auto id = instance::add_rule(db, text, hint);
    log(db, by, "create", subject(instance::rule(db, id)));
    return id;
}

void change_house_rule(
    db::Write& db, const accounts::Actor& by, base::RuleId id, const std::string& text,
    const std::string& hint
) {
    accounts::require(by, permission::manage_rules);
    instance::change_rule(db, id, text, hint);
    log(db, by, "update", subject(instance::rule(db, id)));
}

void move_house_rule_up(db::Write& db, const accounts::Actor& by, base::RuleId id) {
    accounts::require(by, permission::manage_rules);
    instance::move_rule_up(db, id);
}

void end_house_rule(db::Write& db, const accounts::Actor& by, base::RuleId id) {
    accounts::require(by, permission::manage_rules);
    auto gone = subject(instance::rule(db, id));
    instance::remove_rule(db, id);
    log(db, by, "destroy", gone);
}

// ---- emojis ----

namespace {

std::vector<std::string> files_of(const emojis::SiteEmoji& one) {
    std::vector<std::string> out{one.file};
    if (one.static_file != one.file) out.push_back(one.static_file);
    return out;
}

Subject subject(const emojis::SiteEmoji& one) { return {"CustomEmoji", one.id.value, one.shortcode}; }

}  // namespace

base::EmojiId put_emoji(
    db::Write& db, const accounts::Actor& by, const std::string& shortcode, const std::string& category,
    const media::EmojiFiles& files
) {
    accounts::require(by, permission::manage_custom_emojis);
    auto before = emojis::find_site_emoji(db, shortcode);
    emojis::put(
        db,
        shortcode,
        files.file,
        files.static_file,
        category.empty() ? std::nullopt : std::optional(category)
    );
    if (before && before->file != files.file) db.emit(media::FilesReleased{files_of(*before)});
    auto made = *emojis::find_site_emoji(db, shortcode);
    log(db, by, before ? "update" : "create", subject(made));
    return made.id;
}

void change_emoji(
    db::Write& db, const accounts::Actor& by, base::EmojiId id, bool disabled, bool visible_in_picker
) {
    accounts::require(by, permission::manage_custom_emojis);
    auto known = emojis::site_emoji(db, id);
    emojis::change(db, id, disabled, visible_in_picker);
    bool turned = known.disabled != disabled;
    log(db, by, !turned ? "update" : disabled ? "disable" : "enable", subject(known));
}

void remove_emoji(db::Write& db, const accounts::Actor& by, base::EmojiId id) {
    accounts::require(by, permission::manage_custom_emojis);
    auto known = emojis::site_emoji(db, id);
    emojis::remove(db, id);
    db.emit(media::FilesReleased{files_of(known)});
    log(db, by, "destroy", subject(known));
}

// ---- relays ----

void add_relay(
    db::Write& db, const accounts::Actor& by, const std::string& address, const std::string& inbox,
    const std::string& actor
) {
    accounts::require(by, permission::manage_federation);
    federation::add_relay(db, address, inbox, actor);
    log(db, by, "create", {"Relay", 0, address});
}

void remove_relay(db::Write& db, const accounts::Actor& by, federation::RelayId id) {
    accounts::require(by, permission::manage_federation);
    auto all = federation::relays(db);
    auto found = std::ranges::find(all, id, &federation::Relay::id);
    if (found == all.end()) throw base::NotFound();
    federation::remove_relay(db, found->address);
    log(db, by, "destroy", {"Relay", id.value, found->address});
}

// ---- announcements and invites ----

announcements::AnnouncementId announce(
    db::Write& db, const accounts::Actor& by, const announcements::Draft& draft
) {
    accounts::require(by, permission::manage_announcements);
    auto id = announcements::create(db, draft);
    log(db, by, "create", {"Announcement", id.value, std::to_string(id.value)});
    return id;
}

void withdraw_announcement(db::Write& db, const accounts::Actor& by, announcements::AnnouncementId id) {
    accounts::require(by, permission::manage_announcements);
    announcements::remove(db, id);
    log(db, by, "destroy", {"Announcement", id.value, std::to_string(id.value)});
}

// The log is kept for ever, and whoever reads it need not be able to sign up: it names the code by its beginning.
namespace {
std::string shortened(const std::string& code) { return code.substr(0, 3) + "…"; }
}  // namespace

std::string invite(db::Write& db, const accounts::Actor& by, const accounts::NewInvite& wanted) {
    accounts::require(by, permission::manage_invites);
    auto code = accounts::create_invite(db, wanted);
    log(db, by, "create", {"Invite", 0, shortened(code)});
    return code;
}

void revoke_invite(db::Write& db, const accounts::Actor& by, const std::string& code) {
    accounts::require(by, permission::manage_invites);
    accounts::revoke_invite(db, code);
    log(db, by, "destroy", {"Invite", 0, shortened(code)});
}

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's acts on the site as a whole: each needs a permission and is logged.
#pragma once
#include "social/accounts/users/invite.hpp"
#include "social/announcements/announcement.hpp"
#include "social/federation/relays/relay.hpp"
#include "social/instance/about.hpp"
#include "social/instance/site_setting.hpp"
#include "social/media/store.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

// Throw Forbidden without manage_settings. The operator's configuration takes precedence.
struct SiteChoices {
    bool trends = true, trendable_by_default = false, profile_directory = true, hidden_from_search = false;
    std::string show_domain_blocks = "disabled", show_domain_blocks_rationale = "disabled";
};
SiteChoices site_choices(db::Read&);
void change_site(db::Write&, const accounts::Actor&, const SiteChoices&);  // also Invalid
// The same of any settings (instance/site_setting.hpp), by name: all of them or, if one is invalid, none.
using WantedSettings = std::vector<std::pair<std::string, std::string>>;
void change_settings(db::Write&, const accounts::Actor&, const WantedSettings&);
void undo_setting(db::Write&, const accounts::Actor&, instance::SettingChangeId);
void write_text(db::Write&, const accounts::Actor&, instance::Text, const std::string& markdown);
void publish_terms(db::Write&, const accounts::Actor&, const std::string& markdown, base::Date effective);

// The rules of the site. Throw Forbidden without manage_rules, and what the rules throw.
base::RuleId add_house_rule(
    db::Write&, const accounts::Actor&, const std::string& text, const std::string& hint
);
void change_house_rule(
    db::Write&, const accounts::Actor&, base::RuleId, const std::string& text, const std::string& hint
);
void move_house_rule_up(db::Write&, const accounts::Actor&, base::RuleId);
void end_house_rule(db::Write&, const accounts::Actor&, base::RuleId);

// Custom emojis. Throw Forbidden without manage_custom_emojis, NotFound and Invalid. Files that are not used
// any more are deleted.
base::EmojiId
put_emoji(db::Write&, const accounts::Actor&, const std::string& shortcode, const std::string& category, const media::EmojiFiles&);
void change_emoji(db::Write&, const accounts::Actor&, base::EmojiId, bool disabled, bool visible_in_picker);
void remove_emoji(db::Write&, const accounts::Actor&, base::EmojiId);

// Relays. Throw Forbidden without manage_federation, Invalid and NotFound.
void add_relay(
    db::Write&, const accounts::Actor&, const std::string& address, const std::string& inbox,
    const std::string& actor
);
void remove_relay(db::Write&, const accounts::Actor&, federation::RelayId);

// Throw Forbidden without manage_announcements, and what the announcements throw. In the log: create and destroy of the
// announcement.
announcements::AnnouncementId announce(db::Write&, const accounts::Actor&, const announcements::Draft&);
void withdraw_announcement(db::Write&, const accounts::Actor&, announcements::AnnouncementId);

// In the log an invite is told by the first letters of its code, which let nobody in.
// Throw Forbidden without manage_invites; of a code that there is not, NotFound.
// The code, by which people may sign up.
std::string invite(db::Write&, const accounts::Actor&, const accounts::NewInvite&);
void revoke_invite(db::Write&, const accounts::Actor&, const std::string& code);

}  // namespace moderation

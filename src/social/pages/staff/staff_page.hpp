// SPDX-License-Identifier: AGPL-3.0-or-later
// What the pages of the team (/settings/moderation) have in common. They need no JavaScript, show what the admin API tells, and
// do by the same functions what it does: who may do what is asked there.
#pragma once
#include "social/accounts/users/role.hpp"
#include "social/moderation/admin_account.hpp"
#include "social/pages/settings/settings_page.hpp"
#include "social/pages/shown.hpp"

#include <map>

namespace pages {

inline const std::string desk = "/settings/moderation";

// A page of the set, and the permissions of which one opens it: those that the admin API asks for the same things.
struct StaffPart {
    std::string_view path;  // below the desk
    std::string_view name;
    std::int64_t any_of;
};
constexpr StaffPart reports_part{"/reports", "Reports", accounts::permission::manage_reports};
constexpr StaffPart sign_ups_part{"/sign_ups", "Sign-ups", accounts::permission::manage_users};
constexpr StaffPart accounts_part{"/accounts", "Accounts", accounts::permission::manage_users};
constexpr StaffPart appeals_part{"/appeals", "Appeals", accounts::permission::manage_appeals};
constexpr StaffPart servers_part{"/servers", "Servers", accounts::permission::manage_federation};
constexpr StaffPart rules_part{"/rules", "Rules about posts", accounts::permission::manage_blocks};
constexpr StaffPart cases_part{"/cases", "Cases", accounts::permission::manage_reports};
constexpr StaffPart held_part{"/held", "Held posts", accounts::permission::manage_blocks};
constexpr StaffPart lists_part{"/lists", "Lists of servers", accounts::permission::manage_federation};
constexpr StaffPart relays_part{"/relays", "Relays", accounts::permission::manage_federation};
constexpr StaffPart blocks_part{"/blocks", "Who may not sign up", accounts::permission::manage_blocks};
constexpr StaffPart trends_part{"/trends", "Trends", accounts::permission::manage_taxonomies};
constexpr StaffPart emojis_part{"/emojis", "Emojis", accounts::permission::manage_custom_emojis};
constexpr StaffPart house_rules_part{"/house_rules", "Rules", accounts::permission::manage_rules};
constexpr StaffPart presets_part{"/presets", "Warnings", accounts::permission::manage_settings};
constexpr StaffPart roles_part{"/roles", "Roles", accounts::permission::manage_roles};
constexpr StaffPart words_part{"/words", "Lists of words", accounts::permission::manage_blocks};
constexpr StaffPart labels_part{"/labels", "Labels", accounts::permission::manage_taxonomies};
constexpr StaffPart pictures_part{"/pictures", "Pictures", accounts::permission::manage_blocks};
constexpr StaffPart transparency_part{
    "/transparency", "Transparency report", accounts::permission::view_dashboard
};
constexpr StaffPart webhooks_part{"/webhooks", "Webhooks", accounts::permission::manage_webhooks};
constexpr StaffPart site_part{"/site", "This site", accounts::permission::manage_settings};
constexpr StaffPart settings_part{"/settings", "Settings of the site", accounts::permission::manage_settings};
constexpr StaffPart announcements_part{
    "/announcements", "Announcements", accounts::permission::manage_announcements
};
constexpr StaffPart invites_part{"/invites", "Invites", accounts::permission::manage_invites};
constexpr StaffPart audit_part{"/audit", "Log", accounts::permission::view_audit_log};
constexpr StaffPart health_part{"/health", "How the server does", accounts::permission::view_devops};
constexpr StaffPart staff_parts[] = {cases_part,    reports_part,     held_part,    sign_ups_part,
                                     accounts_part, appeals_part,     rules_part,   words_part,
                                     trends_part,   servers_part,     lists_part,   relays_part,
                                     blocks_part,   emojis_part,      invites_part, announcements_part,
                                     presets_part,  house_rules_part, site_part,    settings_part,
                                     roles_part,    webhooks_part,    audit_part,   transparency_part,
                                     health_part,   pictures_part,    labels_part};

inline std::string address_of(const StaffPart& part) { return desk + std::string(part.path); }
std::string account_page(base::AccountId);  // its address
std::string post_page(base::StatusId);      // so
bool is_staff(const accounts::Actor&);      // whether any of them opens

// Who is here; or the answer instead, as owner() has it. Throws Forbidden to whom the part is not open.
struct Member {
    Owner owner;
    accounts::Actor actor;

    const std::optional<http::Response>& answer() const { return owner.answer; }
};
Member member(db::Read&, const http::Request&, std::int64_t any_of);
Member member(db::Read&, const http::Request&, std::int64_t any_of, std::string_view authenticity_token);

// With the way to the other parts; `here` is none at the desk.
http::Response staff_page(
    db::Read&, const http::Request&, const Member&, const StaffPart* here, std::string_view name,
    std::string_view title, std::string_view problem = {}, instance::View = {}
);

// What was refused, as a sentence.
std::string sentence_of(const base::Invalid&);

// By what the team knows who did something; of nobody any more nothing.
std::map<base::AccountId, std::string> handles(db::Read&, const std::vector<base::AccountId>&);

// Posts that are covered until somebody looks at them: they may be bad to see (COVERED). `with_ways`: from each to its own page, as
// long as it is there.
void add_covered(db::Read&, instance::View&, const std::vector<Shown>&, bool with_ways);

// A person as the team sees them: NAME, HANDLE, URL, and in which STATE they are; of nobody any more only that.
void set_person(instance::View&, const std::optional<moderation::AdminAccount>&);

}  // namespace pages

// SPDX-License-Identifier: AGPL-3.0-or-later
// The form by which staff acts on an account, and takes it back (templates: parts/acting.html). It stands on the page of a
// report and on that of an account.
#pragma once
#include "social/moderation/posts/post_action.hpp"
#include "social/pages/staff/sheet.hpp"

namespace pages {

struct ActForm {
    std::string type = "none", text, authenticity_token;
    std::optional<std::int64_t> preset;
    bool tell = false;
};
DESCRIBE(ActForm, type, text, authenticity_token, preset, tell)

enum class ActsOn { account, report, report_with_posts };
// `where`: the address of the page, below which the forms are answered.
void add_acts(
    db::Read&, instance::View&, const Member&, const std::optional<moderation::AdminAccount>& target,
    const ActForm& given, const std::string& where, ActsOn
);
// The same as a form of a sheet; none where nothing may be done.
std::optional<Form> act_form(
    db::Read&, const Member&, const std::optional<moderation::AdminAccount>& target, const ActForm& given,
    const std::string& where, bool posts
);
// As the team calls it: the title of a strike is written to whom it is about.
std::string_view name_of(moderation::StrikeAction);
// Nothing: it is about the account.
std::optional<moderation::PostsAction> posts_action_of(const ActForm&);
// Throws Invalid: there is no such act.
moderation::AccountAction action_of(const ActForm&);

}  // namespace pages

// SPDX-License-Identifier: AGPL-3.0-or-later
// Strikes: moderation acts on an account with their reasons, sent to its owner, who may appeal once. The
// moderator is never revealed.
#pragma once
#include "base/ask.hpp"
#include "base/page.hpp"
#include "base/schema.hpp"
#include "social/accounts/users/role.hpp"
#include "social/moderation/report.hpp"
#include "social/notifications/attachment.hpp"

namespace moderation {

using StrikeId = base::Id<struct StrikeTag>;

// In the order of severity.
BOOST_DEFINE_ENUM_CLASS(
    StrikeAction, none, disable, mark_statuses_as_sensitive, delete_statuses, sensitive, silence, suspend
)

struct Strike {
    StrikeId id;
    AccountId account_id, actor_id;
    StrikeAction action = StrikeAction::none;
    std::string text;
    ReportId report_id;
    std::optional<std::string> status_ids;  // JSON
    Time created_at;
    std::optional<Time> overruled_at, lifted_at;
    bool automated = false;               // a rule decided, not a moderator
    std::string ground;                   // the category of the report that it answers, or empty
    std::optional<std::string> rule_ids;  // JSON: the rules of the site that were broken
};
DESCRIBE(
    Strike, id, account_id, actor_id, action, text, report_id, status_ids, created_at, overruled_at,
    lifted_at, automated, ground, rule_ids
)

std::vector<Strike> strikes(db::Read&, const std::vector<StrikeId>&);      // in no order
Strike strike(db::Read&, StrikeId);                                        // throws NotFound
std::vector<Strike> strikes_of(db::Read&, AccountId, const base::Range&);  // newest first

// Event: the owner gets a notification and a mail.
struct Struck {
    StrikeId strike;
    AccountId account;
};
DESCRIBE(Struck, strike, account)
// Stores it; `tell`: notifies the owner of a local account.
StrikeId strike(db::Write&, Strike, bool tell);
std::vector<StatusId> posts_of(const Strike&);  // that it names
// Strikes of this kind stay in the history but no longer restrict the account.
void lift_strikes(db::Write&, AccountId, StrikeAction);
// Deletes the strike and undoes its effect, unless another one requires it. One with an appeal stays, as
// overruled.
void withdraw_strike(db::Write&, StrikeId);
// The act's name for the owner, and its meaning; empty where only the text counts.
std::string_view title(StrikeAction);
std::string_view consequence(StrikeAction);

// ---- appeals ----

BOOST_DEFINE_ENUM_CLASS(AppealState, pending, approved, rejected)
using AppealId = base::Id<struct AppealTag>;

struct Appeal {
    AppealId id;
    StrikeId strike_id;
    AccountId account_id;
    std::string text;
    AppealState state = AppealState::pending;
    Time created_at;
};
DESCRIBE(Appeal, id, strike_id, account_id, text, state, created_at)

Time appealable_until(const base::Site&, const Strike&);

Appeal appeal(db::Read&, AppealId);  // throws NotFound
std::vector<Appeal> appeals_of(db::Read&, const std::vector<StrikeId>&);
std::vector<Appeal> appeals(db::Read&, AppealState, const base::Range&);  // newest first
// By the account concerned. Throws NotFound, Invalid: too late, once only, too long.
AppealId appeal_against(db::Write&, AccountId, StrikeId, const std::string& text);
// If approved, the act is undone as far as possible, unless another strike requires it. Throws Forbidden,
// also to the author of the appeal, and Invalid when it is decided already.
void decide_appeal(db::Write&, const accounts::Actor&, AppealId, bool approve);

struct AppealMade {
    AppealId appeal;
};
DESCRIBE(AppealMade, appeal)
struct AppealDecided {
    AppealId appeal;
};
DESCRIBE(AppealDecided, appeal)
struct AppealMailWanted {
    AppealId appeal;
    base::UserId user;
};
DESCRIBE(AppealMailWanted, appeal, user)

// Reactions
void notify_struck(db::Write&, const Struck&);
void mail_strike(const base::Ask&, db::Read&, const Struck&);
void announce_appeal(db::Write&, const AppealMade&);
void mail_appeal(const base::Ask&, db::Read&, const AppealMailWanted&);
void mail_decision(const base::Ask&, db::Read&, const AppealDecided&);

// ---- entity AccountWarning ----

struct AppealEntity {
    static constexpr std::string_view entity = "Appeal";
    std::string text;
    AppealState state = AppealState::pending;
};
DESCRIBE(AppealEntity, text, state)
struct StrikeEntity {
    static constexpr std::string_view entity = "AccountWarning";
    static constexpr base::json::RawMember raw_members[] = {{"target_account", "Account"}};
    StrikeId id;
    StrikeAction action = StrikeAction::none;
    std::string text;
    std::optional<std::vector<StatusId>> status_ids;
    Time created_at;
    base::json::Raw target_account;
    std::optional<AppealEntity> appeal;
};
DESCRIBE(StrikeEntity, id, action, text, status_ids, created_at, target_account, appeal)
std::vector<StrikeEntity> entities(db::Read&, const std::vector<Strike>&);  // in their order

// In notifications.
notifications::JsonById render_strikes(
    db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids
);

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/account_action.hpp"

#include "base/text/blank.hpp"
#include "social/accounts/administering.hpp"
#include "social/accounts/restricting.hpp"
#include "social/moderation/posts/post_action.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/moderation/webhooks/webhook.hpp"

namespace moderation {

namespace {

namespace permission = accounts::permission;
using accounts::Account, accounts::Actor, accounts::User;

Account known(db::Read& db, AccountId id) {
    auto found = accounts::accounts_for_staff(db, {id});
    if (found.empty()) throw base::NotFound();
    return std::move(found[0]);
}

// A login of this site, or Forbidden.
User login_of(db::Read& db, const Account& account) {
    auto user = accounts::find_user_of(db, account.id);
    if (!user) throw base::Forbidden();
    return *std::move(user);
}

Subject subject(const Account& account) { return {"Account", account.id.value, account.acct()}; }
Subject subject(const User& user, const Account& account) { return {"User", user.id.value, account.acct()}; }

// An act on an account that changes it: in the log, and for who wants to know of changes.
void note(
    db::Write& db, const Actor& who, std::string_view action, const Subject& what, AccountId account,
    std::string_view details = {}
) {
    log(db, who, action, what, details);
    call_webhooks(db, "account.updated", account.value);
}

void check_may(db::Read& db, const Actor& who, const Account& target, StrikeAction type) {
    bool needs_users = type == StrikeAction::disable;
    accounts::require(who, permission::manage_users | (needs_users ? 0 : permission::manage_reports));
    accounts::require_above(db, who, target.id);
}

// By a decision about the account; what the rules about its server say is none.
bool is_in_force(db::Read& db, const Account& target, StrikeAction type) {
    if (type == StrikeAction::disable) {
        auto user = accounts::find_user_of(db, target.id);
        return user && user->disabled;
    }
    if (type == StrikeAction::sensitive) return target.sensitized_at.has_value();
    auto now = accounts::restrictions(db, target.id);
    if (type == StrikeAction::silence) return now.limited && now.limited_by.empty();
    return now.suspended && now.suspended_by.empty();
}

void mark(
    db::Write& db, const Actor& who, const Account& target, StrikeAction type, std::string_view details
) {
    if (type == StrikeAction::none) return;
    // What was in force before ended some other way than by an act of the team.
    if (!is_in_force(db, target, type)) lift_strikes(db, target.id, type);
    if (type == StrikeAction::disable) {
        auto user = accounts::find_user_of(db, target.id);
        if (!user) throw base::Invalid("Validation failed: Type is not included in the list");
        accounts::set_disabled(db, user->id, true);
        return note(db, who, "disable", subject(*user, target), target.id, details);
    }
    if (type == StrikeAction::sensitive) accounts::sensitize(db, target.id);
    else if (type == StrikeAction::silence) accounts::silence(db, target.id);
    else accounts::suspend(db, target.id);
    note(db, who, base::word(type), subject(target), target.id, details);
}

// All that are open, or of a mere warning the one that it answers.
void close_reports(db::Write& db, const Actor& who, const Account& target, const AccountAction& action) {
    if (action.type != StrikeAction::none) resolve_open(db, who, target.id);
    else if (action.report) resolve(db, who, *action.report);
}

}  // namespace

std::string words_to_owner(db::Read& db, const std::optional<PresetId>& preset, const std::string& words) {
    auto text = base::text::is_blank(words) ? std::string() : words;
    if (!preset) return text;
    auto before = warning_preset(db, *preset).text;
    return text.empty() ? before : before + "\n\n" + text;
}

void answer(Strike& made, const AdminReportRow& report) {
    made.report_id = report.id;
    made.ground = base::word(report.category);
    made.rule_ids = report.rule_ids;
}

std::string name_of(db::Read& db, AccountId id) {
    auto found = accounts::accounts_for_staff(db, {id});
    return found.empty() ? std::string() : found[0].acct();
}

StrikeAction action_named(const std::string& text) {
    for (auto type :
         {StrikeAction::none,
          StrikeAction::disable,
          StrikeAction::sensitive,
          StrikeAction::silence,
          StrikeAction::suspend})
        if (text == base::word(type)) return type;
    throw base::Invalid(
        text.empty() ? "Validation failed: Type can't be blank, Type is not included in the list"
                     : "Validation failed: Type is not included in the list"
    );
}

StrikeId act(db::Write& db, const Actor& who, AccountId id, const AccountAction& action) {
    accounts::require(who, permission::manage_users | permission::manage_reports);
    auto target = known(db, id);
    Strike made;
    made.text = words_to_owner(db, action.preset, action.text);
    if (action.report) {
        auto about = admin_report(db, *action.report);
        require_impartial(who, {}, about.target_id);
        if (about.target_id != id) throw base::Invalid("Validation failed: Report is not about this account");
        answer(made, about);
        made.status_ids = about.status_ids;
    } else if (!action.posts.empty()) {
        made.status_ids = base::json::to_string(action.posts);
    }
    made.automated = action.automated;
    check_may(db, who, target, action.type);
    mark(db, who, target, action.type, action.details);
    made.account_id = id;
    made.actor_id = who.account;
    made.action = action.type;
    auto out = strike(db, made, action.tell);
    if (action.type == StrikeAction::none && !made.text.empty())
        log(db, who, "create", {"AccountWarning", out.value, target.acct()});
    if (action.closes_reports) close_reports(db, who, target, action);
    return out;
}

void approve(db::Write& db, const Actor& who, AccountId id) {
    accounts::require(who, permission::manage_users);
    auto account = known(db, id);
    auto user = login_of(db, account);
    if (user.approved) throw base::Forbidden();
    accounts::approve(db, user.id);
    log(db, who, "approve", subject(user, account));
}

void reject(db::Write& db, const Actor& who, AccountId id) {
    accounts::require(who, permission::manage_users);
    auto account = known(db, id);
    auto user = login_of(db, account);
    if (user.approved) throw base::Forbidden();
    accounts::reject_sign_up(db, user);
    log(db, who, "reject", subject(user, account));
}

void enable(db::Write& db, const Actor& who, AccountId id) {
    accounts::require(who, permission::manage_users);
    auto account = known(db, id);
    auto user = login_of(db, account);
    accounts::set_disabled(db, user.id, false);
    lift_strikes(db, id, StrikeAction::disable);
    note(db, who, "enable", subject(user, account), id);
}

void unsensitive(db::Write& db, const Actor& who, AccountId id) {
    accounts::require(who, permission::manage_users);
    auto account = known(db, id);
    accounts::unsensitize(db, id);
    lift_strikes(db, id, StrikeAction::sensitive);
    note(db, who, "unsensitive", subject(account), id);
}

void unsilence(db::Write& db, const Actor& who, AccountId id) {
    accounts::require(who, permission::manage_users);
    auto account = known(db, id);
    accounts::unsilence(db, id);
    lift_strikes(db, id, StrikeAction::silence);
    note(db, who, "unsilence", subject(account), id);
}

void unsuspend(db::Write& db, const Actor& who, AccountId id) {
    accounts::require(who, permission::manage_users);
    auto account = known(db, id);
    auto now = accounts::restrictions(db, id);
    if (!now.suspended || !now.suspended_by.empty()) throw base::Forbidden();
    accounts::unsuspend(db, id);
    lift_strikes(db, id, StrikeAction::suspend);
    note(db, who, "unsuspend", subject(account), id);
}

void destroy(db::Write& db, const Actor& who, AccountId id) {
    accounts::require(who, permission::delete_user_data);
    auto account = known(db, id);
    accounts::delete_suspended(db, id);
    log(db, who, "destroy", subject(account));
}

void take_back(db::Write& db, const Strike& strike) {
    auto id = strike.account_id;
    switch (strike.action) {
        case StrikeAction::disable:
            if (auto user = accounts::find_user_of(db, id)) accounts::set_disabled(db, user->id, false);
            break;
        case StrikeAction::sensitive: accounts::unsensitize(db, id); break;
        case StrikeAction::silence: accounts::unsilence(db, id); break;
        case StrikeAction::suspend: accounts::unsuspend(db, id); break;
        // What a rule did to a post is taken back by the rules.
        case StrikeAction::mark_statuses_as_sensitive:
            if (!strike.automated) db.emit(PostsToMark{posts_of(strike), false});
            return;
        case StrikeAction::none:
        case StrikeAction::delete_statuses: return;
    }
    call_webhooks(db, "account.updated", id.value);
}

}  // namespace moderation

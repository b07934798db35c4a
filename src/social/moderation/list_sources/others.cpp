// SPDX-License-Identifier: AGPL-3.0-or-later
// What lists say about accounts and mail providers. It is done only when staff says so, each as one would do it by hand.
#include "social/accounts/remote/remote.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/list_sources/standing.hpp"
#include "social/moderation/site/blocks_admin.hpp"

#include <algorithm>

namespace moderation {

namespace {

bool is_strict(const Advice& advice) {
    return advice.policy == AdvicePolicy::drop || advice.policy == AdvicePolicy::reject;
}

// Somebody of another server whom this one knows.
std::optional<accounts::Account> somebody(db::Read& db, std::string_view key) {
    std::optional<accounts::Account> out;
    if (key.starts_with("https://")) {
        if (const auto id = accounts::find_by_uri(db, key)) out = accounts::find_account(db, *id);
    } else {
        if (key.starts_with('@')) key.remove_prefix(1);
        out = accounts::find_by_acct(db, key);
    }
    if (out && out->local()) out.reset();
    return out;
}

// Nothing: no act on an account does that.
std::optional<StrikeAction> action_of(const Advice& advice, Ceiling ceiling) {
    auto server = advice;
    server.about = AdviceAbout::domain;
    const auto rule = rule_of(server, ceiling);
    if (!rule || rule->severity == instance::Severity::noop) return {};
    return rule->severity == instance::Severity::suspend ? StrikeAction::suspend : StrikeAction::silence;
}

}  // namespace

AdviceState state_of_other(db::Read& db, const Advice& advice, Ceiling ceiling) {
    if (advice.type != AdviceType::recommendation) return AdviceState::told;
    if (advice.about == AdviceAbout::email_domain) {
        if (!is_strict(advice)) return AdviceState::told;
        const bool is_blocked = accounts::block_of_email(db, "@" + advice.key, {}).has_value();
        return is_blocked ? AdviceState::in_force : AdviceState::suggested;
    }
    const auto wanted = action_of(advice, ceiling);
    if (!wanted) return AdviceState::told;
    const auto account = somebody(db, advice.key);
    if (!account) return AdviceState::told;
    const bool is_done = account->suspended_at || (account->silenced_at && *wanted == StrikeAction::silence);
    return is_done ? AdviceState::in_force : AdviceState::suggested;
}

Advice advice_about(db::Read& db, ListSourceId id, const std::string& key) {
    for (auto& one : copy_of(db, id))
        if (one.about != AdviceAbout::domain && one.key == key) return one;
    throw base::NotFound();
}

void act_on_advice(db::Write& db, const accounts::Actor& who, ListSourceId id, const Advice& advice) {
    accounts::require(who, accounts::permission::manage_federation);
    const auto source = list_source(db, id);
    if (state_of_other(db, advice, source.ceiling) != AdviceState::suggested)
        throw base::Invalid("Nothing is suggested about " + advice.key);
    if (advice.about == AdviceAbout::email_domain) {
        block_email_domain(db, who, advice.key, false);
        return;
    }
    AccountAction action;
    action.type = action_of(advice, source.ceiling).value();
    act(db, who, somebody(db, advice.key)->id, action);
}

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/strike.hpp"

#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/administering.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/posts/post_action.hpp"
#include "social/notifications/notify.hpp"

#include <algorithm>

namespace moderation {

#define STRIKES                                                                                        \
    "SELECT id, account_id, actor_id, action, text, report_id, status_ids, created_at, overruled_at, " \
    "lifted_at, automated, ground, rule_ids FROM strikes "

const db::Query<Strike> strikes_by_id{"strikes_by_id", STRIKES "WHERE id IN LIST($1)"};
const db::Query<Strike> strikes_down{
    "strikes_down", STRIKES "WHERE account_id = $4 AND id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<Strike> strikes_up{
    "strikes_up", STRIKES "WHERE account_id = $4 AND id < $1 AND id > $2 ORDER BY id LIMIT $3"
};

std::vector<Strike> strikes(db::Read& db, const std::vector<StrikeId>& ids) {
    if (ids.empty()) return {};
    return db.all(strikes_by_id, ids);
}

Strike strike(db::Read& db, StrikeId id) {
    auto found = strikes(db, {id});
    if (found.empty()) throw base::NotFound();
    return std::move(found[0]);
}

std::vector<Strike> strikes_of(db::Read& db, AccountId account, const base::Range& r) {
    auto found = db.all(r.ascending ? strikes_up : strikes_down, r.below, r.above, r.limit, account);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

const db::Command insert_strike{
    "insert_strike",
    R"(INSERT INTO strikes (id, account_id, actor_id, action, text, report_id, status_ids, created_at, automated,
                            ground, rule_ids)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11))"
};

StrikeId strike(db::Write& db, Strike made, bool tell) {
    auto id = db.new_id<StrikeId>();
    std::optional<ReportId> report;
    if (made.report_id) report = made.report_id;
    db.run(
        insert_strike,
        id,
        made.account_id,
        made.actor_id,
        made.action,
        made.text,
        report,
        made.status_ids,
        db.now(),
        made.automated,
        made.ground,
        made.rule_ids
    );
    if (tell && accounts::find_user_of(db, made.account_id)) db.emit(Struck{id, made.account_id});
    return id;
}

std::vector<StatusId> posts_of(const Strike& of) {
    return of.status_ids ? base::json::read<std::vector<StatusId>>(*of.status_ids) : std::vector<StatusId>{};
}

const db::Command lift_strikes_of{
    "lift_strikes_of",
    "UPDATE strikes SET lifted_at = $3 WHERE account_id = $1 AND action = $2 AND lifted_at IS NULL"
};

void lift_strikes(db::Write& db, AccountId account, StrikeAction action) {
    db.run(lift_strikes_of, account, action, db.now());
}

const db::Query<bool> other_strike_holds{
    "other_strike_holds",
    R"(SELECT EXISTS (SELECT 1 FROM strikes WHERE account_id = $1 AND action = $2 AND id <> $3
                      AND overruled_at IS NULL AND lifted_at IS NULL))"
};

namespace {

// Of what was done about the account itself nothing is left to end where it was lifted, and nothing ends while another
// decision says the same.
void end_effect(db::Write& db, const Strike& one) {
    if (one.lifted_at) return;
    if (is_about_posts(one.action) || !db.one(other_strike_holds, one.account_id, one.action, one.id))
        take_back(db, one);
}

}  // namespace

// ---- appeals ----

#define APPEALS "SELECT id, strike_id, account_id, text, state, created_at FROM appeals "

const db::Query<Appeal> appeal_by_id{"appeal_by_id", APPEALS "WHERE id = $1"};
const db::Query<Appeal> appeals_of_strikes{"appeals_of_strikes", APPEALS "WHERE strike_id IN LIST($1)"};
const db::Query<Appeal> appeals_down{
    "appeals_down", APPEALS "WHERE state = $4 AND id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<Appeal> appeals_up{
    "appeals_up", APPEALS "WHERE state = $4 AND id < $1 AND id > $2 ORDER BY id LIMIT $3"
};

Appeal appeal(db::Read& db, AppealId id) { return db.one(appeal_by_id, id); }

std::vector<Appeal> appeals_of(db::Read& db, const std::vector<StrikeId>& ids) {
    if (ids.empty()) return {};
    return db.all(appeals_of_strikes, ids);
}

std::vector<Appeal> appeals(db::Read& db, AppealState state, const base::Range& r) {
    auto found = db.all(r.ascending ? appeals_up : appeals_down, r.below, r.above, r.limit, state);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

const db::Command insert_appeal{
    "insert_appeal",
    "INSERT INTO appeals (id, strike_id, account_id, text, created_at) VALUES ($1, $2, $3, $4, $5)"
};

Time appealable_until(const base::Site& site, const Strike& strike) {
    constexpr std::int64_t day_seconds = 86'400;
    return strike.created_at.plus_seconds(site.appeal_days * day_seconds);
}

AppealId appeal_against(db::Write& db, AccountId account, StrikeId id, const std::string& text) {
    constexpr std::size_t longest = 2000;
    auto about = strike(db, id);
    if (about.account_id != account) throw base::NotFound();
    if (base::text::is_blank(text)) throw base::Invalid("Validation failed: Text can't be blank");
    if (base::text::graphemes(text) > longest)
        throw base::Invalid("Validation failed: Text is too long (maximum is 2000 characters)");
    if (db.now() > appealable_until(db.site(), about))
        throw base::Invalid("It is too late to appeal this strike");
    if (!appeals_of(db, {id}).empty())
        throw base::Invalid("Validation failed: Strike has already been taken");
    auto made = db.new_id<AppealId>();
    db.run(insert_appeal, made, id, account, text, db.now());
    db.emit(AppealMade{made});
    return made;
}

const db::Command settle_appeal{
    "settle_appeal",
    "UPDATE appeals SET state = $2, decided_at = $3, decided_by_id = $4 WHERE id = $1 AND state = 'pending'"
};
const db::Command overrule_strike{"overrule_strike", "UPDATE strikes SET overruled_at = $2 WHERE id = $1"};

void decide_appeal(db::Write& db, const accounts::Actor& who, AppealId id, bool approve) {
    accounts::require(who, accounts::permission::manage_appeals);
    auto about = appeal(db, id);
    if (about.account_id == who.account) throw base::Forbidden();  // nobody judges in their own matter
    auto state = approve ? AppealState::approved : AppealState::rejected;
    if (db.run(settle_appeal, id, state, db.now(), who.account) == 0)
        throw base::Invalid("Validation failed: Appeal is decided already");
    if (approve) {
        auto overruled = strike(db, about.strike_id);
        db.run(overrule_strike, overruled.id, db.now());
        end_effect(db, overruled);
    }
    log(db, who, approve ? "approve" : "reject", {"Appeal", id.value, name_of(db, about.account_id)});
    db.emit(AppealDecided{id});
}

const db::Query<bool> is_appealed{
    "is_appealed", "SELECT EXISTS (SELECT 1 FROM appeals WHERE strike_id = $1)"
};
const db::Command delete_strike{"delete_strike", "DELETE FROM strikes WHERE id = $1"};

void withdraw_strike(db::Write& db, StrikeId id) {
    auto found = strikes(db, {id});
    if (found.empty() || found[0].overruled_at) return;
    const auto& one = found[0];
    end_effect(db, one);
    if (db.one(is_appealed, id)) {
        db.run(overrule_strike, id, db.now());
        return;
    }
    db.run(delete_strike, id);
    notifications::withdraw(
        db, {one.account_id, one.account_id, notifications::Type::moderation_warning, {}, id.value}
    );
}

// ---- entity ----

std::vector<StrikeEntity> entities(db::Read& db, const std::vector<Strike>& found) {
    std::vector<AccountId> targets;
    std::vector<StrikeId> ids;
    for (const auto& one : found) {
        targets.push_back(one.account_id);
        ids.push_back(one.id);
    }
    std::vector<accounts::Version> versions;
    auto all = accounts::accounts_for_staff(db, targets);
    for (const auto& account : all) versions.push_back({account.id, account.version});
    auto rendered = accounts::render(db, versions);
    // Whoever is suspended reads why, too.
    for (const auto& account : all)
        if (!rendered.contains(account.id)) rendered.emplace(account.id, accounts::render(db, account));
    auto known = appeals_of(db, ids);
    std::vector<StrikeEntity> out;
    for (const auto& one : found) {
        auto target = rendered.find(one.account_id);
        if (target == rendered.end()) continue;
        StrikeEntity entity{one.id, one.action, one.text, {}, one.created_at};
        if (one.status_ids) entity.status_ids = base::json::read<std::vector<StatusId>>(*one.status_ids);
        entity.target_account = {target->second->for_viewer(true)};
        auto theirs = std::ranges::find(known, one.id, &Appeal::strike_id);
        if (theirs != known.end()) entity.appeal = AppealEntity{theirs->text, theirs->state};
        out.push_back(std::move(entity));
    }
    return out;
}

notifications::JsonById render_strikes(
    db::Read& db, const statuses::Audience&, const std::vector<std::int64_t>& ids
) {
    std::vector<StrikeId> wanted;
    for (auto id : ids) wanted.push_back({id});
    notifications::JsonById out;
    for (const auto& one : entities(db, strikes(db, wanted)))
        out.emplace(one.id.value, base::json::to_string(one));
    return out;
}

}  // namespace moderation

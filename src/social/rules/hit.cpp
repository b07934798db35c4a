// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/hit.hpp"

#include "base/json_read.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/restricting.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/rules/held.hpp"
#include "social/rules/label.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"

#include <algorithm>

namespace rules {

#define HITS                                                                                          \
    "SELECT id, rule_id, version, status_id, account_id, acted, refused, was_sensitive, was_public, " \
    "actions, matched, strike_id, report_id, held_id, created_at, undone_at FROM rule_hits "
#define DOWN "id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
#define UP "id < $1 AND id > $2 ORDER BY id LIMIT $3"

const db::Query<Hit> hits_down{"hits_down", HITS "WHERE " DOWN};
const db::Query<Hit> hits_up{"hits_up", HITS "WHERE " UP};
const db::Query<Hit> hits_of_rule_down{"hits_of_rule_down", HITS "WHERE rule_id = $4 AND " DOWN};
const db::Query<Hit> hits_of_rule_up{"hits_of_rule_up", HITS "WHERE rule_id = $4 AND " UP};
const db::Query<Hit> hit_by_id{"hit_by_id", HITS "WHERE id = $1"};
const db::Query<HitCount> count_hits_since{
    "count_hits_since",
    R"(SELECT r.id AS rule_id, (SELECT count(*) FROM rule_hits h WHERE h.rule_id = r.id AND h.id > $1) AS hits
       FROM moderation_rules r)"
};
// No more are counted than blow the fuse.
const db::Query<std::int64_t> hits_of_rule_since{
    "hits_of_rule_since",
    R"(SELECT count(*) FROM (SELECT 1 AS x FROM rule_hits WHERE rule_id = $1 AND id > $2 AND acted = TRUE
                             ORDER BY id DESC LIMIT $3) h)"
};
const db::Query<std::int64_t> fuse_of_rule{"fuse_of_rule", "SELECT fuse FROM moderation_rules WHERE id = $1"};
const db::Command insert_rule_hit{
    "insert_rule_hit",
    R"(INSERT INTO rule_hits (id, rule_id, version, status_id, account_id, acted, refused, was_sensitive, was_public,
                              actions, matched, created_at, held_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13))"
};
const db::Command note_what_came_of_hit{
    "note_what_came_of_hit", "UPDATE rule_hits SET strike_id = $2, report_id = $3 WHERE id = $1"
};
const db::Command note_hit_undone{"note_hit_undone", "UPDATE rule_hits SET undone_at = $2 WHERE id = $1"};
const db::Query<Hit> hits_to_undo{
    "hits_to_undo",
    HITS
    "WHERE rule_id = $1 AND id > $2 AND id <= $3 AND acted = TRUE AND undone_at IS NULL "
    "ORDER BY id LIMIT 200"
};
// Other rules did something about the same post, which stands.
const db::Query<Hit> other_hits_about{
    "other_hits_about",
    HITS
    "WHERE status_id = $1 AND status_id <> 0 AND rule_id <> $2 AND acted = TRUE AND "
    "undone_at IS NULL ORDER BY id LIMIT 40"
};
// What was found when a post was held that is published now.
const db::Query<Hit> hits_that_held{
    "hits_that_held",
    HITS "WHERE held_id = $1 AND held_id <> 0 AND acted = TRUE AND undone_at IS NULL ORDER BY id LIMIT 40"
};
const db::Query<bool> others_hold{
    "others_hold",
    R"(SELECT EXISTS (SELECT 1 FROM rule_hits WHERE held_id = $1 AND held_id <> 0 AND rule_id <> $2 AND acted = TRUE AND
                                                   undone_at IS NULL AND actions LIKE '%"hold"%'))"
};
// Other rules wanted something of the account that was done already.
const db::Query<Hit> other_hits_on{
    "other_hits_on",
    HITS
    "WHERE account_id = $1 AND rule_id <> $2 AND acted = TRUE AND undone_at IS NULL AND strike_id = 0 "
    "ORDER BY id DESC LIMIT 100"
};
// Which rule notes the same of this account, where its hit stands.
const db::Query<Hit> hits_that_note{
    "hits_that_note",
    HITS
    "WHERE account_id = $1 AND rule_id <> $2 AND acted = TRUE AND undone_at IS NULL AND "
    "actions LIKE '%\"label\"%' ORDER BY id LIMIT 200"
};
const db::Command delete_old_hits{
    "delete_old_hits",
    "DELETE FROM rule_hits WHERE id IN (SELECT id FROM rule_hits WHERE id < $1 ORDER BY id LIMIT 500)"
};

namespace {

HitId first_since(Time time) {
    constexpr std::int64_t latest = std::int64_t{1} << 46;
    return {std::clamp<std::int64_t>(time.ms, 0, latest) << 16};
}

std::vector<RuleAction> actions_of(const Hit& hit) {
    return base::json::read<std::vector<RuleAction>>(hit.actions);
}

const RuleAction* find(const std::vector<RuleAction>& all, RuleAct act) {
    auto found = std::ranges::find(all, act, &RuleAction::act);
    return found == all.end() ? nullptr : &*found;
}

bool is_about_more(const statuses::RuleHit& hit) {
    return hit.acts && std::ranges::any_of(hit.actions, [](const RuleAction& action) {
               using enum RuleAct;
               return action.act == report || action.act == limit_account || action.act == suspend_account ||
                      action.act == label || action.act == notify;
           });
}

bool covers(const std::vector<RuleAction>& actions) {
    return find(actions, RuleAct::sensitive) || find(actions, RuleAct::cw);
}

// Whoever wrote it here is told.
bool is_to_be_told(db::Read& db, const statuses::Judged& judged, const statuses::RuleHit& hit) {
    return hit.acts && !judged.refused && judged.status && !judged.held && !judged.was_sensitive &&
           covers(hit.actions) && statuses::written_here(db, judged.status);
}

}  // namespace

std::vector<Hit> hits(db::Read& db, RuleId rule, const base::Range& r) {
    auto found =
        rule ? db.all(r.ascending ? hits_of_rule_up : hits_of_rule_down, r.below, r.above, r.limit, rule)
             : db.all(r.ascending ? hits_up : hits_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

std::vector<HitCount> hits_today(db::Read& db) {
    return db.all(count_hits_since, first_since(db.now().plus_seconds(-86'400)));
}

const db::Query<bool> holds_already{
    "holds_already",
    "SELECT EXISTS (SELECT 1 FROM rule_hits WHERE held_id = $1 AND held_id <> 0 AND rule_id = $2)"
};

void keep_hits(db::Write& db, const statuses::Judged& judged) {
    HitsToAct more;
    for (const auto& hit : judged.hits) {
        // One that waits was counted and told of when it came first.
        if (judged.held && db.one(holds_already, judged.held, hit.rule)) continue;
        auto id = db.new_id<HitId>();
        db.run(
            insert_rule_hit,
            id,
            hit.rule,
            hit.version,
            judged.refused ? StatusId{} : judged.status,
            judged.account,
            hit.acts,
            judged.refused,
            judged.was_sensitive,
            judged.was_public,
            base::json::to_string(hit.actions),
            hit.matched,
            db.now(),
            judged.held
        );
        if (is_about_more(hit) || is_to_be_told(db, judged, hit)) more.hits.push_back(id);
        if (!hit.acts) continue;
        auto fuse = db.maybe(fuse_of_rule, hit.rule).value_or(0);
        auto hour = db.one(hits_of_rule_since, hit.rule, first_since(db.now().plus_seconds(-3600)), fuse + 1);
        if (fuse > 0 && hour > fuse) db.emit(FuseBlown{{hit.rule}, hit.version});
    }
    if (!more.hits.empty()) db.emit(more);
}

namespace {

std::string cause(const Hit& hit) {
    return "{\"rule\":\"" + std::to_string(hit.rule_id.value) +
           "\",\"version\":" + std::to_string(hit.version) + "}";
}

moderation::ReportId file_report(db::Write& db, const Hit& hit) {
    moderation::Complaint complaint;
    complaint.target = hit.account_id;
    complaint.category = moderation::Category::spam;
    auto named = rule(db, hit.rule_id).name;
    complaint.comment = "Rule \"" + named + "\", version " + std::to_string(hit.version) + ": " + hit.matched;
    auto who = moderation::automatic_reporter(db);
    auto status = hit.status_id ? statuses::find_status(db, hit.status_id) : std::nullopt;
    // What the reporter cannot see is not shown to it either.
    if (status && statuses::open(status->visibility)) complaint.statuses.push_back(hit.status_id);
    return moderation::report(db, statuses::audience(db, who), complaint);
}

moderation::StrikeId act_on_account(
    db::Write& db, const Hit& hit, moderation::StrikeAction type, const std::string& text
) {
    auto now = accounts::restrictions(db, hit.account_id);
    bool done = type == moderation::StrikeAction::suspend ? now.suspended : now.suspended || now.limited;
    if (done) return {};
    moderation::AccountAction action;
    action.type = type;
    action.text = text;
    action.details = cause(hit);
    action.closes_reports = false;
    action.automated = true;
    if (hit.status_id) action.posts = {hit.status_id};
    return moderation::act(db, accounts::the_operator(), hit.account_id, action);
}

moderation::StrikeId act_on_account(db::Write& db, const Hit& hit) {
    using moderation::StrikeAction;
    auto actions = actions_of(hit);
    if (const auto* suspends = find(actions, RuleAct::suspend_account))
        return act_on_account(db, hit, StrikeAction::suspend, suspends->text);
    if (const auto* limits = find(actions, RuleAct::limit_account))
        return act_on_account(db, hit, StrikeAction::silence, limits->text);
    return {};
}

// Of a post that is covered now, whoever wrote it here is told that a program did it, and may appeal.
moderation::StrikeId notify_author(db::Write& db, const Hit& hit) {
    if (hit.refused || hit.was_sensitive || !hit.status_id || !covers(actions_of(hit)) ||
        (hit.held_id && statuses::find_held(db, hit.held_id)) || !statuses::find_status(db, hit.status_id) ||
        !statuses::written_here(db, hit.status_id))
        return {};
    auto told = [](const Hit& other) { return other.strike_id && covers(actions_of(other)); };
    if (std::ranges::any_of(db.all(other_hits_about, hit.status_id, hit.rule_id), told)) return {};
    moderation::Strike made;
    made.account_id = hit.account_id;
    made.action = moderation::StrikeAction::mark_statuses_as_sensitive;
    made.status_ids = base::json::to_string(std::vector{hit.status_id});
    made.automated = true;
    return moderation::strike(db, made, true);
}

// One of them tells, unless another one did already.
void notify_once(db::Write& db, const std::vector<Hit>& found) {
    for (const auto& hit : found) {
        if (hit.strike_id) continue;
        if (auto strike = notify_author(db, hit)) {
            db.run(note_what_came_of_hit, hit.id, strike, hit.report_id);
            return;
        }
    }
}

void act_on(db::Write& db, const Hit& hit) {
    moderation::ReportId report;
    moderation::StrikeId strike;
    try {
        auto actions = actions_of(hit);
        if (const auto* noted = find(actions, RuleAct::label))
            put_label(db, hit.account_id, noted->text, hit.rule_id);
        if (find(actions, RuleAct::notify)) tell_team(db, hit.rule_id);
        if (find(actions, RuleAct::report)) report = file_report(db, hit);
        strike = act_on_account(db, hit);
        if (!strike) strike = hit.strike_id ? hit.strike_id : notify_author(db, hit);
    } catch (const base::NotFound&) {
        // The account, the post or the rule is gone: there is nothing left to act on.
    }
    db.run(note_what_came_of_hit, hit.id, strike, report);
}

}  // namespace

void act_on_hits(db::Write& db, const HitsToAct& left) {
    for (auto id : left.hits) {
        auto hit = db.maybe(hit_by_id, id);
        if (!hit || hit->undone_at || hit->report_id) continue;
        // What was held may be published, and told of, before this comes to it.
        if (!hit->strike_id || hit->held_id) act_on(db, *hit);
    }
}

void tell_of_released(db::Write& db, statuses::HeldId held) { notify_once(db, db.all(hits_that_held, held)); }

// ---- undoing ----

const db::Query<HitId> last_hit_of_rule{
    "last_hit_of_rule", "SELECT id FROM rule_hits WHERE rule_id = $1 ORDER BY id DESC LIMIT 1"
};
const db::Query<Undone> count_hits_to_undo{
    "count_hits_to_undo",
    R"(SELECT count(*) AS hits, COALESCE(sum(CASE WHEN refused = TRUE THEN 1 ELSE 0 END), 0) AS lost FROM rule_hits
       WHERE rule_id = $1 AND id > $2 AND acted = TRUE AND undone_at IS NULL)"
};

Undone undo_since(db::Write& db, const accounts::Actor& who, RuleId id, Time since, bool dry_run) {
    accounts::require(who, accounts::permission::manage_blocks);
    auto of = rule(db, id);
    if (of.acts_on_accounts) accounts::require(who, accounts::permission::manage_users);
    auto out = db.one(count_hits_to_undo, id, first_since(since));
    auto last = db.maybe(last_hit_of_rule, id);
    if (dry_run || !last || out.hits == 0) return out;
    moderation::log(db, who, "undo", {"Rule", id.value, of.name}, base::json::to_string(out));
    db.emit(UndoingContinued{id, first_since(since), *last});
    return out;
}

namespace {

bool still_wanted(const std::vector<Hit>& others, RuleAct act) {
    return std::ranges::any_of(others, [&](const Hit& hit) { return find(actions_of(hit), act); });
}

// An account is limited once, by the rule that came first; where that is taken back, the next one that wanted it does it.
void act_for_others(db::Write& db, const Hit& undone) {
    for (const auto& other : db.all(other_hits_on, undone.account_id, undone.rule_id))
        if (auto strike = act_on_account(db, other)) {
            db.run(note_what_came_of_hit, other.id, strike, other.report_id);
            return;
        }
}

// A label is noted once, by the rule that came first; where that is undone, it is the next one's that wanted it.
void take_back_label(db::Write& db, const Hit& undone, const std::string& label) {
    if (!take_label(db, undone.account_id, label, undone.rule_id)) return;
    for (const auto& other : db.all(hits_that_note, undone.account_id, undone.rule_id)) {
        const auto actions = actions_of(other);
        const auto* noted = find(actions, RuleAct::label);
        if (noted && noted->text == label) return put_label(db, undone.account_id, label, other.rule_id);
    }
}

void take_back_marks(db::Write& db, const Hit& hit, const std::vector<RuleAction>& actions) {
    if (!hit.status_id) return;
    auto others = db.all(other_hits_about, hit.status_id, hit.rule_id);
    statuses::RuleMarks marks;
    const auto* warned = find(actions, RuleAct::cw);
    bool marked = warned || find(actions, RuleAct::sensitive);
    bool marked_else = still_wanted(others, RuleAct::sensitive) || still_wanted(others, RuleAct::cw);
    marks.sensitive = marked && !hit.was_sensitive && !marked_else;
    marks.unlisted =
        find(actions, RuleAct::unlist) && hit.was_public && !still_wanted(others, RuleAct::unlist);
    if (warned && !still_wanted(others, RuleAct::cw)) marks.warning = warned->text;
    statuses::take_back_marks(db, hit.status_id, marks);
}

void undo(db::Write& db, const Hit& hit) {
    db.run(note_hit_undone, hit.id, db.now());
    auto actions = actions_of(hit);
    if (hit.strike_id) {
        moderation::withdraw_strike(db, hit.strike_id);
        using enum RuleAct;
        if (find(actions, limit_account) || find(actions, suspend_account)) act_for_others(db, hit);
        if (covers(actions)) notify_once(db, db.all(other_hits_about, hit.status_id, hit.rule_id));
    }
    if (const auto* noted = find(actions, RuleAct::label)) take_back_label(db, hit, noted->text);
    if (hit.held_id && !db.one(others_hold, hit.held_id, hit.rule_id)) let_go(db, hit.held_id);
    if (hit.report_id && !moderation::admin_report(db, hit.report_id).action_taken_at)
        moderation::resolve(db, accounts::the_operator(), hit.report_id);
    take_back_marks(db, hit, actions);
}

}  // namespace

void continue_undoing(db::Write& db, const UndoingContinued& left) {
    const jobs::Turn turn;
    auto found = db.all(hits_to_undo, left.rule, left.after, left.until);
    for (const auto& hit : found) {
        undo(db, hit);
        if (turn.over()) return db.emit(UndoingContinued{left.rule, hit.id, left.until});
    }
    if (!found.empty()) db.emit(UndoingContinued{left.rule, found.back().id, left.until});
}

const db::Query<Hit> hit_of_strike{
    "hit_of_strike",
    HITS "WHERE strike_id = $1 AND strike_id <> 0 AND undone_at IS NULL ORDER BY id DESC LIMIT 1"
};

void take_back_appealed(db::Write& db, const moderation::AppealDecided& e) {
    const auto decided = moderation::appeal(db, e.appeal);
    const auto about = moderation::strike(db, decided.strike_id);
    if (!about.overruled_at || about.action != moderation::StrikeAction::mark_statuses_as_sensitive) return;
    auto hit = db.maybe(hit_of_strike, about.id);
    if (!hit) return;
    // First the hits that stayed silent because this one told the author, so that none of them tells instead.
    for (const auto& other : db.all(other_hits_about, hit->status_id, hit->rule_id))
        if (!other.strike_id && covers(actions_of(other))) undo(db, other);
    undo(db, *hit);
}

void purge_hits(db::Write& db) {
    db.run(delete_old_hits, first_since(db.now().plus_seconds(-hits_kept_seconds)));
}

}  // namespace rules

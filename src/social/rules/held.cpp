// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/held.hpp"

#include "base/json_read.hpp"
#include "social/accounts/account.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/strike.hpp"
#include "social/rules/hit.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/writing/held_draft.hpp"

#include <algorithm>

namespace rules {

// held_posts belongs to statuses.
#define HELD \
    "SELECT id, account_id, status_id, uri, draft, created_at, until, drops, set_aside FROM held_posts "
const db::Query<Held> waiting_posts_down{
    "waiting_posts_down", HELD "WHERE set_aside = $4 AND id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<Held> waiting_posts_up{
    "waiting_posts_up", HELD "WHERE set_aside = $4 AND id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<HeldId> due_held{
    "due_held", "SELECT id FROM held_posts WHERE until IS NOT NULL AND until <= $1 ORDER BY until LIMIT 100"
};
const db::Command reschedule_held{"reschedule_held", "UPDATE held_posts SET until = $2 WHERE id = $1"};
const db::Command put_aside{
    "put_aside", "UPDATE held_posts SET set_aside = $2, until = $3, drops = $2 WHERE id = $1"
};
struct Holding {
    HeldId held_id;
    RuleId rule_id;
};
DESCRIBE(Holding, held_id, rule_id)
const db::Query<Holding> rules_that_hold{
    "rules_that_hold",
    R"(SELECT DISTINCT held_id, rule_id FROM rule_hits WHERE held_id IN LIST($1) AND held_id <> 0 AND acted = TRUE
       ORDER BY held_id, rule_id)"
};
struct Told {
    StatusId id;
    std::string content, spoiler_text;
};
DESCRIBE(Told, id, content, spoiler_text)
// statuses belongs to statuses.
const db::Query<Told> texts_of_held{
    "texts_of_held", "SELECT id, content, spoiler_text FROM statuses WHERE id IN LIST($1)"
};

namespace {

HeldPost described(const Held& one) {
    HeldPost out;
    out.id = one.id, out.account_id = one.account_id, out.created_at = one.created_at;
    out.until = one.until, out.drops = one.drops, out.uri = one.uri;
    if (one.status_id) {
        auto draft = base::json::read<statuses::HeldDraft>(one.draft);
        out.status_id = one.status_id;
        out.visibility = draft.visibility;
        out.mentions = std::ssize(draft.mentions);
        return out;
    }
    auto post = statuses::read_held(one);
    out.content = post.html.harmless();
    out.spoiler_text = post.spoiler_text;
    out.visibility = post.visibility;
    out.mentions = std::ssize(post.mentions);
    for (const auto& file : post.media) out.media.push_back(file.url);
    return out;
}

std::vector<HeldPost> described(db::Read& db, const std::vector<Held>& all) {
    std::vector<HeldPost> out;
    std::vector<HeldId> ids;
    std::vector<StatusId> here;
    std::vector<AccountId> authors;
    for (const auto& one : all) {
        out.push_back(described(one));
        ids.push_back(one.id);
        authors.push_back(one.account_id);
        if (one.status_id) here.push_back(one.status_id);
    }
    if (out.empty()) return out;
    for (const auto& hit : db.all(rules_that_hold, ids))
        std::ranges::find(out, hit.held_id, &HeldPost::id)->rules.push_back(hit.rule_id);
    for (const auto& author : accounts::accounts(db, authors))
        for (auto& one : out)
            if (one.account_id == author.id) one.acct = author.acct();
    if (here.empty()) return out;
    for (auto& text : db.all(texts_of_held, here))
        for (auto& one : out)
            if (one.status_id == text.id) {
                one.content = std::move(text.content);
                one.spoiler_text = std::move(text.spoiler_text);
            }
    return out;
}

void publish(db::Write& db, const Held& held) {
    statuses::forget_held(db, held.id);
    if (!held.status_id) return statuses::store_held(db, held);
    statuses::publish_held(db, held);
    tell_of_released(db, held.id);
}

// Whoever wrote it here is told. `automated`: its time was up.
void notify_author(db::Write& db, const Held& held, base::AccountId by, bool automated) {
    moderation::Strike made;
    made.account_id = held.account_id;
    made.actor_id = by;
    made.action = moderation::StrikeAction::delete_statuses;
    made.status_ids = base::json::to_string(std::vector{held.status_id});
    made.automated = automated;
    moderation::strike(db, made, true);
}

void drop(db::Write& db, const Held& held, base::AccountId by, bool automated) {
    statuses::forget_held(db, held.id);
    if (!held.status_id) return statuses::remove_remote(db, held.account_id, *held.uri);
    if (!statuses::find_status(db, held.status_id)) return;
    notify_author(db, held, by, automated);
    statuses::remove(db, held.account_id, held.status_id, true);
}

template <class Act>
void act(db::Write& db, const accounts::Actor& who, HeldId id, std::string_view word, const Act& what) {
    accounts::require(who, accounts::permission::manage_blocks);
    auto held = statuses::find_held(db, id);
    if (!held) throw base::NotFound();
    what(db, *held);
    auto name = held->uri ? *held->uri : std::to_string(held->status_id.value);
    moderation::log(db, who, word, {"HeldPost", held->account_id.value, name});
}

}  // namespace

std::vector<HeldPost> held_posts(db::Read& db, const base::Range& r, bool aside) {
    auto found =
        db.all(r.ascending ? waiting_posts_up : waiting_posts_down, r.below, r.above, r.limit, aside);
    if (r.ascending) std::ranges::reverse(found);
    return described(db, found);
}

HeldPost held_post(db::Read& db, HeldId id) {
    auto found = statuses::find_held(db, id);
    if (!found) throw base::NotFound();
    return described(db, std::vector{*std::move(found)})[0];
}

void release_held(db::Write& db, const accounts::Actor& who, HeldId id) {
    act(db, who, id, "release", publish);
}

namespace {

void drop_held(db::Write& db, const accounts::Actor& who, HeldId id, bool automated) {
    act(db, who, id, "drop", [&](db::Write& db, const Held& held) { drop(db, held, who.account, automated); }
    );
}

}  // namespace

void drop_held(db::Write& db, const accounts::Actor& who, HeldId id) { drop_held(db, who, id, false); }

void set_aside_held(db::Write& db, const accounts::Actor& who, HeldId id) {
    act(db, who, id, "set_aside", [&](db::Write&, const Held& held) {
        db.run(put_aside, held.id, true, std::optional(db.now().plus_seconds(aside_for_seconds)));
    });
}

void take_up_held(db::Write& db, const accounts::Actor& who, HeldId id) {
    act(db, who, id, "take_up", [](db::Write& db, const Held& held) {
        if (!held.set_aside) throw base::NotFound();
        db.run(put_aside, held.id, false, std::optional<Time>());
    });
}

void let_go(db::Write& db, HeldId id) {
    if (auto held = statuses::find_held(db, id); held && !held->set_aside) publish(db, *held);
}

// Each in a job of its own: what is published may be much. One that fails is tried again in an hour.
void find_due_held(db::Write& db) {
    for (auto id : db.all(due_held, db.now())) {
        const auto until = db.now().plus_seconds(3600);
        db.run(reschedule_held, id, until);
        db.emit(HeldDue{id, until});
    }
}

void end_holding(db::Write& db, const HeldDue& due) {
    auto held = statuses::find_held(db, due.held);
    // Somebody of the team was faster.
    if (!held || held->until != due.until) return;
    // What the team set aside, it has decided about.
    if (held->drops) drop_held(db, accounts::the_operator(), due.held, !held->set_aside);
    else release_held(db, accounts::the_operator(), due.held);
}

}  // namespace rules

// SPDX-License-Identifier: AGPL-3.0-or-later
// Checks a post against the team's rules before it is stored. The rules are implemented above this subject,
// which hands its functions over at start (server/gates.cpp). They are evaluated on a reader; the verdict is
// passed on with the draft, and the code that stores the post applies it.
#pragma once
#include "social/statuses/core/status.hpp"

#include <functional>
#include <memory>
#include <span>

namespace statuses {

// A post that is about to be stored, or is stored already. Holds views: the caller keeps the texts alive.
struct Candidate {
    StatusId id;  // 0: new
    AccountId author;
    Time at, seen;            // when it was written, and when it arrived
    std::string_view domain;  // of the author's server, if the key does not include it
    std::string_view key;     // checks with the same key and text are counted once; may be empty
    bool edit = false;
    std::string_view html, spoiler_text;
    Visibility visibility = Visibility::public_;
    bool sensitive = false, poll = false, reply = false;
    std::int64_t media = 0;
    std::string_view language;
    std::span<const AccountId> mentions;
    std::vector<std::string_view> tags;            // normalised
    std::function<AccountId(db::Read&)> answered;  // author of the post that it replies to, if known
};

BOOST_DEFINE_ENUM_CLASS(
    RuleAct, allow, label, notify, report, sensitive, cw, unlist, no_notify, hold, refuse, limit_account,
    suspend_account
)
struct RuleAction {
    RuleAct act = RuleAct::report;
    std::string
        // cw: the warning; label: the note about the author; refuse and acts on accounts: the message to the
        // author
        text;
    std::int64_t hours = 0;  // of hold; 0: until the team decides
    bool drops = false;      // when the hold ends; otherwise the post is published
};
DESCRIBE(RuleAction, act, text, hours, drops)

// One rule that applies.
struct RuleHit {
    std::int64_t rule = 0, version = 0;
    bool acts = false;  // otherwise it only watches
    std::vector<RuleAction> actions;
    std::string matched;  // JSON: the fields and values that matched
};
DESCRIBE(RuleHit, rule, version, acts, actions, matched)

struct Verdict {
    bool refused = false;
    std::string refusal;                                    // shown to the author
    bool sensitive = false, unlist = false, quiet = false;  // quiet: mentions cause no notifications
    std::string warning;                                    // used if the post has none
    bool hold = false, hold_drops = false;                  // held.hpp
    std::int64_t hold_hours = 0;
    std::vector<RuleHit> hits;
    bool was_sensitive = false, was_public = false;  // before the verdict was applied
};

struct Gate {
    std::function<bool(db::Read&)> open;  // false: no rule can match, so nothing has to be prepared
    std::function<Verdict(db::Read&, const Candidate&)> judge;
    // while there are no rules: learns only the rough shape of the post
    std::function<void(db::Read&, const Candidate&)> watch;
};
// Set once at start. Without a gate every post passes.
void use_gate(const Gate&);
bool may_be_judged(db::Read&);
void watch(db::Read&, const Candidate&);
std::shared_ptr<const Verdict> judge(db::Read&, const Candidate&);  // null: no rule has anything to say

using HeldId = base::Id<struct HeldPostTag>;

// Event: a post that matched rules was stored, changed, held or refused.
struct Judged {
    StatusId status;  // 0: it was refused, or is held outside of statuses
    AccountId account;
    bool refused = false, was_sensitive = false, was_public = false;
    HeldId held;
    std::vector<RuleHit> hits;
};
DESCRIBE(Judged, status, account, refused, was_sensitive, was_public, held, hits)
void tell_judged(
    db::Write&, const std::shared_ptr<const Verdict>&, StatusId, AccountId author, HeldId held = {}
);
// The same verdict, with a hold until the team decides.
std::shared_ptr<const Verdict> held_back(const std::shared_ptr<const Verdict>&);
[[noreturn]] void refuse(const Verdict&);  // throws Invalid

// What a rule changed on a post; it is undone where it is still in effect.
struct RuleMarks {
    bool sensitive = false, unlisted = false;  // it was neither before
    std::string warning;                       // there was none before
};
void unlist(db::Write&, StatusId);  // a public post
void take_back_marks(db::Write&, StatusId, const RuleMarks&);

// Event: the changes that a rule made to a post were undone.
struct MarksTakenBack {
    StatusId status;
};
DESCRIBE(MarksTakenBack, status)

}  // namespace statuses

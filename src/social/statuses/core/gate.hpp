// SPDX-License-Identifier: AGPL-3.0-or-later
// What is asked about a post before it is stored: whether rules of the team have anything to say. Who knows the rules stands
// above this subject and hands its functions over at start (server/gates.cpp). It is asked on a reader; what it said travels
// with the draft, and whoever stores the post obeys.
#pragma once
#include "social/statuses/core/status.hpp"

#include <functional>
#include <memory>
#include <span>

namespace statuses {

// What is about to be stored, or stands here already. Views: whoever asks keeps the texts.
struct Candidate {
    StatusId id;  // 0: it is new
    AccountId author;
    Time at, seen;            // when it was written, and when it came
    std::string_view domain;  // of the author's server, where the key does not tell it
    std::string_view key;     // what is told once only, however often it comes; or nothing
    bool edit = false;
    std::string_view html, spoiler_text;
    Visibility visibility = Visibility::public_;
    bool sensitive = false, poll = false, reply = false;
    std::int64_t media = 0;
    std::string_view language;
    std::span<const AccountId> mentions;
    std::vector<std::string_view> tags;            // normalised
    std::function<AccountId(db::Read&)> answered;  // whom it answers, as far as that is known
};

BOOST_DEFINE_ENUM_CLASS(
    RuleAct, allow, label, notify, report, sensitive, cw, unlist, no_notify, hold, refuse, limit_account,
    suspend_account
)
struct RuleAction {
    RuleAct act = RuleAct::report;
    std::string
        text;  // of cw: the warning; of label: what is noted of the author; of refuse and the acts on accounts: what their author is told
    std::int64_t hours = 0;  // of hold; 0: until somebody decides
    bool drops = false;      // then, or it is published
};
DESCRIBE(RuleAction, act, text, hours, drops)

// One rule that applies.
struct RuleHit {
    std::int64_t rule = 0, version = 0;
    bool acts = false;  // else it only watches
    std::vector<RuleAction> actions;
    std::string matched;  // JSON: by which fields and values
};
DESCRIBE(RuleHit, rule, version, acts, actions, matched)

struct Verdict {
    bool refused = false;
    std::string refusal;                                    // for who is refused
    bool sensitive = false, unlist = false, quiet = false;  // quiet: nobody is notified of being mentioned
    std::string warning;                                    // where it has none
    bool hold = false, hold_drops = false;                  // held.hpp
    std::int64_t hold_hours = 0;
    std::vector<RuleHit> hits;
    bool was_sensitive = false, was_public = false;  // before it was obeyed
};

struct Gate {
    std::function<bool(db::Read&)> open;  // false: nothing can match, so that nothing need be prepared
    std::function<Verdict(db::Read&, const Candidate&)> judge;
    std::function<void(db::Read&, const Candidate&)> watch;  // where there is no rule; told the rough shape
};
// Given once at start. Without one everything passes.
void use_gate(const Gate&);
bool may_be_judged(db::Read&);
void watch(db::Read&, const Candidate&);
std::shared_ptr<const Verdict> judge(db::Read&, const Candidate&);  // null: no rule has anything to say

using HeldId = base::Id<struct HeldPostTag>;

// Event: a post that rules applied to was stored, changed, held or refused.
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
// The same, and it waits until somebody of the team has decided.
std::shared_ptr<const Verdict> held_back(const std::shared_ptr<const Verdict>&);
[[noreturn]] void refuse(const Verdict&);  // throws Invalid

// What a rule did to a post, to be taken back where it still stands.
struct RuleMarks {
    bool sensitive = false, unlisted = false;  // it was neither before
    std::string warning;                       // there was none before
};
void unlist(db::Write&, StatusId);  // what was public
void take_back_marks(db::Write&, StatusId, const RuleMarks&);

// Event: a post is as it was before a rule changed it.
struct MarksTakenBack {
    StatusId status;
};
DESCRIBE(MarksTakenBack, status)

}  // namespace statuses

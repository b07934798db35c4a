// SPDX-License-Identifier: AGPL-3.0-or-later
// Moderation rules about posts, stored in versions. Definitions are parsed strictly from JSON: anything
// unknown is refused. Not the site's rules for people (instance).
#pragma once
#include "social/accounts/users/role.hpp"
#include "social/rules/field.hpp"
#include "social/statuses/core/gate.hpp"

namespace rules {

using base::AccountId, base::StatusId, base::Time;
using statuses::RuleAct, statuses::RuleAction;
using RuleId = base::Id<struct ModerationRuleTag>;

BOOST_DEFINE_ENUM_CLASS(Mode, off, watch, on)

enum class Op : std::uint8_t { is, in, not_, less, more, contains_word, near };
std::string_view word(Op);

struct Condition {
    FieldId field = FieldId::text;
    Op op = Op::is;
    std::vector<std::string> values;  // in their one spelling
    std::vector<std::string> lists;   // names of lists of more of them (word_list.hpp)
    std::int64_t number = 0;          // of a number or a flag
    std::int64_t minutes = 0;         // of counted fields: the period
};

struct Definition {
    std::string name;
    std::int64_t order = 0;
    std::vector<Condition> all_of, none_of;  // "if", "unless"
    std::vector<RuleAction> then;
    bool everyone = false;    // also staff and those who are trusted
    bool not_public = false;  // "private": also posts that are not for everybody
    std::optional<Time> expires_at;
    std::int64_t fuse = 100;  // hits per hour, after which it only watches

    bool does(RuleAct) const;
    bool acts_on_accounts() const { return does(RuleAct::limit_account) || does(RuleAct::suspend_account); }
    bool has_to_be_rehearsed() const;
};

constexpr std::size_t most_rules = 2000, most_values = 20'000, most_conditions = 20, largest_rule = 1 << 20;

// A value, normalised for comparison with posts. Throws Invalid.
std::string spelled_value(FieldId, std::string);
// Throws Invalid with the reason.
Definition read_definition(std::string_view json);
std::string json(const Definition&);                // read_definition() of it is the same
std::string laid_out(std::string_view definition);  // for people to read and change: in lines

struct Rule {
    RuleId id;
    std::string name;
    Mode mode = Mode::watch;
    std::int64_t position = 0, version = 1;
    std::string definition;
    std::int64_t fuse = 100;
    bool acts_on_accounts = false, has_to_be_rehearsed = false;
    Time created_at, updated_at;
    std::int64_t rehearsed_version = 0;
    Time rehearsed_at;
    std::optional<Time> tripped_at;
};
DESCRIBE(
    Rule, id, name, mode, position, version, definition, fuse, acts_on_accounts, has_to_be_rehearsed,
    created_at, updated_at, rehearsed_version, rehearsed_at, tripped_at
)

std::vector<Rule> rules(db::Read&);  // in their order
Rule rule(db::Read&, RuleId);        // throws NotFound
// Those whose definitions may contain this keyword of the rule language, in order.
std::vector<Rule> rules_saying(db::Read&, std::string_view word);
// Whether it acts on accounts, or labels them for another rule that does.
bool reaches_accounts(db::Read&, const Definition&);

struct RuleVersion {
    std::int64_t version = 0;
    std::string definition;
    AccountId made_by;
    Time created_at;
};
DESCRIBE(RuleVersion, version, definition, made_by, created_at)
std::vector<RuleVersion> versions(db::Read&, RuleId);  // the newest first
Definition definition_of(db::Read&, RuleId, std::int64_t version);

// Each needs manage_blocks, and manage_users where the rule acts on accounts; to change one or its mode also
// where it notes what such a rule reads. `expected`: the version that was read, if the caller says so. Throw
// Forbidden, NotFound, Invalid, and Conflict when somebody else changed it first.
RuleId add_rule(db::Write&, const accounts::Actor&, const Definition&);  // it watches
// An unchanged definition makes no version. An active rule only watches from then on, if the new version must
// be rehearsed.
void change_rule(
    db::Write&, const accounts::Actor&, RuleId, const Definition&, std::optional<std::int64_t> expected
);
void remove_rule(db::Write&, const accounts::Actor&, RuleId);
void set_mode(db::Write&, const accounts::Actor&, RuleId, Mode);
void note_rehearsed(db::Write&, RuleId, std::int64_t version);
constexpr std::int64_t rehearsal_holds_seconds = 7 * 86'400;

// Event: a rule hit too often. It only watches from now on, and staff is notified.
struct FuseBlown {
    RuleId rule;
    std::int64_t version = 0;
};
DESCRIBE(FuseBlown, rule, version)
struct FuseMailWanted {
    RuleId rule;
    base::UserId user;
};
DESCRIBE(FuseMailWanted, rule, user)
void put_back(db::Write&, const FuseBlown&);                         // reaction
void mail_fuse(const base::Ask&, db::Read&, const FuseMailWanted&);  // reaction

// Event: a rule that tells the team has applied. Once an hour at most.
struct NoticeWanted {
    RuleId rule;
    base::UserId user;
};
DESCRIBE(NoticeWanted, rule, user)
void tell_team(db::Write&, RuleId);
void mail_notice(const base::Ask&, db::Read&, const NoticeWanted&);  // reaction
constexpr std::int64_t notices_apart_seconds = 3600;

// Moves with every change; empty before the first.
std::string rules_version(db::Read&);
void move_rules_version(db::Write&);

}  // namespace rules

// SPDX-License-Identifier: AGPL-3.0-or-later
// Labels: words that staff, rules and lists attach to accounts, posts and servers. Each has a default effect
// on posts, which users can override (effects.hpp). There are few, and all of them are kept in memory, with
// the servers that have one.
#pragma once
#include "db/session.hpp"

#include <map>
#include <memory>

namespace labels {

using base::AccountId;
using base::StatusId;
using base::Time;
using LabelId = base::Id<struct LabelTag>;

// none: invisible to people, but still available to rules.
BOOST_DEFINE_ENUM_CLASS(LabelEffect, none, warn, hide)

constexpr std::int64_t most_labels = 200;
constexpr std::size_t longest_name = 50, longest_title = 100;

struct Label {
    LabelId id;
    std::string name;   // identifies it in rules; cannot be changed
    std::string title;  // shown to people
    LabelEffect effect = LabelEffect::none;
    Time created_at, updated_at;
};
DESCRIBE(Label, id, name, title, effect, created_at, updated_at)

std::vector<Label> all_labels(db::Read&);  // by name
Label label(db::Read&, LabelId);           // throws NotFound
std::optional<Label> find_label(db::Read&, std::string_view name);

struct LabelForm {
    std::string name;
    std::optional<std::string> title;  // default: the name
    LabelEffect effect = LabelEffect::none;
};
LabelId create(db::Write&, const LabelForm&);  // throws Invalid
// Values that are not given stay unchanged. Throws Invalid and NotFound.
void change(db::Write&, LabelId, const std::optional<std::string>& title, std::optional<LabelEffect>);
void remove(db::Write&, LabelId);  // also from everything that has it; throws NotFound

// For rules, which refer to labels by name: a missing one is created, without an effect.
void require_label(db::Read&, const std::string& name);  // throws Invalid if no more can be created
LabelId label_called(db::Write&, const std::string& name);

// Remaining uses of a removed label are deleted in chunks.
struct LabelRemoved {
    LabelId label;
};
DESCRIBE(LabelRemoved, label)
void forget_label(db::Write&, const LabelRemoved&);

// The cache in memory.

struct Table {
    std::map<LabelId, Label> labels;
    std::map<std::string, std::vector<LabelId>, std::less<>> servers;

    const Label* find(LabelId id) const {
        const auto found = labels.find(id);
        return found == labels.end() ? nullptr : &found->second;
    }
    std::vector<LabelId> on_server(std::string_view domain) const;  // its own and those of its parent domains
};
// Null while there are none. Costs one small query, or none if the version is known.
std::shared_ptr<const Table> table(db::Read&);

// A number that increases with each change of the table, and SQL that reads it: a query that every page runs
// includes it and passes it to knows_version(), which saves a query of its own.
#define LABELS_VERSION                                                                            \
    "COALESCE((SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'labels_version'), 0) AS " \
    "labels_version"
void knows_version(db::Read&, std::int64_t version);
void move_version(db::Write&);

}  // namespace labels

// SPDX-License-Identifier: AGPL-3.0-or-later
// Labels: words for what staff, rules and lists have found of accounts, posts and servers. Each says what becomes of posts that
// bear it, for everybody who has not chosen otherwise (effects.hpp). There are few, and all of them stand in memory, with the
// servers that bear one.
#pragma once
#include "db/session.hpp"

#include <map>
#include <memory>

namespace labels {

using base::AccountId;
using base::StatusId;
using base::Time;
using LabelId = base::Id<struct LabelTag>;

// none: nothing that people see; rules read it all the same.
BOOST_DEFINE_ENUM_CLASS(LabelEffect, none, warn, hide)

constexpr std::int64_t most_labels = 200;
constexpr std::size_t longest_name = 50, longest_title = 100;

struct Label {
    LabelId id;
    std::string name;   // by which rules know it; it stays
    std::string title;  // what people read
    LabelEffect effect = LabelEffect::none;
    Time created_at, updated_at;
};
DESCRIBE(Label, id, name, title, effect, created_at, updated_at)

std::vector<Label> all_labels(db::Read&);  // by name
Label label(db::Read&, LabelId);           // throws NotFound
std::optional<Label> find_label(db::Read&, std::string_view name);

struct LabelForm {
    std::string name;
    std::optional<std::string> title;  // else the name
    LabelEffect effect = LabelEffect::none;
};
LabelId create(db::Write&, const LabelForm&);  // throws Invalid
// What is not given stays. Throws Invalid and NotFound.
void change(db::Write&, LabelId, const std::optional<std::string>& title, std::optional<LabelEffect>);
void remove(db::Write&, LabelId);  // what bears it bears it no more; throws NotFound

// For rules, which name labels: one that is not there yet is made, without an effect.
void require_label(db::Read&, const std::string& name);  // throws Invalid where no more can be made
LabelId label_called(db::Write&, const std::string& name);

// What is left of a label that was removed goes little by little.
struct LabelRemoved {
    LabelId label;
};
DESCRIBE(LabelRemoved, label)
void forget_label(db::Write&, const LabelRemoved&);

// ---- in memory ----

struct Table {
    std::map<LabelId, Label> labels;
    std::map<std::string, std::vector<LabelId>, std::less<>> servers;

    const Label* find(LabelId id) const {
        const auto found = labels.find(id);
        return found == labels.end() ? nullptr : &found->second;
    }
    std::vector<LabelId> on_server(std::string_view domain) const;  // its own and those of the domains above
};
// Null while there are none. It costs one small question, or nothing where the version is known.
std::shared_ptr<const Table> table(db::Read&);

// A number that grows with each change of the table, and SQL that asks for it: a query that every page makes brings it along, and
// says so by knows_version(), so that pages do not ask for it by itself.
#define LABELS_VERSION                                                                            \
    "COALESCE((SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'labels_version'), 0) AS " \
    "labels_version"
void knows_version(db::Read&, std::int64_t version);
void move_version(db::Write&);

}  // namespace labels

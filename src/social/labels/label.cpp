// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/labels/label.hpp"

#include "base/shared_state.hpp"
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/settings.hpp"
#include "social/labels/use.hpp"

namespace labels {

#define LABELS "SELECT id, name, title, effect, created_at, updated_at FROM site_labels "

const db::Query<Label> labels_by_name{"labels_by_name", LABELS "ORDER BY name"};
const db::Query<Label> label_by_id{"label_by_id", LABELS "WHERE id = $1"};
const db::Query<Label> label_named{"label_named", LABELS "WHERE name = $1"};
const db::Query<std::int64_t> count_labels{"count_labels", "SELECT count(*) FROM site_labels"};
const db::Command insert_label{
    "insert_label",
    R"(INSERT INTO site_labels (id, name, title, effect, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5))"
};
const db::Command update_label{
    "update_label", "UPDATE site_labels SET title = $2, effect = $3, updated_at = $4 WHERE id = $1"
};
const db::Command delete_label{"delete_label", "DELETE FROM site_labels WHERE id = $1"};
const db::Command forget_uses_of_label{
    "forget_uses_of_label",
    "DELETE FROM label_uses WHERE id IN (SELECT id FROM label_uses WHERE label_id = $1 ORDER BY id LIMIT $2)"
};
const db::Command forget_choices_of_label{
    "forget_choices_of_label",
    R"(DELETE FROM label_choices WHERE label_id = $1 AND account_id IN (
           SELECT account_id FROM label_choices WHERE label_id = $1 LIMIT $2))"
};

namespace {

constexpr std::string_view version_setting = "labels_version";
const std::string version_question = "labels version";

std::string checked(std::string_view what, std::string_view text, std::size_t most) {
    const std::string problem = "Validation failed: " + std::string(what);
    const std::string out(base::text::trimmed(text));
    if (base::text::is_blank(out)) throw base::Invalid(problem + " can't be blank");
    if (base::text::graphemes(out) > most)
        throw base::Invalid(problem + " is too long (maximum is " + std::to_string(most) + " characters)");
    return out;
}

bool is_full(db::Read& db) { return db.one(count_labels) >= most_labels; }

void require_room(db::Read& db) {
    if (is_full(db)) throw base::Invalid("There are too many labels");
}

LabelId insert(db::Write& db, const std::string& name, const std::string& title, LabelEffect effect) {
    const auto id = db.new_id<LabelId>();
    db.run(insert_label, id, name, title, effect, db.now());
    move_version(db);
    return id;
}

}  // namespace

std::vector<Label> all_labels(db::Read& db) { return db.all(labels_by_name); }
Label label(db::Read& db, LabelId id) { return db.one(label_by_id, id); }
std::optional<Label> find_label(db::Read& db, std::string_view name) { return db.maybe(label_named, name); }

LabelId create(db::Write& db, const LabelForm& wanted) {
    const auto name = checked("Name", wanted.name, longest_name);
    const auto title = checked("Title", wanted.title.value_or(name), longest_title);
    if (find_label(db, name)) throw base::Invalid("Validation failed: Name has already been taken");
    require_room(db);
    return insert(db, name, title, wanted.effect);
}

void change(
    db::Write& db, LabelId id, const std::optional<std::string>& title, std::optional<LabelEffect> effect
) {
    const auto now = label(db, id);
    const auto next = title ? checked("Title", *title, longest_title) : now.title;
    db.run(update_label, id, next, effect.value_or(now.effect), db.now());
    move_version(db);
}

void remove(db::Write& db, LabelId id) {
    label(db, id);
    db.run(delete_label, id);
    move_version(db);
    db.emit(LabelRemoved{id});
}

void forget_label(db::Write& db, const LabelRemoved& left) {
    constexpr std::int64_t chunk = 500;
    const std::int64_t uses = db.run(forget_uses_of_label, left.label, chunk);
    const std::int64_t choices = db.run(forget_choices_of_label, left.label, chunk);
    if (uses == chunk || choices == chunk) db.emit(left);
}

void require_label(db::Read& db, const std::string& name) {
    if (!find_label(db, name)) require_room(db);
}

LabelId label_called(db::Write& db, const std::string& name) {
    if (auto known = find_label(db, name)) return known->id;
    return insert(db, name, name, LabelEffect::none);
}

// ---- in memory ----

namespace {

using Kept = base::MadeOnce<Table, std::int64_t>;

Kept& kept() {
    static Kept one;
    return one;
}

std::int64_t version(db::Read& db) {
    return db.memoized(version_question, [&] { return instance::number_setting(db, version_setting); });
}

std::shared_ptr<const Table> read_table(db::Read& db) {
    auto out = std::make_shared<Table>();
    for (auto& one : all_labels(db)) out->labels.emplace(one.id, std::move(one));
    for (auto& one : labelled_servers(db)) out->servers[std::move(one.domain)].push_back(one.label_id);
    return out;
}

}  // namespace

std::vector<LabelId> Table::on_server(std::string_view domain) const {
    std::vector<LabelId> out;
    if (domain.empty() || servers.empty()) return out;
    for (const auto& one : instance::domains_upwards(domain)) {
        const auto found = servers.find(one);
        if (found != servers.end()) out.insert(out.end(), found->second.begin(), found->second.end());
    }
    return out;
}

std::shared_ptr<const Table> table(db::Read& db) {
    const auto wanted = version(db);
    if (wanted == 0) return nullptr;
    const auto make = [&] { return read_table(db); };
    auto found = db.is_committed() ? kept().get(wanted, make) : kept().of(wanted);
    if (!found) found = make();
    return found->labels.empty() ? nullptr : found;
}

void knows_version(db::Read& db, std::int64_t version) {
    db.memoized(version_question, [&] { return version; });
}

// Every node reads the table anew when it meets another version.
void move_version(db::Write& db) { instance::move_version(db, version_setting); }

}  // namespace labels

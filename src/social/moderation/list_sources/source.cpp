// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/list_sources/source.hpp"

#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "social/moderation/list_sources/group.hpp"
#include "social/moderation/server_lists/batch.hpp"

#include <algorithm>

namespace moderation {

namespace {

using accounts::Actor;
namespace permission = accounts::permission;

constexpr std::size_t longest_name = 100, longest_url = 2048, most_sources = 50;
constexpr std::int64_t hour = 3600, read_every = 24 * hour, first_delay = hour / 4;

Subject subject(const ListSource& one) { return {"ListSource", one.id.value, one.name}; }

void check(const ListSource& one) {
    require_priority(one.priority);
    if (base::text::is_blank(one.name)) throw base::Invalid("Validation failed: Name can't be blank");
    if (one.name.size() > longest_name) throw base::Invalid("Validation failed: Name is too long");
    if (one.kind == SourceKind::group) {
        if (one.mode == SourceMode::group) throw base::Invalid("A group is in no other group");
        return;
    }
    const bool is_address =
        one.url.starts_with("https://") && one.url.size() > std::string_view("https://").size();
    if (!is_address || one.url.size() > longest_url || one.url.find_first_of(" \t\r\n#") != std::string::npos)
        throw base::Invalid("Validation failed: Url must begin with https://");
}

std::optional<labels::LabelId> label_called(db::Read& db, const std::string& name) {
    if (name.empty()) return std::nullopt;
    if (const auto known = labels::find_label(db, name)) return known->id;
    throw base::Invalid("There is no label \"" + name + "\"");
}

ListSource with(db::Read& db, ListSource one, const SourceForm& form) {
    if (form.name) one.name = *form.name;
    if (form.mode) one.mode = *form.mode;
    if (form.ceiling) one.ceiling = *form.ceiling;
    if (form.retractions) one.retractions = *form.retractions;
    if (one.kind != SourceKind::group && (form.agree || form.members))
        throw base::Invalid("Only groups have members");
    if (form.agree) one.agree = *form.agree;
    if (form.priority) one.priority = *form.priority;
    if (form.label) one.label_id = label_called(db, *form.label);
    return one;
}

// So that many servers do not ask at the same moment.
std::int64_t shifted(ListSourceId id, std::int64_t seconds) {
    return seconds - static_cast<std::int64_t>(static_cast<std::uint64_t>(id.value) * 2'654'435'761U % 1000) *
                         seconds / 10'000;
}

}  // namespace

#define LIST_SOURCES                                                                                 \
    "SELECT id, name, kind, role, url, mode, ceiling, retractions, agree, priority, hold, entries, " \
    "refused, "                                                                                      \
    "failures, problem, "                                                                            \
    "created_at, next_at, read_at, label_id FROM list_sources "
const db::Query<ListSource> all_list_sources{"all_list_sources", LIST_SOURCES "ORDER BY name, id"};
const db::Query<ListSource> list_source_by_id{"list_source_by_id", LIST_SOURCES "WHERE id = $1"};
const db::Query<ListSourceId> due_list_sources{
    "due_list_sources", "SELECT id FROM list_sources WHERE next_at <= $1 ORDER BY next_at, id"
};
const db::Query<std::string> entries_of_source{
    "entries_of_source", "SELECT entries FROM list_copies WHERE source_id = $1"
};
const db::Command insert_list_source{
    "insert_list_source",
    R"(INSERT INTO list_sources (id, name, kind, role, url, mode, ceiling, retractions, agree, created_at, next_at,
           label_id, priority)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12))"
};
const db::Command insert_list_copy{"insert_list_copy", "INSERT INTO list_copies (source_id) VALUES ($1)"};
const db::Command update_list_source{
    "update_list_source",
    R"(UPDATE list_sources SET name = $2, mode = $3, ceiling = $4, retractions = $5, agree = $6, label_id = $7,
           priority = $8
       WHERE id = $1)"
};
const db::Command rank_lists_of_source{
    "rank_lists_of_source", "UPDATE list_batches SET priority = $2 WHERE source_id = $1"
};
const db::Command delete_list_source{"delete_list_source", "DELETE FROM list_sources WHERE id = $1"};
const db::Command delete_list_copy{"delete_list_copy", "DELETE FROM list_copies WHERE source_id = $1"};
const db::Command set_next_reading{"set_next_reading", "UPDATE list_sources SET next_at = $2 WHERE id = $1"};

void require_priority(std::int64_t priority) {
    if (priority < 0 || priority > highest_priority)
        throw base::Invalid("Validation failed: Priority is out of range");
}

std::vector<ListSource> list_sources(db::Read& db) { return db.all(all_list_sources); }
ListSource list_source(db::Read& db, ListSourceId id) { return db.one(list_source_by_id, id); }
std::optional<ListSource> find_list_source(db::Read& db, ListSourceId id) {
    return db.maybe(list_source_by_id, id);
}

Copy copy_of(db::Read& db, ListSourceId id) { return base::json::read<Copy>(db.one(entries_of_source, id)); }

ListSourceId add_list_source(db::Write& db, const Actor& who, const SourceForm& form) {
    accounts::require(who, permission::manage_federation);
    ListSource made;
    made.id = db.new_id<ListSourceId>();
    made.kind = form.kind.value_or(SourceKind::fires);
    made.role = form.role.value_or(SourceRole::block);
    const bool is_group = made.kind == SourceKind::group;
    if (!is_group) made.url = form.url.value_or("");
    made = with(db, made, form);
    check(made);
    const auto all = list_sources(db);
    if (all.size() >= most_sources) throw base::Invalid("There are 50 subscribed lists already");
    if (!is_group && std::ranges::find(all, made.url, &ListSource::url) != all.end())
        throw base::Invalid("Validation failed: Url has already been taken");
    if (is_group) set_members(db, made.id, made.agree, form.members.value_or(std::vector<ListSourceId>()));
    db.run(
        insert_list_source,
        made.id,
        made.name,
        made.kind,
        made.role,
        made.url,
        made.mode,
        made.ceiling,
        made.retractions,
        made.agree,
        db.now(),
        made.label_id,
        made.priority
    );
    db.run(insert_list_copy, made.id);
    log(db, who, "create", subject(made), base::json::to_string(made.url));
    set_next(db, made.id, hour);
    db.emit(SourceDue{made.id});
    return made.id;
}

void change_list_source(db::Write& db, const Actor& who, ListSourceId id, const SourceForm& form) {
    accounts::require(who, permission::manage_federation);
    const auto known = list_source(db, id);
    const auto changed = with(db, known, form);
    check(changed);
    const bool is_group = changed.kind == SourceKind::group;
    if (is_group) set_members(db, id, changed.agree, form.members ? *form.members : member_ids(db, id));
    db.run(
        update_list_source,
        id,
        changed.name,
        changed.mode,
        changed.ceiling,
        changed.retractions,
        changed.agree,
        changed.label_id,
        changed.priority
    );
    if (changed.priority != known.priority) {
        db.run(rank_lists_of_source, id, changed.priority);
        db.emit(SourceRanked{id, {}, {}});
    }
    log(db, who, "update", subject(changed));
    if (is_group) db.emit(SourceDue{id});
    tell_groups(db, id);
    db.emit(SourceRead{id});
}

void remove_list_source(db::Write& db, const Actor& who, ListSourceId id, bool lifts) {
    accounts::require(who, permission::manage_federation);
    const auto one = list_source(db, id);
    if (lifts) {
        require_no_list_coming(db);
        db.emit(SourceEnded{id});
    }
    tell_groups(db, id);
    leave_groups(db, id);
    db.run(delete_list_source, id);
    db.run(delete_list_copy, id);
    log(db, who, "destroy", subject(one));
    db.emit(LabellingContinued{id, {}});
}

void read_list_source_now(db::Write& db, const Actor& who, ListSourceId id) {
    accounts::require(who, permission::manage_federation);
    list_source(db, id);
    set_next(db, id, hour);
    db.emit(SourceDue{id});
}

jobs::Change find_due_sources(db::Read& db) {
    auto due = db.all(due_list_sources, db.now());
    if (due.empty()) return {};
    return [due = std::move(due)](db::Write& db) {
        for (const auto id : due) {
            set_next(db, id, hour);  // should the job be lost
            db.emit(SourceDue{id});
        }
    };
}

// ---- for the jobs ----

const db::Query<SourceCursor> cursor_of_source{
    "cursor_of_source", "SELECT cursor, etag FROM list_sources WHERE id = $1"
};
const db::Command update_source_cursor{
    "update_source_cursor", "UPDATE list_sources SET cursor = $3, etag = $4 WHERE id = $1 AND cursor = $2"
};
const db::Command update_list_copy{
    "update_list_copy", "UPDATE list_copies SET entries = $2 WHERE source_id = $1"
};
const db::Command count_list_source{
    "count_list_source", "UPDATE list_sources SET entries = $2, refused = $3 WHERE id = $1"
};
const db::Command update_source_read{
    "update_source_read",
    "UPDATE list_sources SET read_at = $2, failures = 0, problem = '', next_at = $3 WHERE id = $1"
};
const db::Command update_source_failed{
    "update_source_failed",
    "UPDATE list_sources SET failures = failures + 1, problem = $2, next_at = $3 WHERE id = $1"
};
const db::Command update_source_hold{"update_source_hold", "UPDATE list_sources SET hold = $2 WHERE id = $1"};

SourceCursor cursor_of(db::Read& db, ListSourceId id) { return db.one(cursor_of_source, id); }

bool keep_cursor(db::Write& db, ListSourceId id, const SourceCursor& before, const SourceCursor& after) {
    return db.run(update_source_cursor, id, before.cursor, after.cursor, after.etag) > 0;
}

void keep_copy(
    db::Write& db, ListSourceId id, const std::string& json, std::int64_t entries, std::int64_t refused
) {
    db.run(update_list_copy, id, json);
    db.run(count_list_source, id, entries, refused);
}

void note_well_read(db::Write& db, ListSourceId id) {
    db.run(update_source_read, id, db.now(), db.now().plus_seconds(shifted(id, read_every)));
}

void note_failure(db::Write& db, const ListSource& source, const std::string& problem) {
    const auto delay = std::min(read_every, first_delay << std::min<std::int64_t>(source.failures, 7));
    db.run(update_source_failed, source.id, problem, db.now().plus_seconds(shifted(source.id, delay)));
}

void set_next(db::Write& db, ListSourceId id, std::int64_t seconds) {
    db.run(set_next_reading, id, db.now().plus_seconds(seconds));
}

void set_hold(db::Write& db, ListSourceId id, SourceHold hold) { db.run(update_source_hold, id, hold); }

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscribed lists of servers: read regularly, and suggested or applied as far as staff allowed. The last
// good copy is kept when reading fails (docs/decisions/0073-subscribed-lists.md).
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/labels/label.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/list_sources/advice.hpp"

namespace moderation {

using base::AccountId, base::Time;
using ListSourceId = base::Id<struct ListSourceTag>;

// list: a file in a format of list_lines.hpp. group: the agreement of other lists (group.hpp).
BOOST_DEFINE_ENUM_CLASS(SourceKind, list, fires, group)
// Its purpose: rules about servers, or servers that no list may affect without staff.
BOOST_DEFINE_ENUM_CLASS(SourceRole, block, allow)
// group: it only counts in its groups.
BOOST_DEFINE_ENUM_CLASS(SourceMode, suggest, apply, group)
// When it withdraws a rule that it made: the rule is lifted, kept as one of this site's own, or staff
// decides.
BOOST_DEFINE_ENUM_CLASS(Retractions, lift, keep, ask)
// Why nothing is applied automatically: staff has never reviewed it, or it has grown or shrunk unusually.
BOOST_DEFINE_ENUM_CLASS(SourceHold, none, first, grown, shrunk)

struct ListSource {
    static constexpr std::string_view entity = "ListSource";
    ListSourceId id;
    std::string name;
    SourceKind kind = SourceKind::fires;
    SourceRole role = SourceRole::block;
    std::string url;
    SourceMode mode = SourceMode::suggest;
    Ceiling ceiling = Ceiling::suspend;
    Retractions retractions = Retractions::ask;
    std::int64_t agree = 0;  // for a group: how many members must agree
    // If lists differ about a server, those with the highest priority decide; lists applied once have 0.
    std::int64_t priority = 0;
    SourceHold hold = SourceHold::first;
    std::int64_t entries = 0, refused = 0;  // of the copy; and what of the last answer could not be taken
    std::int64_t failures = 0;              // in a row
    std::string problem;                    // a sentence; empty: it was read successfully
    Time created_at, next_at;
    std::optional<Time> read_at;              // successfully
    std::optional<labels::LabelId> label_id;  // put on servers with mere advisories
};
DESCRIBE(
    ListSource, id, name, kind, role, url, mode, ceiling, retractions, agree, priority, hold, entries,
    refused, failures, problem, created_at, next_at, read_at, label_id
)

std::vector<ListSource> list_sources(db::Read&);  // by name
ListSource list_source(db::Read&, ListSourceId);  // throws NotFound
std::optional<ListSource> find_list_source(db::Read&, ListSourceId);
Copy copy_of(db::Read&, ListSourceId);

struct SourceForm {
    std::optional<std::string> name, url;
    std::optional<SourceKind> kind;
    std::optional<SourceRole> role;
    std::optional<SourceMode> mode;
    std::optional<Ceiling> ceiling;
    std::optional<Retractions> retractions;
    std::optional<std::int64_t> agree;
    std::optional<std::vector<ListSourceId>> members;
    std::optional<std::string> label = {};  // its name; empty: none
    std::optional<std::int64_t> priority = {};
};
DESCRIBE(SourceForm, name, url, kind, role, mode, ceiling, retractions, agree, members, label, priority)
constexpr std::int64_t highest_priority = 100;
void require_priority(std::int64_t);  // throws Invalid when out of range
// Each needs manage_federation. Throw Forbidden, Invalid and NotFound. A new source is read at once; kind,
// role and address cannot be changed.
ListSourceId add_list_source(db::Write&, const accounts::Actor&, const SourceForm&);
void change_list_source(db::Write&, const accounts::Actor&, ListSourceId, const SourceForm&);
// Its rules are kept, as rules of the lists that made them, or lifted. Throws Invalid while one is being
// applied.
void remove_list_source(db::Write&, const accounts::Actor&, ListSourceId, bool lifts = false);
void read_list_source_now(db::Write&, const accounts::Actor&, ListSourceId);

// Event: this source is to be read. A dataset of many pages continues as the same job; `bytes` is the total
// read so far.
struct SourceDue {
    ListSourceId source;
    std::int64_t page = 0, bytes = 0;
};
DESCRIBE(SourceDue, source, page, bytes)
// Event: the copy is complete, or staff decided something: automatic steps are taken.
struct SourceRead {
    ListSourceId source;
};
DESCRIBE(SourceRead, source)
// Event: it has another priority, and the rules that it brought are weighed against those of other lists anew: of this list of servers
// and those before it, the domains behind this one.
struct SourceRanked {
    ListSourceId source;
    instance::ListBatchId batch;
    std::string after;
};
DESCRIBE(SourceRanked, source, batch, after)
// Event: it was unsubscribed, and some of its rules are lifted.
struct SourceEnded {
    ListSourceId source;
};
DESCRIBE(SourceEnded, source)

// Event: servers behind this one are labelled, or are labelled no more, as the source says now.
struct LabellingContinued {
    ListSourceId source;
    std::string after;
};
DESCRIBE(LabellingContinued, source, after)

// Reactions
jobs::Change label_advised(db::Read&, const LabellingContinued&);
jobs::Change read_source(const base::Ask&, db::Read&, const SourceDue&);
jobs::Change settle_source(db::Read&, const SourceRead&);
jobs::Change lift_rules_of_source(db::Read&, const SourceEnded&);
jobs::Change rank_rules_of_source(db::Read&, const SourceRanked&);

jobs::Change find_due_sources(db::Read&);  // periodic

// ---- for the jobs ----

// Where reading continues, and the state of the last response.
struct SourceCursor {
    std::string cursor, etag;
};
DESCRIBE(SourceCursor, cursor, etag)
SourceCursor cursor_of(db::Read&, ListSourceId);
// false: it is deleted, or another process has read on.
bool keep_cursor(db::Write&, ListSourceId, const SourceCursor& before, const SourceCursor& after);
void keep_copy(db::Write&, ListSourceId, const std::string& json, std::int64_t entries, std::int64_t refused);
void note_well_read(db::Write&, ListSourceId);
void note_failure(db::Write&, const ListSource&, const std::string& problem);
void set_next(db::Write&, ListSourceId, std::int64_t seconds);
void set_hold(db::Write&, ListSourceId, SourceHold);

}  // namespace moderation

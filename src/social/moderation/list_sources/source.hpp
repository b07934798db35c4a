// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers that are subscribed to: read again and again, and suggested or applied as far as staff allowed it. The last good copy is
// kept whatever the other side answers (docs/decisions/0073-subscribed-lists.md).
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/labels/label.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/list_sources/advice.hpp"

namespace moderation {

using base::AccountId, base::Time;
using ListSourceId = base::Id<struct ListSourceTag>;

// list: a file of one of the forms of list_lines.hpp. group: what others agree on (group.hpp).
BOOST_DEFINE_ENUM_CLASS(SourceKind, list, fires, group)
// What it is for: rules about servers, or servers that no list is to touch by itself.
BOOST_DEFINE_ENUM_CLASS(SourceRole, block, allow)
// group: it says nothing but in the groups that it is in.
BOOST_DEFINE_ENUM_CLASS(SourceMode, suggest, apply, group)
// What becomes of a rule that it brought and takes back: it goes, stays as one of this site's own, or waits for staff.
BOOST_DEFINE_ENUM_CLASS(Retractions, lift, keep, ask)
// Nothing is done by itself: it was never looked at, or has grown or shrunk by more than lists do.
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
    std::int64_t agree = 0;  // of a group: so many of its members must say so
    // Of lists that say different things of a server those of the highest decide; of lists that were applied once it is 0.
    std::int64_t priority = 0;
    SourceHold hold = SourceHold::first;
    std::int64_t entries = 0, refused = 0;  // of the copy; and what of the last answer could not be taken
    std::int64_t failures = 0;              // in a row
    std::string problem;                    // a sentence; empty: it was read well
    Time created_at, next_at;
    std::optional<Time> read_at;  // well
    std::optional<labels::LabelId>
        label_id;  // of servers about which it advises, without recommending anything
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
void require_priority(std::int64_t);  // throws Invalid where it is none
// Each needs manage_federation. Throw Forbidden, Invalid and NotFound. What was added is read at once; its kind, role and address stay.
ListSourceId add_list_source(db::Write&, const accounts::Actor&, const SourceForm&);
void change_list_source(db::Write&, const accounts::Actor&, ListSourceId, const SourceForm&);
// The rules that it brought stay, as those of the lists by which they came, or are lifted. Throws Invalid: one comes into force just now.
void remove_list_source(db::Write&, const accounts::Actor&, ListSourceId, bool lifts = false);
void read_list_source_now(db::Write&, const accounts::Actor&, ListSourceId);

// Event: this source is read. A dataset of many pages goes on as the same job; `bytes` have been read so far.
struct SourceDue {
    ListSourceId source;
    std::int64_t page = 0, bytes = 0;
};
DESCRIBE(SourceDue, source, page, bytes)
// Event: the copy is whole, or staff decided something: what follows by itself is done.
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
// Event: it is read no longer, and some of the rules that it brought go.
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

// Where reading goes on, and what it said last time.
struct SourceCursor {
    std::string cursor, etag;
};
DESCRIBE(SourceCursor, cursor, etag)
SourceCursor cursor_of(db::Read&, ListSourceId);
// false: it is gone, or somebody else has read on meanwhile.
bool keep_cursor(db::Write&, ListSourceId, const SourceCursor& before, const SourceCursor& after);
void keep_copy(db::Write&, ListSourceId, const std::string& json, std::int64_t entries, std::int64_t refused);
void note_well_read(db::Write&, ListSourceId);
void note_failure(db::Write&, const ListSource&, const std::string& problem);
void set_next(db::Write&, ListSourceId, std::int64_t seconds);
void set_hold(db::Write&, ListSourceId, SourceHold);

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Searching all stored pictures in the background, some at a time: for new entries of a hash list, or for
// pictures to be removed everywhere. Those are refused from then on, by a list for removals.
#pragma once
#include "base/ask.hpp"
#include "base/page.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/users/role.hpp"
#include "social/media/hashes/erasing.hpp"

namespace moderation {

using PictureSearchId = base::Id<struct PictureSearchTag>;

struct PictureSearch {
    PictureSearchId id;
    media::HashListId list_id;  // 0: a removal
    std::int64_t distance = 0;
    bool dry_run = false;
    std::string cursor;
    std::int64_t looked = 0, found = 0, media = 0, copies = 0, portraits = 0, emojis = 0;
    base::AccountId actor_id;
    base::Time created_at;
    std::optional<base::Time> finished_at;
    std::int64_t turns = 0;
};
DESCRIBE(
    PictureSearch, id, list_id, distance, dry_run, cursor, looked, found, media, copies, portraits, emojis,
    actor_id, created_at, finished_at, turns
)

PictureSearch picture_search(db::Read&, PictureSearchId);                    // throws NotFound
std::vector<PictureSearch> picture_removals(db::Read&, const base::Range&);  // newest first

// The hashes to be removed: given as digits, or those of a stored picture. Throws Invalid and NotFound.
media::Hashes hashes_given(std::string_view digits, media::HashKind);
media::Hashes hashes_of_media(db::Read&, base::MediaId);
media::Hashes hashes_of_quarantined(db::Read&, media::QuarantineId);

struct Removal {
    media::Hashes hashes;
    std::int64_t distance = media::usual_distance;
    bool dry_run = false;  // only counts
    friend bool operator==(const Removal&, const Removal&) = default;
};
// Needs manage_blocks. Throws Forbidden and Invalid. A job does it in turns; additional calls of
// search_some() speed it up.
PictureSearchId remove_everywhere(db::Write&, const accounts::Actor&, const Removal&);

// What was removed, sealed, for whoever keeps it elsewhere; and such a list brought back: what is on it is removed again.
std::vector<std::string> removed_pictures(db::Read&);
void remove_again(db::Write&, const std::vector<std::string>& sealed);

// Events
struct HashListGrew {
    media::HashListId list;
};
DESCRIBE(HashListGrew, list)
struct SearchContinued {
    PictureSearchId search;
};
DESCRIBE(SearchContinued, search)

// One turn: what it changes; nothing where the search is over.
jobs::Change search_some(const base::Ask&, db::Read&, PictureSearchId);

// Reactions
void begin_search(db::Write&, const HashListGrew&);
jobs::Change search_pictures(const base::Ask&, db::Read&, const SearchContinued&);

void purge_searches(db::Write&);  // periodic: of lists, a month later

}  // namespace moderation

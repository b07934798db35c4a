// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses of ours as ActivityPub says them: Note, Question and the activities about them. Any number of statuses
// costs the same queries. Who may be told is the caller's to decide (visibility.hpp, federation/reach).
#pragma once
#include "ap/write.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/quotes/quote.hpp"

#include <unordered_map>

namespace statuses {

// What published a status: Create with the Note inside, or of a boost Announce.
struct Publication {
    StatusId id;
    ap::write::Activity activity;
    unsigned terms = 0;
};
// In the order of the ids; those that do not exist or are deleted are left out.
std::vector<Publication> to_publications(db::Read&, const std::vector<StatusId>&);
std::vector<ap::write::Note> to_notes(db::Read&, const std::vector<StatusId>&);  // boosts are left out

// Documents of one; they throw NoSuchStatus. Those marked with * also tell of one that was deleted.
std::string note(db::Read&, StatusId);
std::string create_activity(db::Read&, StatusId);
std::string announce_activity(db::Read&, StatusId boost);
std::string update_activity(db::Read&, StatusId);         // of an edit, or of the votes of a poll
std::string delete_activity(db::Read&, StatusId);         // *
std::string undo_announce_activity(db::Read&, StatusId);  // *
std::string like_activity(db::Read&, AccountId, StatusId, base::FavouriteId);
std::string undo_like_activity(db::Read&, AccountId, StatusId, base::FavouriteId);
// What somebody here voted for in the poll of another server.
std::string vote_activity(db::Read&, AccountId, StatusId poll, const std::string& choice, std::int64_t vote);
// A status is pinned to the profile, or no longer.
std::string pin_activity(db::Read&, StatusId);
std::string unpin_activity(db::Read&, StatusId);

// Asking the author of another server; `quoting` quotes a status of theirs.
std::string quote_request_activity(db::Read&, StatusId quoting);
// The authorization of a quote that its local author has granted, and its deletion. Throws NotFound.
std::string quote_authorization(db::Read&, QuoteId);
std::string delete_quote_authorization_activity(db::Read&, QuoteId);
StatusId quoted_by(db::Read&, QuoteId);  // throws NotFound

// The approval of an answer by its author here, and its deletion. Throws NotFound.
std::string reply_authorization(db::Read&, StatusId reply);
std::string delete_reply_authorization_activity(db::Read&, AccountId author, StatusId reply);
StatusId answered_by(db::Read&, StatusId reply);  // what an approved answer answers; throws NotFound

// ActivityPub ids of statuses, ours or not, deleted or not.
std::unordered_map<StatusId, std::string> uris_of(db::Read&, const std::vector<StatusId>&);

}  // namespace statuses

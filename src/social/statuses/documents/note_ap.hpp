// SPDX-License-Identifier: AGPL-3.0-or-later
// Local statuses as ActivityPub objects: Note, Question and the activities about them. The number of queries
// does not depend on the number of statuses. The caller decides who may receive them (visibility.hpp,
// federation/reach).
#pragma once
#include "ap/write.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/quotes/quote.hpp"

#include <unordered_map>

namespace statuses {

// The activity that published a status: Create with the Note inside or, for a boost, Announce.
struct Publication {
    StatusId id;
    ap::write::Activity activity;
    unsigned terms = 0;
};
// In the order of the ids, without those that do not exist or are deleted.
std::vector<Publication> to_publications(db::Read&, const std::vector<StatusId>&);
std::vector<ap::write::Note> to_notes(db::Read&, const std::vector<StatusId>&);  // boosts are left out

// Documents of one status; they throw NoSuchStatus. Those marked with * also work for a deleted one.
std::string note(db::Read&, StatusId);
std::string create_activity(db::Read&, StatusId);
std::string announce_activity(db::Read&, StatusId boost);
std::string update_activity(db::Read&, StatusId);         // of an edit, or of a poll's votes
std::string delete_activity(db::Read&, StatusId);         // *
std::string undo_announce_activity(db::Read&, StatusId);  // *
std::string like_activity(db::Read&, AccountId, StatusId, base::FavouriteId);
std::string undo_like_activity(db::Read&, AccountId, StatusId, base::FavouriteId);
// The vote of a local account in a poll on another server.
std::string vote_activity(db::Read&, AccountId, StatusId poll, const std::string& choice, std::int64_t vote);
// A status was pinned to the profile, or unpinned.
std::string pin_activity(db::Read&, StatusId);
std::string unpin_activity(db::Read&, StatusId);

// Asks the author on another server; `quoting` quotes a status of theirs.
std::string quote_request_activity(db::Read&, StatusId quoting);
// The authorization of a quote that its local author has granted, and its deletion. Throws NotFound.
std::string quote_authorization(db::Read&, QuoteId);
std::string delete_quote_authorization_activity(db::Read&, QuoteId);
StatusId quoted_by(db::Read&, QuoteId);  // throws NotFound

// The approval of a reply by the local author of its parent, and its deletion. Throws NotFound.
std::string reply_authorization(db::Read&, StatusId reply);
std::string delete_reply_authorization_activity(db::Read&, AccountId author, StatusId reply);
StatusId answered_by(db::Read&, StatusId reply);  // the parent of an approved reply; throws NotFound

// ActivityPub ids of statuses, local or remote, deleted or not.
std::unordered_map<StatusId, std::string> uris_of(db::Read&, const std::vector<StatusId>&);

}  // namespace statuses

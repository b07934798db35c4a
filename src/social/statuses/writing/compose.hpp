// SPDX-License-Identifier: AGPL-3.0-or-later
// From what an author typed to what is stored: mentions found, hashtags named, HTML made. Reads only, so that it
// runs before the writer is asked.
#pragma once
#include "base/ask.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

// `content_type`: text/plain or text/markdown. Mentions that nobody answers to, or of accounts the author blocks,
// stay plain text.
Content compose(db::Read&, AccountId author, std::string_view text, std::string_view content_type);

// Asks for some of those whom the text names and who are not known here yet, so that compose() will find them.
void meet_mentioned(const base::Ask&, db::Read&, std::string_view text);

// Throws Invalid, with the accounts, when the author did not allow for all who are mentioned.
void refuse_unexpected(db::Read&, const Draft&);

// What somebody here is about to post or change, before the rules of the team (core/gate.hpp): asks them, and obeys but for a
// refusal, which is for who stores it. What is scheduled is only asked about.
struct Edit;
struct Editable;
void judge(db::Read&, Draft&);
void judge(db::Read&, Edit&, const Editable& now);

// A warning with nothing under it, not even a quote, is the text.
std::string text_of(const std::string& text, std::string& spoiler_text, bool quotes);
// A type of content that is not known is plain text.
std::string known_type(const std::string& content_type);

// A request that carries the key of an earlier one makes nothing; it is answered with what that one made.

// An empty key is none.
std::optional<StatusId> made_before(db::Read&, AccountId, const std::string& key);
void remember(db::Write&, AccountId, const std::string& key, StatusId);
// What a scheduled status became when it was published.
void remember_instead(db::Write&, AccountId, StatusId before, StatusId now);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_idempotency_keys;

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// From what an author typed to what is stored: mentions, hashtags, HTML. Only reads, so that it runs before
// the writer is needed.
#pragma once
#include "base/ask.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

// `content_type`: text/plain or text/markdown. Mentions of unknown accounts, or of accounts that the author
// blocks, remain plain text.
Content compose(db::Read&, AccountId author, std::string_view text, std::string_view content_type);

// Resolves some of the mentioned accounts that are not known here yet, so that compose() finds them.
void meet_mentioned(const base::Ask&, db::Read&, std::string_view text);

// Throws Invalid, with the accounts, if it mentions accounts that the author did not allow.
void refuse_unexpected(db::Read&, const Draft&);

// Evaluates the team's rules for a local post or edit (core/gate.hpp) and applies the verdict, except for a
// refusal, which the code that stores the post handles. For a scheduled post nothing is applied.
struct Edit;
struct Editable;
void judge(db::Read&, Draft&);
void judge(db::Read&, Edit&, const Editable& now);

// A content warning without text or quote becomes the text.
std::string text_of(const std::string& text, std::string& spoiler_text, bool quotes);
// An unknown content type becomes plain text.
std::string known_type(const std::string& content_type);

// Idempotency: a request with the key of an earlier one creates nothing and returns the result of that one.

// An empty key is treated as none.
std::optional<StatusId> made_before(db::Read&, AccountId, const std::string& key);
void remember(db::Write&, AccountId, const std::string& key, StatusId);
// The key of a scheduled status now returns the status that was published from it.
void remember_instead(db::Write&, AccountId, StatusId before, StatusId now);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_idempotency_keys;

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's notes about an account, a case or a server, visible to staff only.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

using NoteId = base::Id<struct NoteTag>;

BOOST_DEFINE_ENUM_CLASS(NoteKind, account, case_, server)

struct Note {
    NoteId id;
    base::AccountId author_id;
    std::string text;
    base::Time created_at;
};
DESCRIBE(Note, id, author_id, text, created_at)

constexpr int most_notes_shown = 200;

// Oldest first, the newest of them.
std::vector<Note> notes(db::Read&, NoteKind, const std::string& subject);
Note find_note(db::Read&, NoteId);  // throws NotFound
// Throws Invalid. The caller checks permissions.
NoteId add_note(
    db::Write&, const accounts::Actor&, NoteKind, const std::string& subject, const std::string& text
);
// By its author, or somebody with a higher role. Throws Forbidden and NotFound.
void remove_note(db::Write&, const accounts::Actor&, NoteId);

}  // namespace moderation

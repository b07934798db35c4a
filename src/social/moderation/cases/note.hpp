// SPDX-License-Identifier: AGPL-3.0-or-later
// What staff writes down for staff: about an account, a case or a server. Nobody else ever reads it.
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
// Throws Invalid. Who may is up to whoever shows the subject.
NoteId add_note(
    db::Write&, const accounts::Actor&, NoteKind, const std::string& subject, const std::string& text
);
// By whoever wrote it, or stands above them. Throws Forbidden and NotFound.
void remove_note(db::Write&, const accounts::Actor&, NoteId);

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/cases/note.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"

#include <algorithm>

namespace moderation {

const db::Query<Note> notes_about{
    "notes_about",
    R"(SELECT id, author_id, text, created_at FROM notes WHERE kind = $1 AND subject = $2 ORDER BY id DESC LIMIT $3)"
};
const db::Query<Note> note_by_id{
    "note_by_id", "SELECT id, author_id, text, created_at FROM notes WHERE id = $1"
};
const db::Command insert_note{
    "insert_note",
    "INSERT INTO notes (id, kind, subject, author_id, text, created_at) VALUES ($1, $2, $3, $4, $5, $6)"
};
const db::Command delete_staff_note{"delete_staff_note", "DELETE FROM notes WHERE id = $1"};

std::vector<Note> notes(db::Read& db, NoteKind kind, const std::string& subject) {
    auto found = db.all(notes_about, kind, subject, most_notes_shown);
    std::ranges::reverse(found);
    return found;
}

Note find_note(db::Read& db, NoteId id) { return db.one(note_by_id, id); }

NoteId add_note(
    db::Write& db, const accounts::Actor& who, NoteKind kind, const std::string& subject,
    const std::string& text
) {
    constexpr std::size_t longest = 2000;
    if (base::text::is_blank(text)) throw base::Invalid("Validation failed: Text can't be blank");
    if (base::text::graphemes(text) > longest)
        throw base::Invalid("Validation failed: Text is too long (maximum is 2000 characters)");
    auto id = db.new_id<NoteId>();
    db.run(insert_note, id, kind, subject, who.account, text, db.now());
    return id;
}

void remove_note(db::Write& db, const accounts::Actor& who, NoteId id) {
    auto gone = find_note(db, id);
    if (gone.author_id != who.account) {
        if (!gone.author_id) throw base::Forbidden();  // the operator stands above all
        accounts::require_above(db, who, gone.author_id);
    }
    db.run(delete_staff_note, id);
}

}  // namespace moderation

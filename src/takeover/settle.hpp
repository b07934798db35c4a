// SPDX-License-Identifier: AGPL-3.0-or-later
// What follows from all rows of a copy together: counts, threads, conversations, what is to be indexed; and an empty database to
// begin anew in.
#pragma once
#include "takeover/copy.hpp"

namespace takeover {

void settle(const Target&, const Choice&);

// What jobs of the server do from its start on: indexes for searching, home timelines, files of
// suspended people that nobody may fetch.
void want_the_rest(db::Write&);

// All but what belongs to this server and not to the copy, and the numbers that were given.
void empty_tables(const Target&);

// A copy asks and changes more at a time than a server may.
void without_limits(db::Connection&);
// Nobody was told that a row is stored, so none has to be on the disk at once: when the power goes, the copy goes on behind what was
// there. What is committed carefully after that has all before it on the disk, too.
void in_a_hurry(db::Connection&);
void carefully(db::Connection&);

// The direct conversations of everybody here, out of the posts, for sources that do not keep them.
void make_conversations(const Target&, Numbers&);

// What is here of that which others count, too: `there` is not known.
std::vector<Count> counted(const Target&);

}  // namespace takeover

// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of words, domains or hashtags that rules have in common. Their entries stand in the tables of the program like those of the rules
// themselves, so that a post is looked up once, however long they are.
#pragma once
#include "social/rules/rule.hpp"

namespace rules {

using WordListId = base::Id<struct WordListTag>;

BOOST_DEFINE_ENUM_CLASS(WordListKind, words, domains, hashtags)

constexpr std::int64_t most_word_lists = 100, most_entries_in_all = 300'000;
constexpr std::size_t most_entries = 100'000, largest_word_list = 4 << 20;

struct WordList {
    WordListId id;
    std::string name;
    WordListKind kind = WordListKind::words;
    std::int64_t size = 0;
    Time created_at, updated_at;
};
DESCRIBE(WordList, id, name, kind, size, created_at, updated_at)

std::vector<WordList> word_lists(db::Read&);    // by name
WordList word_list(db::Read&, WordListId);      // throws NotFound
std::string entries_of(db::Read&, WordListId);  // one in each line; throws NotFound

// The entries of a text, in their one spelling, each once: one in each line, and what stands behind a comma is left out, as is a line that
// begins with "#" and a space. Takes time for long ones. Throws Invalid, which names the line.
struct ReadWordList {
    WordListKind kind = WordListKind::words;
    std::string entries;
    std::int64_t size = 0;
};
ReadWordList read_word_list(WordListKind, std::string_view text);

// Each needs manage_blocks; changing one that a rule about accounts uses manage_users, too. Throw Forbidden, Invalid and NotFound. One
// that a rule uses cannot be removed.
WordListId add_word_list(db::Write&, const accounts::Actor&, const std::string& name, const ReadWordList&);
void change_word_list(db::Write&, const accounts::Actor&, WordListId, const ReadWordList&);
void remove_word_list(db::Write&, const accounts::Actor&, WordListId);

// Throws Invalid: the rule names a list that there is not, or one of another kind.
void require_lists(db::Read&, const Definition&);
// The rule with the entries of its lists among the values. What is gone is nothing.
Definition with_lists(db::Read&, Definition);

}  // namespace rules

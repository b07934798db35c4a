// SPDX-License-Identifier: AGPL-3.0-or-later
// What the full text indexes of the two engines store and are searched for. base/text/words.hpp splits the
// words, so both engines find the same. Marks are internal words that no text can contain (`_p`, `#tag`):
// facts that searches combine with words.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace db {

struct IndexedText {
    std::vector<std::string> words, marks;

    std::string for_sqlite() const;    // the column that FTS5 indexes: every word between spaces
    std::string for_postgres() const;  // a tsvector
};

// Adjacent words. `open`: the last one may be the prefix of a longer word.
struct SoughtWords {
    std::vector<std::string> words;
    bool open = false;
};

// Matches texts with all of `every`, at least one of `any` (unless it is empty) and none of `none`. `every`
// and `any` are not both empty.
struct Sought {
    std::vector<SoughtWords> every, any, none;

    std::string for_sqlite() const;    // an FTS5 expression
    std::string for_postgres() const;  // a tsquery
};

// Tells whether a text, as written by IndexedText::for_sqlite, matches. Needed because FTS5 is slow when
// queried about single rows.
class Matcher {
public:
    explicit Matcher(const Sought&);
    bool operator()(std::string_view text) const;

private:
    std::vector<std::string> every_, any_, none_;  // with surrounding spaces
};

}  // namespace db

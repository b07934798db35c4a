// SPDX-License-Identifier: AGPL-3.0-or-later
// What the full text indexes of the two engines are fed and asked. Words come from base/text/words.hpp, so both engines
// find the same. Marks are words of ours that nobody can write (`_p`, `#tag`): facts that searches combine with words.
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

// Words that stand side by side; `open`: the last one may be the beginning of a longer one.
struct SoughtWords {
    std::vector<std::string> words;
    bool open = false;
};

// All of `every`, one of `any` (unless it is empty) and none of `none`. At least one of `every` and `any` is there.
struct Sought {
    std::vector<SoughtWords> every, any, none;

    std::string for_sqlite() const;    // an FTS5 expression
    std::string for_postgres() const;  // a tsquery
};

// Tells of texts whether they match, as IndexedText::for_sqlite wrote them: FTS5 is slow at being asked about single rows.
class Matcher {
public:
    explicit Matcher(const Sought&);
    bool operator()(std::string_view text) const;

private:
    std::vector<std::string> every_, any_, none_;  // with the spaces around them
};

}  // namespace db

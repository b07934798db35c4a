// SPDX-License-Identifier: AGPL-3.0-or-later
// Stored posts, presented to rules as when they arrived.
#pragma once
#include "social/statuses/core/gate.hpp"

namespace rules {

struct StoredPost {
    base::StatusId id;
    base::AccountId account_id;
    base::Time created_at;
    statuses::Visibility visibility = statuses::Visibility::public_;
    bool sensitive = false;
    std::int64_t relations = 0;
    bool reply = false;
    base::AccountId answered;
    std::optional<std::string> language;
    std::string spoiler_text, content, domain;
};
DESCRIBE(
    StoredPost, id, account_id, created_at, visibility, sensitive, relations, reply, answered, language,
    spoiler_text, content, domain
)

// A page of them, oldest first, with the related rows of other tables.
class History {
public:
    History(db::Read&, base::StatusId after, base::StatusId until, int limit);
    History(db::Read&, base::StatusId one);

    const std::vector<StoredPost>& posts() const { return posts_; }
    base::StatusId last() const { return last_; }  // that was looked at
    bool over() const { return over_; }
    // Refers to this.
    statuses::Candidate candidate(std::size_t) const;

private:
    void read_parts(db::Read&);

    std::vector<StoredPost> posts_;
    base::StatusId last_;
    bool over_ = true;
    base::Time now_;
    std::vector<std::vector<base::AccountId>> mentions_;
    std::vector<std::vector<std::string>> tags_;
    std::vector<std::int64_t> media_;
};

}  // namespace rules

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/counting.hpp"

namespace statuses {

const db::Command add_to_replies{
    "add_to_replies",
    R"(UPDATE statuses SET version = version + 1,
           replies_count = CASE WHEN replies_count + $2 > 0 THEN replies_count + $2 ELSE 0 END WHERE id = $1)"
};
const db::Command add_to_quotes{
    "add_to_quotes",
    R"(UPDATE statuses SET version = version + 1,
           quotes_count = CASE WHEN quotes_count + $2 > 0 THEN quotes_count + $2 ELSE 0 END WHERE id = $1)"
};
const db::Command add_to_reblogs{
    "add_to_reblogs",
    R"(UPDATE statuses SET version = version + 1,
           reblogs_count = CASE WHEN reblogs_count + $2 > 0 THEN reblogs_count + $2 ELSE 0 END WHERE id = $1)"
};
const db::Query<Visibility> visibility_of_quoting_status{
    "visibility_of_quoting_status", "SELECT visibility FROM statuses WHERE id = $1"
};

void count_reply(db::Write& db, StatusId parent, Visibility of_reply, int by) {
    if (open(of_reply)) db.run_last(add_to_replies, parent, by);
}

void count_reblog(db::Write& db, StatusId original, int by) { db.run_last(add_to_reblogs, original, by); }

void count_quote(db::Write& db, StatusId quoted, StatusId quoting, int by) {
    if (open(db.one(visibility_of_quoting_status, quoting))) db.run_last(add_to_quotes, quoted, by);
}

namespace {

struct Difference {
    StatusId status;
    std::int64_t replies = 0, quotes = 0;
};
DESCRIBE(Difference, status, replies, quotes)

}  // namespace

const db::Query<StatusId> last_to_recount{
    "last_to_recount",
    "SELECT max(id) AS last FROM (SELECT id FROM statuses WHERE id > $1 ORDER BY id LIMIT $2) chunk"
};
// The stored counts were never too small, so statuses with counts of zero need no check.
const db::Query<Difference> differences_of_counts{
    "differences_of_counts",
    R"(SELECT s.id AS status,
              (SELECT count(*) FROM statuses r WHERE r.in_reply_to_id = s.id AND r.deleted_at IS NULL
                 AND r.reply_state = 'shown'
                 AND r.visibility IN )" OPEN_VISIBILITIES R"() - s.replies_count AS replies,
              (SELECT count(*) FROM quotes q CROSS JOIN statuses r
               WHERE q.quoted_status_id = s.id AND q.state = 'accepted' AND r.id = q.status_id
                 AND r.visibility IN )" OPEN_VISIBILITIES R"() - s.quotes_count AS quotes
       FROM statuses s WHERE s.id > $1 AND s.id <= $2 AND (s.replies_count > 0 OR s.quotes_count > 0))"
};

jobs::Change recount(db::Read& db, const RecountContinued& left) {
    constexpr int chunk = 1000;
    auto last = db.one(last_to_recount, left.after, chunk);
    if (!last) return {};
    auto all = db.all(differences_of_counts, left.after, last);
    return [all, last](db::Write& write) {
        for (const auto& differs : all) {
            if (differs.replies != 0) write.run(add_to_replies, differs.status, differs.replies);
            if (differs.quotes != 0) write.run(add_to_quotes, differs.status, differs.quotes);
        }
        write.emit(RecountContinued{last});
    };
}

}  // namespace statuses

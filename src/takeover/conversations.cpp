// SPDX-License-Identifier: AGPL-3.0-or-later
// What conversations::keep makes of each direct post as it comes, made of those that are there.
#include "db/transaction.hpp"
#include "takeover/settle.hpp"

#include <span>

namespace takeover {

namespace {

// Who wrote a direct post, or is named in it.
struct InDirect {
    Id post = 0, thread = 0, person = 0;
    bool here = false;
};
DESCRIBE(InDirect, post, thread, person, here)

}  // namespace

// $1: the last post of before, $2: how many. Asked when nobody else is at work. SQLite takes what stands before CROSS JOIN first.
const db::Query<InDirect> people_in_direct_posts{
    "people_in_direct_posts",
    R"(WITH direct AS (SELECT id, conversation_id, account_id FROM statuses
           WHERE id > $1 AND visibility = 'direct' AND reblog_of_id IS NULL AND deleted_at IS NULL ORDER BY id LIMIT $2)
       SELECT s.id AS post, s.conversation_id AS thread, a.id AS person, a.domain = '' AS here
       FROM direct s JOIN accounts a ON a.id = s.account_id
       UNION
       SELECT s.id, s.conversation_id, a.id, a.domain = ''
       FROM direct s CROSS JOIN mentions m JOIN accounts a ON a.id = m.account_id
       WHERE m.status_id = s.id AND m.silent = FALSE
       ORDER BY 1, 3)"
};
const db::Command advance_conversation_view{
    "advance_conversation_view",
    "UPDATE account_conversations SET last_status_id = $2 WHERE id = $1 AND last_status_id < $2"
};

namespace {

// With whom one has nothing to do any more, one has no conversation.
constexpr const char* forgotten = R"(
    DELETE FROM account_conversations WHERE EXISTS (
        SELECT 1 FROM blocks b WHERE b.account_id = account_conversations.account_id
          AND account_conversations.participants LIKE '%,' || b.target_id || ',%');
    DELETE FROM account_conversations WHERE EXISTS (
        SELECT 1 FROM mutes m WHERE m.account_id = account_conversations.account_id AND m.hide_notifications = TRUE
          AND account_conversations.participants LIKE '%,' || m.target_id || ',%');
    DELETE FROM account_conversation_statuses WHERE NOT EXISTS (
        SELECT 1 FROM account_conversations c WHERE c.id = account_conversation_statuses.account_conversation_id))";

// That of `owner` with all others of one post. All are read: nobody was told that they are not.
ConversationViewRow view_of(std::span<const InDirect> people, const InDirect& owner, Numbers& numbers) {
    ConversationViewRow row;
    row.account_id = owner.person;
    row.conversation_id = owner.thread;
    row.last_status_id = owner.post;
    row.statuses = {owner.post};
    auto former = std::to_string(owner.person) + " " + std::to_string(owner.thread);
    for (const auto& one : people)
        if (one.person != owner.person) {
            row.others.push_back(one.person);
            former += " " + std::to_string(one.person);
        }
    row.id = numbers.give("conversation", former, Time{owner.post >> 16});
    return row;
}

std::vector<ConversationViewRow> views_of(std::span<const InDirect> people, Numbers& numbers) {
    std::vector<ConversationViewRow> out;
    while (!people.empty()) {
        const auto end = std::ranges::find_if(people, [&](const InDirect& one) {
            return one.post != people.front().post;
        });
        const auto of_one = people.first(static_cast<std::size_t>(end - people.begin()));
        for (const auto& one : of_one)
            if (one.here) out.push_back(view_of(of_one, one, numbers));
        people = people.subspan(of_one.size());
    }
    return out;
}

}  // namespace

void make_conversations(const Target& target, Numbers& numbers) {
    constexpr int chunk = 1000;
    for (Id last = 0;;) {
        const auto people = db::read_now(target.connection, target.context, [&](db::Read& db) {
            return db.all(people_in_direct_posts, last, chunk);
        });
        if (people.empty()) break;
        last = people.back().post;
        const auto views = views_of(people, numbers);
        const auto given = numbers.take_fresh();
        db::write_now(target.connection, target.context, [&](db::Write& db) {
            Numbers::write(db, given);
            for (const auto& view : views) {
                write(db, view);
                db.run(advance_conversation_view, view.id, view.last_status_id);
            }
        });
    }
    target.connection.script(forgotten);
}

}  // namespace takeover

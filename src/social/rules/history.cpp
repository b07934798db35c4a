// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/history.hpp"

#include <algorithm>

namespace rules {

using base::AccountId, base::StatusId, base::Time;

#define STORED                                                                                               \
    "SELECT s.id, s.account_id, s.created_at, s.visibility, s.sensitive, s.relations, "                      \
    "s.in_reply_to_id IS NOT NULL OR s.in_reply_to_account_id IS NOT NULL AS reply, "                        \
    "s.in_reply_to_account_id AS answered, s.language, s.spoiler_text, s.content, a.domain FROM statuses s " \
    "JOIN accounts a ON a.id = s.account_id "

// statuses belongs to statuses, as mentions and status_tags; accounts to accounts; media to media.
const db::Query<StoredPost> posts_to_rehearse{
    "posts_to_rehearse",
    STORED "WHERE s.id IN LIST($1) AND s.deleted_at IS NULL AND s.reblog_of_id IS NULL ORDER BY s.id"
};
const db::Query<StatusId> ids_to_rehearse{
    "ids_to_rehearse", "SELECT id FROM statuses WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3"
};

struct Said {
    StatusId status_id;
    AccountId account_id;
    std::string tag;
};
DESCRIBE(Said, status_id, account_id, tag)
const db::Query<Said> named_in_rehearsed{
    "named_in_rehearsed",
    R"(SELECT status_id, account_id, '' AS tag FROM mentions WHERE status_id IN LIST($1) AND silent = FALSE
       ORDER BY status_id, account_id)"
};
const db::Query<Said> tags_of_rehearsed{
    "tags_of_rehearsed",
    R"(SELECT x.status_id, 0 AS account_id, t.name AS tag FROM status_tags x JOIN tags t ON t.id = x.tag_id
       WHERE x.status_id IN LIST($1) ORDER BY x.status_id, t.name)"
};
struct Attached {
    StatusId status_id;
    std::int64_t count = 0;
};
DESCRIBE(Attached, status_id, count)
const db::Query<Attached> media_of_rehearsed{
    "media_of_rehearsed",
    "SELECT status_id, count(*) AS count FROM media WHERE status_id IN LIST($1) GROUP BY status_id"
};

History::History(db::Read& db, StatusId after, StatusId until, int limit) : now_(db.now()) {
    auto ids = db.all(ids_to_rehearse, after, until, limit);
    over_ = ids.size() < static_cast<std::size_t>(limit);
    last_ = ids.empty() ? until : ids.back();
    if (ids.empty()) return;
    posts_ = db.all(posts_to_rehearse, ids);
    read_parts(db);
}

History::History(db::Read& db, StatusId one) : last_(one), now_(db.now()) {
    posts_ = db.all(posts_to_rehearse, std::vector{one});
    read_parts(db);
}

void History::read_parts(db::Read& db) {
    mentions_.resize(posts_.size());
    tags_.resize(posts_.size());
    media_.resize(posts_.size());
    std::vector<StatusId> naming, tagged, showing;
    for (const auto& post : posts_) {
        if (post.relations & statuses::has_mentions) naming.push_back(post.id);
        if (post.relations & statuses::has_tags) tagged.push_back(post.id);
        if (post.relations & statuses::has_media) showing.push_back(post.id);
    }
    auto at = [&](StatusId id) {
        return static_cast<std::size_t>(
            std::ranges::lower_bound(posts_, id, {}, &StoredPost::id) - posts_.begin()
        );
    };
    if (!naming.empty())
        for (const auto& one : db.all(named_in_rehearsed, naming))
            mentions_[at(one.status_id)].push_back(one.account_id);
    if (!tagged.empty())
        for (auto& one : db.all(tags_of_rehearsed, tagged))
            tags_[at(one.status_id)].push_back(std::move(one.tag));
    if (!showing.empty())
        for (const auto& one : db.all(media_of_rehearsed, showing)) media_[at(one.status_id)] = one.count;
}

statuses::Candidate History::candidate(std::size_t i) const {
    const auto& post = posts_.at(i);
    statuses::Candidate out;
    out.id = post.id;
    out.author = post.account_id;
    out.at = post.created_at;
    // Ids go on where they were when a clock is set back.
    const Time came{post.id.value >> 16};
    out.seen = came > now_ ? post.created_at : came;
    out.domain = post.domain;
    out.html = post.content;
    out.spoiler_text = post.spoiler_text;
    out.visibility = post.visibility;
    out.sensitive = post.sensitive;
    out.poll = (post.relations & statuses::has_poll) != 0;
    out.reply = post.reply;
    out.media = media_[i];
    if (post.language) out.language = *post.language;
    out.mentions = mentions_[i];
    for (const auto& tag : tags_[i]) out.tags.push_back(tag);
    out.answered = [id = post.answered](db::Read&) { return id; };
    return out;
}

}  // namespace rules

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/remote/old_posts.hpp"

#include "base/json_read.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/settings.hpp"
#include "social/media/copy.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/kinds.hpp"
#include "social/statuses/polls/poll.hpp"

#include <algorithm>

namespace statuses {

namespace {

constexpr const char *days_name = "remote_posts_days", *progress_name = "old_posts";
constexpr std::int64_t day = 86'400;
// What is no longer touched, and what came late with an old date, is found by the next round.
constexpr std::int64_t between_rounds_seconds = 30 * day;
// When all that is old enough was looked at.
constexpr std::int64_t rest_seconds = 600;
constexpr int bookmarks_at_once = 200, posts_at_once = 500;
constexpr std::size_t threads_at_once = 50;
constexpr std::chrono::milliseconds look_for{50};  // others wait for the thread of the jobs by the clock

struct Progress {
    base::BookmarkId bookmarks;  // those up to this one are noted
    bool bookmarks_noted = false;
    Time began, rests_until;
    StatusId after;             // looked at up to here
    ConversationId unfinished;  // a part of it is removed
};
DESCRIBE(Progress, bookmarks, bookmarks_noted, began, rests_until, after, unfinished)

void save(db::Write& db, const Progress& progress) {
    instance::set_setting(db, progress_name, base::json::to_string(progress));
}

Progress progress_of(db::Read& db) {
    auto stored = instance::setting(db, progress_name);
    return stored ? base::json::read<Progress>(*stored) : Progress{};
}

}  // namespace

void keep_remote_posts_for(db::Write& db, std::int64_t days) {
    instance::set_setting(db, days_name, std::to_string(days));
}

std::int64_t days_of_remote_posts(db::Read& db) { return instance::number_setting(db, days_name); }

// ---- bookmarks from before they were noted ----

namespace {

struct Bookmarked {
    base::BookmarkId id;
    StatusId status_id;
};
DESCRIBE(Bookmarked, id, status_id)

}  // namespace

const db::Query<Bookmarked> bookmarks_to_note{
    "bookmarks_to_note", "SELECT id, status_id FROM bookmarks WHERE id > $1 ORDER BY id LIMIT $2"
};
const db::Command note_older_bookmarks{
    "note_older_bookmarks",
    "UPDATE remote_statuses SET touched = TRUE WHERE touched = FALSE AND status_id IN LIST($1)"
};

namespace {

jobs::Change note_some_bookmarks(db::Read& db, Progress progress) {
    std::vector<StatusId> posts;
    for (const auto& one : db.all(bookmarks_to_note, progress.bookmarks, bookmarks_at_once)) {
        progress.bookmarks = one.id;
        posts.push_back(one.status_id);
    }
    progress.bookmarks_noted = posts.empty();
    return [progress, posts = std::move(posts)](db::Write& write) {
        if (!posts.empty()) write.run(note_older_bookmarks, posts);
        save(write, progress);
    };
}

}  // namespace

// ---- what was touched ----

namespace {

struct Walked {
    StatusId id;
    ConversationId conversation_id;
    bool ends = false;  // a thread: the latest in it
};
DESCRIBE(Walked, id, conversation_id, ends)

struct Member {
    StatusId id;
    AccountId account_id;
    bool local = false, boost = false, media = false, deleted = false;
    Visibility visibility = Visibility::direct;
};
DESCRIBE(Member, id, account_id, local, boost, media, deleted, visibility)

}  // namespace

const db::Query<Walked> old_statuses{
    "old_statuses",
    R"(SELECT s.id, s.conversation_id, s.local = FALSE AND NOT EXISTS (
           SELECT 1 FROM statuses later WHERE later.conversation_id = s.conversation_id AND later.id > s.id) AS ends
       FROM statuses s WHERE s.id > $1 AND s.id < $2 ORDER BY s.id LIMIT $3)"
};
// Boosts stand in the conversation of what they boost, as long as that does not move to another one (thread_moving.cpp).
const db::Query<Member> members_of_thread{
    "members_of_thread",
    R"(SELECT id, account_id, local, reblog_of_id IS NOT NULL AS boost, )" STATUS_HAS_MEDIA("") R"( AS media,
              deleted_at IS NOT NULL AS deleted, visibility
       FROM statuses WHERE conversation_id = $1 ORDER BY id DESC LIMIT $2)"
};
// $1: the posts, $2: who wrote or boosted them, $3: since when asking for one counts. Of other slices' tables it is asked alone
// whether they have a row; one by one of follows, through which PostgreSQL would rather walk (OFFSET keeps it from that). What a
// home shows is by somebody whom its owner follows, or boosted by them; in a list stand those whom its owner has asked, too.
const db::Query<bool> any_touched{
    "any_touched",
    R"(SELECT EXISTS (SELECT 1 FROM remote_statuses WHERE status_id IN LIST($1)
                      AND (touched = TRUE OR reported_at >= $3))
           OR EXISTS (SELECT 1 FROM accounts a WHERE a.id IN LIST($2)
                      AND EXISTS (SELECT 1 FROM follows f WHERE f.target_id = a.id LIMIT 1 OFFSET 0))
           OR EXISTS (SELECT 1 FROM accounts a WHERE a.id IN LIST($2)
                      AND EXISTS (SELECT 1 FROM follow_requests f WHERE f.target_id = a.id LIMIT 1 OFFSET 0))
           OR EXISTS (SELECT 1 FROM statuses b WHERE b.reblog_of_id IN LIST($1) AND b.reblog_of_id IS NOT NULL
                      AND b.deleted_at IS NULL AND b.id NOT IN LIST($1))
           OR EXISTS (SELECT 1 FROM statuses b JOIN statuses o ON o.id = b.reblog_of_id
                      WHERE b.id IN LIST($1) AND b.deleted_at IS NULL AND o.deleted_at IS NULL AND o.id NOT IN LIST($1))
           OR EXISTS (SELECT 1 FROM label_uses WHERE subject = 'status' AND subject_id IN LIST($1) AND source = 'staff')
           OR EXISTS (SELECT 1 FROM favourites WHERE status_id IN LIST($1))
           OR EXISTS (SELECT 1 FROM status_pins WHERE status_id IN LIST($1))
           OR EXISTS (SELECT 1 FROM poll_votes WHERE status_id IN LIST($1))
           OR EXISTS (SELECT 1 FROM mentions m WHERE m.status_id IN LIST($1)
                      AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = m.account_id AND a.domain = ''))
           OR EXISTS (SELECT 1 FROM quotes WHERE quoted_status_id IN LIST($1) AND state = 'accepted')
           OR EXISTS (SELECT 1 FROM quotes q WHERE q.status_id IN LIST($1)
                      AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = q.quoted_account_id AND a.domain = ''))
           OR EXISTS (SELECT 1 FROM notifications WHERE status_id IN LIST($1) AND status_id <> 0)
           OR EXISTS (SELECT 1 FROM account_conversation_statuses WHERE status_id IN LIST($1))
           OR EXISTS (SELECT 1 FROM report_statuses WHERE status_id IN LIST($1))
           OR EXISTS (SELECT 1 FROM evidence WHERE status_id IN LIST($1))
           OR EXISTS (SELECT 1 FROM rule_hits WHERE status_id IN LIST($1) AND status_id <> 0) AS touched)"
};

namespace {

std::vector<Member> thread(db::Read& db, ConversationId conversation) {
    return db.all(members_of_thread, conversation, longest_thread_to_remove + 1);
}

// What not everybody could read cannot be had again from its server.
bool may_go(db::Read& db, const std::vector<Member>& members, Time since) {
    if (members.empty() || members.size() > longest_thread_to_remove) return false;
    std::vector<StatusId> posts;
    std::vector<AccountId> people;
    for (const auto& one : members) {
        if (one.local || (!one.boost && !one.deleted && !open(one.visibility))) return false;
        posts.push_back(one.id);
        if (!one.deleted) people.push_back(one.account_id);
    }
    std::ranges::sort(people);
    people.erase(std::unique(people.begin(), people.end()), people.end());
    return !db.one(any_touched, posts, people, since);
}

StatusId first_kept(Time since) { return StatusId{std::max<std::int64_t>(since.ms, 0) << 16}; }

}  // namespace

// ---- removing ----

const db::Query<bool> file_of_another{
    "file_of_another", "SELECT EXISTS (SELECT 1 FROM media WHERE file = $1 AND status_id <> $2) AS other"
};
const db::Command drop_remote_facts{"drop_remote_facts", "DELETE FROM remote_statuses WHERE status_id = $1"};
const db::Command drop_edits{"drop_edits", "DELETE FROM status_edits WHERE status_id = $1"};
const db::Command drop_mentions{"drop_mentions", "DELETE FROM mentions WHERE status_id = $1"};
const db::Command drop_tags{"drop_tags", "DELETE FROM status_tags WHERE status_id = $1"};
const db::Command drop_quote{"drop_quote", "DELETE FROM quotes WHERE status_id = $1"};
const db::Command drop_status{"drop_status", "DELETE FROM statuses WHERE id = $1"};
const db::Command drop_conversation{
    "drop_conversation",
    R"(DELETE FROM conversations WHERE id = $1
       AND NOT EXISTS (SELECT 1 FROM statuses WHERE conversation_id = $1))"
};

namespace {

// Another post may show the very same picture.
void forget_copies(db::Write& db, StatusId post, const media::Media& shown) {
    if (db.one(file_of_another, shown.file, post)) return;
    media::forget_copy(db, shown.file);
    if (shown.preview != shown.file) media::forget_copy(db, shown.preview);
}

// As when its author deletes it, and then without a trace: so that it can be fetched again when somebody asks for it.
void remove_one(db::Write& db, const Member& one) {
    if (find_status(db, one.id)) {
        if (one.media)
            for (const auto& m : media::of_statuses(db, {one.id})) forget_copies(db, one.id, m);
        // Its author has as many posts as before.
        if (counted(one.visibility)) accounts::count_status(db, one.account_id, 1, std::nullopt);
        remove(db, one.account_id, one.id, true);
    }
    if (!one.boost) {
        for (const auto* rows : {&drop_edits, &drop_mentions, &drop_tags, &drop_quote}) db.run(*rows, one.id);
        drop_poll(db, one.id);
    }
    db.run(drop_remote_facts, one.id);
    db.run(drop_status, one.id);
}

// False: some of it is left for the next turn. Looks again, as somebody may have answered meanwhile. The latest go first, so that what is
// left is a thread at any time.
bool remove_thread(db::Write& db, ConversationId conversation, Time since) {
    const auto members = thread(db, conversation);
    if (!may_go(db, members, since) || members.front().id >= first_kept(since)) return true;
    const jobs::Turn turn;  // after the look, which comes anew each time, or of a long thread little would go
    for (const auto& one : members) {
        remove_one(db, one);
        if (turn.over() && one.id != members.back().id) return false;
    }
    db.run(drop_conversation, conversation);
    return true;
}

struct Thread {
    ConversationId conversation;
    StatusId end;
};

struct Found {
    std::vector<Thread> threads;
    Progress progress;  // once those are gone
};

// What goes next, among the next posts.
Found look_on(db::Read& db, Progress progress, Time since) {
    Found out;
    if (progress.unfinished) out.threads.push_back({progress.unfinished, progress.after});
    progress.unfinished = {};
    const auto posts = db.all(old_statuses, progress.after, first_kept(since), posts_at_once);
    const jobs::Turn turn(look_for);
    bool all = posts.size() < posts_at_once;
    for (const auto& post : posts) {
        if (turn.over()) {
            all = false;
            break;
        }
        progress.after = post.id;
        if (!post.ends || !may_go(db, thread(db, post.conversation_id), since)) continue;
        out.threads.push_back({post.conversation_id, post.id});
        if (out.threads.size() == threads_at_once) break;
    }
    if (out.threads.empty() && all) {
        progress.rests_until = db.now().plus_seconds(rest_seconds);
        if (progress.began <= db.now().plus_seconds(-between_rounds_seconds)) {
            progress.began = db.now();
            progress.after = {};
        }
    }
    out.progress = progress;
    return out;
}

void remove_them(db::Write& db, const Found& found, Time since) {
    const jobs::Turn turn;
    for (const auto& one : found.threads) {
        const bool whole = remove_thread(db, one.conversation, since);
        if (whole && !turn.over()) continue;
        auto progress = found.progress;
        progress.rests_until = {};
        progress.after = one.end;
        if (!whole) progress.unfinished = one.conversation;
        return save(db, progress);
    }
    save(db, found.progress);
}

}  // namespace

jobs::Change remove_old_posts(db::Read& db) {
    const auto days = days_of_remote_posts(db);
    if (days <= 0) return {};
    auto progress = progress_of(db);
    if (!progress.bookmarks_noted) return note_some_bookmarks(db, progress);
    if (progress.rests_until > db.now()) return {};
    if (progress.began.ms == 0) progress.began = db.now();
    const auto since = db.now().plus_seconds(-days * day);
    return
        [found = look_on(db, progress, since), since](db::Write& write) { remove_them(write, found, since); };
}

void begin_with_old_posts(db::Write& db) {
    auto progress = progress_of(db);
    progress.began = db.now();
    progress.rests_until = {};
    progress.after = {};
    save(db, progress);
}

OldPosts count_old_posts(db::Read& db, StatusId after, std::int64_t days) {
    const auto since = db.now().plus_seconds(-days * day);
    OldPosts out;
    for (const auto& post : db.all(old_statuses, after, first_kept(since), posts_at_once)) {
        out.last = post.id;
        if (!post.ends) continue;
        const auto members = thread(db, post.conversation_id);
        if (may_go(db, members, since)) out.go += std::ssize(members);
    }
    return out;
}

}  // namespace statuses

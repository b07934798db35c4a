// SPDX-License-Identifier: AGPL-3.0-or-later
// Writes and removes home entries, in chunks so that transactions stay short.
#include "db/lock.hpp"
#include "jobs/turn.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/idle_homes.hpp"

#include <algorithm>
#include <unordered_set>

namespace timelines {

namespace {

constexpr int chunk = 500;
// Up to this many entries are written in the transaction, for which the author waits.
constexpr int few_followers = 100;

}  // namespace

// The id of the follow that ends the next chunk of an account's followers; no row if fewer are left.
const db::Query<std::int64_t> end_of_follower_chunk{
    "end_of_follower_chunk",
    "SELECT id FROM follows WHERE target_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3"
};

namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

std::int64_t chunk_end(db::Read& db, base::AccountId target, std::int64_t after, int size = chunk) {
    return db.maybe(end_of_follower_chunk, target, after, size - 1).value_or(no_end);
}

}  // namespace

const db::Command insert_own_entry{
    "insert_own_entry",
    R"(INSERT INTO home_entries (account_id, status_id, author_id, original_id, original_author_id, reply_to_account_id)
       SELECT s.account_id, s.id, s.account_id, COALESCE(r.id, s.id), COALESCE(r.account_id, s.account_id),
              s.in_reply_to_account_id
       FROM statuses s JOIN accounts a ON a.id = s.account_id LEFT JOIN statuses r ON r.id = s.reblog_of_id
       WHERE s.id = $1 AND a.domain = ''
       ON CONFLICT (account_id, status_id) DO NOTHING)"
};

// A direct status reaches only followers that it mentions. ReachedHomes applies the same rule to listeners.
// Inactive users (nothing_filled) get no entries.
#define ENTRIES_OF_FOLLOWERS(which)                                                                         \
    "INSERT INTO home_entries (account_id, status_id, author_id, original_id, original_author_id, "         \
    "reply_to_account_id) "                                                                                 \
    "SELECT f.account_id, s.id, s.account_id, COALESCE(r.id, s.id), COALESCE(r.account_id, s.account_id), " \
    "s.in_reply_to_account_id "                                                                             \
    "FROM statuses s JOIN follows f ON f.target_id = s.account_id JOIN accounts a ON a.id = f.account_id "  \
    "LEFT JOIN statuses r ON r.id = s.reblog_of_id "                                                        \
    "WHERE s.id = $1 AND s.deleted_at IS NULL AND a.domain = '' "                                           \
    "AND f.backfill_below < 9223372036854775807 " which                                                     \
    "AND (s.visibility NOT IN ('direct', 'limited') "                                                       \
    "OR EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = s.id AND m.account_id = f.account_id)) "       \
    "ON CONFLICT (account_id, status_id) DO NOTHING"
// For all followers at once: PostgreSQL, which cannot estimate a range of ids, would prefer the range for few
// followers, and scan the follows of everybody.
const db::Command insert_entries_of_all_followers{
    "insert_entries_of_all_followers", ENTRIES_OF_FOLLOWERS("")
};
const db::Command insert_follower_entries{
    "insert_follower_entries", ENTRIES_OF_FOLLOWERS("AND f.id > $2 AND f.id <= $3 ")
};

namespace {

void wait_for_new_followers(db::Write& db, base::AccountId author) {
    db.lock({db::shared(statuses::author_lock, author)});
}

void fan_out_chunk(db::Write& db, const FanOutContinued& left, base::AccountId author) {
    wait_for_new_followers(db, author);
    auto end = chunk_end(db, author, left.after);
    if (end == no_end && !left.after) return void(db.run(insert_entries_of_all_followers, left.status));
    db.run(insert_follower_entries, left.status, left.after, end);
    if (end != no_end) db.emit(FanOutContinued{left.status, end});
}

}  // namespace

void fan_out(db::Write& db, const statuses::Published& published) {
    if (published.local) db.run(insert_own_entry, published.id);
    wait_for_new_followers(db, published.account);
    const bool few = published.followers ? *published.followers < few_followers
                                         : chunk_end(db, published.account, 0, few_followers) == no_end;
    if (few) db.run(insert_entries_of_all_followers, published.id);
    else db.emit(FanOutContinued{published.id});
}

void fan_out_backfilled(db::Write& db, const statuses::Backfilled& found) {
    fan_out_chunk(db, {found.id}, found.account);
}

void continue_fan_out(db::Write& db, const FanOutContinued& left) {
    if (auto status = statuses::find_status(db, left.status)) fan_out_chunk(db, left, status->account_id);
}

const db::Query<base::AccountId> homes_with_status{
    "homes_with_status", "SELECT account_id FROM home_entries WHERE status_id = $1 AND account_id IN LIST($2)"
};
const db::Query<base::AccountId> followers_among{
    "home_followers_among",
    R"(SELECT f.account_id FROM list($2) v CROSS JOIN follows f ON f.account_id = v.value
       WHERE f.target_id = $1)",
    "SELECT account_id FROM follows WHERE target_id = $1 AND account_id = ANY($2)"
};
const db::Query<base::AccountId> first_followers{
    "first_followers", "SELECT account_id FROM follows WHERE target_id = $1 ORDER BY id LIMIT $2"
};

namespace {

// Those of these accounts that follow an author who has few followers; nullopt for other authors. Most have
// few.
std::optional<std::vector<base::AccountId>> followers_of_few(
    db::Read& db, base::AccountId author, const std::vector<base::AccountId>& among
) {
    constexpr std::size_t few = 200;
    if (among.size() <= few) return std::nullopt;
    auto found = db.all(first_followers, author, static_cast<int>(few));
    if (found.size() == few) return std::nullopt;
    const std::unordered_set<base::AccountId> known(among.begin(), among.end());
    std::erase_if(found, [&](base::AccountId id) { return !known.contains(id); });
    return found;
}

}  // namespace

std::vector<base::AccountId> followers(
    db::Read& db, base::AccountId author, const std::vector<base::AccountId>& among
) {
    if (among.empty()) return {};
    if (auto found = followers_of_few(db, author, among)) return std::move(*found);
    return db.all(followers_among, author, among);
}

ReachedHomes ReachedHomes::by_entries(
    db::Read& db, const VisibilityFacts& status, const std::vector<base::AccountId>& among
) {
    ReachedHomes reach(db, status.account_id);
    reach.among_ = db.all(homes_with_status, status.id, among);
    reach.sure_ = true;
    return reach;
}

ReachedHomes::ReachedHomes(db::Read& db, const VisibilityFacts& status, std::vector<base::AccountId> among)
    : ReachedHomes(db, status.account_id) {
    among_ = std::move(among);
    own_ = std::erase(among_, author_) > 0;
    if (status.visibility == statuses::Visibility::direct ||
        status.visibility == statuses::Visibility::limited) {
        const auto mentioned = statuses::mentioned(db, status.id);
        std::erase_if(among_, [&](base::AccountId id) {
            return std::ranges::find(mentioned, id) == mentioned.end();
        });
    }
    if (auto found = followers_of_few(db, author_, among_)) {
        among_ = std::move(*found);
        sure_ = true;
    }
}

std::vector<base::AccountId> ReachedHomes::next(std::size_t most) {
    if (std::exchange(own_, false)) return {author_};
    std::vector<base::AccountId> out;
    while (out.empty() && !among_.empty()) {
        const auto begin = among_.end() - static_cast<std::ptrdiff_t>(std::min(most, among_.size()));
        std::vector<base::AccountId> some(begin, among_.end());
        among_.erase(begin, among_.end());
        out = sure_ ? std::move(some) : db_.all(followers_among, author_, some);
    }
    return out;
}

const db::Query<std::int64_t> end_of_backfill_chunk{
    "end_of_backfill_chunk",
    R"(SELECT id FROM statuses WHERE account_id = $1 AND deleted_at IS NULL AND id < $2
       ORDER BY id DESC LIMIT 1 OFFSET $3)"
};
const db::Command insert_backfill_entries{
    "insert_backfill_entries",
    R"(INSERT INTO home_entries (account_id, status_id, author_id, original_id, original_author_id, reply_to_account_id)
       SELECT f.account_id, s.id, s.account_id, COALESCE(r.id, s.id), COALESCE(r.account_id, s.account_id),
              s.in_reply_to_account_id
       FROM follows f JOIN statuses s ON s.account_id = f.target_id
       LEFT JOIN statuses r ON r.id = s.reblog_of_id
       WHERE f.id = $1 AND s.deleted_at IS NULL AND s.id >= $2 AND s.id < $3
         AND (s.visibility NOT IN ('direct', 'limited')
              OR EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = s.id AND m.account_id = f.account_id))
       ON CONFLICT (account_id, status_id) DO NOTHING)"
};

namespace {

// Waits for concurrent posts that did not see the new follow: they are then below its start.
void fill_from(db::Write& db, base::FollowId follow, base::AccountId target) {
    db.lock({db::alone(statuses::author_lock, target)});
    relationships::set_backfill(db, follow, db.new_id<base::FollowId>().value);
    continue_backfill(db, {follow});
}

}  // namespace

void begin_backfill(db::Write& db, const relationships::Followed& followed) {
    if (accounts::is_away(db, followed.account))
        return relationships::set_backfill(db, followed.follow, nothing_filled);
    fill_from(db, followed.follow, followed.target);
}

void refill_from_follow(db::Write& db, const FollowEmptied& emptied) {
    const auto backfill = relationships::backfill(db, emptied.follow);
    if (backfill && backfill->below == nothing_filled) fill_from(db, emptied.follow, emptied.target);
}

void continue_backfill(db::Write& db, const BackfillContinued& left) {
    auto backfill = relationships::backfill(db, left.follow);
    // Inactive users get no entries until they are back (refill_from_follow).
    if (!backfill || backfill->below == 0 || backfill->below == nothing_filled) return;
    auto from = db.maybe(end_of_backfill_chunk, backfill->target, backfill->below, chunk - 1).value_or(0);
    db.run(insert_backfill_entries, left.follow, from, backfill->below);
    relationships::set_backfill(db, left.follow, from);
    if (from > 0) db.emit(left);
}

namespace {

struct FollowToFill {
    base::FollowId id;
    std::int64_t below = 0;
};
DESCRIBE(FollowToFill, id, below)

}  // namespace

// Includes follows that need nothing, so that each step is bounded.
const db::Query<FollowToFill> follows_to_fill{
    "follows_to_fill", "SELECT id, backfill_below AS below FROM follows WHERE id > $1 ORDER BY id LIMIT $2"
};

void continue_backfills(db::Write& db, const BackfillsLeft& left) {
    constexpr int follows_at_once = 200;
    const auto some = db.all(follows_to_fill, left.after, follows_at_once);
    for (const auto& one : some)
        if (one.below > 0) db.emit(BackfillContinued{one.id});
    if (some.size() == follows_at_once) db.emit(BackfillsLeft{some.back().id});
}

const db::Query<std::int64_t> end_of_clean_up_chunk{
    "end_of_clean_up_chunk",
    "SELECT id FROM statuses WHERE account_id = $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT 1 "
    "OFFSET $3"
};
const db::Command delete_entries_of_author{
    "delete_entries_of_author",
    R"(DELETE FROM home_entries WHERE account_id = $1 AND status_id IN (
           SELECT id FROM statuses WHERE account_id = $2 AND deleted_at IS NULL AND id > $3 AND id <= $4))"
};

void begin_clean_up(db::Write& db, const relationships::Unfollowed& unfollowed) {
    db.lock({db::alone(statuses::author_lock, unfollowed.target)});
    continue_clean_up(db, {unfollowed.account, unfollowed.target, 0});
}

namespace {

// Returns the position that was reached.
std::int64_t clean_up(db::Write& db, const CleanUpContinued& left) {
    if (relationships::pair_state(db, left.account, left.target).following)
        return no_end;  // followed again meanwhile
    auto end = db.maybe(end_of_clean_up_chunk, left.target, left.after, chunk - 1).value_or(no_end);
    db.run(delete_entries_of_author, left.account, left.target, left.after, end);
    return end;
}

}  // namespace

void continue_clean_up(db::Write& db, const CleanUpContinued& left) {
    const auto end = clean_up(db, left);
    if (end != no_end) db.emit(CleanUpContinued{left.account, left.target, end});
}

const db::Query<base::AccountId> those_who_wrote{
    "those_who_wrote",
    R"(SELECT a.id FROM accounts a WHERE a.id IN LIST($1) AND EXISTS (
           SELECT 1 FROM statuses s WHERE s.account_id = a.id AND s.deleted_at IS NULL))"
};

// Most remote accounts have no entries in any home.
void clean_up_severed(db::Write& db, const relationships::FollowsSevered& severed) {
    const auto found = db.all(those_who_wrote, relationships::all_targets(severed));
    if (found.empty()) return;
    const std::unordered_set<base::AccountId> authors(found.begin(), found.end());
    CleanUpsContinued left;
    for (auto one : severed.people) {
        std::erase_if(one.targets, [&](base::AccountId id) { return !authors.contains(id); });
        if (!one.targets.empty()) left.people.push_back(std::move(one));
    }
    db.emit(left);
}

void continue_clean_ups(db::Write& db, const CleanUpsContinued& all) {
    const jobs::Turn turn;
    auto left = all;
    // From the end, where finished ones are removed.
    while (!left.people.empty()) {
        auto& one = left.people.back();
        left.after = clean_up(db, {one.account, one.targets.back(), left.after});
        if (left.after == no_end) {
            left.after = 0;
            one.targets.pop_back();
            if (one.targets.empty()) left.people.pop_back();
        }
        if (turn.over() && !left.people.empty()) return db.emit(left);
    }
}

const db::Command delete_own_entry{
    "delete_own_entry", "DELETE FROM home_entries WHERE account_id = $1 AND status_id = $2"
};
const db::Command delete_follower_entries{
    "delete_follower_entries",
    R"(DELETE FROM home_entries WHERE status_id = $1 AND account_id IN (
           SELECT account_id FROM follows WHERE target_id = $2 AND id > $3 AND id <= $4))"
};

void begin_removal(db::Write& db, const statuses::Deleted& deleted) {
    db.run(delete_own_entry, deleted.account, deleted.id);
    continue_removal(db, {deleted.id, deleted.account, 0});
}

void continue_removal(db::Write& db, const RemovalContinued& left) {
    auto end = chunk_end(db, left.author, left.after);
    db.run(delete_follower_entries, left.status, left.author, left.after, end);
    if (end != no_end) db.emit(RemovalContinued{left.status, left.author, end});
}

const db::Command drop_own_home_entries{
    "drop_own_home_entries",
    R"(DELETE FROM home_entries WHERE account_id = $1 AND status_id IN (
           SELECT status_id FROM home_entries WHERE account_id = $1 ORDER BY status_id LIMIT $2))"
};

}  // namespace timelines

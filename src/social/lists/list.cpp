// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/lists/list.hpp"

#include "base/cache.hpp"
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "social/accounts/account.hpp"

#include <algorithm>
#include <unordered_set>

namespace lists {

const db::Query<List> lists_of_owner{
    "lists_of_owner",
    "SELECT id, title, replies_policy, exclusive FROM lists WHERE account_id = $1 ORDER BY id"
};

std::vector<List> lists_of(db::Read& db, AccountId owner) { return db.all(lists_of_owner, owner); }

const db::Query<List> lists_with_member{
    "lists_with_member",
    R"(SELECT l.id, l.title, l.replies_policy, l.exclusive FROM lists l
       JOIN list_members m ON m.list_id = l.id AND m.account_id = $2 WHERE l.account_id = $1 ORDER BY l.id)"
};

std::vector<List> lists_with(db::Read& db, AccountId owner, AccountId member) {
    return db.all(lists_with_member, owner, member);
}

const db::Query<List> list_by_id{
    "list_by_id", "SELECT id, title, replies_policy, exclusive FROM lists WHERE id = $1 AND account_id = $2"
};

List list(db::Read& db, AccountId owner, ListId id) { return db.one(list_by_id, id, owner); }

namespace {

constexpr std::size_t most_lists = 50, most_title = 256, most_at_once = 500;

void check_title(std::string_view title) {
    if (base::text::is_blank(title)) throw base::Invalid("Validation failed: Title can't be blank");
    if (base::text::graphemes(title) > most_title)
        throw base::Invalid(
            "Validation failed: Title is too long (maximum is " + std::to_string(most_title) + " characters)"
        );
}

}  // namespace

const db::Command insert_list{
    "insert_list",
    "INSERT INTO lists (id, account_id, title, replies_policy, exclusive) VALUES ($1, $2, $3, $4, $5)"
};

ListId create(db::Write& db, AccountId me, const Changes& wanted) {
    auto title = wanted.title.value_or("");
    check_title(title);
    if (lists_of(db, me).size() >= most_lists)
        throw base::Invalid("Validation failed: You have reached the maximum number of lists");
    auto id = db.new_id<ListId>();
    auto policy = wanted.replies_policy.value_or(RepliesPolicy::list);
    db.run(insert_list, id, me, title, policy, wanted.exclusive.value_or(false));
    return id;
}

const db::Command update_list{
    "update_list", "UPDATE lists SET title = $2, replies_policy = $3, exclusive = $4 WHERE id = $1"
};

void change(db::Write& db, AccountId me, ListId id, const Changes& wanted) {
    auto now = list(db, me, id);
    if (wanted.title) check_title(*wanted.title);
    db.run(
        update_list,
        id,
        wanted.title.value_or(now.title),
        wanted.replies_policy.value_or(now.replies_policy),
        wanted.exclusive.value_or(now.exclusive)
    );
    accounts::touch_relations(db, me);
}

const db::Command delete_list{"delete_list", "DELETE FROM lists WHERE id = $1"};
const db::Command delete_members_of_list{
    "delete_members_of_list", "DELETE FROM list_members WHERE list_id = $1"
};

void remove(db::Write& db, AccountId me, ListId id) {
    list(db, me, id);
    db.run(delete_list, id);
    db.run(delete_members_of_list, id);
    db.announce({"list:" + std::to_string(id.value), "deleted", ""});
    accounts::touch_relations(db, me);
}

// The tables follows and follow_requests belong to relationships.
const db::Query<AccountId> followed_or_asked{
    "followed_or_asked",
    R"(SELECT target_id FROM follows WHERE account_id = $1 AND target_id IN LIST($2)
       UNION SELECT target_id FROM follow_requests
       WHERE account_id = $1 AND target_id IN LIST($2))"
};
const db::Command insert_list_member{
    "insert_list_member",
    R"(INSERT INTO list_members (list_id, account_id) VALUES ($1, $2) ON CONFLICT (list_id, account_id) DO NOTHING)"
};

void add_members(db::Write& db, AccountId me, ListId id, std::vector<AccountId> wanted) {
    list(db, me, id);
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (wanted.size() > most_at_once)
        throw base::Invalid(
            "Validation failed: Not more than " + std::to_string(most_at_once) +
            " accounts can be added at once"
        );
    if (accounts::accounts(db, wanted).size() != wanted.size()) throw base::NotFound();
    auto related = db.all(followed_or_asked, me, wanted);
    related.push_back(me);
    for (auto account : wanted) {
        if (std::ranges::find(related, account) == related.end())
            throw base::Invalid("Validation failed: Account is not followed");
        if (db.run(insert_list_member, id, account) == 0)
            throw base::Invalid("Validation failed: Account has already been taken");
    }
    if (!wanted.empty()) accounts::touch_relations(db, me);
}

const db::Command delete_list_members{
    "delete_list_members", "DELETE FROM list_members WHERE list_id = $1 AND account_id IN LIST($2)"
};

void remove_members(db::Write& db, AccountId me, ListId id, const std::vector<AccountId>& unwanted) {
    list(db, me, id);
    if (db.run(delete_list_members, id, unwanted) > 0) accounts::touch_relations(db, me);
}

const db::Query<AccountId> members_of_list{
    "members_of_list",
    R"(SELECT m.account_id FROM list_members m JOIN accounts a ON a.id = m.account_id
       WHERE m.list_id = $1 AND m.account_id > $2 AND m.account_id < $3 AND a.suspended_at IS NULL
       ORDER BY m.account_id DESC LIMIT $4)"
};

std::vector<AccountId> members(db::Read& db, ListId id, const base::Range& page) {
    return db.all(members_of_list, id, page.above, page.below, page.limit);
}

const db::Query<AccountId> members_of_exclusive_lists{
    "members_of_exclusive_lists",
    R"(SELECT DISTINCT m.account_id FROM lists l JOIN list_members m ON m.list_id = l.id
       WHERE l.account_id = $1 AND l.exclusive = TRUE)"
};

namespace {

using Members = std::unordered_set<AccountId>;

base::Cache<Members>& kept() {
    static base::Cache<Members> cache(4 << 20);
    return cache;
}

}  // namespace

std::shared_ptr<const Members> exclusive_members(
    db::Read& db, AccountId owner, std::int64_t relations_version
) {
    if (auto found = kept().find({owner.value, relations_version})) return found;
    Members members;
    db.each(members_of_exclusive_lists, [&](AccountId id) { members.insert(id); }, owner);
    auto made = std::make_shared<const Members>(std::move(members));
    if (db.is_committed()) kept().put({owner.value, relations_version}, made, made->size() * 40 + 64);
    return made;
}

const db::Command add_to_lists_of_other{
    "add_to_lists_of_other",
    R"(INSERT INTO list_members (list_id, account_id)
       SELECT l.id, $3 FROM lists l JOIN list_members m ON m.list_id = l.id AND m.account_id = $2
       WHERE l.account_id = $1 ON CONFLICT (list_id, account_id) DO NOTHING)"
};

void take_moved_along(db::Write& db, const relationships::FollowTakenAlong& e) {
    db.run(add_to_lists_of_other, e.follower, e.account, e.target);
}

const db::Command delete_member_of_all_lists{
    "delete_member_of_all_lists",
    "DELETE FROM list_members WHERE account_id = $2 AND list_id IN (SELECT id FROM lists WHERE account_id = "
    "$1)"
};

// The code that ended the follow has updated relations_version.
void drop_unfollowed(db::Write& db, const relationships::Unfollowed& unfollowed) {
    db.run(delete_member_of_all_lists, unfollowed.account, unfollowed.target);
}

const db::Command delete_members_of_all_lists{
    "delete_members_of_all_lists",
    R"(DELETE FROM list_members WHERE account_id IN LIST($2)
           AND list_id IN (SELECT id FROM lists WHERE account_id = $1))"
};

const db::Query<AccountId> those_in_lists{
    "those_in_lists", "SELECT DISTINCT account_id FROM list_members WHERE account_id IN LIST($1)"
};

// Most of them are in no lists.
void drop_severed(db::Write& db, const relationships::FollowsSevered& severed) {
    const auto targets = relationships::all_targets(severed);
    const auto members = db.all(those_in_lists, targets);
    if (members.empty()) return;
    const std::unordered_set<AccountId> in_lists(members.begin(), members.end());
    for (const auto& one : severed.people)
        if (std::ranges::any_of(one.targets, [&](AccountId id) { return in_lists.contains(id); }))
            db.run(delete_members_of_all_lists, one.account, one.targets);
}

void drop_refused(db::Write& db, const relationships::FollowRequestAnswered& answered) {
    if (answered.accepted) return;
    if (db.run(delete_member_of_all_lists, answered.account, answered.target) > 0)
        accounts::touch_relations(db, answered.account);
}

const db::Command drop_own_list_members{
    "drop_own_list_members",
    R"(DELETE FROM list_members WHERE list_id IN (SELECT w.id FROM lists w WHERE w.account_id = $1
           AND EXISTS (SELECT 1 FROM list_members m WHERE m.list_id = w.id) ORDER BY w.id LIMIT $2))"
};
const db::Command drop_own_lists{
    "drop_own_lists",
    R"(DELETE FROM lists WHERE account_id = $1 AND id IN (
           SELECT id FROM lists WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

}  // namespace lists

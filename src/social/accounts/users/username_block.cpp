// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"

namespace accounts {

namespace {

// The form for comparison: 4dm1n equals admin.
std::string plain(std::string_view name) {
    constexpr std::string_view from = "123457890", to = "izeastbgo";
    auto out = base::text::ascii_lowered(name);
    for (auto& c : out)
        if (auto at = from.find(c); at != from.npos) c = to[at];
    return out;
}

struct PlainBlock {
    UsernameBlockId id;
    std::string username;
    bool exact = true, allow_with_approval = false;
    Time created_at;
    std::string compared;
};
DESCRIBE(PlainBlock, id, username, exact, allow_with_approval, created_at, compared)

}  // namespace

#define USERNAME_BLOCKS "SELECT id, username, exact, allow_with_approval, created_at FROM username_blocks "

const db::Query<UsernameBlock> all_username_blocks{
    "all_username_blocks", USERNAME_BLOCKS "ORDER BY username, id"
};
const db::Query<UsernameBlock> username_block_by_id{"username_block_by_id", USERNAME_BLOCKS "WHERE id = $1"};
const db::Query<PlainBlock> username_blocks_to_compare{
    "username_blocks_to_compare",
    "SELECT id, username, exact, allow_with_approval, created_at, plain AS compared FROM username_blocks"
};
const db::Command insert_username_block{
    "insert_username_block",
    R"(INSERT INTO username_blocks (id, username, plain, exact, allow_with_approval, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (plain, exact) DO NOTHING)"
};
const db::Command delete_username_block{"delete_username_block", "DELETE FROM username_blocks WHERE id = $1"};

std::vector<UsernameBlock> username_blocks(db::Read& db) { return db.all(all_username_blocks); }

UsernameBlock username_block(db::Read& db, UsernameBlockId id) { return db.one(username_block_by_id, id); }

UsernameBlockId block_username(db::Write& db, const std::string& name, bool exact, bool allow_with_approval) {
    if (base::text::is_blank(name)) throw base::Invalid("Validation failed: Username can't be blank");
    auto id = db.new_id<UsernameBlockId>();
    if (db.run(insert_username_block, id, name, plain(name), exact, allow_with_approval, db.now()) == 0)
        throw base::Invalid("Validation failed: Username has already been taken");
    return id;
}

void unblock_username(db::Write& db, UsernameBlockId id) {
    if (db.run(delete_username_block, id) == 0) throw base::NotFound();
}

std::optional<UsernameBlock> block_of_username(db::Read& db, std::string_view name) {
    auto given = plain(name);
    std::optional<UsernameBlock> out;
    db.each(username_blocks_to_compare, [&](const PlainBlock& one) {
        bool meant = one.exact ? given == one.compared : given.find(one.compared) != given.npos;
        if (meant && (!out || out->allow_with_approval))
            out = {one.id, one.username, one.exact, one.allow_with_approval, one.created_at};
    });
    return out;
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/remote_favourite.hpp"

namespace statuses {

namespace {

constexpr int most_additional_reactions = 32;

struct AdditionalReaction {
    std::string uri;
    bool reaction = false;
};
DESCRIBE(AdditionalReaction, uri, reaction)

}  // namespace

const db::Command mark_reaction{
    "mark_reaction", "UPDATE favourites SET reaction = TRUE WHERE account_id = $1 AND status_id = $2"
};
const db::Command insert_additional_reaction{
    "insert_additional_reaction",
    R"(INSERT INTO additional_reactions (account_id, uri, status_id, reaction)
       SELECT f.account_id, CAST($3 AS TEXT), f.status_id, CAST($4 AS BOOLEAN) FROM favourites f
       WHERE f.account_id = $1 AND f.status_id = $2 AND f.uri <> CAST($3 AS TEXT)
           AND (CAST($4 AS BOOLEAN) OR (f.reaction AND NOT EXISTS (
               SELECT 1 FROM additional_reactions b WHERE b.account_id = $1 AND b.status_id = $2 AND b.reaction = FALSE)))
           AND (SELECT count(*) FROM additional_reactions b WHERE b.account_id = $1 AND b.status_id = $2) < $5
       ON CONFLICT (account_id, uri) DO NOTHING)"
};

void like(db::Write& db, const Liking& like) {
    if (has_favourited(db, like.account, like.status)) {
        if (!like.uri.empty())
            db.run(
                insert_additional_reaction,
                like.account,
                like.status,
                like.uri,
                like.reaction,
                most_additional_reactions
            );
        return;
    }
    favourite(db, like.account, like.status, like.uri);
    if (like.reaction) db.run(mark_reaction, like.account, like.status);
}

const db::Command delete_additional_reaction{
    "delete_additional_reaction", "DELETE FROM additional_reactions WHERE account_id = $1 AND uri = $2"
};
const db::Query<AdditionalReaction> first_additional_reaction{
    "first_additional_reaction",
    "SELECT uri, reaction FROM additional_reactions WHERE account_id = $1 AND status_id = $2 ORDER BY uri "
    "LIMIT 1"
};
const db::Command replace_remote_favourite{
    "replace_remote_favourite",
    "UPDATE favourites SET uri = $3, reaction = $4 WHERE account_id = $1 AND status_id = $2"
};

bool withdraw_remote_favourite(db::Write& db, const Liking& like) {
    if (!like.uri.empty() && db.run(delete_additional_reaction, like.account, like.uri) > 0) return true;
    const auto known = favourited_by_uri(db, like.account, like.uri);
    const auto status = known ? *known : like.status;
    if (!status || !has_favourited(db, like.account, status)) return false;
    const auto next = db.maybe(first_additional_reaction, like.account, status);
    if (!next) {
        unfavourite(db, like.account, status);
        return true;
    }
    // If there are several, an unknown one changes nothing.
    if (!known) return false;
    db.run(replace_remote_favourite, like.account, status, next->uri, next->reaction);
    db.run(delete_additional_reaction, like.account, next->uri);
    return true;
}

const db::Command drop_own_additional_reactions{
    "drop_own_additional_reactions",
    R"(DELETE FROM additional_reactions WHERE account_id = $1 AND uri IN (
           SELECT uri FROM additional_reactions WHERE account_id = $1 ORDER BY uri LIMIT $2))"
};

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/pictures/hash_lists.hpp"

#include "social/moderation/audit.hpp"
#include "social/moderation/pictures/search.hpp"

namespace moderation {

namespace {

// What is on the list is not for the log.
void note(db::Write& db, const accounts::Actor& who, std::string_view action, const media::HashList& list) {
    log(db,
        who,
        action,
        {"HashList", list.id.value, list.name},
        "{\"size\":" + std::to_string(list.size) + ",\"effect\":\"" + std::string(base::word(list.effect)) +
            "\",\"distance\":" + std::to_string(list.distance) + "}");
}

}  // namespace

media::Hashes new_on(db::Read& db, HashListId id, const media::Hashes& hashes) {
    media::hash_list(db, id);
    return media::without(hashes, media::hashes_on(db, id));
}

HashListId create_hash_list(
    db::Write& db, const accounts::Actor& who, const HashListFacts& facts, const media::Hashes& hashes
) {
    accounts::require(who, accounts::permission::manage_blocks);
    const auto id = media::add_hash_list(db, facts.name, facts.effect, facts.distance);
    media::add_hashes(db, id, hashes);
    db.emit(HashListGrew{id});
    note(db, who, "create", media::hash_list(db, id));
    return id;
}

void change_hash_list(db::Write& db, const accounts::Actor& who, HashListId id, const HashListFacts& facts) {
    accounts::require(who, accounts::permission::manage_blocks);
    const auto before = media::hash_list(db, id);
    media::change_hash_list(db, id, facts.name, facts.effect, facts.distance);
    if (facts.effect != before.effect || facts.distance != before.distance) db.emit(HashListGrew{id});
    note(db, who, "update", media::hash_list(db, id));
}

void extend_hash_list(db::Write& db, const accounts::Actor& who, HashListId id, const media::Hashes& hashes) {
    accounts::require(who, accounts::permission::manage_blocks);
    media::hash_list(db, id);
    media::add_hashes(db, id, hashes);
    if (hashes.size() > 0) db.emit(HashListGrew{id});
    note(db, who, "update", media::hash_list(db, id));
}

void remove_hash_list(db::Write& db, const accounts::Actor& who, HashListId id) {
    accounts::require(who, accounts::permission::manage_blocks);
    const auto known = media::hash_list(db, id);
    media::remove_hash_list(db, id);
    note(db, who, "destroy", known);
}

}  // namespace moderation

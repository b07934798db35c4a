// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/writing/relations.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "social/statuses/core/kinds.hpp"
#include "social/statuses/core/status.hpp"
#include "social/tags/featured_tag.hpp"
#include "social/tags/tag_languages.hpp"

#include <algorithm>

namespace statuses {

void check_text(
    const base::Site& site, const std::string& text, const std::string& spoiler_text, bool may_be_blank
) {
    if (!may_be_blank && base::text::is_blank(text))
        throw base::Invalid("Validation failed: Text can't be blank");
    auto length = base::text::status_length(text) + base::text::graphemes(spoiler_text);
    if (length > static_cast<std::size_t>(site.max_characters))
        throw base::Invalid(
            "Validation failed: Text character limit of " + std::to_string(site.max_characters) + " exceeded"
        );
}

const db::Command insert_mention{
    "insert_mention",
    "INSERT INTO mentions (status_id, account_id, position, author_id) VALUES ($1, $2, $3, " AUTHOR_IF_HIDDEN(
        "$1"
    ) ") "
      "ON CONFLICT (status_id, account_id) DO UPDATE SET silent = FALSE, position = excluded.position"
};

void put_mentions(db::Write& db, StatusId id, const std::vector<AccountId>& accounts) {
    for (int position = 0; auto account : accounts) db.run(insert_mention, id, account, position++);
}

const db::Command silence_mentions{
    "silence_mentions", "UPDATE mentions SET silent = TRUE WHERE status_id = $1 AND silent = FALSE"
};

std::vector<AccountId> replace_mentions(db::Write& db, StatusId id, const std::vector<AccountId>& accounts) {
    auto before = mentioned(db, id);
    db.run(silence_mentions, id);
    put_mentions(db, id, accounts);
    std::vector<AccountId> fresh;
    for (auto account : accounts)
        if (std::ranges::find(before, account) == before.end()) fresh.push_back(account);
    return fresh;
}

const db::Command insert_status_tag{
    "insert_status_tag",
    "INSERT INTO status_tags (tag_id, status_id, account_id, local, reach) "
    "SELECT CAST($1 AS BIGINT), s.id, s.account_id, s.local, " STATUS_REACH("s."
    ) " FROM statuses s "
      "WHERE s.id = $2 ON CONFLICT (tag_id, status_id) DO NOTHING"
};

namespace {

void count_use(db::Write& db, StatusId id, base::TagId tag, AccountId author, Visibility visibility) {
    tags::count_language(db, tag, id);
    if (visibility == Visibility::public_) tags::note_use(db, tag, author);
    if (open(visibility)) tags::count_status(db, author, tag, id);
}

}  // namespace

void put_tags(db::Write& db, StatusId id, AccountId author, Visibility visibility, const NamedTags& named) {
    std::vector<std::pair<base::TagId, db::Changed>> put;
    for (auto tag : tags::put_all(db, named)) put.emplace_back(tag, db.run(insert_status_tag, tag, id));
    for (const auto& [tag, rows] : put)
        if (rows != 0) count_use(db, id, tag, author, visibility);
}

void put_first_tags(
    db::Write& db, StatusId id, AccountId author, Visibility visibility, std::vector<base::TagId> all
) {
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    for (auto tag : all) {
        db.run(insert_status_tag, tag, id);
        count_use(db, id, tag, author, visibility);
    }
}

const db::Query<tags::Tag> tags_of_status{
    "tags_of_status",
    R"(SELECT t.id, t.name, t.display_name FROM status_tags x JOIN tags t ON t.id = x.tag_id WHERE x.status_id = $1)"
};
const db::Command delete_status_tag{
    "delete_status_tag", "DELETE FROM status_tags WHERE tag_id = $1 AND status_id = $2"
};

bool names_others(db::Read& db, StatusId id, std::vector<AccountId> accounts, const NamedTags& named) {
    std::ranges::sort(accounts);
    if (mentioned(db, id) != accounts) return true;
    const auto tags = db.all(tags_of_status, id);
    return tags.size() != named.size() || std::ranges::any_of(tags, [&](const auto& tag) {
               return std::ranges::find(named, tag.name, &NamedTags::value_type::first) == named.end();
           });
}

void replace_tags(
    db::Write& db, StatusId id, AccountId author, Visibility visibility, const NamedTags& named
) {
    for (const auto& tag : db.all(tags_of_status, id)) {
        if (std::ranges::find(named, tag.name, &NamedTags::value_type::first) != named.end()) continue;
        db.run(delete_status_tag, tag.id, id);
        if (open(visibility)) tags::uncount_status(db, author, tag.id);
    }
    put_tags(db, id, author, visibility, named);
}

const db::Command delete_tags_of_deleted{
    "delete_tags_of_deleted",
    R"(DELETE FROM status_tags WHERE status_id IN LIST($1) AND EXISTS (
           SELECT 1 FROM statuses s WHERE s.id = status_tags.status_id AND s.deleted_at IS NOT NULL))"
};

void leave_tags(db::Write& db, const std::vector<StatusId>& ids) { db.run(delete_tags_of_deleted, ids); }

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/announcements/announcement.hpp"

#include "base/text/blank.hpp"
#include "base/text/hashtag.hpp"
#include "base/uris.hpp"
#include "social/accounts/profile/mentions.hpp"
#include "social/former/former.hpp"

#include <algorithm>

namespace announcements {

State state_of(const Announcement& a, Time now) {
    if (now < a.published_at) return State::scheduled;
    return a.ends_at && *a.ends_at <= now ? State::ended : State::published;
}

namespace {

// The post of this site that a link refers to, by its page or its ActivityPub id.
StatusId linked_status(db::Read& db, std::string_view url) {
    auto found = former::ours(db, url);
    return found && found->kind == base::uris::Kind::status ? found->status() : StatusId{};
}

struct Composed {
    std::string html;
    std::vector<AccountId> mentions;
    std::vector<StatusId> statuses;
    std::vector<std::string> tags;
};

Composed compose(db::Read& db, std::string_view text) {
    auto entities = base::text::scan(text);
    auto found = accounts::mentions(db, text, entities);
    auto tags_url = db.site().public_url + "/tags/";
    Composed out;
    out.html = base::text::to_html(text, entities, base::text::Resolve{found.links, tags_url});
    out.mentions = std::move(found.accounts);
    for (const auto& entity : entities) {
        if (entity.kind == base::text::Entity::url) {
            auto status = linked_status(db, entity.in(text));
            if (status && std::ranges::find(out.statuses, status) == out.statuses.end())
                out.statuses.push_back(status);
        }
        if (entity.kind != base::text::Entity::hashtag) continue;
        auto name = base::text::normalise_hashtag(entity.name);
        if (base::text::valid_hashtag(name) && std::ranges::find(out.tags, name) == out.tags.end())
            out.tags.push_back(std::move(name));
    }
    return out;
}

}  // namespace

const db::Command insert_announcement{
    "insert_announcement",
    R"(INSERT INTO announcements (id, text, html, mentions, statuses, tags, published_at, starts_at, ends_at,
           all_day, created_at, updated_at, open)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12))"
};

AnnouncementId create(db::Write& db, const Draft& draft) {
    if (base::text::is_blank(draft.text)) throw base::Invalid("Validation failed: Text can't be blank");
    auto begins = draft.starts_at.value_or(draft.publish_at.value_or(db.now()));
    if (draft.ends_at && *draft.ends_at < begins)
        throw base::Invalid("Validation failed: Ends at must not lie before the beginning");
    auto id = db.new_id<AnnouncementId>();
    auto composed = compose(db, draft.text);
    db.run(
        insert_announcement,
        id,
        draft.text,
        composed.html,
        base::json::to_string(composed.mentions),
        base::json::to_string(composed.statuses),
        base::json::to_string(composed.tags),
        draft.publish_at.value_or(db.now()),
        draft.starts_at,
        draft.ends_at,
        draft.all_day,
        db.now(),
        draft.open
    );
    return id;
}

const db::Command delete_announcement{"delete_announcement", "DELETE FROM announcements WHERE id = $1"};
const db::Command delete_dismissals{
    "delete_dismissals", "DELETE FROM announcement_dismissals WHERE announcement_id = $1"
};
const db::Command delete_reactions{
    "delete_reactions", "DELETE FROM announcement_reactions WHERE announcement_id = $1"
};

void remove(db::Write& db, AnnouncementId id) {
    if (db.run(delete_announcement, id) == 0) throw base::NotFound();
    db.run(delete_dismissals, id);
    db.run(delete_reactions, id);
}

const db::Query<Announcement> all_announcements{
    "all_announcements",
    R"(SELECT id, text, html, mentions, statuses, tags, published_at, starts_at, ends_at, all_day, updated_at, open
       FROM announcements ORDER BY coalesce(starts_at, published_at), id)"
};

std::vector<Announcement> all(db::Read& db) { return db.all(all_announcements); }

std::vector<Announcement> published(db::Read& db) {
    auto found = all(db);
    std::erase_if(found, [&](const Announcement& a) { return state_of(a, db.now()) != State::published; });
    return found;
}

const db::Query<Announcement> open_announcements{
    "open_announcements",
    R"(SELECT id, text, html, mentions, statuses, tags, published_at, starts_at, ends_at, all_day, updated_at, open
       FROM announcements WHERE open = TRUE AND published_at <= $1 AND (ends_at IS NULL OR ends_at > $1)
       ORDER BY published_at DESC, id DESC LIMIT 40)"
};

std::vector<Announcement> open_to_all(db::Read& db) { return db.all(open_announcements, db.now()); }

const db::Query<bool> any_open_announcement{
    "any_open_announcement",
    R"(SELECT EXISTS (SELECT 1 FROM announcements WHERE open = TRUE AND published_at <= $1
                      AND (ends_at IS NULL OR ends_at > $1)))"
};

bool any_open_to_all(db::Read& db) { return db.one(any_open_announcement, db.now()); }

const db::Query<Announcement> announcement_by_id{
    "announcement_by_id",
    R"(SELECT id, text, html, mentions, statuses, tags, published_at, starts_at, ends_at, all_day, updated_at, open
       FROM announcements WHERE id = $1)"
};

Announcement one_open_to_all(db::Read& db, AnnouncementId id) {
    auto found = db.one(announcement_by_id, id);
    if (!found.open || state_of(found, db.now()) != State::published) throw base::NotFound();
    return found;
}

void require_published(db::Read& db, AnnouncementId id) {
    if (state_of(db.one(announcement_by_id, id), db.now()) != State::published) throw base::NotFound();
}

const db::Command insert_dismissal{
    "insert_dismissal",
    R"(INSERT INTO announcement_dismissals (account_id, announcement_id) VALUES ($1, $2)
       ON CONFLICT (account_id, announcement_id) DO NOTHING)"
};

void dismiss(db::Write& db, AccountId account, AnnouncementId id) {
    require_published(db, id);
    db.run(insert_dismissal, account, id);
}

const db::Query<AnnouncementId> dismissed_by{
    "dismissed_by", "SELECT announcement_id FROM announcement_dismissals WHERE account_id = $1"
};

std::vector<AnnouncementId> dismissed(db::Read& db, AccountId account) {
    return db.all(dismissed_by, account);
}

}  // namespace announcements

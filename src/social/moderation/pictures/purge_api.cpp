// SPDX-License-Identifier: AGPL-3.0-or-later
// A picture that is to go, wherever it is.
#include "http/route.hpp"
#include "social/moderation/pictures/search.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct Entity {
    static constexpr std::string_view entity = "PicturePurge";
    PictureSearchId id;
    bool dry_run = false, finished = false;
    std::int64_t distance = 0, files_looked_at = 0, files_found = 0, media = 0, copies = 0, portraits = 0,
                 emojis = 0;
    std::optional<base::AccountId> account_id;
    base::Time created_at;
    std::optional<base::Time> finished_at;
};
DESCRIBE(
    Entity, id, dry_run, finished, distance, files_looked_at, files_found, media, copies, portraits, emojis,
    account_id, created_at, finished_at
)

Entity entity(const PictureSearch& one) {
    return {
        one.id,
        one.dry_run,
        one.finished_at.has_value(),
        one.distance,
        one.looked,
        one.found,
        one.media,
        one.copies,
        one.portraits,
        one.emojis,
        one.actor_id ? std::optional(one.actor_id) : std::nullopt,
        one.created_at,
        one.finished_at
    };
}

struct ListForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(ListForm, max_id, since_id, min_id, limit)

http::Page<Entity> index(db::Read& db, const Viewer&, const ListForm& form) {
    std::vector<Entity> out;
    for (const auto& one : picture_removals(db, http::range_of(form))) out.push_back(entity(one));
    return http::page_by_id(std::move(out), form);
}

struct ById {
    PictureSearchId id;
};
DESCRIBE(ById, id)

Entity show(db::Read& db, const Viewer&, const ById& path) {
    const auto one = picture_search(db, path.id);
    if (one.list_id) throw base::NotFound();
    return entity(one);
}

struct PurgeForm {
    std::string hash;
    media::HashKind kind = media::HashKind::pdq;
    std::optional<std::int64_t> media_id, quarantine_id;
    std::int64_t distance = media::usual_distance;
    bool dry_run = false;
};
DESCRIBE(PurgeForm, hash, kind, media_id, quarantine_id, distance, dry_run)

PictureSearchId purge(db::Write& db, const Viewer& me, const PurgeForm& form) {
    auto hashes = form.media_id        ? hashes_of_media(db, {*form.media_id})
                  : form.quarantine_id ? hashes_of_quarantined(db, {*form.quarantine_id})
                                       : hashes_given(form.hash, form.kind);
    return remove_everywhere(
        db, accounts::actor(db, me.account), {std::move(hashes), form.distance, form.dry_run}
    );
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>        ("/api/dunlin/v1/moderation/media/purge",     "admin:read:domain_blocks"),
    http::post<purge, show> ("/api/dunlin/v1/moderation/media/purge",     "admin:write:domain_blocks"),
    http::get<show>         ("/api/dunlin/v1/moderation/media/purge/:id", "admin:read:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> purge_routes() { return table; }

}  // namespace moderation

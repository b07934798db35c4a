// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures in quarantine, for the team.
#include "http/route.hpp"
#include "social/moderation/pictures/quarantined.hpp"

namespace moderation {
namespace {

using http::Viewer;
using media::Quarantined, media::QuarantineState;

struct Entity {
    static constexpr std::string_view entity = "QuarantinedPicture";
    QuarantineId id;
    media::HashListId list_id;
    std::string list_name;
    std::optional<std::int64_t> distance;
    std::optional<base::AccountId> account_id;
    std::optional<base::MediaId> media_id;
    std::optional<base::StatusId> status_id;
    std::optional<media::ReportId> report_id;
    QuarantineState state = QuarantineState::held;
    base::Time created_at;
    std::optional<base::Time> decided_at;
    std::optional<base::AccountId> decided_by;
};
DESCRIBE(
    Entity, id, list_id, list_name, distance, account_id, media_id, status_id, report_id, state, created_at,
    decided_at, decided_by
)

template <class Id>
std::optional<Id> known(Id id) {
    return id ? std::optional(id) : std::nullopt;
}

Entity entity(const Quarantined& one) {
    return {
        one.id,
        one.list_id,
        one.list_name,
        one.distance,
        known(one.account_id),
        known(one.media_id),
        known(one.status_id),
        known(one.report_id),
        one.state,
        one.created_at,
        one.decided_at,
        known(one.decided_by)
    };
}

struct ListForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
    QuarantineState state = QuarantineState::held;
};
DESCRIBE(ListForm, max_id, since_id, min_id, limit, state)

http::Page<Entity> index(db::Read& db, const Viewer&, const ListForm& form) {
    std::vector<Entity> out;
    for (const auto& one : media::quarantined(db, http::range_of(form), form.state))
        out.push_back(entity(one));
    return http::page_by_id(std::move(out), form);
}

struct ById {
    QuarantineId id;
};
DESCRIBE(ById, id)

Entity show(db::Read& db, const Viewer&, const ById& path) {
    const auto one = media::find_quarantined(db, path.id);
    if (!one) throw base::NotFound();
    return entity(*one);
}

template <void (*F)(db::Write&, const accounts::Actor&, QuarantineId)>
void decide(db::Write& db, const Viewer& me, const ById& path) {
    F(db, accounts::actor(db, me.account), path.id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                             ("/api/dunlin/v1/moderation/quarantine",             "admin:read:domain_blocks"),
    http::get<show>                              ("/api/dunlin/v1/moderation/quarantine/:id",         "admin:read:domain_blocks"),
    http::post<decide<release_quarantined>, show>("/api/dunlin/v1/moderation/quarantine/:id/release", "admin:write:domain_blocks"),
    http::post<decide<destroy_quarantined>, show>("/api/dunlin/v1/moderation/quarantine/:id/destroy", "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> quarantine_routes() { return table; }

}  // namespace moderation

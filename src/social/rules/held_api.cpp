// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that rules hold back, as the team looks through them.
#include "http/route.hpp"
#include "social/rules/held.hpp"

namespace rules {
namespace {

using http::Viewer;

struct HeldEntity {
    static constexpr std::string_view entity = "HeldPost";
    HeldId id;
    AccountId account_id;
    std::string acct;
    std::optional<StatusId> status_id;
    std::optional<std::string> uri;
    std::string content, spoiler_text;
    statuses::Visibility visibility = statuses::Visibility::public_;
    std::int64_t mentions_count = 0;
    std::vector<std::string> media;
    std::vector<RuleId> rule_ids;
    Time created_at;
    std::optional<Time> until;
    std::optional<std::string> then;
};
DESCRIBE(
    HeldEntity, id, account_id, acct, status_id, uri, content, spoiler_text, visibility, mentions_count,
    media, rule_ids, created_at, until, then
)

HeldEntity entity(HeldPost one) {
    std::optional<std::string> then;
    if (one.until) then = one.drops ? "drop" : "release";
    return {
        one.id,
        one.account_id,
        std::move(one.acct),
        one.status_id,
        std::move(one.uri),
        std::move(one.content),
        std::move(one.spoiler_text),
        one.visibility,
        one.mentions,
        std::move(one.media),
        std::move(one.rules),
        one.created_at,
        one.until,
        std::move(then)
    };
}

struct ListForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
    bool set_aside = false;
};
DESCRIBE(ListForm, max_id, since_id, min_id, limit, set_aside)

http::Page<HeldEntity> index(db::Read& db, const Viewer&, const ListForm& form) {
    std::vector<HeldEntity> out;
    for (auto& one : held_posts(db, http::range_of(form), form.set_aside))
        out.push_back(entity(std::move(one)));
    return http::page_by_id(std::move(out), form);
}

struct ById {
    HeldId id;
};
DESCRIBE(ById, id)

HeldEntity show(db::Read& db, const Viewer&, const ById& path) { return entity(held_post(db, path.id)); }

template <void (*F)(db::Write&, const accounts::Actor&, HeldId)>
void end(db::Write& db, const Viewer& me, const ById& path) {
    F(db, accounts::actor(db, me.account), path.id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                ("/api/dunlin/v1/moderation/held",               "admin:read:domain_blocks"),
    http::get<show>                 ("/api/dunlin/v1/moderation/held/:id",           "admin:read:domain_blocks"),
    http::post<end<release_held>>   ("/api/dunlin/v1/moderation/held/:id/release",   "admin:write:domain_blocks"),
    http::post<end<drop_held>>      ("/api/dunlin/v1/moderation/held/:id/drop",      "admin:write:domain_blocks"),
    http::post<end<set_aside_held>> ("/api/dunlin/v1/moderation/held/:id/set_aside", "admin:write:domain_blocks"),
    http::post<end<take_up_held>>   ("/api/dunlin/v1/moderation/held/:id/take_up",   "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> held_routes() { return table; }

}  // namespace rules

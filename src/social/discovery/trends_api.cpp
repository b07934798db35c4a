// SPDX-License-Identifier: AGPL-3.0-or-later
// Trends: hashtags, links and statuses.
#include "social/discovery/trends_api.hpp"

#include "social/statuses/previews/preview_entity.hpp"
#include "social/statuses/render/status_entity.hpp"

namespace discovery {
namespace {

using http::Viewer, http::Request, http::Response;

template <class F>
Window window(db::Read& db, const std::optional<Viewer>& me, const Request& request, const F& form) {
    constexpr std::int64_t farthest = 10'000;
    auto locale =
        me && !me->locale.empty() ? std::string_view(me->locale) : request.header("Accept-Language");
    return {
        static_cast<int>(std::clamp<std::int64_t>(form.offset, 0, farthest)),
        form.limit.value,
        preferred_languages(db, me ? me->user : base::UserId{}, locale)
    };
}

Response page(
    db::Read& db, const Request& request, const Window& window, std::string body, std::size_t items
) {
    Response response;
    response.body = std::move(body);
    response.headers.emplace_back("Vary", "Authorization, Accept-Language");
    http::add_offset_link(response, db.site(), request, window.offset, window.limit, items);
    return response;
}

}  // namespace

Response public_tags(db::Read& db, const MaybeViewer& me, const Request& request, const FewTrends& form) {
    auto asked = window(db, me, request, form);
    std::vector<tags::Tag> found;
    if (trends_enabled(db)) found = trending_tags(db, asked);
    auto entities = tags::entities(db, found, me ? me->account : base::AccountId{});
    return page(db, request, asked, base::json::to_string(entities), entities.size());
}

std::vector<tags::HistoryDay> week_of_link(
    const std::vector<DayOfLink>& days, statuses::CardId card, base::Time now
) {
    constexpr std::int64_t day_seconds = 86'400;
    std::vector<tags::HistoryDay> out;
    for (int ago = 0; ago < 7; ++ago) {
        auto begins = now.midnight().plus_seconds(-ago * day_seconds).ms / 1000;
        auto found = std::ranges::find_if(days, [&](const DayOfLink& d) {
            return d.card_id == card.value && d.day == begins / day_seconds;
        });
        auto used = found == days.end() ? DayOfLink{} : *found;
        out.push_back({std::to_string(begins), std::to_string(used.accounts), std::to_string(used.uses)});
    }
    return out;
}

Response public_links(db::Read& db, const MaybeViewer& me, const Request& request, const FewTrends& form) {
    auto asked = window(db, me, request, form);
    std::vector<statuses::Card> cards;
    if (trends_enabled(db)) cards = trending_links(db, asked);
    std::vector<statuses::CardId> ids;
    for (const auto& card : cards) ids.push_back(card.id);
    auto days = link_uses(db, ids, db.now().midnight().plus_seconds(-6 * 86'400));
    auto members = statuses::card_members(db, cards, me ? me->account : base::AccountId{});
    std::string body = "[";
    for (std::size_t i = 0; i < cards.size(); ++i) {
        body += i > 0 ? ",{" : "{";
        body += members[i] + ",\"history\":";
        base::json::write(body, week_of_link(days, cards[i].id, db.now()));
        body += '}';
    }
    return page(db, request, asked, body + "]", cards.size());
}

Response public_statuses(
    db::Read& db, const MaybeViewer& me, const Request& request, const ManyTrends& form
) {
    auto asked = window(db, me, request, form);
    auto viewer = me ? statuses::audience(db, me->account, me->relations_version) : statuses::nobody(db);
    std::vector<statuses::VisibilityFacts> found;
    if (trends_enabled(db)) found = trending_statuses(db, viewer, asked);
    return page(db, request, asked, statuses::json_list(db, viewer, found), found.size());
}

namespace {

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<public_tags>    ("/api/v1/trends").answering("Tag[]").deprecated(1648598400).cached(Caching::if_anonymous),
    http::get<public_tags>    ("/api/v1/trends/tags").answering("Tag[]").cached(Caching::if_anonymous),
    http::get<public_links>   ("/api/v1/trends/links").answering("Trends::Link[]").cached(Caching::if_anonymous),
    http::get<public_statuses>("/api/v1/trends/statuses").answering("Status[]").cached(Caching::if_anonymous),
};
// clang-format on

}  // namespace

std::span<const http::Route> trend_routes() { return table; }

}  // namespace discovery

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/routes.hpp"

#include "server/api_pages.hpp"
#include "social/accounts/routes.hpp"
#include "social/announcements/routes.hpp"
#include "social/collections/routes.hpp"
#include "social/conversations/routes.hpp"
#include "social/crypto/routes.hpp"
#include "social/discovery/routes.hpp"
#include "social/emojis/routes.hpp"
#include "social/federation/routes.hpp"
#include "social/filters/routes.hpp"
#include "social/instance/routes.hpp"
#include "social/letters/routes.hpp"
#include "social/lists/routes.hpp"
#include "social/media/routes.hpp"
#include "social/moderation/routes.hpp"
#include "social/notifications/routes.hpp"
#include "social/oauth/routes.hpp"
#include "social/pages/routes.hpp"
#include "social/push/routes.hpp"
#include "social/relationships/routes.hpp"
#include "social/statuses/routes.hpp"
#include "social/tags/routes.hpp"
#include "social/timelines/routes.hpp"

#include <algorithm>
#include <tuple>

namespace server {

std::vector<std::span<const http::Route>> routes() {
    return {
        instance::routes(),
        emojis::routes(),
        media::routes(),
        media::proxy_routes(),
        accounts::routes(),
        accounts::instance_routes(),
        relationships::routes(),
        filters::routes(),
        filters::v1_routes(),
        relationships::list_routes(),
        relationships::domain_block_routes(),
        statuses::routes(),
        statuses::interaction_routes(),
        statuses::quote_routes(),
        statuses::edit_routes(),
        statuses::poll_routes(),
        statuses::scheduled_routes(),
        statuses::filtered_status_routes(),
        tags::routes(),
        tags::featured_routes(),
        tags::profile_routes(),
        lists::routes(),
        statuses::translation_routes(),
        collections::routes(),
        timelines::routes(),
        timelines::link_routes(),
        notifications::routes(),
        notifications::group_routes(),
        notifications::policy_routes(),
        notifications::request_routes(),
        conversations::routes(),
        discovery::routes(),
        discovery::trend_routes(),
        discovery::annual_report_routes(),
        crypto::routes(),
        crypto::activitypub_routes(),
        announcements::routes(),
        discovery::directory_routes(),
        discovery::suggestion_routes(),
        moderation::report_routes(),
        oauth::app_routes(),
        oauth::token_routes(),
        oauth::metadata_routes(),
        oauth::sign_up_routes(),
        oauth::email_routes(),
        oauth::web_settings_routes(),
        push::routes(),
        push::web_routes(),
        oauth::authorize_pages(),
        oauth::sign_in_pages(),
        oauth::sign_up_pages(),
        oauth::confirmation_pages(),
        oauth::password_pages(),
        oauth::application_pages(),
        oauth::setup_pages(),
        oauth::root_pages(),
        letters::routes(),
        api_pages(),
        federation::webfinger_routes(),
        federation::actor_routes(),
        federation::object_routes(),
        federation::featured_routes(),
        pages::oembed_routes(),
        pages::profile_routes(),
        federation::inbox_routes(),
        federation::claim_routes(),
    };
}

std::vector<const http::Route*> sorted_routes() {
    static const auto slices = routes();
    std::vector<const http::Route*> all;
    for (auto slice : slices)
        for (const auto& route : slice) all.push_back(&route);
    std::ranges::sort(all, {}, [](const http::Route* r) { return std::tuple(r->path, r->method); });
    return all;
}

}  // namespace server

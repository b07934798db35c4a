// SPDX-License-Identifier: AGPL-3.0-or-later
// Each route table is defined in the _api.cpp of its subject and declared only here.
#include "server/tables.hpp"

#include "server/api_pages.hpp"
#include "server/web/pages.hpp"

#include <algorithm>
#include <tuple>

using Routes = std::span<const http::Route>;

// clang-format off
namespace instance { Routes routes(); }
namespace emojis { Routes routes(); }
namespace media { Routes routes(), proxy_routes(); }
namespace accounts { Routes routes(), instance_routes(); }
namespace relationships { Routes routes(), list_routes(), domain_block_routes(), severance_routes(); }
namespace filters { Routes routes(), v1_routes(); }
namespace labels { Routes routes(); }
namespace tags { Routes routes(), featured_routes(), profile_routes(); }
namespace statuses {
    Routes routes(), interaction_routes(), quote_routes(), reply_routes(), edit_routes(), poll_routes(), scheduled_routes(),
           filtered_status_routes(), translation_routes(), writing_routes();
}
namespace lists { Routes routes(); }
namespace collections { Routes routes(); }
namespace timelines { Routes routes(), link_routes(); }
namespace notifications { Routes routes(), group_routes(), policy_routes(), request_routes(); }
namespace conversations { Routes routes(); }
namespace crypto { Routes routes(), activitypub_routes(); }
namespace announcements { Routes routes(); }
namespace federation {
    Routes webfinger_routes(), actor_routes(), object_routes(), featured_routes(), inbox_routes(), claim_routes();
}
namespace discovery {
    Routes routes(), trend_routes(), annual_report_routes(), directory_routes(), suggestion_routes();
}
namespace moderation {
    Routes report_routes(), account_routes(), admin_report_routes(), strike_routes(), team_routes(),
           domain_routes(), block_routes(), trend_routes(), webhook_routes(), case_routes(), server_list_routes(),
           list_source_routes(), published_rule_routes(), label_routes(),
           hash_list_routes(), quarantine_routes(), purge_routes();
}
namespace rules { Routes judging_rule_routes(), held_routes(), cluster_routes(), word_list_routes(); }
namespace insight { Routes routes(), transparency_routes(), outside_routes(); }
namespace oauth {
    Routes app_routes(), token_routes(), metadata_routes(), sign_up_routes(), email_routes(), web_settings_routes(),
           authorize_pages(), sign_in_pages(), sign_up_pages(), confirmation_pages(), password_pages(),
           application_pages(), setup_pages(), root_pages(), second_factor_pages(), first_steps_pages(),
           language_pages();
}
namespace streaming { Routes routes(); }
namespace push { Routes routes(), web_routes(); }
namespace email_digests { Routes routes(); }
namespace notification_mails { Routes routes(); }
namespace server::plain { Routes choice_routes(), act_routes(), compose_routes(); }
namespace pages {
    Routes oembed_routes(), profile_routes(), featured_routes(), post_routes(), media_routes(), year_pages(), interaction_routes(),
           about_routes(), robots_routes(), status_routes(), listing_routes(), notice_pages(),
           account_settings(), profile_settings(), notification_settings(), severed_settings(), second_factor_settings(), session_settings(), moving_settings(), transfer_settings(),
           ending_settings(), desk_pages(), report_pages(), server_pages(), staff_account_pages(), staff_post_pages(), appeal_pages(),
           rule_pages(), rule_form_pages(), audit_pages(), site_pages(), held_pages(), case_pages(), block_pages(),
            team_pages(), house_pages(), list_pages(), source_pages(), trend_pages(), word_list_pages(), label_pages(), label_settings(), transparency_pages(), health_pages(),
           settings_of_site_pages(), picture_pages();
}
// clang-format on

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
        relationships::list_routes(),
        relationships::domain_block_routes(),
        relationships::severance_routes(),
        filters::routes(),
        filters::v1_routes(),
        labels::routes(),
        tags::routes(),
        tags::featured_routes(),
        tags::profile_routes(),
        statuses::routes(),
        statuses::interaction_routes(),
        statuses::quote_routes(),
        statuses::reply_routes(),
        statuses::edit_routes(),
        statuses::poll_routes(),
        statuses::scheduled_routes(),
        statuses::filtered_status_routes(),
        statuses::translation_routes(),
        statuses::writing_routes(),
        lists::routes(),
        collections::routes(),
        timelines::routes(),
        timelines::link_routes(),
        notifications::routes(),
        notifications::group_routes(),
        notifications::policy_routes(),
        notifications::request_routes(),
        conversations::routes(),
        crypto::routes(),
        crypto::activitypub_routes(),
        announcements::routes(),
        federation::webfinger_routes(),
        federation::actor_routes(),
        federation::object_routes(),
        federation::featured_routes(),
        federation::inbox_routes(),
        federation::claim_routes(),
        discovery::routes(),
        discovery::trend_routes(),
        discovery::annual_report_routes(),
        discovery::directory_routes(),
        discovery::suggestion_routes(),
        moderation::report_routes(),
        moderation::account_routes(),
        moderation::admin_report_routes(),
        moderation::strike_routes(),
        moderation::team_routes(),
        moderation::domain_routes(),
        moderation::block_routes(),
        moderation::trend_routes(),
        moderation::webhook_routes(),
        moderation::case_routes(),
        moderation::server_list_routes(),
        moderation::list_source_routes(),
        moderation::published_rule_routes(),
        moderation::label_routes(),
        rules::judging_rule_routes(),
        rules::held_routes(),
        rules::word_list_routes(),
        moderation::hash_list_routes(),
        moderation::quarantine_routes(),
        moderation::purge_routes(),
        rules::cluster_routes(),
        insight::routes(),
        insight::transparency_routes(),
        insight::outside_routes(),
        oauth::app_routes(),
        oauth::token_routes(),
        oauth::metadata_routes(),
        oauth::sign_up_routes(),
        oauth::email_routes(),
        oauth::web_settings_routes(),
        streaming::routes(),
        oauth::authorize_pages(),
        oauth::sign_in_pages(),
        oauth::sign_up_pages(),
        oauth::confirmation_pages(),
        oauth::password_pages(),
        oauth::application_pages(),
        oauth::setup_pages(),
        oauth::root_pages(),
        oauth::second_factor_pages(),
        oauth::first_steps_pages(),
        oauth::language_pages(),
        push::routes(),
        push::web_routes(),
        email_digests::routes(),
        notification_mails::routes(),
        pages::oembed_routes(),
        pages::profile_routes(),
        pages::featured_routes(),
        pages::post_routes(),
        pages::media_routes(),
        pages::year_pages(),
        pages::interaction_routes(),
        pages::about_routes(),
        pages::robots_routes(),
        pages::status_routes(),
        pages::listing_routes(),
        pages::notice_pages(),
        pages::account_settings(),
        pages::profile_settings(),
        pages::notification_settings(),
        pages::severed_settings(),
        pages::second_factor_settings(),
        pages::session_settings(),
        pages::moving_settings(),
        pages::transfer_settings(),
        pages::ending_settings(),
        pages::desk_pages(),
        pages::report_pages(),
        pages::server_pages(),
        pages::staff_account_pages(),
        pages::appeal_pages(),
        pages::audit_pages(),
        pages::rule_pages(),
        pages::rule_form_pages(),
        pages::site_pages(),
        pages::health_pages(),
        pages::held_pages(),
        pages::case_pages(),
        pages::block_pages(),
        pages::team_pages(),
        pages::house_pages(),
        pages::settings_of_site_pages(),
        pages::list_pages(),
        pages::source_pages(),
        pages::trend_pages(),
        pages::word_list_pages(),
        pages::label_pages(),
        pages::staff_post_pages(),
        pages::label_settings(),
        pages::picture_pages(),
        pages::transparency_pages(),
        api_pages(),
        client_pages(),
        plain::choice_routes(),
        plain::act_routes(),
        plain::compose_routes(),
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

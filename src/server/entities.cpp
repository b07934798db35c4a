// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/profile_entity.hpp"
#include "social/discovery/trends.hpp"
#include "social/filters/matching.hpp"
#include "social/instance/instance_entity.hpp"
#include "social/notifications/group_entity.hpp"
#include "social/notifications/notification_entity.hpp"
#include "social/oauth/token.hpp"
#include "social/statuses/core/context.hpp"
#include "social/statuses/polls/poll_entity.hpp"
#include "social/statuses/previews/preview_entity.hpp"
#include "social/statuses/render/rendered_status.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/statuses/scheduled/scheduled.hpp"

namespace server {

namespace {

void describe_grouped(base::json::Components& all) {
    base::json::component<notifications::GroupedResults>(all);
}
void describe_token(base::json::Components& all) { base::json::component<oauth::TokenEntity>(all); }

constexpr base::json::Describe table[] = {
    instance::describe_instances,
    accounts::describe_account,
    accounts::describe_credential_account,
    filters::describe_filter_result,
    statuses::describe_status,
    statuses::describe_context,
    statuses::describe_poll,
    statuses::describe_card,
    statuses::describe_edit,
    statuses::describe_scheduled,
    notifications::describe_notification,
    describe_grouped,
    discovery::describe_trending_link,
    describe_token,
};

}  // namespace

std::span<const base::json::Describe> entities() { return table; }

}  // namespace server

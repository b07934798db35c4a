// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/troubles.hpp"
#include "server/tables.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/administering.hpp"
#include "social/accounts/remote/server_purge.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/accounts/users/user.hpp"
#include "social/discovery/status_index.hpp"
#include "social/discovery/suggestion_jobs.hpp"
#include "social/discovery/trends.hpp"
#include "social/email_digests/subscription.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/updates.hpp"
#include "social/federation/fetch/related_jobs.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/federation/verifying/known_keys.hpp"
#include "social/insight/digest.hpp"
#include "social/instance/activity.hpp"
#include "social/instance/async_refresh.hpp"
#include "social/media/copy.hpp"
#include "social/media/media_jobs.hpp"
#include "social/moderation/alerts/alert.hpp"
#include "social/moderation/attendance.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/list_sources/source.hpp"
#include "social/moderation/notices/notice.hpp"
#include "social/moderation/pictures/search.hpp"
#include "social/moderation/published_rules/published_rule.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/oauth/token.hpp"
#include "social/relationships/relationship.hpp"
#include "social/rules/cluster.hpp"
#include "social/rules/held.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/rehearsal.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/remote/old_posts.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/statuses/translation/translation.hpp"
#include "social/tags/tag.hpp"
#include "social/tags/tag_languages.hpp"
#include "social/timelines/idle_homes.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/import.hpp"

namespace server {

namespace {

constexpr std::int64_t hour = 3600;

}  // namespace

std::vector<jobs::Periodic> periodic() {
    return {
        {"purge_unconfirmed", hour / 12, accounts::purge_unconfirmed},
        {"delete_long_suspended", 60, accounts::delete_long_suspended},
        {"purge_suspended_servers", hour, accounts::purge_suspended_servers},
        {"purge_access", hour, oauth::purge},
        {"purge_idempotency_keys", hour, statuses::purge_idempotency_keys},
        {"announce_scheduled", 5, statuses::announce_due},
        {"end_polls", 5, statuses::end_polls},
        {"purge_mutes", hour, relationships::purge_mutes},
        {"renew_general_suggestions",
         discovery::general_suggestions_every_seconds,
         discovery::renew_general_suggestions},
        {"find_due_suggestions", discovery::due_suggestions_every_seconds, discovery::find_due_suggestions},
        {"count_everything", 60, instance::count_everything},
        {"find_index_queue", discovery::find_index_queue_every_seconds, discovery::find_index_queue},
        {"refresh_trending_tags", 300, discovery::refresh_tags},
        {"refresh_trending_links", 300, discovery::refresh_links},
        {"refresh_trending_statuses", 300, discovery::refresh_statuses},
        {"count_activity", hour, instance::count_activity},
        {"list_peers", hour, instance::list_peers},
        {"purge_refreshes", hour, instance::purge_refreshes},
        {"remove_old_posts", statuses::remove_old_posts_every_seconds, statuses::remove_old_posts},
        {"empty_idle_homes", timelines::empty_idle_homes_every_seconds, timelines::empty_idle_homes},
        {"purge_previews", 30, statuses::purge_previews},
        {"purge_tombstones", hour, statuses::purge_tombstones},
        {"purge_inbox", 30, federation::purge_inbox},
        {"purge_fetched_keys", 60, federation::purge_fetched_keys},
        {"purge_translations", hour, statuses::purge_translations},
        {"purge_tag_uses", 60, tags::purge_uses},
        {"purge_tag_languages", 60, tags::purge_languages},
        {"announce_digests", 60, email_digests::announce_digests},
        {"announce_notification_mails", 30, notification_mails::announce_mails},
        {"purge_subscriptions", hour, email_digests::purge_subscriptions},
        {"send_planned_updates", 5, federation::send_planned_updates},
        {"purge_activities", hour / 4, federation::purge_activities},
        {"prune_copies", hour, media::prune_copies},
        {"find_stale_actors", 60, federation::find_stale_actors},
        {"sweep_media", media::sweep_every_seconds, media::sweep},
        {"purge_ip_blocks", hour, accounts::purge_ip_blocks},
        {"purge_attempts", hour, accounts::purge_attempts},
        {"purge_security_events", hour, accounts::purge_security_events},
        {"purge_user_days", hour / 4, accounts::purge_user_days},
        {"purge_addresses", hour / 4, accounts::purge_addresses},
        {"purge_evidence", hour, moderation::purge_evidence},
        {"purge_searches", hour, moderation::purge_searches},
        {"forget_lists", hour, moderation::forget_lists},
        {"note_published_rules", 60, moderation::note_published_rules},
        {"find_due_sources", 300, moderation::find_due_sources},
        {"purge_notices", hour, moderation::purge_notices},
        {"take_webhook_calls", 5, moderation::take_webhook_calls},
        {"purge_clusters", 60, rules::purge_clusters},
        {"find_due_held", 60, rules::find_due_held},
        {"purge_hits", 60, rules::purge_hits},
        {"purge_rehearsals", hour, rules::purge_rehearsals},
        {"purge_imports", hour, transfer::purge_imports},
        {"purge_archives", hour, transfer::purge_archives},
        {"look_for_moderators", hour, moderation::look_for_moderators},
        {"find_site_troubles", 60, find_site_troubles},
        {"tell_of_alerts", 60, moderation::tell_of_alerts},
        {"begin_digest", hour / 4, insight::begin_digest},
    };
}

}  // namespace server

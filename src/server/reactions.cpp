// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/reactions.hpp"

#include "server/private_rows.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "social/accounts/search_index.hpp"
#include "social/accounts/users/mail_jobs.hpp"
#include "social/collections/item.hpp"
#include "social/conversations/conversation.hpp"
#include "social/crypto/device.hpp"
#include "social/discovery/annual_report.hpp"
#include "social/discovery/status_index.hpp"
#include "social/discovery/suggestion_jobs.hpp"
#include "social/discovery/trends_jobs.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/delivery/collection_jobs.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/delivery/quote_jobs.hpp"
#include "social/federation/delivery/relation_jobs.hpp"
#include "social/federation/delivery/status_jobs.hpp"
#include "social/federation/delivery/tag_jobs.hpp"
#include "social/federation/delivery/updates.hpp"
#include "social/federation/fetch/read_collection.hpp"
#include "social/federation/fetch/related_jobs.hpp"
#include "social/federation/fetch/thread_jobs.hpp"
#include "social/federation/inbox/synchronize.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/federation/moving/moving.hpp"
#include "social/letters/subscription.hpp"
#include "social/lists/list.hpp"
#include "social/media/media_jobs.hpp"
#include "social/media/withholding.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/report_forward.hpp"
#include "social/moderation/report_jobs.hpp"
#include "social/notifications/clearing.hpp"
#include "social/notifications/notification.hpp"
#include "social/notifications/notify.hpp"
#include "social/notifications/notify_collections.hpp"
#include "social/notifications/notify_domains.hpp"
#include "social/notifications/notify_quotes.hpp"
#include "social/notifications/request.hpp"
#include "social/oauth/web_settings.hpp"
#include "social/push/subscription.hpp"
#include "social/relationships/accept_pending.hpp"
#include "social/relationships/account_severing.hpp"
#include "social/relationships/domain_block.hpp"
#include "social/relationships/follow_inviter.hpp"
#include "social/relationships/forget_account.hpp"
#include "social/relationships/move.hpp"
#include "social/relationships/relationship.hpp"
#include "social/relationships/server_block.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/remote/thread_moving.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/unearthed.hpp"

namespace server {

using jobs::alone, jobs::asks, jobs::prepares, jobs::at_once, jobs::later;

// clang-format off
std::vector<jobs::Reaction> reactions() {
    return {
        // accounts::ConfirmationWanted
        asks<accounts::mail_confirmation>("mail_confirmation"),
        // accounts::PasswordResetWanted
        asks<accounts::mail_password_reset>("mail_password_reset"),
        // accounts::PasswordChanged
        asks<accounts::mail_password_changed>("mail_password_changed"),
        // accounts::Activated
        asks<accounts::mail_welcome>("mail_welcome"),
        at_once<notifications::tell_staff>("tell_staff"),
        at_once<relationships::follow_inviter>("follow_inviter"),
        asks<federation::make_first_key>("make_first_key"),
        // federation::KeyWanted, KeysMissing
        asks<federation::make_key>("make_key"),
        later<federation::want_missing_keys>("want_missing_keys"),
        // accounts::Unlocked, relationships::AcceptPendingContinued
        at_once<relationships::accept_pending>("accept_pending"),
        later<relationships::continue_accepting_pending>("continue_accepting_pending"),
        // accounts::ProfileChanged
        at_once<statuses::review_attribution>("review_attribution"),
        later<statuses::attribute_previews>("attribute_previews"),
        // statuses::Published
        at_once<timelines::fan_out>("fan_out"),
        at_once<notifications::tell_mentioned>("tell_mentioned"),
        at_once<notifications::tell_subscribers>("tell_subscribers"),
        at_once<conversations::keep_sent>("keep_sent"),
        later<timelines::fan_out_rest>("fan_out_rest"),
        later<notifications::tell_subscribers_left>("tell_subscribers_left"),
        at_once<statuses::want_preview>("want_preview"),
        at_once<letters::want_letters>("want_letters"),
        // statuses::Unearthed
        at_once<timelines::fan_out_unearthed>("fan_out_unearthed"),
        at_once<discovery::index_unearthed>("index_unearthed"),
        // statuses::RecountContinued, JoiningContinued, ThreadMovingLeft
        prepares<statuses::continue_moving_thread>("continue_moving_thread"),
        prepares<statuses::recount>("recount"),
        later<statuses::continue_joining>("continue_joining"),
        // statuses::RelatedWanted, StampDoubted, StampReplaced, federation::ImportLeft, ProfileWanted, PinsWanted, PinsLeft, ThreadLeft, ActorStale
        asks<federation::fetch_related>("fetch_related"),
        asks<federation::look_at_stamp>("look_at_stamp"),
        asks<federation::look_at_new_stamp>("look_at_new_stamp"),
        asks<federation::import_some>("import_some"),
        asks<federation::read_outbox>("read_outbox"),
        asks<federation::read_pins>("read_pins"),
        asks<federation::fetch_pins>("fetch_pins"),
        asks<federation::read_thread>("read_thread"),
        asks<federation::refresh_actor>("refresh_actor"),
        // accounts::AccountGone
        at_once<federation::forget_actor>("forget_actor"),
        later<relationships::begin_forgetting>("begin_forgetting_account"),
        later<relationships::continue_forgetting>("continue_forgetting_account"),
        later<accounts::begin_forgetting_rows>("begin_forgetting_rows"),
        later<continue_forgetting_rows>("continue_forgetting_rows"),
        later<statuses::remove_all_of>("remove_all_of"),
        later<statuses::remove_some_of>("remove_some_of"),
        later<statuses::empty_deleted>("empty_deleted"),
        // statuses::PreviewWanted
        asks<statuses::fetch_preview>("fetch_preview"),
        // statuses::Deleted
        at_once<statuses::forget_preview>("forget_preview"),
        at_once<timelines::begin_removal>("begin_removal"),
        at_once<notifications::forget_status>("forget_status"),
        at_once<conversations::forget_status>("forget_conversation_status"),
        later<timelines::continue_removal>("continue_removal"),
        later<notifications::forget_status_left>("forget_status_left"),
        later<statuses::remove_reblogs>("remove_reblogs"),
        at_once<statuses::release_quote>("release_quote"),
        // statuses::Quoted
        at_once<notifications::tell_quoted>("tell_quoted"),
        // statuses::Edited, PollEnded, ScheduledDue
        at_once<statuses::renew_after_edit>("renew_after_edit"),
        at_once<notifications::tell_edited>("tell_edited"),
        later<notifications::tell_rebloggers_left>("tell_rebloggers_left"),
        at_once<notifications::tell_quoters>("tell_quoters"),
        later<notifications::tell_quoters_left>("tell_quoters_left"),
        at_once<notifications::tell_poll_ended>("tell_poll_ended"),
        later<notifications::tell_voters_left>("tell_voters_left"),
        later<statuses::publish_scheduled>("publish_scheduled"),
        // statuses::Reblogged, Unreblogged, Favourited, Unfavourited, InteractionRejected
        at_once<notifications::tell_reblogged>("tell_reblogged"),
        at_once<notifications::untell_reblogged>("untell_reblogged"),
        at_once<notifications::tell_favourited>("tell_favourited"),
        at_once<notifications::tell_rejected>("tell_rejected"),
        at_once<notifications::untell_favourited>("untell_favourited"),
        // relationships::Followed, Unfollowed
        later<timelines::begin_backfill>("begin_backfill"),
        later<timelines::continue_backfill>("continue_backfill"),
        later<timelines::begin_clean_up>("begin_clean_up"),
        later<timelines::continue_clean_up>("continue_clean_up"),
        at_once<federation::want_profile>("want_profile"),
        at_once<lists::drop_unfollowed>("drop_unfollowed"),
        at_once<lists::drop_refused>("drop_refused"),
        at_once<notifications::tell_followed>("tell_followed"),
        at_once<notifications::untell_followed>("untell_followed"),
        // relationships::FollowRequested, FollowRequestAnswered, Blocked, Muted
        at_once<notifications::tell_requested>("tell_requested"),
        at_once<notifications::untell_requested>("untell_requested"),
        at_once<notifications::forget_blocked>("forget_blocked"),
        at_once<collections::drop_blocked>("drop_blocked"),
        at_once<notifications::forget_muted>("forget_muted"),
        // The search index: Published, Edited, CardShown, Deleted, accounts::ProfileChanged, and what was here before it
        at_once<conversations::forget_blocked>("forget_conversations_with_blocked"),
        at_once<conversations::forget_muted>("forget_conversations_with_muted"),
        // notifications::ClearingLeft
        later<notifications::clear_left>("clear_notifications_left"),
        // relationships::Moved, MoveLeft, MovingBlocksContinued, MovingMutesContinued, MovingNotesContinued
        later<relationships::begin_moving>("begin_moving"),
        later<relationships::continue_moving>("continue_moving"),
        later<relationships::continue_moving_blocks>("continue_moving_blocks"),
        later<relationships::continue_moving_mutes>("continue_moving_mutes"),
        later<relationships::continue_moving_notes>("continue_moving_notes"),
        // federation::FollowersDiffer
        asks<federation::synchronize_followers>("synchronize_followers"),
        // notifications::DirectReceived, RequestAccepted, RequestDismissed
        at_once<conversations::keep_received>("keep_received"),
        later<notifications::let_in>("let_in_accepted"),
        later<notifications::remove_held>("remove_held"),
        // The search index: Published, Deleted, accounts::ProfileChanged, and what was here before it
        at_once<discovery::index_published>("index_published"),
        at_once<discovery::index_edited>("index_edited"),
        at_once<discovery::index_previewed>("index_previewed"),
        at_once<discovery::forget_deleted>("forget_deleted"),
        alone(asks<discovery::index_due>("index_due")),
        at_once<discovery::index_again>("index_again"),
        later<discovery::index_account_left>("index_account_left"),
        later<discovery::index_older>("index_older"),
        later<accounts::index_older_names>("index_older_accounts"),
        // discovery::ReportWanted
        later<discovery::make_report>("make_report"),
        // discovery::TrendsContinued
        alone(prepares<discovery::continue_trends>("continue_trends")),
        // accounts::TokensRevoked
        at_once<crypto::forget_devices>("forget_devices"),
        // instance::ServerLimited, federation::StoppingLeft, PurgingLeft, UnavailableLeft
        prepares<federation::stop_more_deliveries>("stop_more_deliveries"),
        prepares<federation::purge_more_activities>("purge_more_activities"),
        later<federation::drop_for_unavailable>("drop_for_unavailable"),
        prepares<federation::stop_deliveries>("stop_deliveries"),
        later<accounts::begin_limits>("begin_server_limits"),
        later<accounts::continue_limits>("continue_server_limits"),
        later<relationships::begin_server_severing>("begin_server_severing"),
        later<relationships::continue_server_severing>("continue_server_severing"),
        later<relationships::tell_severances>("tell_severances"),
        // accounts::AccountSuspended, relationships::AccountSeveringLeft
        later<relationships::begin_account_severing>("begin_account_severing"),
        later<relationships::continue_account_severing>("continue_account_severing"),
        // relationships::DomainBlocked, Severed
        later<relationships::begin_severing>("begin_severing"),
        later<relationships::continue_severing>("continue_severing"),
        at_once<notifications::tell_severed>("tell_severed"),
        later<notifications::forget_domain>("forget_domain"),
        later<notifications::forget_domain_left>("forget_domain_left"),
        // discovery::SuggestionsDue
        prepares<discovery::renew_suggestions>("renew_suggestions"),
        // moderation::Reported, ReportLetterWanted, EvidenceFilesKept, EvidenceFilesLeft
        at_once<moderation::tell_moderators>("tell_moderators"),
        asks<moderation::mail_report>("mail_report"),
        at_once<moderation::forward_report>("forward_report"),
        at_once<moderation::keep_edited>("keep_edited_evidence"),
        asks<moderation::keep_evidence_files>("keep_evidence_files"),
        asks<moderation::forget_evidence_files>("forget_evidence_files"),
        // collections::AddedToCollection, CollectionChanged, CollectionDeleted
        at_once<notifications::tell_added_to_collection>("tell_added_to_collection"),
        at_once<notifications::tell_collection_changed>("tell_collection_changed"),
        at_once<notifications::forget_collection>("forget_collection"),
        at_once<push::forget_tokens>("forget_push_of_tokens"),
        // accounts::SessionsEnded
        at_once<push::forget_sessions>("forget_push_of_sessions"),
        // accounts::UserRemoved
        at_once<oauth::forget_web_settings>("forget_web_settings"),
        // letters::SubscriptionWanted, LettersDue, LetterDue
        asks<letters::mail_subscription>("mail_subscription"),
        later<letters::begin_letters>("begin_letters"),
        asks<letters::mail_letter>("mail_letter"),
        // media::SuspensionsChanged
        asks<media::withhold_or_restore>("withhold_media"),
        // media::FilesLeft, SweepDue
        asks<media::remove_files>("remove_files"),
        asks<media::sweep_orphans>("sweep_orphans"),
        // To other servers: what happens to statuses, relations and profiles of ours
        at_once<federation::tell_published>("tell_servers_published"),
        at_once<federation::tell_edited>("tell_servers_edited"),
        at_once<federation::tell_deleted>("tell_servers_deleted"),
        at_once<federation::tell_rejected>("tell_servers_rejected"),
        at_once<federation::tell_pinned>("tell_servers_pinned"),
        at_once<federation::tell_unpinned>("tell_servers_unpinned"),
        at_once<federation::tell_tag_featured>("tell_servers_tag_featured"),
        at_once<federation::tell_tag_unfeatured>("tell_servers_tag_unfeatured"),
        at_once<federation::tell_favourited>("tell_servers_favourited"),
        at_once<federation::tell_unfavourited>("tell_servers_unfavourited"),
        at_once<federation::tell_voted>("tell_servers_voted"),
        at_once<federation::tell_poll_ended>("tell_servers_poll_ended"),
        at_once<federation::tell_follow_requested>("tell_servers_follow_requested"),
        at_once<federation::tell_request_answered>("tell_servers_request_answered"),
        at_once<federation::tell_followed>("tell_servers_followed"),
        at_once<federation::tell_unfollowed>("tell_servers_unfollowed"),
        at_once<federation::tell_refused>("tell_servers_follow_refused"),
        at_once<federation::tell_repeated>("tell_servers_follow_repeated"),
        at_once<federation::tell_disowned>("tell_servers_follow_disowned"),
        at_once<federation::tell_blocked>("tell_servers_blocked"),
        at_once<federation::tell_unblocked>("tell_servers_unblocked"),
        at_once<federation::plan_profile>("tell_servers_profile"),
        prepares<federation::tell_gone>("tell_servers_gone"),
        prepares<federation::tell_moved>("tell_servers_moved"),
        prepares<federation::ask_leave>("ask_leave_to_quote"),
        at_once<federation::tell_quote_answered>("tell_servers_quote_answered"),
        at_once<federation::tell_leave_given>("tell_servers_quote_accepted"),
        prepares<federation::tell_quote_revoked>("tell_servers_quote_revoked"),
        at_once<federation::tell_policy_changed>("tell_servers_quote_policy"),
        at_once<federation::tell_collection_made>("tell_servers_collection_made"),
        at_once<federation::tell_collection_changed>("tell_servers_collection_changed"),
        at_once<federation::tell_collection_deleted>("tell_servers_collection_deleted"),
        at_once<federation::tell_item_added>("tell_servers_item_added"),
        at_once<federation::tell_item_removed>("tell_servers_item_removed"),
        at_once<federation::ask_to_feature>("ask_to_feature"),
        at_once<federation::tell_feature_answered>("tell_servers_feature_answered"),
        prepares<federation::tell_feature_revoked>("tell_servers_feature_revoked"),
        // federation::CollectionsWanted, CollectionWanted, ItemsLeft
        asks<federation::read_collections>("read_collections"),
        asks<federation::read_collection_again>("read_collection"),
        asks<federation::read_items>("read_collection_items"),
        // federation::Told, ProfileTold, Spreading
        prepares<federation::write_told>("write_told"),
        prepares<federation::write_profile>("write_profile"),
        prepares<federation::spread>("spread"),
    };
}
// clang-format on

}  // namespace server

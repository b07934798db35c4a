// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/accounts/remote/server_limits.hpp"
#include "social/accounts/search.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/collections/item.hpp"
#include "social/conversations/conversation.hpp"
#include "social/crypto/device.hpp"
#include "social/discovery/annual_report.hpp"
#include "social/discovery/status_index.hpp"
#include "social/discovery/suggestion_jobs.hpp"
#include "social/discovery/trends.hpp"
#include "social/email_digests/subscription.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/delivery/status_jobs.hpp"
#include "social/federation/delivery/updates.hpp"
#include "social/federation/fetch/read_collection.hpp"
#include "social/federation/fetch/related_jobs.hpp"
#include "social/federation/fetch/thread_jobs.hpp"
#include "social/federation/inbox/synchronize.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/federation/moving/moving.hpp"
#include "social/insight/counted_days.hpp"
#include "social/insight/digest.hpp"
#include "social/lists/list.hpp"
#include "social/media/copy.hpp"
#include "social/media/media_jobs.hpp"
#include "social/media/withholding.hpp"
#include "social/moderation/alerts/alert.hpp"
#include "social/moderation/attendance.hpp"
#include "social/moderation/cases/case.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/labels/label_act.hpp"
#include "social/moderation/list_sources/source.hpp"
#include "social/moderation/notices/notice.hpp"
#include "social/moderation/pictures/quarantined.hpp"
#include "social/moderation/pictures/search.hpp"
#include "social/moderation/posts/post_action.hpp"
#include "social/moderation/report.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/strike.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/notifications/notification.hpp"
#include "social/notifications/notify.hpp"
#include "social/notifications/notify_domains.hpp"
#include "social/notifications/notify_quotes.hpp"
#include "social/notifications/request.hpp"
#include "social/oauth/session.hpp"
#include "social/push/queue.hpp"
#include "social/push/subscription.hpp"
#include "social/relationships/domain_block.hpp"
#include "social/relationships/forget_account.hpp"
#include "social/relationships/list_severing.hpp"
#include "social/relationships/move.hpp"
#include "social/relationships/relationship.hpp"
#include "social/relationships/server_block.hpp"
#include "social/relationships/severance.hpp"
#include "social/relationships/severed_follow.hpp"
#include "social/rules/cluster.hpp"
#include "social/rules/held.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/rehearsal.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/streaming/announce.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/idle_homes.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/import.hpp"
#include "social/transfer/post_import.hpp"

namespace server {

using jobs::async, jobs::coalesced, jobs::computed, jobs::deferred, jobs::in_transaction, jobs::on;

// .named() gives job rows another name than the function's.
// clang-format off
std::vector<jobs::Reaction> reactions() {
    return jobs::joined({
        // ---- instance ----
        on<instance::ServerLimited>(
            computed<federation::stop_deliveries>,
            deferred<accounts::begin_limits>.named("begin_server_limits"),
            deferred<relationships::begin_server_severing>
        ),
        // ---- media ----
        on<media::SuspensionsChanged>(
            async<media::withhold_or_restore>.named("withhold_media"),
            in_transaction<streaming::announce_suspended>
        ),
        on<media::FilesReleased>(async<media::remove_files>),
        on<media::ShortOfRoom>(coalesced(computed<media::begin_making_room>)),
        on<media::RoomOfCopiesContinued>(deferred<media::make_room_of_copies>),
        on<media::SweepDue>(async<media::sweep_orphans>),
        on<media::PictureQuarantined>(deferred<moderation::report_quarantined>),
        on<moderation::QuarantineDecided>(async<moderation::settle_quarantine>),
        on<moderation::HashListGrew>(in_transaction<moderation::begin_search>),
        on<moderation::SearchContinued>(async<moderation::search_pictures>),
        // ---- accounts ----
        on<accounts::ConfirmationWanted>(async<accounts::mail_confirmation>),
        on<accounts::PasswordResetWanted>(async<accounts::mail_password_reset>),
        on<accounts::PasswordChanged>(async<accounts::mail_password_changed>),
        on<accounts::SecurityNoted>(async<accounts::mail_security>),
        on<accounts::Activated>(
            async<accounts::mail_welcome>,
            in_transaction<notifications::notify_staff>,
            in_transaction<relationships::follow_inviter>,
            async<federation::make_first_key>,
            in_transaction<moderation::call_for_activated>
        ),
        on<accounts::SignedUp>(in_transaction<moderation::call_for_sign_up>),
        on<accounts::Unlocked>(in_transaction<relationships::accept_pending>),
        on<accounts::ProfileChanged>(
            in_transaction<statuses::review_attribution>,
            in_transaction<discovery::index_again>,
            in_transaction<federation::plan_profile>,
            in_transaction<moderation::call_for_profile>
        ),
        on<accounts::AccountGone>(
            in_transaction<federation::forget_actor>,
            in_transaction<transfer::forget_archives>,
            deferred<relationships::begin_forgetting>.named("begin_forgetting_account"),
            deferred<accounts::begin_forgetting_rows>,
            deferred<statuses::remove_all_of>,
            computed<federation::deliver_gone>
        ),
        on<accounts::PrivateRowsContinued>(deferred<continue_forgetting_rows>),
        on<accounts::NameIndexContinued>(computed<accounts::index_older_names>.named("index_older_accounts")),
        on<accounts::TokensRevoked>(
            in_transaction<crypto::forget_devices>,
            in_transaction<push::forget_tokens>,
            in_transaction<streaming::announce_revoked>
        ),
        on<accounts::ServerLimitsContinued>(deferred<accounts::continue_limits>.named("continue_server_limits")),
        on<accounts::AccountSuspended>(deferred<relationships::begin_account_severing>),
        on<accounts::SessionsEnded>(in_transaction<push::forget_sessions>),
        on<accounts::CameBack>(deferred<timelines::refill_home>),
        on<accounts::UserRemoved>(in_transaction<oauth::forget_web_settings>),
        // ---- relationships ----
        on<relationships::AcceptPendingContinued>(deferred<relationships::continue_accepting_pending>),
        on<relationships::TiesContinued>(deferred<relationships::continue_forgetting>.named("continue_forgetting_account")),
        on<relationships::Followed>(
            deferred<timelines::begin_backfill>.beside_others(),
            in_transaction<federation::want_profile>,
            in_transaction<notifications::notify_followed>,
            in_transaction<insight::count_follow>,
            in_transaction<federation::deliver_followed>
        ),
        on<relationships::FollowTakenAlong>(in_transaction<lists::take_moved_along>),
        on<relationships::Unfollowed>(
            deferred<timelines::begin_clean_up>.beside_others(),
            in_transaction<lists::drop_unfollowed>,
            in_transaction<notifications::withdraw_followed>,
            in_transaction<federation::deliver_unfollowed>
        ),
        on<relationships::FollowRequestAnswered>(
            in_transaction<lists::drop_refused>,
            in_transaction<insight::count_accepted>,
            in_transaction<notifications::withdraw_requested>,
            in_transaction<federation::deliver_request_answered>
        ),
        on<relationships::FollowRequested>(
            in_transaction<notifications::notify_requested>,
            in_transaction<insight::count_follow_request>,
            in_transaction<federation::deliver_follow_requested>
        ),
        on<relationships::Blocked>(
            in_transaction<notifications::forget_blocked>,
            in_transaction<collections::drop_blocked>,
            in_transaction<conversations::forget_blocked>,
            in_transaction<federation::deliver_blocked>
        ),
        on<relationships::Muted>(
            in_transaction<notifications::forget_muted>,
            in_transaction<conversations::forget_muted>
        ),
        on<relationships::Moved>(
            deferred<relationships::begin_moving>,
            computed<federation::deliver_moved>
        ),
        on<relationships::MoveContinued>(deferred<relationships::continue_moving>),
        on<relationships::MovingBlocksContinued>(deferred<relationships::continue_moving_blocks>),
        on<relationships::MovingMutesContinued>(deferred<relationships::continue_moving_mutes>),
        on<relationships::MovingNotesContinued>(deferred<relationships::continue_moving_notes>),
        on<relationships::ServerSeveringContinued>(deferred<relationships::continue_server_severing>),
        on<relationships::SeverancesUnnotified>(deferred<relationships::notify_severances>),
        on<relationships::AccountSeveringContinued>(deferred<relationships::continue_account_severing>),
        on<relationships::DomainBlocked>(
            deferred<relationships::begin_severing>,
            deferred<notifications::forget_domain>
        ),
        on<relationships::SeveringContinued>(deferred<relationships::continue_severing>),
        on<accounts::ServerPurging>(deferred<accounts::continue_purging>.named("continue_purging_server")),
        on<accounts::ServerPurged>(deferred<relationships::begin_forgetting_severed>),
        on<relationships::SeveredForgotten>(deferred<relationships::continue_forgetting_severed>),
        on<relationships::RestoringContinued>(deferred<relationships::continue_restoring>),
        on<relationships::ServerRestoring>(deferred<relationships::continue_restoring_server>),
        on<relationships::FollowsSevered>(
            in_transaction<timelines::clean_up_severed>,
            in_transaction<lists::drop_severed>
        ),
        on<relationships::FollowersSevered>(in_transaction<notifications::withdraw_severed>),
        on<relationships::Severed>(in_transaction<notifications::notify_severed>),
        on<relationships::FollowRefused>(in_transaction<federation::deliver_refused>),
        on<relationships::FollowRepeated>(in_transaction<federation::deliver_repeated>),
        on<relationships::FollowDisowned>(in_transaction<federation::deliver_disowned>),
        on<relationships::Unblocked>(in_transaction<federation::deliver_unblocked>),
        // ---- tags ----
        on<tags::TagFeatured>(in_transaction<federation::deliver_tag_featured>),
        on<tags::TagUnfeatured>(in_transaction<federation::deliver_tag_unfeatured>),
        // ---- statuses ----
        on<statuses::AttributionDue>(deferred<statuses::attribute_previews>),
        on<statuses::Published>(
            in_transaction<timelines::fan_out>,
            in_transaction<notifications::notify_mentioned>,
            in_transaction<notifications::notify_subscribers>,
            in_transaction<conversations::keep_sent>,
            in_transaction<statuses::want_preview>,
            in_transaction<email_digests::want_digests>,
            in_transaction<discovery::index_published>,
            in_transaction<rules::join_cluster>,
            in_transaction<insight::count_published>,
            in_transaction<federation::deliver_published>,
            in_transaction<moderation::call_for_post>,
            in_transaction<streaming::announce_published>
        ),
        on<statuses::Backfilled>(
            in_transaction<timelines::fan_out_backfilled>,
            in_transaction<discovery::index_backfilled>,
            in_transaction<insight::count_backfilled>
        ),
        on<statuses::BroughtAlong>(
            in_transaction<discovery::index_brought_along>,
            in_transaction<insight::count_brought_along>
        ),
        on<statuses::ThreadMovingContinued>(computed<statuses::continue_moving_thread>),
        on<statuses::RecountContinued>(computed<statuses::recount>),
        on<statuses::JoiningContinued>(deferred<statuses::continue_joining>),
        on<statuses::RelatedWanted>(async<federation::fetch_related>),
        on<statuses::AuthorizationDoubted>(async<federation::check_quote_authorization>),
        on<statuses::AuthorizationReplaced>(async<federation::check_new_quote_authorization>),
        on<statuses::ReplyAuthorizationNamed>(async<federation::check_reply_authorization>),
        on<statuses::RemoteStatusesContinued>(deferred<statuses::remove_some_of>),
        on<statuses::DeletedWordsContinued>(deferred<statuses::empty_deleted>),
        on<statuses::PreviewWanted>(async<statuses::fetch_preview>.beside_others()),
        on<statuses::Deleted>(
            in_transaction<statuses::forget_preview>,
            in_transaction<timelines::begin_removal>,
            in_transaction<notifications::forget_status>,
            in_transaction<conversations::forget_status>,
            in_transaction<statuses::release_quote>,
            in_transaction<statuses::forget_reply_approval>,
            in_transaction<discovery::forget_deleted>,
            in_transaction<moderation::forget_labels_of>,
            in_transaction<federation::deliver_deleted>,
            in_transaction<streaming::announce_deleted>
        ),
        on<statuses::ReblogsContinued>(deferred<statuses::remove_reblogs>),
        on<statuses::Quoted>(
            in_transaction<notifications::notify_quoted>,
            in_transaction<streaming::announce_quoted>
        ),
        on<statuses::Edited>(
            in_transaction<statuses::renew_after_edit>,
            in_transaction<notifications::notify_edited>,
            in_transaction<notifications::notify_quoters>,
            in_transaction<discovery::index_edited>,
            in_transaction<moderation::keep_edited>,
            in_transaction<moderation::call_for_edit>,
            in_transaction<federation::deliver_edited>,
            in_transaction<streaming::announce_edited>
        ),
        on<statuses::Judged>(in_transaction<rules::keep_hits>),
        on<statuses::MarksTakenBack>(in_transaction<discovery::index_marked>),
        on<statuses::PollEnded>(
            in_transaction<notifications::notify_poll_ended>,
            in_transaction<federation::deliver_poll_ended>
        ),
        on<statuses::ScheduledDue>(computed<statuses::publish_scheduled>),
        on<statuses::Reblogged>(in_transaction<notifications::notify_reblogged>),
        on<statuses::Unreblogged>(in_transaction<notifications::withdraw_reblogged>),
        on<statuses::Favourited>(
            in_transaction<notifications::notify_favourited>,
            in_transaction<insight::count_favourite>,
            in_transaction<federation::deliver_favourited>
        ),
        on<statuses::InteractionRejected>(
            in_transaction<notifications::notify_rejected>,
            in_transaction<federation::deliver_rejected>
        ),
        on<statuses::Unfavourited>(
            in_transaction<notifications::withdraw_favourited>,
            in_transaction<federation::deliver_unfavourited>
        ),
        on<statuses::CardShown>(in_transaction<discovery::index_previewed>),
        on<statuses::Pinned>(in_transaction<federation::deliver_pinned>),
        on<statuses::Unpinned>(in_transaction<federation::deliver_unpinned>),
        on<statuses::Voted>(
            in_transaction<insight::count_vote>,
            in_transaction<federation::deliver_voted>
        ),
        on<statuses::QuoteAuthorizationWanted>(computed<federation::request_quote_authorization>),
        on<statuses::QuoteAnswered>(in_transaction<federation::deliver_quote_answered>),
        on<statuses::QuoteAuthorized>(in_transaction<federation::deliver_quote_authorized>),
        on<statuses::QuoteRevoked>(
            computed<federation::deliver_quote_revoked>,
            in_transaction<streaming::announce_quote_revoked>
        ),
        on<statuses::ReplyApproved>(in_transaction<federation::deliver_reply_approved>),
        on<statuses::ReplyAuthorized>(in_transaction<federation::deliver_reply_authorized>),
        on<statuses::ReplyRefused>(in_transaction<federation::deliver_reply_refused>),
        on<statuses::ReplyRevoked>(computed<federation::deliver_reply_revoked>),
        on<statuses::InteractionPolicyChanged>(
            in_transaction<federation::deliver_policy_changed>,
            in_transaction<streaming::announce_policy_changed>
        ),
        // ---- collections ----
        on<collections::AddedToCollection>(in_transaction<notifications::notify_added_to_collection>),
        on<collections::CollectionChanged>(
            in_transaction<notifications::notify_collection_changed>,
            in_transaction<federation::deliver_collection_changed>
        ),
        on<collections::CollectionDeleted>(
            in_transaction<notifications::forget_collection>,
            in_transaction<federation::deliver_collection_deleted>
        ),
        on<collections::CollectionMade>(in_transaction<federation::deliver_collection_made>),
        on<collections::ItemAdded>(in_transaction<federation::deliver_item_added>),
        on<collections::ItemRemoved>(in_transaction<federation::deliver_item_removed>),
        on<collections::FeatureWanted>(in_transaction<federation::ask_to_feature>),
        on<collections::FeatureAnswered>(in_transaction<federation::deliver_feature_answered>),
        on<collections::LeftCollection>(
            computed<federation::deliver_feature_revoked>
        ),
        // ---- timelines ----
        on<timelines::FanOutContinued>(deferred<timelines::continue_fan_out>.beside_others()),
        on<timelines::RefillContinued>(deferred<timelines::continue_refilling>),
        on<timelines::FollowEmptied>(deferred<timelines::refill_from_follow>.beside_others()),
        on<timelines::RemovalContinued>(deferred<timelines::continue_removal>),
        on<timelines::BackfillContinued>(deferred<timelines::continue_backfill>.beside_others()),
        on<timelines::BackfillsLeft>(deferred<timelines::continue_backfills>),
        on<timelines::CleanUpContinued>(deferred<timelines::continue_clean_up>.beside_others()),
        on<timelines::CleanUpsContinued>(deferred<timelines::continue_clean_ups>),
        // ---- notifications ----
        on<notifications::Notified>(
            in_transaction<notification_mails::expect_mail>,
            in_transaction<push::want_pushes>,
            in_transaction<notification_mails::want_mail>
        ),
        on<notification_mails::MailDue>(async<notification_mails::mail_notifications>),
        on<notification_mails::MailsContinued>(deferred<notification_mails::announce_more_mails>),
        on<notifications::SubscribersContinued>(deferred<notifications::notify_more_subscribers>.beside_others()),
        on<notifications::ForgetStatusContinued>(deferred<notifications::continue_forgetting_status>),
        on<notifications::RebloggersContinued>(deferred<notifications::notify_more_rebloggers>),
        on<notifications::QuotersContinued>(deferred<notifications::notify_more_quoters>),
        on<notifications::VotersContinued>(deferred<notifications::notify_more_voters>),
        on<notifications::ClearingContinued>(deferred<notifications::continue_clearing>.named("continue_clearing_notifications")),
        on<notifications::DirectReceived>(in_transaction<conversations::keep_received>),
        on<notifications::RequestAccepted>(deferred<notifications::release_filtered>),
        on<notifications::RequestDismissed>(deferred<notifications::remove_filtered>),
        on<notifications::ForgetDomainContinued>(deferred<notifications::continue_forgetting_domain>),
        // ---- federation ----
        on<federation::KeyWanted>(async<federation::make_key>),
        on<federation::KeysMissing>(deferred<federation::want_missing_keys>),
        on<federation::ImportContinued>(async<federation::import_some>),
        on<federation::ProfileWanted>(async<federation::read_outbox>),
        on<federation::PinsWanted>(async<federation::read_pins>),
        on<federation::MoveNamed>(async<federation::look_where_moved>),
        on<federation::PinsContinued>(async<federation::fetch_pins>),
        on<federation::ThreadContinued>(async<federation::read_thread>),
        on<federation::ActorStale>(async<federation::refresh_actor>),
        on<federation::FollowersDiffer>(async<federation::synchronize_followers>),
        on<federation::StoppingContinued>(computed<federation::stop_more_deliveries>),
        on<federation::SeenLeft>(deferred<federation::purge_more_seen>),
        on<federation::PurgingContinued>(computed<federation::purge_more_activities>),
        on<federation::UnavailableContinued>(deferred<federation::drop_for_unavailable>),
        on<federation::CollectionsWanted>(async<federation::read_collections>),
        on<federation::CollectionWanted>(async<federation::read_collection_again>.named("read_collection")),
        on<federation::ItemsContinued>(async<federation::read_items>.named("read_collection_items")),
        on<federation::StatusActivityWanted>(computed<federation::write_status_activity>.beside_others()),
        on<federation::ProfileActivityWanted>(computed<federation::write_profile>),
        on<federation::ActivityFanOut>(computed<federation::fan_out_activity>.beside_others()),
        // ---- discovery ----
        on<discovery::IndexQueueFilled>(coalesced(async<discovery::index_due>.beside_others())),
        on<discovery::IndexGrown>(computed<discovery::tidy_index>.beside_others()),
        on<discovery::AccountIndexContinued>(computed<discovery::continue_indexing_account>),
        on<discovery::IndexContinued>(computed<discovery::index_older>),
        on<discovery::ReportWanted>(deferred<discovery::make_report>),
        on<discovery::TrendsContinued>(coalesced(computed<discovery::continue_trends>)),
        on<discovery::SuggestionsDue>(computed<discovery::renew_suggestions>),
        // ---- moderation ----
        on<moderation::Reported>(
            in_transaction<moderation::notify_moderators>,
            in_transaction<moderation::join_case>,
            in_transaction<moderation::forward_report>,
            in_transaction<moderation::call_for_report>
        ),
        on<moderation::NoticeReceived>(async<moderation::mail_notice_received>),
        on<moderation::NoticeDecided>(async<moderation::mail_notice_decided>),
        on<moderation::ReportMailWanted>(async<moderation::mail_report>),
        on<moderation::ResolvingContinued>(deferred<moderation::continue_resolving>),
        on<moderation::Struck>(
            in_transaction<moderation::notify_struck>,
            async<moderation::mail_strike>
        ),
        on<moderation::PostsToDelete>(deferred<moderation::delete_posts>),
        on<moderation::PostsToMark>(deferred<moderation::mark_posts>),
        on<moderation::AppealMade>(in_transaction<moderation::announce_appeal>),
        on<moderation::AppealMailWanted>(async<moderation::mail_appeal>),
        on<moderation::AppealDecided>(
            in_transaction<rules::take_back_appealed>,
            async<moderation::mail_decision>.named("mail_appeal_decision")
        ),
        on<moderation::ListGoesOn>(computed<moderation::go_through_list>),
        on<moderation::SourceDue>(async<moderation::read_source>),
        on<moderation::SourceRead>(computed<moderation::settle_source>),
        on<moderation::SourceRanked>(computed<moderation::rank_rules_of_source>),
        on<moderation::SourceEnded>(computed<moderation::lift_rules_of_source>),
        on<moderation::LabellingContinued>(computed<moderation::label_advised>),
        on<moderation::ListForgetting>(deferred<moderation::continue_forgetting_list>),
        on<moderation::WebhookCall>(async<moderation::send_webhook>),
        on<labels::LabelRemoved>(deferred<labels::forget_label>),
        on<rules::HitsToAct>(deferred<rules::act_on_hits>),
        on<rules::UndoingContinued>(deferred<rules::continue_undoing>),
        on<rules::RehearsalGoesOn>(computed<rules::rehearse>),
        on<rules::ClusterOpened>(deferred<rules::collect_cluster>),
        on<rules::ClusterActing>(deferred<rules::continue_acting>),
        on<rules::HeldDue>(deferred<rules::end_holding>),
        on<rules::FuseBlown>(deferred<rules::put_back>),
        on<rules::FuseMailWanted>(async<rules::mail_fuse>),
        on<rules::NoticeWanted>(async<rules::mail_notice>),
        on<moderation::LeftAlone>(async<moderation::mail_left_alone>),
        on<moderation::AlertsToTell>(async<moderation::mail_alerts>),
        on<insight::PastDaysContinued>(deferred<insight::count_past_days>),
        on<insight::DigestDue>(async<insight::write_weekly_digest>),
        on<insight::DigestWritten>(async<insight::mail_weekly_digest>),
        on<moderation::EvidenceFilesKept>(async<moderation::keep_evidence_files>),
        on<moderation::EvidenceFilesReleased>(async<moderation::forget_evidence_files>),
        // ---- transfer ----
        on<transfer::ImportGoesOn>(async<transfer::go_through_import>),
        on<transfer::OverwritingGoesOn>(computed<transfer::overwrite_rest>),
        on<transfer::PublishingGoesOn>(deferred<transfer::publish_some_posts>),
        on<transfer::TakingBackGoesOn>(deferred<transfer::take_back_some_posts>),
        // ---- email digests ----
        on<email_digests::SubscriptionWanted>(async<email_digests::mail_subscription>),
        on<email_digests::DigestsDue>(deferred<email_digests::begin_digests>),
        on<email_digests::DigestDue>(async<email_digests::mail_digest>),
    });
}
// clang-format on

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/accounts/remote/server_limits.hpp"
#include "social/accounts/search.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/collections/item.hpp"
#include "social/conversations/conversation.hpp"
#include "social/crypto/device.hpp"
#include "social/discovery/annual_report.hpp"
#include "social/discovery/status_index.hpp"
#include "social/discovery/suggestion_jobs.hpp"
#include "social/discovery/trends.hpp"
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
#include "social/letters/subscription.hpp"
#include "social/lists/list.hpp"
#include "social/media/media_jobs.hpp"
#include "social/media/withholding.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/report.hpp"
#include "social/notifications/notification.hpp"
#include "social/notifications/notify.hpp"
#include "social/notifications/notify_domains.hpp"
#include "social/notifications/notify_quotes.hpp"
#include "social/notifications/request.hpp"
#include "social/oauth/session.hpp"
#include "social/push/subscription.hpp"
#include "social/relationships/domain_block.hpp"
#include "social/relationships/forget_account.hpp"
#include "social/relationships/move.hpp"
#include "social/relationships/relationship.hpp"
#include "social/relationships/server_block.hpp"
#include "social/relationships/severance.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/timelines/home.hpp"

namespace server {

using jobs::async, jobs::coalesced, jobs::computed, jobs::deferred, jobs::in_transaction, jobs::on;

// Where a job is .named(), its rows carry another name than its function has.
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
        on<media::SuspensionsChanged>(async<media::withhold_or_restore>.named("withhold_media")),
        on<media::FilesLeft>(async<media::remove_files>),
        on<media::SweepDue>(async<media::sweep_orphans>),
        // ---- accounts ----
        on<accounts::ConfirmationWanted>(async<accounts::mail_confirmation>),
        on<accounts::PasswordResetWanted>(async<accounts::mail_password_reset>),
        on<accounts::PasswordChanged>(async<accounts::mail_password_changed>),
        on<accounts::Activated>(
            async<accounts::mail_welcome>,
            in_transaction<notifications::tell_staff>,
            in_transaction<relationships::follow_inviter>,
            async<federation::make_first_key>
        ),
        on<accounts::Unlocked>(in_transaction<relationships::accept_pending>),
        on<accounts::ProfileChanged>(
            in_transaction<statuses::review_attribution>,
            in_transaction<discovery::index_again>,
            in_transaction<federation::plan_profile>
        ),
        on<accounts::AccountGone>(
            in_transaction<federation::forget_actor>,
            deferred<relationships::begin_forgetting>.named("begin_forgetting_account"),
            deferred<accounts::begin_forgetting_rows>,
            deferred<statuses::remove_all_of>,
            computed<federation::tell_gone>.named("tell_servers_gone")
        ),
        on<accounts::PrivateRowsLeft>(deferred<continue_forgetting_rows>),
        on<accounts::NamesLeft>(deferred<accounts::index_older_names>.named("index_older_accounts")),
        on<accounts::TokensRevoked>(
            in_transaction<crypto::forget_devices>,
            in_transaction<push::forget_tokens>
        ),
        on<accounts::ServerLimitsLeft>(deferred<accounts::continue_limits>.named("continue_server_limits")),
        on<accounts::AccountSuspended>(deferred<relationships::begin_account_severing>),
        on<accounts::SessionsEnded>(in_transaction<push::forget_sessions>),
        on<accounts::UserRemoved>(in_transaction<oauth::forget_web_settings>),
        // ---- relationships ----
        on<relationships::AcceptPendingContinued>(deferred<relationships::continue_accepting_pending>),
        on<relationships::TiesLeft>(deferred<relationships::continue_forgetting>.named("continue_forgetting_account")),
        on<relationships::Followed>(
            deferred<timelines::begin_backfill>,
            in_transaction<federation::want_profile>,
            in_transaction<notifications::tell_followed>,
            in_transaction<federation::tell_followed>
        ),
        on<relationships::Unfollowed>(
            deferred<timelines::begin_clean_up>,
            in_transaction<lists::drop_unfollowed>,
            in_transaction<notifications::untell_followed>,
            in_transaction<federation::tell_unfollowed>
        ),
        on<relationships::FollowRequestAnswered>(
            in_transaction<lists::drop_refused>,
            in_transaction<notifications::untell_requested>,
            in_transaction<federation::tell_request_answered>
        ),
        on<relationships::FollowRequested>(
            in_transaction<notifications::tell_requested>,
            in_transaction<federation::tell_follow_requested>
        ),
        on<relationships::Blocked>(
            in_transaction<notifications::forget_blocked>,
            in_transaction<collections::drop_blocked>,
            in_transaction<conversations::forget_blocked>,
            in_transaction<federation::tell_blocked>
        ),
        on<relationships::Muted>(
            in_transaction<notifications::forget_muted>,
            in_transaction<conversations::forget_muted>
        ),
        on<relationships::Moved>(
            deferred<relationships::begin_moving>,
            computed<federation::tell_moved>.named("tell_servers_moved")
        ),
        on<relationships::MoveLeft>(deferred<relationships::continue_moving>),
        on<relationships::MovingBlocksContinued>(deferred<relationships::continue_moving_blocks>),
        on<relationships::MovingMutesContinued>(deferred<relationships::continue_moving_mutes>),
        on<relationships::MovingNotesContinued>(deferred<relationships::continue_moving_notes>),
        on<relationships::ServerSeveringLeft>(deferred<relationships::continue_server_severing>),
        on<relationships::SeverancesUntold>(deferred<relationships::tell_severances>),
        on<relationships::AccountSeveringLeft>(deferred<relationships::continue_account_severing>),
        on<relationships::DomainBlocked>(
            deferred<relationships::begin_severing>,
            deferred<notifications::forget_domain>
        ),
        on<relationships::SeveringLeft>(deferred<relationships::continue_severing>),
        on<relationships::Severed>(in_transaction<notifications::tell_severed>),
        on<relationships::FollowRefused>(in_transaction<federation::tell_refused>),
        on<relationships::FollowRepeated>(in_transaction<federation::tell_repeated>),
        on<relationships::FollowDisowned>(in_transaction<federation::tell_disowned>),
        on<relationships::Unblocked>(in_transaction<federation::tell_unblocked>),
        // ---- tags ----
        on<tags::TagFeatured>(in_transaction<federation::tell_tag_featured>),
        on<tags::TagUnfeatured>(in_transaction<federation::tell_tag_unfeatured>),
        // ---- statuses ----
        on<statuses::AttributionDue>(deferred<statuses::attribute_previews>),
        on<statuses::Published>(
            in_transaction<timelines::fan_out>,
            in_transaction<notifications::tell_mentioned>,
            in_transaction<notifications::tell_subscribers>,
            in_transaction<conversations::keep_sent>,
            in_transaction<statuses::want_preview>,
            in_transaction<letters::want_letters>,
            in_transaction<discovery::index_published>,
            in_transaction<federation::tell_published>
        ),
        on<statuses::Unearthed>(
            in_transaction<timelines::fan_out_unearthed>,
            in_transaction<discovery::index_unearthed>
        ),
        on<statuses::ThreadMovingLeft>(computed<statuses::continue_moving_thread>),
        on<statuses::RecountContinued>(computed<statuses::recount>),
        on<statuses::JoiningContinued>(deferred<statuses::continue_joining>),
        on<statuses::RelatedWanted>(async<federation::fetch_related>),
        on<statuses::StampDoubted>(async<federation::look_at_stamp>),
        on<statuses::StampReplaced>(async<federation::look_at_new_stamp>),
        on<statuses::RemoteStatusesLeft>(deferred<statuses::remove_some_of>),
        on<statuses::DeletedWordsLeft>(deferred<statuses::empty_deleted>),
        on<statuses::PreviewWanted>(async<statuses::fetch_preview>),
        on<statuses::Deleted>(
            in_transaction<statuses::forget_preview>,
            in_transaction<timelines::begin_removal>,
            in_transaction<notifications::forget_status>,
            in_transaction<conversations::forget_status>,
            in_transaction<statuses::release_quote>,
            in_transaction<discovery::forget_deleted>,
            in_transaction<federation::tell_deleted>
        ),
        on<statuses::ReblogsLeft>(deferred<statuses::remove_reblogs>),
        on<statuses::Quoted>(in_transaction<notifications::tell_quoted>),
        on<statuses::Edited>(
            in_transaction<statuses::renew_after_edit>,
            in_transaction<notifications::tell_edited>,
            in_transaction<notifications::tell_quoters>,
            in_transaction<discovery::index_edited>,
            in_transaction<moderation::keep_edited>,
            in_transaction<federation::tell_edited>
        ),
        on<statuses::PollEnded>(
            in_transaction<notifications::tell_poll_ended>,
            in_transaction<federation::tell_poll_ended>
        ),
        on<statuses::ScheduledDue>(deferred<statuses::publish_scheduled>),
        on<statuses::Reblogged>(in_transaction<notifications::tell_reblogged>),
        on<statuses::Unreblogged>(in_transaction<notifications::untell_reblogged>),
        on<statuses::Favourited>(
            in_transaction<notifications::tell_favourited>,
            in_transaction<federation::tell_favourited>
        ),
        on<statuses::InteractionRejected>(
            in_transaction<notifications::tell_rejected>,
            in_transaction<federation::tell_rejected>
        ),
        on<statuses::Unfavourited>(
            in_transaction<notifications::untell_favourited>,
            in_transaction<federation::tell_unfavourited>
        ),
        on<statuses::CardShown>(in_transaction<discovery::index_previewed>),
        on<statuses::Pinned>(in_transaction<federation::tell_pinned>),
        on<statuses::Unpinned>(in_transaction<federation::tell_unpinned>),
        on<statuses::Voted>(in_transaction<federation::tell_voted>),
        on<statuses::QuoteLeaveWanted>(computed<federation::ask_leave>.named("ask_leave_to_quote")),
        on<statuses::QuoteAnswered>(in_transaction<federation::tell_quote_answered>),
        on<statuses::QuoteLeaveGiven>(in_transaction<federation::tell_leave_given>),
        on<statuses::QuoteRevoked>(computed<federation::tell_quote_revoked>.named("tell_servers_quote_revoked")),
        on<statuses::QuotePolicyChanged>(in_transaction<federation::tell_policy_changed>),
        // ---- collections ----
        on<collections::AddedToCollection>(in_transaction<notifications::tell_added_to_collection>),
        on<collections::CollectionChanged>(
            in_transaction<notifications::tell_collection_changed>,
            in_transaction<federation::tell_collection_changed>
        ),
        on<collections::CollectionDeleted>(
            in_transaction<notifications::forget_collection>,
            in_transaction<federation::tell_collection_deleted>
        ),
        on<collections::CollectionMade>(in_transaction<federation::tell_collection_made>),
        on<collections::ItemAdded>(in_transaction<federation::tell_item_added>),
        on<collections::ItemRemoved>(in_transaction<federation::tell_item_removed>),
        on<collections::FeatureWanted>(in_transaction<federation::ask_to_feature>),
        on<collections::FeatureAnswered>(in_transaction<federation::tell_feature_answered>),
        on<collections::LeftCollection>(
            computed<federation::tell_feature_revoked>.named("tell_servers_feature_revoked")
        ),
        // ---- timelines ----
        on<timelines::FanOutLeft>(deferred<timelines::fan_out_rest>),
        on<timelines::RemovalLeft>(deferred<timelines::continue_removal>),
        on<timelines::BackfillLeft>(deferred<timelines::continue_backfill>),
        on<timelines::CleanUpLeft>(deferred<timelines::continue_clean_up>),
        // ---- notifications ----
        on<notifications::SubscribersLeft>(deferred<notifications::tell_subscribers_left>),
        on<notifications::AboutLeft>(deferred<notifications::forget_status_left>),
        on<notifications::RebloggersLeft>(deferred<notifications::tell_rebloggers_left>),
        on<notifications::QuotersLeft>(deferred<notifications::tell_quoters_left>),
        on<notifications::VotersLeft>(deferred<notifications::tell_voters_left>),
        on<notifications::ClearingLeft>(deferred<notifications::clear_left>.named("clear_notifications_left")),
        on<notifications::DirectReceived>(in_transaction<conversations::keep_received>),
        on<notifications::RequestAccepted>(deferred<notifications::let_in>.named("let_in_accepted")),
        on<notifications::RequestDismissed>(deferred<notifications::remove_held>),
        on<notifications::FromDomainLeft>(deferred<notifications::forget_domain_left>),
        // ---- federation ----
        on<federation::KeyWanted>(async<federation::make_key>),
        on<federation::KeysMissing>(deferred<federation::want_missing_keys>),
        on<federation::ImportLeft>(async<federation::import_some>),
        on<federation::ProfileWanted>(async<federation::read_outbox>),
        on<federation::PinsWanted>(async<federation::read_pins>),
        on<federation::PinsLeft>(async<federation::fetch_pins>),
        on<federation::ThreadLeft>(async<federation::read_thread>),
        on<federation::ActorStale>(async<federation::refresh_actor>),
        on<federation::FollowersDiffer>(async<federation::synchronize_followers>),
        on<federation::StoppingLeft>(computed<federation::stop_more_deliveries>),
        on<federation::PurgingLeft>(computed<federation::purge_more_activities>),
        on<federation::UnavailableLeft>(deferred<federation::drop_for_unavailable>),
        on<federation::CollectionsWanted>(async<federation::read_collections>),
        on<federation::CollectionWanted>(async<federation::read_collection_again>.named("read_collection")),
        on<federation::ItemsLeft>(async<federation::read_items>.named("read_collection_items")),
        on<federation::Told>(computed<federation::write_told>),
        on<federation::ProfileTold>(computed<federation::write_profile>),
        on<federation::Spreading>(computed<federation::spread>),
        // ---- discovery ----
        on<discovery::TextsDue>(coalesced(async<discovery::index_due>)),
        on<discovery::IndexGrown>(deferred<discovery::tidy_index>),
        on<discovery::AccountIndexLeft>(deferred<discovery::index_account_left>),
        on<discovery::IndexLeft>(deferred<discovery::index_older>),
        on<discovery::ReportWanted>(deferred<discovery::make_report>),
        on<discovery::TrendsContinued>(coalesced(computed<discovery::continue_trends>)),
        on<discovery::SuggestionsDue>(computed<discovery::renew_suggestions>),
        // ---- moderation ----
        on<moderation::Reported>(
            in_transaction<moderation::tell_moderators>,
            in_transaction<moderation::forward_report>
        ),
        on<moderation::ReportLetterWanted>(async<moderation::mail_report>),
        on<moderation::EvidenceFilesKept>(async<moderation::keep_evidence_files>),
        on<moderation::EvidenceFilesLeft>(async<moderation::forget_evidence_files>),
        // ---- letters ----
        on<letters::SubscriptionWanted>(async<letters::mail_subscription>),
        on<letters::LettersDue>(deferred<letters::begin_letters>),
        on<letters::LetterDue>(async<letters::mail_letter>),
    });
}
// clang-format on

}  // namespace server

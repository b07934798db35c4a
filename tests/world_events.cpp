// SPDX-License-Identifier: AGPL-3.0-or-later
// All events, so that the stage can tell what was emitted. One that is missing here fails the test that emits it.
#include "base/json.hpp"
#include "social/accounts/private_rows.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "social/accounts/search.hpp"
#include "social/accounts/users/access.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/accounts/users/user.hpp"
#include "social/collections/remote.hpp"
#include "social/discovery/annual_report.hpp"
#include "social/discovery/status_index.hpp"
#include "social/discovery/suggestion_jobs.hpp"
#include "social/discovery/trends.hpp"
#include "social/email_digests/subscription.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/delivery/status_jobs.hpp"
#include "social/federation/delivery/updates.hpp"
#include "social/federation/fetch/read_collection.hpp"
#include "social/federation/fetch/related_jobs.hpp"
#include "social/federation/fetch/thread_jobs.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/federation/inbox/synchronize.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/insight/counted_days.hpp"
#include "social/insight/digest.hpp"
#include "social/labels/label.hpp"
#include "social/media/media_jobs.hpp"
#include "social/media/withholding.hpp"
#include "social/moderation/alerts/alert.hpp"
#include "social/moderation/attendance.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/list_sources/source.hpp"
#include "social/moderation/notices/notice.hpp"
#include "social/moderation/pictures/quarantined.hpp"
#include "social/moderation/pictures/search.hpp"
#include "social/moderation/posts/post_action.hpp"
#include "social/moderation/report.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/strike.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/notifications/notification.hpp"
#include "social/notifications/notify.hpp"
#include "social/notifications/notify_domains.hpp"
#include "social/notifications/notify_quotes.hpp"
#include "social/notifications/request.hpp"
#include "social/relationships/forget_account.hpp"
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
#include "social/statuses/core/gate.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/previews/preview.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/quote_requests/quote_authorization.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/remote/imported.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/tags/featured_tag.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/idle_homes.hpp"
#include "social/transfer/import.hpp"
#include "social/transfer/post_import.hpp"
#include "world_engine.hpp"

#include <gtest/gtest.h>

namespace stage {

namespace {

struct Entry {
    std::type_index type;
    const char* name;
    std::string (*json)(const void*);
};

template <class Event>
Entry entry(const char* name) {
    return {typeid(Event), name, [](const void* event) {
                return base::json::to_string(*static_cast<const Event*>(event));
            }};
}

const std::vector<Entry>& known() {
    static const std::vector<Entry> all{
        entry<accounts::TokensRevoked>("TokensRevoked"),
        entry<accounts::AccessChanged>("AccessChanged"),
        entry<accounts::SessionsEnded>("SessionsEnded"),
        entry<accounts::ConfirmationWanted>("ConfirmationWanted"),
        entry<accounts::PasswordResetWanted>("PasswordResetWanted"),
        entry<accounts::Activated>("Activated"),
        entry<accounts::ApprovalWanted>("ApprovalWanted"),
        entry<accounts::SignedUp>("SignedUp"),
        entry<accounts::PasswordChanged>("PasswordChanged"),
        entry<accounts::Unlocked>("Unlocked"),
        entry<accounts::ProfileChanged>("ProfileChanged"),
        entry<accounts::NameIndexContinued>("NameIndexContinued"),
        entry<federation::KeyWanted>("KeyWanted"),
        entry<federation::KeysMissing>("KeysMissing"),
        entry<accounts::AccountGone>("AccountGone"),
        entry<relationships::TiesContinued>("TiesContinued"),
        entry<statuses::Backfilled>("Backfilled"),
        entry<statuses::BroughtAlong>("BroughtAlong"),
        entry<federation::ImportContinued>("ImportContinued"),
        entry<federation::ProfileWanted>("ProfileWanted"),
        entry<federation::MoveNamed>("MoveNamed"),
        entry<federation::PinsWanted>("PinsWanted"),
        entry<federation::PinsContinued>("PinsContinued"),
        entry<federation::ThreadContinued>("ThreadContinued"),
        entry<federation::ActorStale>("ActorStale"),
        entry<statuses::RelatedWanted>("RelatedWanted"),
        entry<statuses::RemoteStatusesContinued>("RemoteStatusesContinued"),
        entry<statuses::DeletedWordsContinued>("DeletedWordsContinued"),
        entry<discovery::ReportWanted>("ReportWanted"),
        entry<discovery::IndexQueueFilled>("IndexQueueFilled"),
        entry<discovery::IndexGrown>("IndexGrown"),
        entry<discovery::TrendsContinued>("TrendsContinued"),
        entry<discovery::IndexContinued>("IndexContinued"),
        entry<discovery::AccountIndexContinued>("AccountIndexContinued"),
        entry<labels::LabelRemoved>("LabelRemoved"),
        entry<moderation::LabellingContinued>("LabellingContinued"),
        entry<media::FilesReleased>("FilesReleased"),
        entry<media::SweepDue>("SweepDue"),
        entry<media::SuspensionsChanged>("SuspensionsChanged"),
        entry<federation::StatusActivityWanted>("Told"),
        entry<federation::ProfileActivityWanted>("ProfileActivityWanted"),
        entry<federation::ActivityFanOut>("ActivityFanOut"),
        entry<federation::StoppingContinued>("StoppingContinued"),
        entry<federation::PurgingContinued>("PurgingContinued"),
        entry<federation::SeenLeft>("SeenLeft"),
        entry<federation::UnavailableContinued>("UnavailableContinued"),
        entry<relationships::Followed>("Followed"),
        entry<relationships::FollowRequested>("FollowRequested"),
        entry<relationships::FollowRequestAnswered>("FollowRequestAnswered"),
        entry<relationships::Unfollowed>("Unfollowed"),
        entry<relationships::FollowRefused>("FollowRefused"),
        entry<relationships::FollowRepeated>("FollowRepeated"),
        entry<relationships::FollowDisowned>("FollowDisowned"),
        entry<federation::FollowersDiffer>("FollowersDiffer"),
        entry<relationships::Moved>("Moved"),
        entry<relationships::FollowTakenAlong>("FollowTakenAlong"),
        entry<relationships::MoveContinued>("MoveContinued"),
        entry<relationships::MovingBlocksContinued>("MovingBlocksContinued"),
        entry<relationships::MovingMutesContinued>("MovingMutesContinued"),
        entry<relationships::MovingNotesContinued>("MovingNotesContinued"),
        entry<relationships::AcceptPendingContinued>("AcceptPendingContinued"),
        entry<relationships::Blocked>("Blocked"),
        entry<relationships::Unblocked>("Unblocked"),
        entry<relationships::Muted>("Muted"),
        entry<relationships::DomainBlocked>("DomainBlocked"),
        entry<relationships::SeveringContinued>("SeveringContinued"),
        entry<relationships::FollowsSevered>("FollowsSevered"),
        entry<relationships::FollowersSevered>("FollowersSevered"),
        entry<timelines::CleanUpsContinued>("CleanUpsContinued"),
        entry<relationships::Severed>("Severed"),
        entry<transfer::ImportGoesOn>("ImportGoesOn"),
        entry<transfer::OverwritingGoesOn>("OverwritingGoesOn"),
        entry<transfer::PublishingGoesOn>("PublishingGoesOn"),
        entry<transfer::TakingBackGoesOn>("TakingBackGoesOn"),
        entry<relationships::SeveredForgotten>("SeveredForgotten"),
        entry<relationships::RestoringContinued>("RestoringContinued"),
        entry<relationships::ServerRestoring>("ServerRestoring"),
        entry<accounts::ServerPurging>("ServerPurging"),
        entry<accounts::ServerPurged>("ServerPurged"),
        entry<statuses::AuthorizationDoubted>("AuthorizationDoubted"),
        entry<statuses::AuthorizationReplaced>("AuthorizationReplaced"),
        entry<accounts::PrivateRowsContinued>("PrivateRowsContinued"),
        entry<tags::TagFeatured>("TagFeatured"),
        entry<tags::TagUnfeatured>("TagUnfeatured"),
        entry<instance::ServerLimited>("ServerLimited"),
        entry<accounts::ServerLimitsContinued>("ServerLimitsContinued"),
        entry<relationships::ServerSeveringContinued>("ServerSeveringContinued"),
        entry<relationships::SeverancesUnnotified>("SeverancesUnnotified"),
        entry<accounts::AccountSuspended>("AccountSuspended"),
        entry<relationships::AccountSeveringContinued>("AccountSeveringContinued"),
        entry<statuses::Published>("Published"),
        entry<statuses::Reblogged>("Reblogged"),
        entry<statuses::Unreblogged>("Unreblogged"),
        entry<statuses::Favourited>("Favourited"),
        entry<statuses::Unfavourited>("Unfavourited"),
        entry<statuses::InteractionRejected>("InteractionRejected"),
        entry<statuses::Edited>("Edited"),
        entry<statuses::CardShown>("CardShown"),
        entry<statuses::Deleted>("Deleted"),
        entry<statuses::PreviewWanted>("PreviewWanted"),
        entry<statuses::AttributionDue>("AttributionDue"),
        entry<statuses::ReblogsContinued>("ReblogsContinued"),
        entry<statuses::JoiningContinued>("JoiningContinued"),
        entry<statuses::ThreadMovingContinued>("ThreadMovingContinued"),
        entry<statuses::RecountContinued>("RecountContinued"),
        entry<statuses::Quoted>("Quoted"),
        entry<statuses::QuoteRevoked>("QuoteRevoked"),
        entry<statuses::InteractionPolicyChanged>("InteractionPolicyChanged"),
        entry<statuses::ReplyApproved>("ReplyApproved"),
        entry<statuses::ReplyAuthorized>("ReplyAuthorized"),
        entry<statuses::ReplyRefused>("ReplyRefused"),
        entry<statuses::ReplyRevoked>("ReplyRevoked"),
        entry<statuses::ReplyAuthorizationNamed>("ReplyAuthorizationNamed"),
        entry<statuses::QuoteAuthorizationWanted>("QuoteAuthorizationWanted"),
        entry<statuses::QuoteAnswered>("QuoteAnswered"),
        entry<statuses::QuoteAuthorized>("QuoteAuthorized"),
        entry<statuses::Pinned>("Pinned"),
        entry<statuses::Unpinned>("Unpinned"),
        entry<statuses::Voted>("Voted"),
        entry<statuses::PollEnded>("PollEnded"),
        entry<statuses::ScheduledDue>("ScheduledDue"),
        entry<collections::AddedToCollection>("AddedToCollection"),
        entry<collections::CollectionMade>("CollectionMade"),
        entry<collections::ItemAdded>("ItemAdded"),
        entry<collections::ItemRemoved>("ItemRemoved"),
        entry<collections::FeatureWanted>("FeatureWanted"),
        entry<collections::FeatureAnswered>("FeatureAnswered"),
        entry<federation::CollectionsWanted>("CollectionsWanted"),
        entry<federation::CollectionWanted>("CollectionWanted"),
        entry<federation::ItemsContinued>("ItemsContinued"),
        entry<collections::CollectionChanged>("CollectionChanged"),
        entry<collections::CollectionDeleted>("CollectionDeleted"),
        entry<collections::LeftCollection>("LeftCollection"),
        entry<timelines::FanOutContinued>("FanOutContinued"),
        entry<timelines::BackfillContinued>("BackfillContinued"),
        entry<timelines::BackfillsLeft>("BackfillsLeft"),
        entry<timelines::CleanUpContinued>("CleanUpContinued"),
        entry<timelines::RemovalContinued>("RemovalContinued"),
        entry<timelines::RefillContinued>("RefillContinued"),
        entry<timelines::FollowEmptied>("FollowEmptied"),
        entry<accounts::CameBack>("CameBack"),
        entry<notifications::SubscribersContinued>("SubscribersContinued"),
        entry<notifications::QuotersContinued>("QuotersContinued"),
        entry<notifications::ForgetStatusContinued>("ForgetStatusContinued"),
        entry<notifications::ClearingContinued>("ClearingContinued"),
        entry<discovery::SuggestionsDue>("SuggestionsDue"),
        entry<accounts::UserRemoved>("UserRemoved"),
        entry<email_digests::SubscriptionWanted>("SubscriptionWanted"),
        entry<email_digests::DigestsDue>("DigestsDue"),
        entry<email_digests::DigestDue>("DigestDue"),
        entry<notification_mails::MailDue>("MailDue"),
        entry<notification_mails::MailsContinued>("MailsContinued"),
        entry<moderation::Reported>("Reported"),
        entry<moderation::Struck>("Struck"),
        entry<moderation::PostsToDelete>("PostsToDelete"),
        entry<moderation::QuarantineDecided>("QuarantineDecided"),
        entry<moderation::HashListGrew>("HashListGrew"),
        entry<moderation::SearchContinued>("SearchContinued"),
        entry<media::PictureQuarantined>("PictureQuarantined"),
        entry<moderation::PostsToMark>("PostsToMark"),
        entry<moderation::AppealMade>("AppealMade"),
        entry<moderation::AppealMailWanted>("AppealMailWanted"),
        entry<moderation::AppealDecided>("AppealDecided"),
        entry<moderation::EvidenceFilesKept>("EvidenceFilesKept"),
        entry<moderation::EvidenceFilesReleased>("EvidenceFilesReleased"),
        entry<moderation::NoticeReceived>("NoticeReceived"),
        entry<moderation::NoticeDecided>("NoticeDecided"),
        entry<moderation::ReportMailWanted>("ReportMailWanted"),
        entry<moderation::ResolvingContinued>("ResolvingContinued"),
        entry<moderation::WebhookCall>("WebhookCall"),
        entry<moderation::ListGoesOn>("ListGoesOn"),
        entry<moderation::ListForgetting>("ListForgetting"),
        entry<moderation::SourceDue>("SourceDue"),
        entry<moderation::SourceRead>("SourceRead"),
        entry<moderation::SourceRanked>("SourceRanked"),
        entry<moderation::SourceEnded>("SourceEnded"),
        entry<moderation::LeftAlone>("LeftAlone"),
        entry<moderation::AlertsToTell>("AlertsToTell"),
        entry<insight::DigestDue>("DigestDue"),
        entry<insight::PastDaysContinued>("PastDaysContinued"),
        entry<insight::DigestWritten>("DigestWritten"),
        entry<statuses::Judged>("Judged"),
        entry<statuses::MarksTakenBack>("MarksTakenBack"),
        entry<rules::HitsToAct>("HitsToAct"),
        entry<rules::UndoingContinued>("UndoingContinued"),
        entry<rules::RehearsalGoesOn>("RehearsalGoesOn"),
        entry<rules::ClusterOpened>("ClusterOpened"),
        entry<rules::ClusterActing>("ClusterActing"),
        entry<rules::HeldDue>("HeldDue"),
        entry<rules::FuseBlown>("FuseBlown"),
        entry<rules::FuseMailWanted>("FuseMailWanted"),
        entry<rules::NoticeWanted>("NoticeWanted"),
        entry<notifications::RebloggersContinued>("RebloggersContinued"),
        entry<notifications::VotersContinued>("VotersContinued"),
        entry<notifications::DirectReceived>("DirectReceived"),
        entry<notifications::RequestAccepted>("RequestAccepted"),
        entry<notifications::RequestDismissed>("RequestDismissed"),
        entry<notifications::ForgetDomainContinued>("ForgetDomainContinued"),
    };
    return all;
}

}  // namespace

bool Spy::tacit(std::type_index type) { return type == typeid(notifications::Notified); }

std::pair<std::string, std::string> Spy::told(std::type_index type, const void* event) {
    for (const auto& e : known())
        if (e.type == type) return {e.name, e.json(event)};
    ADD_FAILURE() << "tests/world_events.cpp does not know the event " << type.name();
    return {type.name(), "{}"};
}

}  // namespace stage

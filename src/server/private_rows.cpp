// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/accounts/users/invite.hpp"
#include "social/announcements/reaction.hpp"
#include "social/collections/collection.hpp"
#include "social/collections/item.hpp"
#include "social/conversations/conversation.hpp"
#include "social/discovery/annual_report.hpp"
#include "social/discovery/suggestion.hpp"
#include "social/email_digests/subscription.hpp"
#include "social/federation/moving/moving.hpp"
#include "social/filters/filter.hpp"
#include "social/labels/effects.hpp"
#include "social/labels/use.hpp"
#include "social/lists/list.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/notifications/notification.hpp"
#include "social/notifications/policy.hpp"
#include "social/notifications/request.hpp"
#include "social/relationships/forget_account.hpp"
#include "social/relationships/list_severing.hpp"
#include "social/statuses/core/held.hpp"
#include "social/statuses/interactions/remote_favourite.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/interactions/status_lists.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/statuses/writing/compose.hpp"
#include "social/statuses/writing/kept_draft.hpp"
#include "social/tags/featured_tag.hpp"
#include "social/tags/tag_follow.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/marker.hpp"
#include "social/transfer/import.hpp"
#include "social/transfer/post_import.hpp"

namespace server {

// clang-format off
std::span<const accounts::PrivateRows> private_rows() {
    static const std::vector<accounts::PrivateRows> all{
        {"invites.account_id",                                    accounts::drop_own_invites},

        {"account_notes.account_id",                              relationships::drop_own_account_notes},
        {"endorsements.account_id",                               relationships::drop_own_endorsements},
        {"mutes.account_id",                                      relationships::drop_own_mutes},
        {"user_domain_blocks.account_id",                         relationships::drop_own_user_domain_blocks},
        {"severed_follows.severance_id",                          relationships::drop_own_severed_follows},
        {"list_people.account_id",                                relationships::drop_own_list_people},
        {"severances.account_id",                                 relationships::drop_own_severances},

        {"filter_keywords.filter_id",                             filters::drop_own_filter_keywords},
        {"filter_statuses.filter_id",                             filters::drop_own_filter_statuses},
        {"filters.account_id",                                    filters::drop_own_filters},

        {"featured_tags.account_id",                              tags::drop_own_featured_tags},
        {"tag_follows.account_id",                                tags::drop_own_tag_follows},

        {"conversation_mutes.account_id",                         statuses::drop_own_conversation_mutes},
        {"bookmarks.account_id",                                  statuses::drop_own_bookmarks},
        {"additional_reactions.account_id",                              statuses::drop_own_additional_reactions},
        {"reply_approvals.account_id",                            statuses::drop_own_reply_approvals},
        {"poll_votes.account_id",                                 statuses::drop_own_poll_votes},
        {"idempotency_keys.account_id",                           statuses::drop_own_idempotency_keys},
        {"held_posts.account_id",                                 statuses::drop_own_held},
        {"label_choices.account_id",                              labels::drop_own_label_choices},
        {"label_uses.subject_id",                                 labels::drop_labels_of_account},
        {"scheduled_statuses.account_id",                         statuses::drop_own_scheduled},
        {"kept_drafts.account_id",                                statuses::drop_own_kept_drafts},

        {"import_chunks.import_id",                               transfer::drop_own_import_chunks},
        {"imports.account_id",                                    transfer::drop_own_imports},
        {"imported_posts.account_id",                             transfer::drop_own_imported_posts},
        {"post_import_failures.import_id",                        transfer::drop_own_post_import_failures},
        {"post_imports.account_id",                               transfer::drop_own_post_imports},

        {"list_members.list_id",                                  lists::drop_own_list_members},
        {"lists.account_id",                                      lists::drop_own_lists},

        {"collection_items.account_id",                           collections::drop_own_collection_items},
        {"collections.account_id",                                collections::drop_own_collections},

        {"home_entries.account_id",                               timelines::drop_own_home_entries},
        {"markers.account_id",                                    timelines::drop_own_markers},

        {"notifications.account_id",                              notifications::drop_own_notifications},
        {"notification_groups.account_id",                        notifications::drop_own_notification_groups},
        {"notification_policies.account_id",                      notifications::drop_own_notification_policies},
        {"notification_requests.account_id",                      notifications::drop_own_notification_requests},
        {"notification_permissions.account_id",                   notifications::drop_own_notification_permissions},

        {"account_conversation_statuses.account_conversation_id", conversations::drop_own_account_conversation_statuses},
        {"account_conversations.account_id",                      conversations::drop_own_account_conversations},

        {"announcement_reactions.account_id",                     announcements::drop_own_announcement_reactions},
        {"announcement_dismissals.account_id",                    announcements::drop_own_announcement_dismissals},

        {"moves.account_id",                                      federation::drop_own_moves},

        {"annual_reports.account_id",                             discovery::drop_own_annual_reports},
        {"suggestions.account_id",                                discovery::drop_own_suggestions},
        {"suggestion_dismissals.account_id",                      discovery::drop_own_suggestion_dismissals},
        {"suggestion_runs.account_id",                            discovery::drop_own_suggestion_runs},

        {"email_subscriptions.account_id",                        email_digests::drop_own_email_subscriptions},
        {"email_digests_due.account_id",                          email_digests::drop_own_email_digests_due},
        {"notification_mails.account_id",                         notification_mails::drop_own_notification_mails},
        {"notification_choices.account_id",                       accounts::drop_own_notification_choices},
    };
    return all;
}
// clang-format on

void continue_forgetting_rows(db::Write& db, const accounts::PrivateRowsContinued& left) {
    accounts::forget_rows(db, left, private_rows());
}

}  // namespace server

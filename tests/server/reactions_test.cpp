// SPDX-License-Identifier: AGPL-3.0-or-later
// Job rows carry the names of their reactions. Who renames a function changes such a name, and orphans what waits: give it
// its old name with .named(), or rename the rows in a migration.
#include "server/tables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace {

using testing::ElementsAreArray;

constexpr const char* names_in_job_rows[] = {
    "act_on_hits",
    "announce_more_mails",
    "attribute_previews",
    "begin_account_severing",
    "begin_backfill",
    "begin_clean_up",
    "begin_digests",
    "begin_forgetting_account",
    "begin_forgetting_rows",
    "begin_forgetting_severed",
    "begin_making_room",
    "begin_moving",
    "begin_server_limits",
    "begin_server_severing",
    "begin_severing",
    "check_new_quote_authorization",
    "check_quote_authorization",
    "check_reply_authorization",
    "collect_cluster",
    "continue_accepting_pending",
    "continue_account_severing",
    "continue_acting",
    "continue_backfill",
    "continue_backfills",
    "continue_clean_up",
    "continue_clean_ups",
    "continue_clearing_notifications",
    "continue_fan_out",
    "continue_forgetting_account",
    "continue_forgetting_domain",
    "continue_forgetting_list",
    "continue_forgetting_rows",
    "continue_forgetting_severed",
    "continue_forgetting_status",
    "continue_indexing_account",
    "continue_joining",
    "continue_moving",
    "continue_moving_blocks",
    "continue_moving_mutes",
    "continue_moving_notes",
    "continue_moving_thread",
    "continue_purging_server",
    "continue_refilling",
    "continue_removal",
    "continue_resolving",
    "continue_restoring",
    "continue_restoring_server",
    "continue_server_limits",
    "continue_server_severing",
    "continue_severing",
    "continue_trends",
    "continue_undoing",
    "count_past_days",
    "delete_posts",
    "deliver_feature_revoked",
    "deliver_gone",
    "deliver_moved",
    "deliver_quote_revoked",
    "deliver_reply_revoked",
    "drop_for_unavailable",
    "empty_deleted",
    "end_holding",
    "fan_out_activity",
    "fetch_pins",
    "fetch_preview",
    "fetch_related",
    "forget_domain",
    "forget_evidence_files",
    "forget_label",
    "go_through_import",
    "go_through_list",
    "import_some",
    "index_due",
    "index_older",
    "index_older_accounts",
    "keep_evidence_files",
    "label_advised",
    "lift_rules_of_source",
    "look_where_moved",
    "mail_alerts",
    "mail_appeal",
    "mail_appeal_decision",
    "mail_confirmation",
    "mail_digest",
    "mail_fuse",
    "mail_left_alone",
    "mail_notice",
    "mail_notice_decided",
    "mail_notice_received",
    "mail_notifications",
    "mail_password_changed",
    "mail_password_reset",
    "mail_report",
    "mail_security",
    "mail_strike",
    "mail_subscription",
    "mail_weekly_digest",
    "mail_welcome",
    "make_first_key",
    "make_key",
    "make_report",
    "make_room_of_copies",
    "mark_posts",
    "notify_more_quoters",
    "notify_more_rebloggers",
    "notify_more_subscribers",
    "notify_more_voters",
    "notify_severances",
    "overwrite_rest",
    "publish_scheduled",
    "publish_some_posts",
    "purge_more_activities",
    "purge_more_seen",
    "put_back",
    "rank_rules_of_source",
    "read_collection",
    "read_collection_items",
    "read_collections",
    "read_outbox",
    "read_pins",
    "read_source",
    "read_thread",
    "recount",
    "refill_from_follow",
    "refill_home",
    "refresh_actor",
    "rehearse",
    "release_filtered",
    "remove_all_of",
    "remove_files",
    "remove_filtered",
    "remove_reblogs",
    "remove_some_of",
    "renew_suggestions",
    "report_quarantined",
    "request_quote_authorization",
    "search_pictures",
    "send_webhook",
    "settle_quarantine",
    "settle_source",
    "stop_deliveries",
    "stop_more_deliveries",
    "sweep_orphans",
    "synchronize_followers",
    "take_back_some_posts",
    "tidy_index",
    "want_missing_keys",
    "withhold_media",
    "write_profile",
    "write_status_activity",
    "write_weekly_digest",
};

std::vector<std::string_view> names_of_jobs() {
    std::vector<std::string_view> out;
    for (const auto& reaction : server::reactions())
        if (!reaction.now) out.push_back(reaction.name);
    std::ranges::sort(out);
    return out;
}

TEST(ReactionTable, names_jobs_as_their_rows_do) {
    EXPECT_THAT(names_of_jobs(), ElementsAreArray(names_in_job_rows));
}

TEST(ReactionTable, gives_each_job_a_name_of_its_own) {
    auto names = names_of_jobs();
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(ReactionTable, ends_each_name_where_a_c_string_ends) {
    for (const auto& reaction : server::reactions())
        EXPECT_STREQ(reaction.name.data(), std::string(reaction.name).c_str());
}

TEST(ReactionTable, holds_each_event_once) {
    std::set<std::type_index> seen;
    std::type_index last = typeid(void);
    for (const auto& reaction : server::reactions()) {
        if (reaction.event != last) EXPECT_TRUE(seen.insert(reaction.event).second) << reaction.event.name();
        last = reaction.event;
    }
}

}  // namespace

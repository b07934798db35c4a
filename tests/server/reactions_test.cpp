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
    "ask_leave_to_quote",
    "attribute_previews",
    "begin_account_severing",
    "begin_backfill",
    "begin_clean_up",
    "begin_forgetting_account",
    "begin_forgetting_rows",
    "begin_letters",
    "begin_moving",
    "begin_server_limits",
    "begin_server_severing",
    "begin_severing",
    "clear_notifications_left",
    "continue_accepting_pending",
    "continue_account_severing",
    "continue_backfill",
    "continue_clean_up",
    "continue_forgetting_account",
    "continue_forgetting_rows",
    "continue_joining",
    "continue_moving",
    "continue_moving_blocks",
    "continue_moving_mutes",
    "continue_moving_notes",
    "continue_moving_thread",
    "continue_removal",
    "continue_server_limits",
    "continue_server_severing",
    "continue_severing",
    "continue_trends",
    "drop_for_unavailable",
    "empty_deleted",
    "fan_out_rest",
    "fetch_pins",
    "fetch_preview",
    "fetch_related",
    "forget_domain",
    "forget_domain_left",
    "forget_evidence_files",
    "forget_status_left",
    "import_some",
    "index_account_left",
    "index_due",
    "index_older",
    "index_older_accounts",
    "keep_evidence_files",
    "let_in_accepted",
    "look_at_new_stamp",
    "look_at_stamp",
    "mail_confirmation",
    "mail_letter",
    "mail_password_changed",
    "mail_password_reset",
    "mail_report",
    "mail_subscription",
    "mail_welcome",
    "make_first_key",
    "make_key",
    "make_report",
    "publish_scheduled",
    "purge_more_activities",
    "read_collection",
    "read_collection_items",
    "read_collections",
    "read_outbox",
    "read_pins",
    "read_thread",
    "recount",
    "refresh_actor",
    "remove_all_of",
    "remove_files",
    "remove_held",
    "remove_reblogs",
    "remove_some_of",
    "renew_suggestions",
    "spread",
    "stop_deliveries",
    "stop_more_deliveries",
    "sweep_orphans",
    "synchronize_followers",
    "tell_quoters_left",
    "tell_rebloggers_left",
    "tell_servers_feature_revoked",
    "tell_servers_gone",
    "tell_servers_moved",
    "tell_servers_quote_revoked",
    "tell_severances",
    "tell_subscribers_left",
    "tell_voters_left",
    "tidy_index",
    "want_missing_keys",
    "withhold_media",
    "write_profile",
    "write_told",
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

TEST(ReactionTable, holds_each_event_once) {
    std::set<std::type_index> seen;
    std::type_index last = typeid(void);
    for (const auto& reaction : server::reactions()) {
        if (reaction.event != last) EXPECT_TRUE(seen.insert(reaction.event).second) << reaction.event.name();
        last = reaction.event;
    }
}

}  // namespace

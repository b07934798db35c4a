// SPDX-License-Identifier: AGPL-3.0-or-later
#include "plans/plan_exceptions.hpp"

namespace plans {

namespace {

constexpr std::string_view due =
    "in the order of time, as far as it is over: what is found is done and gone, or waits until later";
constexpr std::string_view chunk =
    "walks through all, so many rows at a time: each row counts towards the limit, whether it is wanted or "
    "not";
constexpr std::string_view reader_by_clock = "counts by the clock, on a reader";
constexpr std::string_view staff = "an index that holds those alone who have a role";
constexpr std::string_view first = "whether there is any row: looks at one";
constexpr std::string_view start = "once, when the program starts";
constexpr std::string_view operators = "for an operator who asks for all of it";
constexpr std::string_view page = "an index in the order of the page, which ends at the limit";
constexpr std::string_view next = "looks at one row: the next one in an index";

constexpr std::string_view beginning = "those that begin so, or come from there, some thousand at most";
constexpr std::string_view figures =
    "counts the days that staff asks about, of an index in their order, on a reader";

constexpr std::string_view of_either_origin =
    "the order of the page: PostgreSQL expects half of all to be of the origin that is asked for";

constexpr Exception all[]{
    {"delete_expired_media", "media", On::both, due},
    {"delete_expired_mutes", "mutes", On::both, due},
    {"delete_old_keys", "idempotency_keys", On::both, due},
    {"delete_old_refreshes", "async_refreshes", On::both, due},
    {"delete_old_tombstones", "tombstones", On::both, due},
    {"delete_old_translations", "translations", On::both, due},
    {"end_due_polls", "polls", On::both, due},
    {"lease_jobs", "jobs", On::both, due},
    {"lease_jobs_by_kind", "jobs", On::both, due},
    {"lease_processing", "media_processing", On::both, due},
    {"lease_push_messages", "push_messages", On::both, due},
    {"lease_unverified_host", "unverified_hosts", On::both, due},
    {"old_failures", "remote_files", On::both, due},
    {"old_sessions", "web_sessions", On::both, due},
    {"purge_codes", "authorization_codes", On::both, due},
    {"purge_early_ends", "early_ends", On::both, due},
    {"purge_old_fetched_keys", "fetched_keys", On::both, due},
    {"purge_seen_activities", "seen_activities", On::both, due},
    {"purge_tag_uses", "tag_uses", On::both, due},
    {"purge_tokens", "tokens", On::both, due},
    {"purge_unconfirmed_subscriptions", "email_subscriptions", On::both, due},
    {"reports_closed_before", "reports", On::both, due},
    {"stale_sign_ups", "users", On::both, due},
    {"take_due_scheduled", "scheduled_statuses", On::both, due},
    {"queued_for_index", "status_index_queue", On::both, due},

    {"accounts_with_due_suggestions", "users", On::both, chunk},
    {"hosts_by_name", "hosts", On::both, chunk},
    {"inboxes_of_alone", "actors", On::both, chunk},
    {"last_to_recount", "statuses", On::both, chunk},
    {"differences_of_counts", "statuses", On::both, "between the two ends of a chunk"},
    {"names_below", "accounts", On::both, chunk},
    {"next_activities", "activities", On::both, chunk},
    {"next_actors", "actors", On::both, chunk},
    {"next_boosts", "statuses", On::both, chunk},
    {"next_favourites", "favourites", On::both, chunk},
    {"statuses_below",
     "statuses",
     On::both,
     "once, to fill the search index of an older site, chunk after chunk"},
    {"accounts_without_key", "users", On::both, "once, for those of before there were keys, chunk after chunk"
    },

    {"next_job_due", "jobs", On::both, next},
    {"next_push_message", "push_messages", On::both, next},
    {"next_unverified_host", "unverified_hosts", On::both, next},
    {"next_below", "known_servers", On::both, next},
    {"oldest_copies", "remote_files", On::both, page},
    {"most_followed_accounts", "accounts", On::both, page},
    {"directory_by_activity", "accounts", On::both, page},
    {"directory_by_age", "accounts", On::both, page},
    {"directory_here_by_activity", "accounts", On::both, page},
    {"directory_here_by_age", "accounts", On::both, page},
    {"tags_beginning_with", "tags", On::both, "those that begin so, a thousand at most"},
    {"most_interacted_accounts", "statuses", On::both, "the newest five thousand of an index, on a reader"},
    {"status_hits", "status_texts", On::postgres, "the newest two thousand, before the index is asked"},

    {"inboxes_of_everybody",
     "actors",
     On::sqlite,
     "from one shared inbox to the next: one row each",
     "actors_by_shared_inbox"},
    {"inboxes_of_everybody",
     "actors",
     On::postgres,
     "from one shared inbox to the next: one row each",
     "actors_by_shared_inbox"},
    {"count_site", "accounts", On::both, "from one domain to the next: one row each", "accounts_by_domain"},
    {"count_site", "users", On::both, reader_by_clock},
    {"count_week", "users", On::both, reader_by_clock},
    {"count_week", "statuses", On::both, "what was written here in a week, of an index of that; on a reader"},
    {"domains_of_accounts", "accounts", On::both, reader_by_clock},
    {"links_used_today", "preview_cards_statuses", On::both, "those of one day, by the clock, on a reader"},
    {"sum_of_copies", "remote_files", On::both, reader_by_clock},
    {"orphaned_subscriptions", "email_subscriptions", On::both, "by the clock, on a reader"},
    {"orphaned_subscriptions", "users", On::postgres, "by the clock, on a reader"},
    {"loose_files_of", "media", On::both, "an index of those that no post shows, which are kept for a day"},

    {"report_moderators", "users", On::both, staff},
    {"some_owner", "users", On::both, staff},
    {"staff_accounts", "users", On::both, staff},
    {"any_actor_known", "actors", On::both, first},
    {"is_text_due", "status_index_queue", On::both, first},
    {"delivery_scope_of_status", "actors", On::both, first},
    {"release_all_hosts", "hosts", On::both, start},
    {"release_inbox_items", "inbox_items", On::both, start},
    {"release_jobs", "jobs", On::both, start},
    {"release_push_messages", "push_messages", On::both, start},
    {"release_unverified_hosts", "unverified_hosts", On::both, start},
    {"all_hosts", "hosts", On::both, operators},
    {"all_invites", "invites", On::both, operators},
    {"queue_by_host", "deliveries", On::both, operators},
    {"forgive_all_hosts", "hosts", On::both, operators},
    {"hasten_all_deliveries", "deliveries", On::both, operators},
    {"count_jobs", "jobs", On::both, "for the metrics alone, on a reader"},
    {"count_push_messages", "push_messages", On::both, "for the metrics alone, on a reader"},
    {"figures_of_queue", "deliveries", On::both, "for the metrics alone, on a reader"},
    {"figures_of_queue", "hosts", On::both, "for the metrics alone, on a reader"},

    {"last_popular", "accounts", On::both, page},
    {"accounts_matching",
     "account_texts",
     On::postgres,
     "names in turn, where it expects many to fit; the limit ends it"},
    {"popular_matching", "accounts", On::both, page},
    {"public_down", "statuses", On::both, page},
    {"public_up", "statuses", On::both, page},
    {"public_media_down", "statuses", On::both, page},
    {"public_media_up", "statuses", On::both, page},
    {"public_of_origin_down", "statuses", On::postgres, of_either_origin},
    {"public_of_origin_up", "statuses", On::postgres, of_either_origin},
    {"public_media_of_origin_down", "statuses", On::postgres, of_either_origin},
    {"public_media_of_origin_up", "statuses", On::postgres, of_either_origin},

    {"tags_up", "tags", On::both, page},
    {"tags_down", "tags", On::both, page},
    {"appeal_deciders", "users", On::both, staff},
    {"reports_resolved_up", "reports", On::both, page},
    {"reports_resolved_down", "reports", On::both, page},
    {"reports_open_up", "reports", On::both, page},
    {"reports_open_down", "reports", On::both, page},
    {"reports_all_up", "reports", On::both, page},
    {"reports_all_down", "reports", On::both, page},
    {"audit_up", "audit_entries", On::both, page},
    {"audit_down", "audit_entries", On::both, page},
    {"accounts_by_name_prefix", "accounts", On::both, beginning},
    {"accounts_by_email_prefix", "users", On::both, beginning},
    {"accounts_with_role", "users", On::both, staff},
    {"listed_disabled_up", "users", On::both, page},
    {"listed_disabled_down", "users", On::both, page},
    {"listed_pending_up", "users", On::both, page},
    {"listed_pending_down", "users", On::both, page},
    {"listed_users_up", "users", On::both, page},
    {"listed_users_down", "users", On::both, page},
    {"listed_sensitized_up", "accounts", On::both, page},
    {"listed_sensitized_down", "accounts", On::both, page},
    {"listed_silenced_up", "accounts", On::both, page},
    {"listed_silenced_down", "accounts", On::both, page},
    {"listed_suspended_up", "accounts", On::both, page},
    {"listed_suspended_down", "accounts", On::both, page},
    {"listed_accounts_up", "accounts", On::both, page},
    {"listed_accounts_down", "accounts", On::both, page},
    {"stays", "users", On::both, figures},
    {"answers_and_boosts_by_day", "statuses", On::both, figures},
    {"follows_by_day", "follows", On::both, figures},
    {"favourites_by_day", "favourites", On::both, figures},
    {"resolutions_by_day", "reports", On::both, figures},
    {"reports_by_day", "reports", On::both, figures},
    {"active_between", "user_days", On::both, figures},
    {"active_by_day", "user_days", On::both, figures},
    {"users_by_day", "users", On::both, figures},
    {"by_server", "statuses", On::both, figures},
    {"by_app", "users", On::both, figures},
    {"by_locale", "user_days", On::both, figures},
    {"delete_old_attempts", "email_domain_attempts", On::both, due},
    {"canonical_blocks_up", "canonical_email_blocks", On::both, page},
    {"canonical_blocks_down", "canonical_email_blocks", On::both, page},
    {"delete_old_user_days", "user_days", On::both, due},
    {"delete_old_addresses", "user_addresses", On::both, due},
    {"users_between_addresses", "user_addresses", On::both, beginning},
    {"due_deletions", "deletions", On::both, due},
    {"server_followers_by_day", "follows", On::both, figures},
    {"server_follows_by_day", "follows", On::both, figures},
    {"server_reports_by_day", "reports", On::both, figures},
    {"server_statuses_by_day", "statuses", On::both, figures},
    {"server_by_language", "statuses", On::both, figures},
    {"server_media_by_day",
     "media",
     On::both,
     "counts all media for staff who asks how much room a server takes, on a reader"},
    {"accounts_invited_by", "users", On::postgres, figures},
    {"tag_accounts_between", "tag_uses", On::postgres, figures},
    {"tag_uses_by_day", "tag_uses", On::postgres, figures},
    {"tag_accounts_by_day", "tag_uses", On::postgres, figures},
    {"follows_by_day", "users", On::postgres, figures},
    {"favourites_by_day", "users", On::postgres, figures},
    {"server_by_followed", "follows", On::postgres, figures},
    {"by_server", "accounts", On::postgres, figures},
};

}  // namespace

std::span<const Exception> exceptions() { return all; }

}  // namespace plans

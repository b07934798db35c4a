// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/tables.hpp"

#include "db/connection.hpp"

#include <algorithm>

namespace db::portable {

namespace {

constexpr CarriedTable carried[] = {
    {"settings"},
    {"setting_changes"},
    {"digests"},
    {"rules"},
    {"custom_emojis"},
    {"roles"},
    {"accounts"},
    {"actors"},
    {"actor_keys"},
    {"users"},
    {"apps"},
    {"authorization_codes"},
    {"tokens"},
    {"web_sessions"},
    {"web_settings"},
    {"authenticators"},
    {"recovery_codes"},
    {"passkeys"},
    {"security_events"},
    {"sign_in_attempts"},
    {"invites"},
    {"user_addresses"},
    {"user_days"},
    {"active_days"},
    {"push_subscriptions"},
    {"push_messages"},
    {"follows"},
    {"follow_requests"},
    {"blocks"},
    {"mutes"},
    {"user_domain_blocks"},
    {"endorsements"},
    {"account_notes"},
    {"severances"},
    {"severed_follows"},
    {"aliases"},
    {"moves"},
    {"suggestions"},
    {"suggestion_runs"},
    {"suggestion_dismissals"},
    {"known_servers"},
    {"tags"},
    {"tag_uses"},
    {"tag_language_days"},
    {"tag_follows"},
    {"featured_tags"},
    {"filters"},
    {"filter_keywords"},
    {"filter_statuses"},
    {"lists"},
    {"list_members"},
    {"conversations"},
    {"statuses"},
    {"remote_statuses"},
    {"status_edits"},
    {"status_pins"},
    {"conversation_mutes"},
    {"mentions"},
    {"status_tags"},
    {"favourites"},
    {"additional_reactions"},
    {"bookmarks"},
    {"idempotency_keys"},
    {"tombstones"},
    {"polls"},
    {"poll_options"},
    {"poll_votes"},
    {"scheduled_statuses"},
    {"kept_drafts"},
    {"quotes"},
    {"reply_approvals"},
    {"collections"},
    {"collection_items"},
    {"media"},
    {"media_processing"},
    {"media_hashes"},
    {"hash_lists"},
    {"hash_entries"},
    {"quarantine"},
    {"picture_searches"},
    {"remote_files"},
    {"preview_cards"},
    {"card_images"},
    {"preview_cards_statuses"},
    {"publishers"},
    {"translations"},
    {"async_refreshes"},
    {"home_entries"},
    {"markers"},
    {"notifications"},
    {"notification_groups"},
    {"notification_policies"},
    {"notification_requests"},
    {"notification_clearings"},
    {"notification_permissions"},
    {"account_conversations"},
    {"account_conversation_statuses"},
    {"announcements"},
    {"announcement_dismissals"},
    {"announcement_reactions"},
    {"crypto_devices"},
    {"crypto_one_time_keys"},
    {"crypto_messages"},
    {"trend_reviews"},
    {"trending"},
    {"trend_candidates"},
    {"trend_cursors"},
    {"annual_reports"},
    {"activity_weeks"},
    {"act_days"},
    {"server_days"},
    {"uncounted"},
    {"hosts"},
    {"inboxes"},
    {"recipient_sets"},
    {"status_recipients"},
    {"activities"},
    {"deliveries"},
    {"planned_updates"},
    {"inbox_items"},
    {"unverified_items"},
    {"unverified_hosts"},
    {"seen_activities"},
    {"early_ends"},
    {"fetched_keys"},
    {"synchronizations"},
    {"relays"},
    {"email_subscriptions"},
    {"email_digests_due"},
    {"notification_choices"},
    {"notification_mails"},
    {"domain_blocks"},
    {"domain_allows"},
    {"terms_of_service"},
    {"warning_presets"},
    {"email_domain_blocks"},
    {"email_domain_attempts"},
    {"canonical_email_blocks"},
    {"ip_blocks"},
    {"username_blocks"},
    {"reports"},
    {"notices"},
    {"report_statuses"},
    {"evidence"},
    {"evidence_files"},
    {"strikes"},
    {"appeals"},
    {"cases"},
    {"notes"},
    {"deletions"},
    {"audit_entries"},
    {"audit_heads"},
    {"webhooks"},
    {"webhook_calls"},
    {"list_exceptions"},
    {"list_rules"},
    {"list_batches"},
    {"list_sources"},
    {"list_copies"},
    {"list_group_members"},
    {"published_rules"},
    {"list_lines"},
    {"list_servers"},
    {"list_people"},
    {"word_lists"},
    {"moderation_rules"},
    {"moderation_rule_versions"},
    {"rule_hits"},
    {"rule_rehearsals"},
    {"held_posts"},
    {"site_labels"},
    {"label_uses"},
    {"label_choices"},
    {"clusters"},
    {"cluster_posts"},
    {"alerts"},
    {"imports"},
    {"import_chunks"},
    {"archives"},
    {"post_imports"},
    {"post_import_failures"},
    {"imported_posts"},
    {"acme_accounts"},
    {"acme_certificates"},
    {"acme_orders"},
    {"acme_challenges"},
    {"acme_tries"},
    {"acme_lease"},
    {"former_ids"},
    {"former_paths"},
    {"takeovers"},
    {"takeover_refusals"},
    {"jobs", "kind NOT IN ('index_older', 'index_older_accounts')"},
};

constexpr LeftTable derived[] = {
    {"status_texts", "made from statuses by the job index_older"},
    {"status_index_queue", "that job indexes all"},
    {"account_texts", "made from accounts by the job index_older_accounts"},
    {"status_index", "SQLite keeps it from status_texts"},
    {"account_index", "SQLite keeps it from account_texts"},
};

constexpr LeftTable left[] = {
    {"schema_migrations", "the copy is made by migrations and has its own"},
    {"nodes", "who runs on the database now"},
    {"labels", "nothing is there any more: label_uses has it"},
    {"dump_turns", "which copies were made of this database"},
};

}  // namespace

std::span<const CarriedTable> carried_tables() { return carried; }
std::span<const LeftTable> derived_tables() { return derived; }
std::span<const LeftTable> left_tables() { return left; }

std::string_view word_of(Type type) {
    switch (type) {
        case Type::bigint: return "bigint";
        case Type::bytea: return "bytea";
        case Type::boolean: return "boolean";
        case Type::real: return "double precision";
        case Type::text: break;
    }
    return "text";
}

Type type_called(std::string_view word) {
    std::string small;
    for (const char c : word) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (small == "bigint" || small == "integer") return Type::bigint;
    if (small == "text") return Type::text;
    if (small == "bytea" || small == "blob") return Type::bytea;
    if (small == "boolean") return Type::boolean;
    if (small == "double precision") return Type::real;
    throw Failure("a column of the type " + std::string(word) + " cannot be copied to another database");
}

std::string listed(const std::vector<std::string>& names, const std::string& before) {
    std::string all;
    for (const auto& name : names) all += (all.empty() ? "" : ", ") + before + "\"" + name + "\"";
    return all;
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
    std::vector<std::string> names;
    for (const auto& column : columns) names.push_back(column.name);
    return names;
}

std::vector<Column> key_columns(const Table& table) {
    std::vector<Column> key;
    for (const auto& name : table.key) {
        const auto column = std::ranges::find(table.columns, name, &Column::name);
        if (column == table.columns.end()) throw Failure(table.name + " has no column " + name);
        key.push_back(*column);
    }
    return key;
}

}  // namespace db::portable

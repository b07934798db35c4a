// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/mastodon/reading.hpp"

namespace takeover::mastodon {

namespace {

// Where a row is counted that does not come along; tables of other versions may lack.
struct Left {
    const char *what, *table, *where;
};
constexpr Left left[] = {
    {"keys of a kind that nobody here signs with (ML-DSA)", "keypairs", "WHERE type = 2"},
    {"sign-ins by another service (OAuth, SAML, CAS, LDAP); these people ask for a password by mail",
     "identities",
     ""},
    {"people who wanted mails also while they are online; here they get them while they are away",
     "users",
     R"(WHERE settings ~ '"always_send_emails": *"?(true|1)')"},
    {"choices about mails on sign-ups that wait, trends and new versions",
     "users",
     R"(WHERE settings ~ '"notification_emails[.](pending_account|trends|software_updates)\W')"},
    {"web sessions (one sign-in more in the browser)", "session_activations", ""},
    {"records of sign-ins", "login_activities", ""},
    {"access tokens that end by themselves",
     "oauth_access_tokens",
     "WHERE revoked_at IS NULL AND expires_in > 0"},
    {"sign-ins of apps that were begun", "oauth_access_grants", "WHERE revoked_at IS NULL"},
    {"collections of accounts", "collections", "WHERE local"},
    {"rules for deleting old posts by themselves", "account_statuses_cleanup_policies", "WHERE enabled"},
    {"archives that people asked for", "backups", ""},
    {"imports", "bulk_imports", ""},
    {"follows that a server or its people took along when they left", "severed_relationships", ""},
    {"annual reports", "generated_annual_reports", ""},
    {"pictures of the site", "site_uploads", ""},
    {"translations of the rules", "rule_translations", ""},
    {"drafts of announcements", "announcements", "WHERE NOT published AND scheduled_at IS NULL"},
    {"drafts of terms of service", "terms_of_services", "WHERE published_at IS NULL"},
    {"webhooks", "webhooks", ""},
    {"relays that are switched off", "relays", "WHERE state = 0"},
    {"e-mail addresses of people who were suspended, which may sign up again", "canonical_email_blocks", ""},
    {"entries in the log of what the team did", "admin_action_logs", ""},
    {"notes about servers", "instance_moderation_notes", ""},
    {"suppressed suggestions", "follow_recommendation_suppressions", ""},
    {"servers to which nothing could be delivered, which are tried again", "unavailable_domains", ""},
    {"providers of search and discovery (FASP)", "fasp_providers", ""},
};

bool is_set(const Settings& settings, const char* name) {
    const auto at = settings.find(name);
    return at != settings.end() && !at->second.empty();
}

}  // namespace

std::vector<Loss> losses_of(db::Foreign& db, const Settings& old_settings) {
    std::vector<Loss> out;
    auto count = [&](const std::string& what, const std::string& from, const std::string& where) {
        if (const auto rows = db.count(from, where); rows > 0) out.push_back({what, rows});
    };
    for (const auto& one : left)
        if (!db.columns_of(one.table).empty()) count(one.what, one.table, one.where);
    // Push messages are for who knows our key: without theirs each app has to ask anew.
    if (!is_set(old_settings, "VAPID_PRIVATE_KEY") || !is_set(old_settings, "VAPID_PUBLIC_KEY"))
        count(
            "push subscriptions, since VAPID_PRIVATE_KEY and VAPID_PUBLIC_KEY are not in --old-config",
            "web_push_subscriptions",
            ""
        );
    count(
        "copies of media of other servers, which are fetched again",
        "media_attachments",
        "WHERE remote_url <> '' AND file_file_name IS NOT NULL"
    );
    return out;
}

}  // namespace takeover::mastodon

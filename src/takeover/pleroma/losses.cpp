// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/pleroma/reading.hpp"

#include <algorithm>

namespace takeover::pleroma {

namespace {

// Where a row is counted that does not come along; tables of other versions may lack.
struct Left {
    const char *what, *table, *where;
};
constexpr Left left[] = {
    {"reactions with an emoji, which become likes; of several to one post one stays",
     "activities",
     "WHERE data->>'type' = 'EmojiReact'"},
    {"posts in BBCode or MFM, whose text is plain when it is edited",
     "objects",
     "WHERE data->'source'->>'mediaType' IN ('text/bbcode', 'text/x.misskeymarkdown')"},
    {"posts of other kinds than notes, articles and polls, such as events and videos",
     "objects",
     "WHERE data->>'type' IN ('Event', 'Video', 'Audio', 'Listen')"},
    {"posts for a list, which their authors and whom they mention alone see from now on",
     "objects",
     "WHERE data->>'listMessage' IS NOT NULL"},
    {"posts of this site that are gone, whose addresses say from now on that there is nothing (404, not 410)",
     "objects",
     "WHERE data->>'type' = 'Tombstone' AND data->>'id' LIKE (SELECT replace(ap_id, '/users/' || nickname, "
     "'/%') "
     "FROM users WHERE local AND ap_id LIKE '%/users/%' LIMIT 1)"},
    {"messages of chats", "objects", "WHERE data->>'type' = 'ChatMessage'"},
    {"notes of the team about reports", "report_notes", ""},
    {"entries in the log of what the team did", "moderation_log", ""},
    {"announcements", "announcements", ""},
    {"invites", "user_invite_tokens", "WHERE NOT used"},
    {"people here without an e-mail address, who get NAME@invalid and sign in with that",
     "users",
     "WHERE local AND is_active AND COALESCE(email, '') = '' AND ap_id NOT LIKE '%/relay' AND ap_id NOT LIKE "
     "'%/internal/fetch'"},
    {"people here who posted for this site alone or for a list unless they chose otherwise; now for "
     "followers or direct",
     "users",
     "WHERE local AND is_active AND default_scope NOT IN ('public', 'unlisted', 'private', 'direct')"},
    {"people whose password the team took back: they are signed out and ask for another one by mail",
     "users",
     "WHERE local AND is_active AND password_reset_pending"},
    {"people on whom the team put a tag that changes what their posts do",
     "users",
     "WHERE tags::text LIKE '%mrf_tag%'"},
    {"access tokens that end by themselves before 30 days are over",
     "oauth_tokens",
     "WHERE valid_until < now() AT TIME ZONE 'utc' + interval '30 days'"},
    {"sign-ins by another service (OAuth); these people ask for a password by mail", "registrations", ""},
    {"archives that people asked for", "backups", ""},
    {"folders of bookmarks, which come as one", "bookmark_folders", ""},
    {"profiles of frontends", "user_frontend_setting_profiles", ""},
    {"deliveries that waited",
     "oban_jobs",
     "WHERE worker LIKE '%PublisherWorker' AND state IN ('available', 'scheduled', 'retryable')"},
    {"posts that were to go by themselves, which stay",
     "oban_jobs",
     "WHERE worker LIKE '%PurgeExpiredActivity' AND state = 'scheduled'"},
    {"muted threads that were to be heard again by themselves, which stay muted",
     "oban_jobs",
     "WHERE worker LIKE '%MuteExpireWorker' AND args->>'op' = 'unmute_conversation' AND state = 'scheduled'"},
    {"relays that are followed",
     "following_relationships r JOIN users u ON u.id = r.follower_id",
     "WHERE u.local AND u.ap_id LIKE '%/relay' AND r.state = 2"},
};

}  // namespace

std::vector<Loss> losses_of(db::Foreign& db, const Config& config, bool has_push_key) {
    std::vector<Loss> out;
    auto count = [&](const char* what, const std::string& from, const std::string& where) {
        if (const auto rows = db.count(from, where); rows > 0) out.push_back({what, rows});
    };
    for (const auto& one : left) {
        const std::string from = one.table;
        if (!db.columns_of(from.substr(0, from.find(' '))).empty()) count(one.what, from, one.where);
    }
    // Push messages are for who knows our key: without theirs each app has to ask anew.
    if (!has_push_key)
        count(
            "push subscriptions, since vapid_details is neither in the config table nor in --old-config",
            "push_subscriptions",
            ""
        );
    // Older ones know when by their jobs alone.
    if (std::ranges::count(db.columns_of("user_relationships"), "expires_at") == 0 &&
        !db.columns_of("oban_jobs").empty())
        count(
            "mutes of people that were to end by themselves, which stay until they are taken back",
            "oban_jobs",
            "WHERE worker LIKE '%MuteExpireWorker' AND args->>'op' = 'unmute_user' AND state = 'scheduled'"
        );
    const auto& simple = config.of(":pleroma", ":mrf_simple");
    if (simple.kind == Term::Kind::other)
        out.push_back(
            {"rules about other servers (mrf_simple), if they stand in prod.secret.exs: write them by hand "
             "before "
             "you start",
             0}
        );
    std::int64_t others = 0;
    for (const char* name :
         {"media_nsfw",
          "followers_only",
          "avatar_removal",
          "banner_removal",
          "background_removal",
          "reject_deletes"})
        if (const auto* found = simple.find(name)) others += std::ssize(found->items);
    if (others > 0) out.push_back({"servers in other lists of mrf_simple", others});
    out.push_back({"custom emojis, which are files there: dunlin emoji import static/emoji", 0});
    out.push_back({"settings of files (prod.secret.exs), other MRF policies among them", 0});
    return out;
}

}  // namespace takeover::pleroma

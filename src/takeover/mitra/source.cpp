// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/mitra/reading.hpp"

#include <algorithm>

namespace takeover::mitra {

namespace {

// By the last migration: of 5.9, and of what came after it.
constexpr std::string_view oldest = "0135", newest = "0136", versions = "5.9";

struct Read {
    const char* name;
    std::vector<std::string_view> columns;
};
// What statements read, which give columns names of their own.
const std::vector<Read> tables{
    {"actor_profile",
     {"id",
      "user_id",
      "portable_user_id",
      "actor_type",
      "username",
      "hostname",
      "webfinger_hostname",
      "display_name",
      "bio",
      "bio_source",
      "avatar",
      "banner",
      "manually_approves_followers",
      "mention_policy",
      "identity_proofs",
      "extra_fields",
      "aliases",
      "follower_count",
      "following_count",
      "post_count",
      "actor_json",
      "created_at"}},
    {"user_account",
     {"id",
      "password_digest",
      "rsa_private_key",
      "ed25519_private_key",
      "user_role",
      "shared_client_config",
      "created_at"}},
    {"automated_account", {"id", "account_type"}},
    {"internal_property", {"property_name", "property_value"}},
    {"portable_user_account", {"id"}},
    {"user_invite_code", {"code", "used", "created_at"}},
    {"oauth_application",
     {"id", "app_name", "website", "scopes", "redirect_uri", "client_id", "client_secret", "created_at"}},
    {"oauth_token", {"id", "owner_id", "application_id", "token_digest", "created_at", "expires_at"}},
    {"relationship", {"id", "source_id", "target_id", "relationship_type", "created_at"}},
    {"follow_request",
     {"id", "source_id", "target_id", "activity_id", "request_status", "has_deprecated_ap_id", "created_at"}},
    {"post",
     {"id",
      "author_id",
      "title",
      "content",
      "content_source",
      "language",
      "conversation_id",
      "in_reply_to_id",
      "repost_of_id",
      "repost_has_deprecated_ap_id",
      "visibility",
      "is_sensitive",
      "is_pinned",
      "url",
      "object_id",
      "created_at",
      "updated_at"}},
    {"conversation", {"id", "root_id", "is_managed", "object_id"}},
    {"conversation_tracking", {"id"}},
    {"poll", {"id", "multiple_choices", "ends_at", "results", "voters_count"}},
    {"poll_vote", {"id", "poll_id", "voter_id", "choice"}},
    {"post_reaction",
     {"id", "author_id", "post_id", "content", "activity_id", "has_deprecated_ap_id", "created_at"}},
    {"media_attachment", {"id", "owner_id", "media", "description", "post_id", "created_at"}},
    {"post_mention", {"id", "post_id", "profile_id"}},
    {"tag", {"id", "tag_name"}},
    {"post_tag", {"post_id", "tag_id"}},
    {"post_link", {"source_id", "target_id"}},
    {"emoji", {"id", "emoji_name", "hostname", "image", "category", "updated_at"}},
    {"bookmark", {"id", "owner_id", "post_id", "created_at"}},
    {"custom_feed", {"id", "owner_id", "feed_name"}},
    {"custom_feed_source", {"feed_id", "source_id"}},
    {"timeline_marker", {"id", "user_id", "timeline", "last_read_id", "updated_at"}},
    {"notification", {"id", "sender_id", "recipient_id", "post_id", "event_type", "created_at"}},
    {"filter_rule", {"id", "target", "filter_action", "is_reversed"}},
    {"subscription", {"id"}},
    {"payment_method", {"id"}},
    {"invoice", {"id"}},
    {"moderation_action", {"id"}},
    {"background_job", {"id", "job_type"}},
};

// The domain alone will do there.
std::string with_scheme(const std::string& url) {
    return url.find("://") == url.npos ? "https://" + url : url;
}

class Mitra final : public Source {
public:
    Mitra(db::Foreign& db, const Settings& settings) : db_(db), settings_(settings) {}

    std::string program() const override { return "Mitra"; }
    std::string version() override { return "schema " + last_migration(); }
    void lose_portable() { loses_portable_ = true; }

    void check_schema() override {
        expect_version(last_migration(), oldest, newest, versions);
        for (const auto& [name, columns] : tables) expect_columns(db_, name, columns);
        if (const auto people = db_.count("portable_user_account"); people > 0 && !loses_portable_)
            throw Unsuitable(
                std::to_string(people) +
                " people of this server have ids that are of no server (FEP-ef61) and cannot go on here. Let "
                "them move first; or leave them behind, with all that is theirs, by --lose-portable"
            );
        if (addresses().public_url.empty())
            throw Unsuitable(
                "Its database does not say where it is: name its configuration, in which instance_url "
                "stands, with --old-config"
            );
    }

    Addresses addresses() override {
        Addresses out;
        for (const auto* name : {"instance_uri", "instance_url"})
            if (const auto told = settings_.find(name); told != settings_.end() && !told->second.empty())
                if (const auto url = with_scheme(told->second); is_address(url)) out.public_url = url;
        while (out.public_url.ends_with('/')) out.public_url.pop_back();
        if (out.public_url.empty()) return out;
        out.domain = out.public_url.substr(out.public_url.find("://") + 3);
        const auto told = settings_.find("webfinger_hostname");
        if (told != settings_.end() && !told->second.empty()) out.domain = told->second;
        return out;
    }

    std::vector<Loss> losses() override { return losses_of(db_); }
    bool is_limited() override { return server_rules(db_).limited; }
    std::vector<std::string> configuration() override {
        // Who has no invite signs up there only if the configuration says so, of which these lines are not read.
        std::vector<std::string> out{"registrations = \"closed\""};
        if (is_limited()) out.emplace_back("limited_federation = true");
        return out;
    }

    std::vector<KeyFinding> keys() override {
        constexpr int most = 500;
        std::vector<KeyFinding> out;
        const auto url = addresses().public_url;
        db_.each<Person>(
            people,
            "WHERE x.local ORDER BY x.id LIMIT " + std::to_string(most),
            {},
            [&](const Person& p) {
                const auto actor = url + "/users/" + p.username;
                out.push_back({actor, own_keys(actor, p).size() == keys_of_each});
            },
            [&](const std::string& row, const std::string&) { out.push_back({row, false}); }
        );
        const auto server = url + "/actor";
        db_.each<ServerKeys>(
            server_keys_table,
            "",
            {},
            [&](const ServerKeys& pair) {
                out.push_back({server, server_keys(server, pair).size() == keys_of_each});
            },
            [&](auto&, auto&) { out.push_back({server, false}); }
        );
        return out;
    }

    std::vector<std::string> some_files(std::size_t most) override {
        std::vector<std::string> out;
        db_.run(
            "SELECT m.media FROM media_attachment m JOIN user_account u ON u.id = m.owner_id "
            "WHERE m.media->>'type' = 'file' ORDER BY m.id DESC LIMIT " +
                std::to_string(most),
            {},
            [&](const db::Foreign::Row& row) {
                if (auto media = media_of(std::string(row[0].value_or(""))); !media.file.empty())
                    out.push_back(std::move(media.file));
            }
        );
        return out;
    }

    std::vector<Step> steps(const base::Site& site, const Files& files, const Choice& choice) override {
        const Reading reading{{{db_, site, files, choice}}};
        return steps_of<Reading>(
            reading,
            {
                {"numbers", {"post", "actor_profile"}, give_numbers},
                {"site", {"emoji"}, copy_site},
                {"accounts", {"actor_profile"}, copy_accounts},
                {"users", {"user_account"}, copy_users},
                {"invites", {"user_invite_code"}, copy_invites},
                {"apps", {"oauth_application"}, copy_apps},
                {"tokens", {"oauth_token"}, copy_tokens},
                {"posts", {"post"}, copy_statuses},
                {"quotes", {"post_link"}, copy_quotes},
                {"votes", {"poll_vote"}, copy_votes},
                {"favourites", {"post_reaction"}, copy_favourites},
                {"bookmarks", {"bookmark"}, copy_bookmarks},
                {"follows", {"relationship"}, copy_follows},
                {"follow requests", {"follow_request"}, copy_follow_requests},
                {"mutes", {}, copy_mutes},
                {"lists", {"custom_feed"}, copy_lists},
                {"list members", {"custom_feed_source"}, copy_list_members},
                {"notifications", {"notification"}, copy_notifications},
                {"markers", {"timeline_marker"}, copy_markers},
            }
        );
    }

    bool has_conversations() const override { return false; }
    std::int64_t rows(const std::string& name) override { return db_.count(name); }

    std::vector<std::pair<std::string, std::int64_t>> expected() override {
        const auto comes = [](const std::string& who) {
            return "EXISTS (SELECT 1 FROM actor_profile a WHERE a.id = " + who +
                   " AND (" MITRA_HERE " OR a.actor_json->>'id' LIKE 'http%'))";
        };
        return {
            {"accounts", db_.count("user_account")},
            {"users", db_.count("user_account")},
            {"posts", db_.count("post p JOIN user_account u ON u.id = p.author_id")},
            {"media",
             db_.count("media_attachment m JOIN post p ON p.id = m.post_id JOIN user_account u ON u.id = "
                       "p.author_id")},
            {"tokens", db_.count("oauth_token", "WHERE expires_at > now() AND application_id IS NOT NULL")},
            {"follows",
             db_.count(
                 "relationship r",
                 "WHERE r.relationship_type = 1 AND " + comes("r.source_id") + " AND " + comes("r.target_id")
             )},
            {"favourites",
             db_.count(
                 "(SELECT DISTINCT author_id, post_id FROM post_reaction WHERE content IS DISTINCT FROM "
                 "'\xf0\x9f\x91\x8e') l JOIN user_account u ON u.id = l.author_id"
             )},
            {"bookmarks", db_.count("bookmark")},
            {"lists", db_.count("custom_feed")},
        };
    }

    Samples samples(std::size_t most) override {
        const auto url = addresses().public_url;
        return {sample_people(db_, url, most), sample_posts(db_, url, most)};
    }

private:
    std::string last_migration() {
        std::string last = "unknown";
        if (db_.columns_of("refinery_schema_history").empty()) return last;
        db_.run(
            "SELECT lpad(CAST(max(version) AS text), 4, '0') FROM refinery_schema_history",
            {},
            [&](const db::Foreign::Row& row) { last = row[0].value_or("unknown"); }
        );
        return last;
    }

    db::Foreign& db_;
    const Settings settings_;
    bool loses_portable_ = false;
};

}  // namespace

bool is_one(db::Foreign& db) {
    if (!db.is_postgres()) return false;
    return std::ranges::all_of(
        std::initializer_list<const char*>{
            "actor_profile", "user_account", "post_reaction", "follow_request"
        },
        [&](const char* table) { return !db.columns_of(table).empty(); }
    );
}

std::unique_ptr<Source> open(db::Foreign& db, const Settings& old_settings) {
    return std::make_unique<Mitra>(db, old_settings);
}

void lose_portable(Source& source) {
    if (auto* mitra = dynamic_cast<Mitra*>(&source)) mitra->lose_portable();
}

}  // namespace takeover::mitra

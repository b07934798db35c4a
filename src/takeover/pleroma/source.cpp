// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "takeover/pleroma/reading.hpp"

#include <algorithm>

namespace takeover::pleroma {

namespace {

// By the last migration; what came between is looked at column by column.
struct Program {
    const char *name, *oldest, *newest, *versions;
};
constexpr Program pleroma{"Pleroma", "20240622175346", "20260924000000", "2.7 to 2.10"};
constexpr Program akkoma{"Akkoma", "20240625213637", "20260723000100", "3.14 to 3.18"};

// What one of the two has, or got later.
constexpr std::string_view may_lack[] = {"keys", "public_key", "indexable", "language", "hint"};

class Pleroma final : public Source {
public:
    Pleroma(db::Foreign& db, const Settings& settings)
        : db_(db),
          settings_(settings),
          program_(db.columns_of("user_frontend_setting_profiles").empty() ? pleroma : akkoma) {
        config_.load(db);
    }

    std::string program() const override { return program_.name; }
    std::string version() override { return "schema " + last_migration(); }

    void check_schema() override {
        expect_version(last_migration(), program_.oldest, program_.newest, program_.versions);
        expect<User>("users");
        expect<Login>("users");
        expect<App>("apps");
        if (!db_.columns_of("signing_keys").empty()) expect<SigningKey>("signing_keys");
        else if (std::ranges::count(db_.columns_of("users"), "keys") == 0)
            throw Unsuitable("The table users has no column keys");
        for (const auto& [name, columns] : joined) expect_columns(db_, name, columns);
        if (addresses().public_url.empty()) throw Unsuitable("There is nobody of this site in this database");
    }

    Addresses addresses() override {
        if (!addresses_.public_url.empty()) return addresses_;
        db_.run(
            "SELECT ap_id FROM users WHERE ap_id LIKE '%://%/users/' || nickname AND " +
                std::string(people_here) + " ORDER BY is_active DESC, inserted_at, id LIMIT 1",
            {},
            [&](const db::Foreign::Row& row) {
                const std::string actor(row[0].value_or(""));
                addresses_.public_url = actor.substr(0, actor.rfind("/users/"));
            }
        );
        const auto host = addresses_.public_url.find("://");
        if (host != std::string::npos) addresses_.domain = addresses_.public_url.substr(host + 3);
        const auto chosen = config_.of(":pleroma", "Pleroma.Web.WebFinger").text_of("domain");
        const auto told = settings_.find("account-domain");
        if (!chosen.empty()) addresses_.domain = chosen;
        else if (told != settings_.end() && !told->second.empty()) addresses_.domain = told->second;
        return addresses_;
    }

    std::vector<Loss> losses() override {
        return losses_of(db_, config_, !push_key(config_, settings_).point.empty());
    }

    std::vector<std::string> configuration() override {
        constexpr std::pair<const char*, const char*> texts[] = {
            {"name", "title"}, {"description", "description"}, {"email", "contact_email"}
        };
        const auto& site = config_.of(":pleroma", ":instance");
        std::vector<std::string> out;
        for (const auto& [theirs, own] : texts)
            if (const auto value = site.text_of(theirs); !value.empty())
                out.push_back(std::string(own) + " = " + base::json::to_string(value));
        if (site.find("registrations_open"))
            out.push_back(
                std::string("registrations = ") + (!site.is_true("registrations_open") ? "\"closed\""
                                                   : site.is_true("account_approval_required")
                                                       ? "\"approval\""
                                                       : "\"open\"")
            );
        if (is_limited()) out.emplace_back("limited_federation = true");
        if (config_.of(":pleroma", ":activitypub").is_true("authorized_fetch_mode"))
            out.emplace_back("authorized_fetch = true");
        return out;
    }

    bool is_limited() override {
        const auto* allowed = config_.of(":pleroma", ":mrf_simple").find("accept");
        return allowed && !allowed->items.empty();
    }

    std::vector<KeyFinding> keys() override {
        constexpr int most = 500;
        std::vector<KeyFinding> out;
        const auto newer = own_signing_keys(db_);
        db_.each<User>(
            table<User>(db_, "users"),
            "WHERE x.is_active AND x." + std::string("local ORDER BY x.id LIMIT ") + std::to_string(most),
            {},
            [&](const User& u) {
                const auto key = newer.find(u.id);
                out.push_back({u.ap_id, own_key(u, key == newer.end() ? nullptr : &key->second).has_value()});
            },
            [&](const std::string& row, const std::string&) { out.push_back({row, false}); }
        );
        return out;
    }

    std::vector<std::string> some_files(std::size_t most) override {
        std::vector<std::string> out;
        const auto uploads = upload_addresses();
        const base::Site site;
        const Files files({}, nullptr, {});
        const KeptRows nothing;
        const Reading reading{{db_, site, files, {}}, config_, nothing, uploads, {}};
        db_.run(
            "SELECT l->>'href' FROM (SELECT jsonb_path_query(o.data, '$.attachment[*].url[*]') AS l FROM "
            "objects o "
            "JOIN users u ON u.ap_id = o.data->>'actor' AND u.local ORDER BY o.id DESC LIMIT " +
                std::to_string(most) + ") y",
            {},
            [&](const db::Foreign::Row& row) {
                if (auto path = upload_path(reading, row[0].value_or(""))) out.push_back(*std::move(path));
            }
        );
        return out;
    }

    std::vector<Step> steps(const base::Site& site, const Files& files, const Choice& choice) override;

    std::int64_t rows(const std::string& name) override {
        if (name == "objects" && !kept_.objects.empty())
            return static_cast<std::int64_t>(kept_.objects.size());
        return db_.columns_of(name).empty() ? 0 : db_.count(name);
    }

    std::vector<std::pair<std::string, std::int64_t>> expected() override {
        const std::string here = people_here;
        const std::string own = "objects o JOIN users u ON u.ap_id = o.data->>'actor' AND u.local";
        const std::string posts = "WHERE o.data->>'type' IN " PLEROMA_POSTS;
        return {
            {"accounts", db_.count("users", "WHERE " + here)},
            {"users", db_.count("users", "WHERE (is_active OR COALESCE(password_hash, '') <> '') AND " + here)
            },
            {"posts",
             db_.count(own, posts) +
                 db_.count(
                     "activities a JOIN users u ON u.ap_id = a.actor AND u.local JOIN objects o ON "
                     "o.data->>'id' = " PLEROMA_ABOUT,
                     posts + " AND a.data->>'type' = 'Announce' AND u.ap_id NOT LIKE '%/relay'"
                 )},
            {"media",
             db_.count(
                 own + " CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN "
                       "jsonb_typeof(o.data->'attachment') = "
                       "'array' THEN o.data->'attachment' ELSE '[]' END) m",
                 posts
             ) + db_.count(waiting_uploads)},
            {"tokens",
             db_.count(
                 "oauth_tokens",
                 "WHERE (valid_until IS NULL OR valid_until > now() AT TIME ZONE 'utc') AND (user_id IS NULL "
                 "OR user_id "
                 "IN (SELECT id FROM users WHERE NOT password_reset_pending AND (is_active OR "
                 "COALESCE(password_hash, '') <> '')))"
             )},
            {"follows",
             db_.count(
                 "following_relationships r JOIN users f ON f.id = r.follower_id JOIN users t ON t.id = "
                 "r.following_id",
                 "WHERE r.state = 2 AND NOT (f.local AND NOT " + of("f") + ") AND NOT (t.local AND NOT " +
                     of("t") + ")"
             )},
            {"favourites",
             db_.count(
                 "(SELECT DISTINCT a.actor, o.id FROM activities a JOIN users u ON u.ap_id = a.actor AND "
                 "u.local "
                 "JOIN objects o ON o.data->>'id' = " PLEROMA_ABOUT
                 " WHERE a.data->>'type' IN ('Like', 'EmojiReact') AND o.data->>'type' IN " PLEROMA_POSTS
                 ") y"
             )},
            {"bookmarks",
             db_.count(
                 "bookmarks b JOIN activities a ON a.id = b.activity_id JOIN objects o ON o.data->>'id' "
                 "= " PLEROMA_ABOUT,
                 posts
             )},
            {"lists", db_.count("lists")},
            {"filters",
             db_.count(
                 "filters",
                 "WHERE phrase <> '' AND (expires_at IS NULL OR expires_at > now() AT TIME ZONE 'utc')"
             )},
        };
    }

    Samples samples(std::size_t most) override { return {sample_people(db_, most), sample_posts(db_, most)}; }

private:
    struct Joined {
        const char* name;
        std::vector<std::string_view> columns;
    };
    static const std::vector<Joined> joined;

    static std::string of(const std::string& alias) {
        return "(" + alias + ".ap_id NOT LIKE '%/relay' AND " + alias + ".ap_id NOT LIKE '%/internal/fetch')";
    }

    std::string last_migration() {
        std::string last;
        db_.run("SELECT max(version) FROM schema_migrations", {}, [&](const db::Foreign::Row& row) {
            last = row[0].value_or("");
        });
        return last;
    }

    // Its own address, and another one where it was told to use that.
    std::vector<std::string> upload_addresses() {
        std::vector<std::string> out{addresses().public_url + "/media/"};
        auto add = [&](std::string base) {
            std::erase_if(base, [](char c) { return c == '"' || c == ','; });
            if (!is_address(base)) return;
            out.push_back(base.ends_with('/') ? base : base + "/");
        };
        add(config_.of(":pleroma", "Pleroma.Upload").text_of("base_url"));
        if (const auto told = settings_.find("base_url"); told != settings_.end()) add(told->second);
        return out;
    }

    template <class T>
    void expect(const char* name) {
        expect_table<T>(db_, name, may_lack);
    }

    db::Foreign& db_;
    const Settings settings_;
    const Program& program_;
    Config config_;
    KeptRows kept_;
    Addresses addresses_;
};

// What statements read that join several tables.
const std::vector<Pleroma::Joined> Pleroma::joined{
    {"objects", {"id", "data", "inserted_at"}},
    {"activities", {"id", "data", "actor", "local", "recipients", "inserted_at", "updated_at"}},
    {"following_relationships", {"id", "follower_id", "following_id", "state", "inserted_at"}},
    {"user_relationships", {"id", "source_id", "target_id", "relationship_type", "inserted_at"}},
    {"users", {"pinned_objects", "follower_address"}},
    {"oauth_tokens", {"id", "token", "scopes", "valid_until", "user_id", "app_id", "inserted_at"}},
    {"push_subscriptions",
     {"id", "user_id", "token_id", "endpoint", "key_p256dh", "key_auth", "data", "inserted_at"}},
    {"bookmarks", {"id", "user_id", "activity_id", "inserted_at"}},
    {"lists", {"id", "user_id", "title", "following", "inserted_at"}},
    {"filters", {"id", "user_id", "phrase", "hide", "whole_word", "context", "expires_at", "inserted_at"}},
    {"markers", {"id", "user_id", "timeline", "last_read_id", "lock_version", "updated_at"}},
    {"notifications", {"id", "user_id", "activity_id", "type", "seen", "inserted_at"}},
    {"scheduled_activities", {"id", "user_id", "scheduled_at", "params", "inserted_at"}},
    {"thread_mutes", {"id", "user_id", "context"}},
    {"hashtags", {"id", "name"}},
};

std::vector<Step> Pleroma::steps(const base::Site& site, const Files& files, const Choice& choice) {
    kept_ = find_kept(db_, choice.everything);
    const Reading reading{
        {db_, site, files, choice}, config_, kept_, upload_addresses(), push_key(config_, settings_)
    };
    return steps_of<Reading>(
        reading,
        {
            {"numbers", {"objects", "users"}, give_numbers},
            {"ids", {"activities"}, name_statuses},
            {"site", {}, copy_site},
            {"accounts", {"users"}, copy_accounts},
            {"users", {"users"}, copy_users},
            {"apps", {"apps"}, copy_apps},
            {"tokens", {"oauth_tokens"}, copy_tokens},
            {"push subscriptions", {"push_subscriptions"}, copy_pushes},
            {"posts", {"objects"}, copy_statuses},
            {"boosts", {}, copy_boosts},
            {"quotes", {}, copy_quotes},
            {"votes", {}, copy_votes},
            {"favourites", {}, copy_favourites},
            {"bookmarks", {"bookmarks"}, copy_bookmarks},
            {"follows", {"following_relationships"}, copy_follows},
            {"blocks and mutes", {"user_relationships"}, copy_relations},
            {"notes", {"user_notes"}, copy_notes},
            {"muted threads", {"thread_mutes"}, copy_thread_mutes},
            {"followed hashtags", {"user_follows_hashtag"}, copy_followed_tags},
            {"lists", {"lists"}, copy_lists},
            {"list members", {}, copy_list_members},
            {"filters", {"filters"}, copy_filters},
            {"conversations", {"conversation_participations"}, copy_conversations},
            {"scheduled posts", {"scheduled_activities"}, copy_scheduled},
            {"notifications", {"notifications"}, copy_notifications},
            {"markers", {"markers"}, copy_markers},
            {"reports", {}, copy_reports},
        }
    );
}

}  // namespace

bool is_one(db::Foreign& db) {
    if (!db.is_postgres()) return false;
    for (const char* table : {"objects", "activities", "following_relationships", "user_relationships"})
        if (db.columns_of(table).empty()) return false;
    return std::ranges::count(db.columns_of("users"), "ap_id") > 0;
}

std::unique_ptr<Source> open(db::Foreign& db, const Settings& old_settings) {
    return std::make_unique<Pleroma>(db, old_settings);
}

}  // namespace takeover::pleroma

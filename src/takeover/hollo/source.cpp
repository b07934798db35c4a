// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/hollo/reading.hpp"

#include <algorithm>

namespace takeover::hollo {

namespace {

// By the last migration: of 0.9.9, and of 0.10.
constexpr std::string_view oldest = "20260613054517", newest = "20260822140652", versions = "0.9.9 to 0.10";

struct Joined {
    const char* name;
    std::vector<std::string_view> columns;
};
// What statements read, which give columns names of their own.
const std::vector<Joined> tables{
    {"accounts",
     {"id",
      "iri",
      "type",
      "name",
      "handle",
      "bio_html",
      "url",
      "protected",
      "avatar_url",
      "cover_url",
      "inbox_url",
      "followers_url",
      "updated",
      "published",
      "shared_inbox_url",
      "featured_url",
      "following_count",
      "followers_count",
      "posts_count",
      "field_htmls",
      "successor_id",
      "aliases"}},
    {"account_owners",
     {"id",
      "handle",
      "rsa_private_key_jwk",
      "rsa_public_key_jwk",
      "ed25519_private_key_jwk",
      "ed25519_public_key_jwk",
      "fields",
      "bio",
      "followed_tags",
      "visibility",
      "language",
      "discoverable",
      "expand_spoilers",
      "following_list_public"}},
    {"credentials", {"email", "password_hash", "created"}},
    {"totps", {"secret", "algorithm", "digits", "period", "created"}},
    {"passkeys", {"id", "public_key", "nickname", "counter", "created"}},
    {"applications",
     {"id", "name", "redirect_uris", "scopes", "website", "client_id", "client_secret", "created"}},
    {"access_tokens", {"code", "application_id", "account_owner_id", "scopes", "created"}},
    {"posts",
     {"id",
      "iri",
      "actor_id",
      "application_id",
      "reply_target_id",
      "sharing_id",
      "quote_target_id",
      "quote_state",
      "quote_authorization_iri",
      "quote_approval_policy",
      "visibility",
      "summary",
      "content_html",
      "content",
      "poll_id",
      "language",
      "tags",
      "sensitive",
      "url",
      "published",
      "updated"}},
    {"media",
     {"id",
      "post_id",
      "type",
      "url",
      "width",
      "height",
      "description",
      "thumbnail_url",
      "thumbnail_width",
      "thumbnail_height",
      "thumbnail_cleaned",
      "created"}},
    {"polls", {"id", "multiple", "voters_count", "expires"}},
    {"poll_options", {"poll_id", "index", "title", "votes_count"}},
    {"poll_votes", {"poll_id", "option_index", "account_id"}},
    {"mentions", {"post_id", "account_id"}},
    {"pinned_posts", {"post_id", "account_id", "created"}},
    {"likes", {"post_id", "account_id", "created"}},
    {"reactions", {"post_id", "account_id", "emoji", "created"}},
    {"bookmarks", {"post_id", "account_owner_id", "created"}},
    {"follows", {"iri", "following_id", "follower_id", "shares", "notify", "languages", "created", "approved"}
    },
    {"mutes", {"id", "account_id", "muted_account_id", "notifications", "duration", "created"}},
    {"blocks", {"account_id", "blocked_account_id", "created"}},
    {"lists", {"id", "account_owner_id", "title", "replies_policy", "exclusive", "created"}},
    {"list_members", {"list_id", "account_id", "created"}},
    {"markers", {"account_owner_id", "type", "last_read_id", "version", "updated"}},
    {"featured_tags", {"id", "account_owner_id", "name", "created"}},
    {"notifications", {"id", "account_owner_id", "type", "actor_account_id", "target_post_id", "created"}},
    {"custom_emojis", {"shortcode", "url", "category", "created"}},
    {"reports", {"id", "account_id", "target_account_id", "comment", "posts", "created"}},
};

class Hollo final : public Source {
public:
    Hollo(db::Foreign& db, const Settings& settings) : db_(db), settings_(settings) {}

    std::string program() const override { return "Hollo"; }
    std::string version() override { return "schema " + last_migration(); }

    void check_schema() override {
        expect_version(last_migration(), oldest, newest, versions);
        for (const auto& [name, columns] : tables) expect_columns(db_, name, columns);
        if (addresses().public_url.empty()) throw Unsuitable("There is nobody of this site in this database");
    }

    Addresses addresses() override {
        if (!addresses_.public_url.empty()) return addresses_;
        db_.run(
            "SELECT a.iri, a.handle FROM account_owners o JOIN accounts a ON a.id = o.id WHERE a.iri LIKE "
            "'%://%/@%' ORDER BY COALESCE(a.published, a.updated), a.id LIMIT 1",
            {},
            [&](const db::Foreign::Row& row) {
                const std::string iri(row[0].value_or(""));
                addresses_ = {handle_of(row[1].value_or("")).domain, iri.substr(0, iri.rfind("/@"))};
            }
        );
        return addresses_;
    }

    std::vector<Loss> losses() override { return losses_of(db_); }

    // Nobody signs up there.
    std::vector<std::string> configuration() override { return {"registrations = \"closed\""}; }

    std::vector<KeyFinding> keys() override {
        constexpr int most = 500;
        std::vector<KeyFinding> out;
        db_.each<Person>(
            people,
            "WHERE x.local ORDER BY x.id LIMIT " + std::to_string(most),
            {},
            [&](const Person& p) { out.push_back({p.iri, own_keys(p).size() == keys_of_each}); },
            [&](const std::string& row, const std::string&) { out.push_back({row, false}); }
        );
        return out;
    }

    std::vector<std::string> some_files(std::size_t most) override {
        std::vector<std::string> out;
        const auto storage = storage_addresses();
        db_.run(
            "SELECT m.url FROM media m JOIN posts p ON p.id = m.post_id JOIN account_owners o ON o.id = "
            "p.actor_id ORDER BY m.id DESC LIMIT " +
                std::to_string(most),
            {},
            [&](const db::Foreign::Row& row) {
                if (auto path = path_below(storage, row[0].value_or(""))) out.push_back(*std::move(path));
            }
        );
        return out;
    }

    std::vector<Step> steps(const base::Site& site, const Files& files, const Choice& choice) override {
        const Reading reading{{{db_, site, files, choice}}, storage_addresses()};
        return steps_of<Reading>(
            reading,
            {
                {"numbers", {"posts", "accounts"}, give_numbers},
                {"emojis", {"custom_emojis"}, copy_site},
                {"accounts", {"accounts"}, copy_accounts},
                {"users", {"account_owners"}, copy_users},
                {"passkeys", {"passkeys"}, copy_passkeys},
                {"apps", {"applications"}, copy_apps},
                {"tokens", {"access_tokens"}, copy_tokens},
                {"posts", {"posts"}, copy_statuses},
                {"quotes", {}, copy_quotes},
                {"votes", {"poll_votes"}, copy_votes},
                {"favourites", {"likes", "reactions"}, copy_favourites},
                {"bookmarks", {"bookmarks"}, copy_bookmarks},
                {"follows", {"follows"}, copy_follows},
                {"blocks", {"blocks"}, copy_blocks},
                {"mutes", {"mutes"}, copy_mutes},
                {"featured hashtags", {"featured_tags"}, copy_featured_tags},
                {"lists", {"lists"}, copy_lists},
                {"list members", {"list_members"}, copy_list_members},
                {"notifications", {"notifications"}, copy_notifications},
                {"markers", {"markers"}, copy_markers},
                {"reports", {"reports"}, copy_reports},
            }
        );
    }

    bool has_conversations() const override { return false; }
    std::int64_t rows(const std::string& name) override { return db_.count(name); }

    std::vector<std::pair<std::string, std::int64_t>> expected() override {
        constexpr const char* own = "posts p JOIN account_owners o ON o.id = p.actor_id";
        return {
            {"accounts", db_.count("account_owners")},
            {"users", db_.count("account_owners")},
            {"posts", db_.count(own)},
            {"media",
             db_.count("media m JOIN posts p ON p.id = m.post_id JOIN account_owners o ON o.id = p.actor_id")
            },
            {"tokens", db_.count("access_tokens")},
            {"follows", db_.count("follows", "WHERE approved IS NOT NULL")},
            {"favourites",
             db_.count(
                 "(SELECT account_id, post_id FROM likes UNION SELECT account_id, post_id FROM reactions) l "
                 "JOIN account_owners o ON o.id = l.account_id"
             )},
            {"bookmarks", db_.count("bookmarks")},
            {"lists", db_.count("lists")},
        };
    }

    Samples samples(std::size_t most) override { return {sample_people(db_, most), sample_posts(db_, most)}; }

private:
    // As its folder is called, which begins with its date.
    std::string last_migration() {
        std::string last;
        bool known = false;
        db_.run("SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL", {}, [&](const auto& row) {
            known = row[0] == "t";
        });
        if (!known) return "unknown";
        db_.run(
            "SELECT to_char(to_timestamp(max(created_at) / 1000) AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS') "
            "FROM drizzle.__drizzle_migrations",
            {},
            [&](const auto& row) { last = row[0].value_or("unknown"); }
        );
        return last;
    }

    // Where it serves them itself, and the address of a bucket.
    std::vector<std::string> storage_addresses() {
        std::vector<std::string> out{addresses().public_url + "/" + files_folder};
        for (const auto* name : {"STORAGE_URL_BASE", "ASSET_URL_BASE", "S3_URL_BASE"}) {
            const auto told = settings_.find(name);
            if (told == settings_.end() || !is_address(told->second)) continue;
            const auto& base = told->second;
            out.push_back(base.substr(0, base.find('/', base.find("://") + 3)) + "/" + files_folder);
            out.push_back(base.ends_with('/') ? base : base + "/");
        }
        return out;
    }

    db::Foreign& db_;
    const Settings settings_;
    Addresses addresses_;
};

}  // namespace

bool is_one(db::Foreign& db) {
    if (!db.is_postgres()) return false;
    for (const char* table : {"account_owners", "access_grants", "posts", "reactions"})
        if (db.columns_of(table).empty()) return false;
    return std::ranges::count(db.columns_of("account_owners"), "rsa_private_key_jwk") > 0;
}

std::unique_ptr<Source> open(db::Foreign& db, const Settings& old_settings) {
    return std::make_unique<Hollo>(db, old_settings);
}

}  // namespace takeover::hollo

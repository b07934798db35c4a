// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/uris.hpp"
#include "takeover/mastodon/reading.hpp"

#include <algorithm>

namespace takeover::mastodon {

namespace {

// Of 4.3 and of 4.7, by the last migration. What came between them is looked at column by column.
constexpr std::string_view oldest = "20241014010506", newest = "20260805130216";

// What Mastodon got after 4.3, or only forks have; and what is joined from other tables.
constexpr std::string_view may_lack[] = {
    "id_scheme",
    "avatar_description",
    "header_description",
    "show_media",
    "show_media_replies",
    "show_featured",
    "age_verified_at",
    "quote_approval_policy",
    "local_only",
    "content_type",
    "require_2fa",
    "collection_limit",
    "for_bots",
    "thumbnail_remote_url",
    "legacy",
    "standard",
    "attribution_domains",
    "thumbnail_file_name",
    "hint",
};

// One that signs a sample with the other half: those of the first some hundred people.
constexpr std::int64_t most_keys = 500;

class Mastodon final : public Source {
public:
    Mastodon(db::Foreign& db, const Settings& settings) : db_(db), settings_(settings), secrets_(settings) {}

    std::string program() const override { return "Mastodon"; }

    std::string version() override {
        const auto last = last_migration();
        if (last == oldest) return "4.3";
        return last == newest ? "4.7" : "schema " + last;
    }

    void check_schema() override {
        expect_version(last_migration(), oldest, newest, "4.3 to 4.7");
        expect<Account>("accounts");
        expect<AccountStats>("account_stats");
        expect<Alias>("account_aliases");
        expect<User>("users");
        expect<Passkey>("webauthn_credentials");
        expect<Application>("oauth_applications");
        expect<Token>("oauth_access_tokens");
        expect<PushSubscription>("web_push_subscriptions");
        expect<Status>("statuses");
        expect<StatusTag>("statuses_tags");
        expect<Pin>("status_pins");
        expect<Edit>("status_edits");
        expect<Attachment>("media_attachments");
        expect<Poll>("polls");
        expect<Tag>("tags");
        expect<Fave>("favourites");
        expect<Fave>("bookmarks");
        expect<Follow>("follows");
        expect<Follow>("follow_requests");
        expect<Block>("blocks");
        expect<Mute>("mutes");
        expect<DomainMute>("account_domain_blocks");
        expect<Note>("account_notes");
        expect<Pair>("account_pins");
        expect<ThreadMute>("conversation_mutes");
        expect<List>("lists");
        expect<Filter>("custom_filters");
        expect<ConversationView>("account_conversations");
        expect<Scheduled>("scheduled_statuses");
        expect<Role>("user_roles");
        expect<DomainBlock>("domain_blocks");
        expect<Rule>("rules");
        expect<Setting>("settings");
        expect<Tombstone>("tombstones");
        for (const auto& [name, columns] : joined) expect_columns(db_, name, columns);
    }

    Addresses addresses() override {
        Addresses out;
        out.domain = set("LOCAL_DOMAIN");
        if (out.domain.empty()) out.domain = one("SELECT username FROM accounts WHERE id = -99");
        const auto host = set("WEB_DOMAIN").empty() ? set("LOCAL_DOMAIN") : set("WEB_DOMAIN");
        if (!host.empty()) out.public_url = (set("LOCAL_HTTPS") == "false" ? "http://" : "https://") + host;
        else out.public_url = address_in_posts().value_or("https://" + out.domain);
        return out;
    }

    std::vector<Loss> losses() override { return losses_of(db_, settings_); }

    std::vector<std::string> configuration() override {
        constexpr std::pair<const char*, const char*> texts[] = {
            {"site_title", "title"},
            {"site_short_description", "description"},
            {"site_contact_email", "contact_email"},
            {"site_contact_username", "contact_account"},
        };
        const auto there = site_settings(db_);
        std::vector<std::string> out;
        auto add = [&](const char* name, const std::string& value) {
            if (!value.empty()) out.push_back(std::string(name) + " = " + base::json::to_string(value));
        };
        for (const auto& [name, own] : texts)
            if (const auto at = there.find(name); at != there.end()) add(own, at->second);
        if (const auto mode = there.find("registrations_mode"); mode != there.end())
            add("registrations",
                mode->second == "open"       ? "open"
                : mode->second == "approved" ? "approval"
                                             : "closed");
        for (const char* line : closed_by(there)) out.emplace_back(line);
        return out;
    }

    // By its older name where the other one is not there.
    bool is_limited() override {
        constexpr const char *name = "LIMITED_FEDERATION_MODE", *older = "WHITELIST_MODE";
        return is_true(settings_.contains(name) ? name : older);
    }

    std::vector<KeyFinding> keys() override {
        std::vector<KeyFinding> out;
        auto pairs = keypairs(
            db_,
            "WHERE x.account_id IN (SELECT id FROM accounts WHERE domain IS NULL) ORDER BY x.account_id "
            "LIMIT " +
                std::to_string(2 * most_keys),
            {}
        );
        const Alone alone(*this);
        const auto& reading = alone.reading;
        db_.each<Account>(
            table<Account>(db_, "accounts"),
            "WHERE x.domain IS NULL AND x.suspended_at IS NULL ORDER BY x.id LIMIT " +
                std::to_string(most_keys),
            {},
            [&](const Account& a) {
                const auto actor = actor_of(reading, a);
                const auto own = own_keys(secrets_, actor, a, pairs[a.id]);
                out.push_back({actor, !own.broken && !own.keys.empty()});
            },
            [&](const std::string& row, const std::string&) { out.push_back({row, false}); }
        );
        return out;
    }

    void check_secrets() override {
        std::vector<std::string> sealed;
        auto look = [&](const char* name, const std::string& sql) {
            if (!db_.columns_of(name).empty()) sealed.push_back(one(sql));
        };
        look(
            "users",
            "SELECT otp_secret FROM users WHERE otp_required_for_login AND otp_secret LIKE '{%' LIMIT 1"
        );
        look(
            "keypairs",
            "SELECT k.private_key FROM keypairs k JOIN accounts a ON a.id = k.account_id WHERE a.domain IS "
            "NULL AND "
            "NOT k.revoked AND k.private_key LIKE '{%' LIMIT 1"
        );
        for (const auto& text : sealed) {
            if (text.empty()) continue;
            if (!secrets_.has_keys())
                throw Unsuitable(
                    "Keys and second factors are encrypted here. Name the configuration of that server with "
                    "--old-config (.env.production): ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY and "
                    "ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT in it open them"
                );
            if (!secrets_.open(text))
                throw Unsuitable(
                    "The keys ACTIVE_RECORD_ENCRYPTION_… of the configuration do not open what is encrypted "
                    "in this "
                    "database: they are those of another one"
                );
        }
    }

    std::vector<std::string> some_files(std::size_t most) override {
        std::vector<std::string> out;
        const Files no_files({}, nullptr, {});
        db_.each<Attachment>(
            table<Attachment>(db_, "media_attachments"),
            "WHERE x.remote_url = '' AND x.file_file_name <> '' ORDER BY x.id DESC LIMIT " +
                std::to_string(most),
            {},
            [&](const Attachment& a) {
                out.push_back(path_of(no_files, "media_attachments/files", a.id, "original", a.file_file_name)
                );
            },
            [](auto&, auto&) {}
        );
        return out;
    }

    std::vector<Step> steps(const base::Site& site, const Files& files, const Choice& choice) override;

    std::int64_t rows(const std::string& name) override {
        if (name == "statuses" && !kept_.statuses.empty())
            return static_cast<std::int64_t>(kept_.statuses.size());
        if (name == "accounts" && !kept_.accounts.empty())
            return static_cast<std::int64_t>(kept_.accounts.size());
        return db_.columns_of(name).empty() ? 0 : db_.count(name);
    }

    std::vector<std::pair<std::string, std::int64_t>> expected() override {
        constexpr const char* here = "account_id IN (SELECT id FROM accounts WHERE domain IS NULL)";
        const auto of_people = std::string("WHERE ") + here;
        return {
            {"accounts", db_.count("accounts", "WHERE domain IS NULL AND id > 0")},
            {"users", db_.count("users")},
            {"posts", db_.count("statuses", "WHERE (local OR uri IS NULL) AND deleted_at IS NULL")},
            {"media",
             db_.count(
                 "media_attachments",
                 of_people +
                     " AND (status_id IS NULL OR EXISTS (SELECT 1 FROM statuses s WHERE s.id = status_id AND "
                     "s.deleted_at IS NULL))"
             )},
            {"tokens",
             db_.count(
                 "oauth_access_tokens t JOIN oauth_applications a ON a.id = t.application_id",
                 "WHERE NOT a.superapp AND t.revoked_at IS NULL AND t.expires_in IS NULL"
             )},
            {"follows", db_.count("follows")},
            {"favourites", db_.count("favourites", of_people)},
            {"bookmarks", db_.count("bookmarks")},
            {"lists", db_.count("lists")},
            {"filters", db_.count("custom_filters")},
        };
    }

    Samples samples(std::size_t most) override {
        const Alone alone(*this);
        return {sample_people(alone.reading, most), sample_posts(alone.reading, most)};
    }

private:
    // What is read without being copied.
    struct Alone {
        explicit Alone(Mastodon& of)
            : site(of.site_of()), reading{{of.db_, site, files, {}}, nobody, of.secrets_, of.settings_} {}
        const base::Site site;
        const Files files{{}, nullptr, {}};
        const Kept nobody;
        const Reading reading;
    };

    struct Joined {
        const char* name;
        std::vector<std::string_view> columns;
    };
    static const std::vector<Joined> joined;

    std::string set(const char* name) const {
        const auto at = settings_.find(name);
        return at == settings_.end() ? "" : at->second;
    }
    bool is_true(const char* name) const { return set(name) == "true"; }
    // The environment decides where it says anything; a server that talks to few shows nothing to strangers, either.
    std::vector<const char*> closed_by(const Settings& there) {
        const bool limited = is_limited();
        const auto chosen = there.find("authorized_fetch");
        const bool fetch = set("AUTHORIZED_FETCH").empty() ? chosen != there.end() && chosen->second == "true"
                                                           : is_true("AUTHORIZED_FETCH");
        std::vector<const char*> out;
        if (limited) out.push_back("limited_federation = true");
        if (limited || fetch) out.push_back("authorized_fetch = true");
        if (limited || is_true("DISALLOW_UNAUTHENTICATED_API_ACCESS")) out.push_back("restricted = true");
        return out;
    }
    std::string one(const std::string& sql) {
        std::string out;
        db_.run(sql, {}, [&](const db::Foreign::Row& row) { out = row[0].value_or(""); });
        return out;
    }
    std::string last_migration() {
        return one("SELECT version FROM schema_migrations ORDER BY version DESC LIMIT 1");
    }

    std::optional<std::string> address_in_posts() {
        const auto uri =
            one("SELECT uri FROM statuses WHERE local AND uri LIKE 'http%/users/%' ORDER BY id DESC LIMIT 1");
        for (const auto* before : {"/ap/users/", "/users/"})
            if (const auto at = uri.find(before); at != uri.npos) return uri.substr(0, at);
        return std::nullopt;
    }
    base::Site site_of() {
        const auto address = addresses();
        base::Site site;
        site.domain = address.domain;
        site.public_url = address.public_url;
        return site;
    }

    template <class T>
    void expect(const char* name) {
        expect_table<T>(db_, name, may_lack);
    }

    db::Foreign& db_;
    const Settings settings_;
    const Secrets secrets_;
    Kept kept_;
};

const std::vector<Mastodon::Joined> Mastodon::joined = {
    {"mentions", {"id", "status_id", "account_id", "silent"}},
    {"conversations", {"id", "uri"}},
    {"poll_votes", {"id", "account_id", "poll_id", "choice"}},
    {"custom_emojis",
     {"id",
      "shortcode",
      "domain",
      "image_file_name",
      "image_remote_url",
      "disabled",
      "visible_in_picker",
      "category_id",
      "created_at"}},
    {"custom_emoji_categories", {"id", "name"}},
    {"tag_follows", {"id", "account_id", "tag_id"}},
    {"featured_tags", {"id", "account_id", "tag_id"}},
    {"list_accounts", {"id", "list_id", "account_id"}},
    {"custom_filter_keywords", {"id", "custom_filter_id", "keyword", "whole_word"}},
    {"custom_filter_statuses", {"id", "custom_filter_id", "status_id"}},
    {"notifications",
     {"id",
      "account_id",
      "from_account_id",
      "type",
      "activity_type",
      "activity_id",
      "filtered",
      "group_key",
      "created_at"}},
    {"markers", {"id", "user_id", "timeline", "last_read_id", "lock_version", "updated_at"}},
};

std::vector<Step> Mastodon::steps(const base::Site& site, const Files& files, const Choice& choice) {
    kept_ = find_kept(db_, choice.everything);
    const Reading reading{{db_, site, files, choice}, kept_, secrets_, settings_};
    return steps_of<Reading>(
        reading,
        {
            {"site", {}, copy_site},
            {"accounts", {"accounts"}, copy_accounts},
            {"apps", {"oauth_applications"}, copy_apps},
            {"users", {"users"}, copy_users},
            {"passkeys", {"webauthn_credentials"}, copy_passkeys},
            {"web settings", {"web_settings"}, copy_web_settings},
            {"invites", {"invites"}, copy_invites},
            {"tokens", {"oauth_access_tokens"}, copy_tokens},
            {"push subscriptions", {"web_push_subscriptions"}, copy_pushes},
            {"hashtags", {"tags"}, copy_tags},
            {"emojis", {"custom_emojis"}, copy_emojis},
            {"media", {}, copy_media},
            {"posts", {"statuses"}, copy_statuses},
            {"quotes", {"quotes"}, copy_quotes},
            {"votes", {"poll_votes"}, copy_votes},
            {"favourites", {"favourites"}, copy_favourites},
            {"bookmarks", {"bookmarks"}, copy_bookmarks},
            {"follows", {"follows"}, copy_follows},
            {"follow requests", {"follow_requests"}, copy_follow_requests},
            {"blocks", {"blocks"}, copy_blocks},
            {"mutes", {"mutes"}, copy_mutes},
            {"blocked domains", {"account_domain_blocks"}, copy_domain_mutes},
            {"notes", {"account_notes"}, copy_notes},
            {"muted threads", {"conversation_mutes"}, copy_thread_mutes},
            {"followed hashtags", {"tag_follows"}, copy_followed_tags},
            {"featured hashtags", {"featured_tags"}, copy_featured_tags},
            {"featured people", {"account_pins"}, copy_endorsements},
            {"dismissed suggestions", {"follow_recommendation_mutes"}, copy_suggestion_mutes},
            {"lists", {"lists"}, copy_lists},
            {"list members", {"list_accounts"}, copy_list_members},
            {"filters", {"custom_filters"}, copy_filters},
            {"filter keywords", {"custom_filter_keywords"}, copy_filter_keywords},
            {"filtered posts", {"custom_filter_statuses"}, copy_filter_statuses},
            {"conversations", {"account_conversations"}, copy_conversations},
            {"scheduled posts", {"scheduled_statuses"}, copy_scheduled},
            {"reports", {"reports"}, copy_reports},
            {"strikes", {}, copy_strikes},
            {"announcements", {}, copy_announcements},
            {"notifications", {}, copy_notifications},
            {"notification rules", {}, copy_notification_rules},
            {"markers", {"markers"}, copy_markers},
            {"tombstones", {"tombstones"}, copy_tombstones},
        }
    );
}

}  // namespace

bool is_one(db::Foreign& db) {
    return db.is_postgres() && !db.columns_of("ar_internal_metadata").empty() &&
           !db.columns_of("account_domain_blocks").empty() && !db.columns_of("oauth_access_tokens").empty();
}

std::unique_ptr<Source> open(db::Foreign& db, const Settings& old_settings) {
    return std::make_unique<Mastodon>(db, old_settings);
}

}  // namespace takeover::mastodon

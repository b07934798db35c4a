// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "takeover/gotosocial/reading.hpp"

#include <algorithm>

namespace takeover::gotosocial {

namespace {

constexpr std::string_view known_migration = "20250715095446", known_version = "0.20";

// Where a row is counted that does not come along; tables of other versions may lack.
struct Left {
    const char *what, *table, *where;
};
constexpr Left left[] = {
    {"posts that wait for the approval of who is answered", "statuses", "WHERE pending_approval"},
    {"posts for mutuals only, which followers see from now on", "statuses", "WHERE local AND visibility = 5"},
    {"posts with rules of their own about who may answer, like or boost",
     "statuses",
     "WHERE local AND interaction_policy IS NOT NULL"},
    {"requests to answer, like or boost", "interaction_requests", ""},
    {"filters of HTTP headers", "header_filter_blocks", ""},
    {"exceptions from filters of HTTP headers", "header_filter_allows", ""},
    {"drafts of domain permissions", "domain_permission_drafts", ""},
    {"domains excluded from lists", "domain_permission_excludes", ""},
    {"subscriptions to lists of domains", "domain_permission_subscriptions", ""},
    {"styles that people wrote for their pages", "account_settings", "WHERE COALESCE(custom_css, '') <> ''"},
    {"themes that people chose for their pages", "account_settings", "WHERE COALESCE(theme, '') <> ''"},
    {"styles of the pages of the site", "instances", "WHERE COALESCE(custom_css, '') <> ''"},
    {"people who write in Markdown unless they choose otherwise, and choose it with each post from now on",
     "account_settings",
     "WHERE status_content_type = 'text/markdown'"},
    {"people with rules of their own about who may answer, like or boost what they post",
     "account_settings",
     "WHERE interaction_policy_direct IS NOT NULL OR interaction_policy_mutuals_only IS NOT NULL OR "
     "interaction_policy_followers_only IS NOT NULL OR interaction_policy_unlocked IS NOT NULL OR "
     "interaction_policy_public IS NOT NULL"},
    {"notes about who is gone elsewhere, which is found out again", "tombstones", ""},
    {"deliveries and other work that waited", "worker_tasks", ""},
    {"rejected posts", "sin_bin_statuses", ""},
    {"sign-ups that were denied", "denied_users", ""},
    {"web sessions (one sign-in more in the browser)", "router_sessions", ""},
    {"copies of media of other servers, which are fetched again",
     "media_attachments",
     "WHERE cached AND COALESCE(remote_url, '') <> ''"},
};

class GoToSocial final : public Source {
public:
    GoToSocial(db::Foreign& db, const takeover::Settings& settings) : db_(db), settings_(settings) {
        find_instance();
    }

    std::string program() const override { return "GoToSocial"; }

    std::string version() override {
        const auto last = last_migration();
        return last == known_migration ? std::string(known_version) : "migration " + last;
    }

    void check_schema() override {
        expect_version(last_migration(), known_migration, known_migration, known_version);
        expect<Account>("accounts");
        expect<AccountSettings>("account_settings");
        expect<AccountStats>("account_stats");
        expect<User>("users");
        expect<Application>("applications");
        expect<Token>("tokens");
        expect<PushSubscription>("web_push_subscriptions");
        expect<Vapid>("vapid_key_pairs");
        expect<Status>("statuses");
        expect<Mention>("mentions");
        expect<StatusTag>("status_to_tags");
        expect<Tag>("tags");
        expect<Edit>("status_edits");
        expect<Poll>("polls");
        expect<PollVote>("poll_votes");
        expect<Attachment>("media_attachments");
        expect<Emoji>("emojis");
        expect<EmojiCategory>("emoji_categories");
        expect<Fave>("status_faves");
        expect<Bookmark>("status_bookmarks");
        expect<Follow>("follows");
        expect<Follow>("follow_requests");
        expect<Block>("blocks");
        expect<Mute>("user_mutes");
        expect<Note>("account_notes");
        expect<ThreadMute>("thread_mutes");
        expect<FollowedTag>("followed_tags");
        expect<List>("lists");
        expect<ListEntry>("list_entries");
        expect<Filter>("filters");
        expect<FilterKeyword>("filter_keywords");
        expect<FilterStatus>("filter_statuses");
        expect<Notification>("notifications");
        expect<Marker>("markers");
        expect<Conversation>("conversations");
        expect<ConversationStatus>("conversation_to_statuses");
        expect<Scheduled>("scheduled_statuses");
        expect<DomainBlock>("domain_blocks");
        expect<Domain>("domain_allows");
        expect<Domain>("email_domain_blocks");
        expect<Rule>("rules");
        expect<Report>("reports");
        expect_columns(
            db_,
            "instances",
            {"id",
             "updated_at",
             "domain",
             "title",
             "short_description_text",
             "description_text",
             "terms_text",
             "contact_email",
             "contact_account_id"}
        );
        if (instance_.empty()) throw Unsuitable("The account of the server itself is not in this database");
    }

    Addresses addresses() override {
        auto out = addresses_;
        if (auto domain = set("account-domain"); !domain.empty()) out.domain = std::move(domain);
        return out;
    }

    std::vector<Loss> losses() override {
        std::vector<Loss> out;
        for (const auto& one : left) {
            if (db_.columns_of(one.table).empty()) continue;
            if (const auto rows = db_.count(one.table, one.where); rows > 0) out.push_back({one.what, rows});
        }
        if (settings_.empty())
            out.push_back(
                {"who may sign up, and whether it talks to allowed servers alone: only --old-config says "
                 "that",
                 0}
            );
        return out;
    }

    std::vector<std::string> configuration() override {
        std::vector<std::string> out;
        auto add = [&](const char* name, const std::string& value) {
            if (!value.empty()) out.push_back(std::string(name) + " = " + base::json::to_string(value));
        };
        if (const auto own = own_instance(db_, instance_, [](auto&, auto&) {})) {
            add("title", own->title);
            add("description", own->short_description_text);
            add("contact_email", own->contact_email);
            add("contact_account", own->contact_account);
        }
        // Who signs up there waits for the team; without a word nobody may.
        if (!settings_.empty())
            add("registrations", set("accounts-registration-open") == "true" ? "approval" : "closed");
        if (is_limited()) out.emplace_back("limited_federation = true");
        // It shows nothing to servers that do not sign what they ask.
        out.emplace_back("authorized_fetch = true");
        return out;
    }

    bool is_limited() override { return set("instance-federation-mode") == "allowlist"; }

    std::vector<KeyFinding> keys() override {
        std::vector<KeyFinding> out;
        db_.each<Account>(
            "accounts",
            "WHERE domain IS NULL AND suspended_at IS NULL ORDER BY id LIMIT 500",
            {},
            [&](const Account& a) { out.push_back({a.uri, own_key(a).has_value()}); },
            [&](const std::string& row, const std::string&) { out.push_back({row, false}); }
        );
        return out;
    }

    std::vector<std::string> some_files(std::size_t most) override {
        std::vector<std::string> out;
        db_.run(
            "SELECT file_path FROM media_attachments WHERE COALESCE(remote_url, '') = '' ORDER BY id DESC "
            "LIMIT " +
                std::to_string(most),
            {},
            [&](const db::Foreign::Row& row) { out.emplace_back(row[0].value_or("")); }
        );
        return out;
    }

    std::vector<Step> steps(const base::Site& site, const Files& files, const Choice& choice) override;

    std::int64_t rows(const std::string& table) override { return db_.count(table); }

    std::vector<std::pair<std::string, std::int64_t>> expected() override {
        constexpr const char* here = "IN (SELECT id FROM accounts WHERE domain IS NULL)";
        const auto of_people = std::string("WHERE account_id ") + here;
        return {
            {"accounts", db_.count("accounts", "WHERE domain IS NULL") - 1},
            {"users", db_.count("users")},
            {"posts", db_.count("statuses", "WHERE local AND NOT pending_approval")},
            {"media", db_.count("media_attachments", of_people + " AND NOT avatar AND NOT header")},
            {"tokens", db_.count("tokens", "WHERE access <> '' AND client_id <> '" + instance_ + "'")},
            {"follows", db_.count("follows")},
            {"favourites", db_.count("status_faves", of_people + " AND NOT pending_approval")},
            {"bookmarks", db_.count("status_bookmarks")},
            {"lists", db_.count("lists")},
            {"filters", db_.count("filters")},
        };
    }

    Samples samples(std::size_t most) override {
        return {sample_people(db_, instance_, most), sample_posts(db_, most)};
    }

private:
    // As the configuration has it, or an environment (GTS_ACCOUNT_DOMAIN), which comes before it.
    std::string set(const std::string& name) const {
        auto variable = "GTS_" + name;
        for (char& c : variable)
            c = c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        for (const auto& one : {variable, name})
            if (const auto at = settings_.find(one); at != settings_.end() && !at->second.empty())
                return at->second;
        return {};
    }
    std::string last_migration() {
        std::string last;
        db_.run(
            "SELECT name FROM bun_migrations ORDER BY name DESC LIMIT 1",
            {},
            [&](const db::Foreign::Row& row) { last = db::Foreign::shown(row[0]); }
        );
        return last;
    }

    // It is called as its host.
    void find_instance() {
        db_.run(
            R"(SELECT a.id, a.username, a.uri FROM accounts a JOIN instances i ON i.domain = a.username
               WHERE a.domain IS NULL)",
            {},
            [&](const db::Foreign::Row& row) {
                const std::string uri(row[2].value_or("")), users = "/users/";
                const auto at = uri.find(users);
                if (at == uri.npos || !time_of_ulid(row[0].value_or(""))) return;
                instance_ = row[0].value_or("");
                addresses_ = {std::string(row[1].value_or("")), uri.substr(0, at)};
            }
        );
    }

    template <class T>
    void expect(const char* name) {
        expect_table<T>(db_, name);
    }

    db::Foreign& db_;
    const takeover::Settings settings_;
    std::string instance_;
    Addresses addresses_;
};

std::vector<Step> GoToSocial::steps(const base::Site& site, const Files& files, const Choice& choice) {
    const Reading reading{{db_, site, files, choice}, instance_};
    return steps_of<Reading>(
        reading,
        {
            {"numbers", {"statuses", "accounts"}, give_numbers},
            {"site", {}, copy_site},
            {"accounts", {"accounts"}, copy_accounts},
            {"apps", {"applications"}, copy_apps},
            {"users", {"users"}, copy_users},
            {"tokens", {"tokens"}, copy_tokens},
            {"push subscriptions", {"web_push_subscriptions"}, copy_pushes},
            {"hashtags", {"tags"}, copy_tags},
            {"emojis", {"emojis"}, copy_emojis},
            {"media", {"media_attachments"}, copy_media},
            {"posts", {"statuses"}, copy_statuses},
            {"edits", {"status_edits"}, copy_edits},
            {"polls", {"polls"}, copy_polls},
            {"votes", {"poll_votes"}, copy_votes},
            {"favourites", {"status_faves"}, copy_favourites},
            {"bookmarks", {"status_bookmarks"}, copy_bookmarks},
            {"follows", {"follows"}, copy_follows},
            {"follow requests", {"follow_requests"}, copy_follow_requests},
            {"blocks", {"blocks"}, copy_blocks},
            {"mutes", {"user_mutes"}, copy_mutes},
            {"notes", {"account_notes"}, copy_notes},
            {"muted threads", {"thread_mutes"}, copy_thread_mutes},
            {"followed hashtags", {"followed_tags"}, copy_followed_tags},
            {"lists", {"lists"}, copy_lists},
            {"list members", {"list_entries"}, copy_list_entries},
            {"filters", {"filters"}, copy_filters},
            {"filter keywords", {"filter_keywords"}, copy_filter_keywords},
            {"filtered posts", {"filter_statuses"}, copy_filter_statuses},
            {"conversations", {"conversations"}, copy_conversations},
            {"scheduled posts", {"scheduled_statuses"}, copy_scheduled},
            {"notifications", {"notifications"}, copy_notifications},
            {"markers", {"markers"}, copy_markers},
            {"reports", {"reports"}, copy_reports},
        }
    );
}

}  // namespace

bool is_one(db::Foreign& db) {
    return !db.columns_of("bun_migrations").empty() &&
           db.missing_column<Vapid>("vapid_key_pairs") == std::nullopt;
}

std::unique_ptr<Source> open(db::Foreign& db, const takeover::Settings& old_settings) {
    return std::make_unique<GoToSocial>(db, old_settings);
}

}  // namespace takeover::gotosocial

// SPDX-License-Identifier: AGPL-3.0-or-later
// What of an account goes with it: each column of the schema that names accounts or logins stands in the table of
// server/private_rows.cpp or in one of the two lists here, which say why it need not.
#include "server/tables.hpp"
#include "social/accounts/account.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <deque>
#include <map>
#include <set>

struct TestColumn {
    std::string table_name, column_name, type;
    bool optional = false;
};
DESCRIBE(TestColumn, table_name, column_name, type, optional)

const db::Query<TestColumn> test_columns{
    "test_columns",
    R"(SELECT m.name AS table_name, p.name AS column_name, p.type AS type,
              p.pk = 0 AND (p."notnull" = 0 OR p.dflt_value IS NOT NULL) AS optional
       FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' ORDER BY m.name, p.cid)",
    R"(SELECT CAST(table_name AS TEXT) AS table_name, CAST(column_name AS TEXT) AS column_name,
              CAST(data_type AS TEXT) AS type, is_nullable = 'YES' OR column_default IS NOT NULL AS optional
       FROM information_schema.columns WHERE table_schema = current_schema()
       ORDER BY table_name, ordinal_position)"
};
const db::Query<std::int64_t> test_user_of{"test_user_of", "SELECT id FROM users WHERE account_id = $1"};
const db::Query<std::int64_t> test_token_of{
    "test_token_of", "SELECT id FROM tokens WHERE user_id = $1 ORDER BY id LIMIT 1"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

// Gone in another way than by server/private_rows.cpp; each with what takes it.
const std::map<std::string, std::string> going_otherwise{
    {"account_texts.account_id", "the search index, when the account ends"},
    {"aliases.account_id", "the end of the account itself"},
    {"archives.account_id", "at once, with their files"},
    {"authenticators.user_id", "the end of the login"},
    {"authorization_codes.user_id", "the end of the login"},
    {"blocks.account_id", "one by one, as other rows depend on each"},
    {"blocks.target_id", "one by one, as other rows depend on each"},
    {"crypto_devices.account_id", "the end of the tokens they belong to"},
    {"favourites.account_id", "one by one, as each is counted"},
    {"follow_requests.account_id", "one by one, as other servers hear of each"},
    {"follow_requests.target_id", "one by one, as other servers hear of each"},
    {"follows.account_id", "one by one, as each is counted"},
    {"follows.target_id", "one by one, as each is counted"},
    {"passkeys.user_id", "the end of the login"},
    {"push_subscriptions.user_id", "the end of the tokens and sessions they belong to"},
    {"recovery_codes.user_id", "the end of the login"},
    {"security_events.user_id", "the end of the login"},
    {"sign_in_attempts.user_id", "the end of the login"},
    {"tokens.user_id", "the end of the login"},
    {"user_addresses.user_id", "the end of the login"},
    {"users.account_id", "the end of the account itself"},
    {"web_sessions.user_id", "the end of the login"},
    {"web_settings.user_id", "the end of the login"},
};

// Each with the reason.
const std::map<std::string, std::string> staying{
    {"actor_keys.account_id", "signs the word that the account is gone, for as long as somebody is to be told"
    },
    {"activities.signer", "is on its way to others, and purged when it has arrived"},
    {"actors.account_id", "only of other servers, which have forget_actor"},
    {"account_notes.target_id", "somebody else's words"},
    {"appeals.account_id", "what moderators need to know afterwards"},
    {"audit_entries.target_id", "what staff did, which is never removed"},
    {"canonical_email_blocks.account_id", "keeps who was suspended from signing up again"},
    {"cases.account_id", "what moderators need to know afterwards"},
    {"conversations.account_id", "is part of the id of a conversation, in which others speak"},
    {"crypto_messages.from_account_id", "belongs to the device that it waits for"},
    {"deletions.account_id", "goes when it is due"},
    {"endorsements.target_id", "somebody else's list, which leaves out who is gone"},
    {"evidence.account_id", "what moderators need to know afterwards, for a while"},
    {"home_entries.reply_to_account_id", "somebody else's timeline, which posts leave one by one"},
    {"inbox_items.recipient_id", "is worked off within minutes"},
    {"labels.account_id", "nothing is written there any more: label_uses has it"},
    {"list_members.account_id", "somebody else's list, which it leaves with the follow"},
    {"media.account_id", "goes with its post, or is swept when none has it"},
    {"mentions.account_id", "what somebody else wrote"},
    {"severed_follows.account_id", "goes with its event"},
    {"severed_follows.target_id", "somebody else's list, which is purged with the server"},
    {"status_tags.account_id", "goes with the status"},
    {"mutes.target_id", "somebody else's choice"},
    {"notification_clearings.account_id", "goes with the last notification that it hides"},
    {"notification_permissions.from_account_id", "somebody else's choice"},
    {"notification_requests.from_account_id", "somebody else's list"},
    {"notifications.from_account_id", "goes with the post or follow that it tells of"},
    {"polls.account_id", "goes with its post"},
    {"preview_cards.author_account_id", "what a page elsewhere says of itself"},
    {"preview_cards.claimed_account_id", "what a page elsewhere says of itself"},
    {"preview_cards_statuses.account_id", "goes with its post"},
    {"quotes.account_id", "ends with its post"},
    {"quotes.quoted_account_id", "ends with its post"},
    {"recipient_sets.account_id", "goes with the last post that was sent to it"},
    {"relays.account_id", "only of other servers"},
    {"reports.account_id", "what moderators need to know afterwards"},
    {"reports.assigned_account_id", "what moderators need to know afterwards"},
    {"reports.target_id", "what moderators need to know afterwards"},
    {"status_pins.account_id", "goes with its post"},
    {"cluster_posts.account_id", "what moderators need to know afterwards, for 90 days"},
    {"quarantine.account_id", "what is to be decided about, or was, whoever it came from"},
    {"rule_hits.account_id", "what moderators need to know afterwards, for 90 days"},
    {"strikes.account_id", "what moderators need to know afterwards"},
    {"statuses.account_id", "is marked as deleted, so that its id answers 410"},
    {"statuses.in_reply_to_account_id", "what somebody else wrote"},
    {"suggestion_dismissals.target_id", "somebody else's choice"},
    {"suggestions.target_id", "is found anew every day"},
    {"synchronizations.account_id", "only of other servers"},
    {"tag_uses.account_id", "is counted, and purged after a week"},
    {"tombstones.account_id", "only of other servers, and purged after hours"},
    {"user_days.user_id", "is counted, and purged after two years"},
    {"unverified_items.recipient_id", "is worked off within hours"},
};

// A column alone or behind its table's name.
bool names_somebody(const std::string& whole) {
    auto column = whole.substr(whole.find('.') + 1);
    return column.ends_with("account_id") || column == "user_id" || column == "target_id" ||
           column == "recipient_id" || column == "signer";
}

// The columns that name whose rows go: those of the table without the parts of something, and the others.
std::set<std::string> going() {
    std::set<std::string> out;
    for (const auto& rows : server::private_rows())
        if (names_somebody(std::string(rows.column))) out.emplace(rows.column);
    for (const auto& [column, taken_by] : going_otherwise) out.insert(column);
    return out;
}

struct PrivateRows : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    std::vector<TestColumn> all = w.read([](db::Read& db) { return db.all(test_columns); });
    std::int64_t user = one(test_user_of, std::stoll(alice.id));
    std::int64_t token = one(test_token_of, user), next = 1000;

    std::int64_t one(const db::Query<std::int64_t>& query, std::int64_t of) {
        return w.read([&](db::Read& db) { return db.one(query, of); });
    }
    std::int64_t hers(const std::string& column) { return column == "user_id" ? user : std::stoll(alice.id); }
    std::int64_t rows(const std::string& table, const std::string& column) {
        static std::deque<std::string> texts;
        static std::deque<db::Query<std::int64_t>> queries;
        auto& text = texts.emplace_back(
            "SELECT count(*) FROM " + table + " WHERE " + column + " = " + std::to_string(hers(column))
        );
        auto& query = queries.emplace_back("test_rows_of", text.c_str());
        return w.read([&](db::Read& db) { return db.one(query); });
    }
    std::string value(const TestColumn& c) {
        if (c.column_name == "token_id") return std::to_string(token);
        if (c.column_name.ends_with("account_id") || c.column_name == "target_id") return bob.id;
        if (c.type == "BOOLEAN" || c.type == "boolean") return "FALSE";
        ++next;
        return c.type == "TEXT" || c.type == "text" ? "'x" + std::to_string(next) + "'"
                                                    : std::to_string(next);
    }
    // A row of her in this column, with no more than it must have besides.
    void insert(const std::string& table, const std::string& column) {
        std::string names, values;
        for (const auto& c : all) {
            bool its = c.column_name == column;
            bool needed = its || !c.optional || c.column_name == "token_id";
            if (c.table_name != table || !needed) continue;
            names += (names.empty() ? "" : ", ") + c.column_name;
            values += (values.empty() ? "" : ", ") + (its ? std::to_string(hers(column)) : value(c));
        }
        w.connection().script("INSERT INTO " + table + " (" + names + ") VALUES (" + values + ")");
    }
    void end() {
        w.write([&](db::Write& db) { accounts::delete_local(db, {std::stoll(alice.id)}); });
        w.run_jobs();
    }
};
ON_EACH_DATABASE(PrivateRows);

TEST_P(PrivateRows, of_every_table_are_known_to_go_or_to_stay) {
    std::set<std::string> every, found, in_table;
    for (const auto& c : all) {
        auto column = c.table_name + "." + c.column_name;
        every.insert(column);
        if (names_somebody(c.column_name) &&
            (c.type == "BIGINT" || c.type == "INTEGER" || c.type == "bigint"))
            found.insert(column);
    }
    for (const auto& rows : server::private_rows()) {
        EXPECT_TRUE(every.contains(std::string(rows.column))) << rows.column << " is no more";
        EXPECT_TRUE(in_table.emplace(rows.column).second) << rows.column << " stands twice";
    }
    for (const auto& column : found)
        EXPECT_EQ(in_table.count(column) + going_otherwise.count(column) + staying.count(column), 1u)
            << column << ": say in server/private_rows.cpp how its rows go with the account, or here why not";
    for (const auto* list : {&going_otherwise, &staying})
        for (const auto& [column, reason] : *list)
            EXPECT_TRUE(found.contains(column)) << column << " is no more";
}

TEST_P(PrivateRows, of_parts_go_before_the_whole) {
    auto place = [&](std::string_view column) {
        auto rows = server::private_rows();
        return std::ranges::find(rows, column, &accounts::PrivateRows::column) - rows.begin();
    };
    EXPECT_LT(place("list_members.list_id"), place("lists.account_id"));
    EXPECT_LT(place("filter_keywords.filter_id"), place("filters.account_id"));
    EXPECT_LT(place("filter_statuses.filter_id"), place("filters.account_id"));
    EXPECT_LT(place("severed_follows.severance_id"), place("severances.account_id"));
    EXPECT_LT(
        place("account_conversation_statuses.account_conversation_id"),
        place("account_conversations.account_id")
    );
}

TEST_P(PrivateRows, go_with_the_account) {
    for (const auto& one : going()) {
        auto dot = one.find('.');
        auto table = one.substr(0, dot), column = one.substr(dot + 1);
        if (rows(table, column) == 0) insert(table, column);
        ASSERT_GT(rows(table, column), 0) << one;
    }
    end();
    for (const auto& one : going()) {
        auto dot = one.find('.');
        EXPECT_EQ(rows(one.substr(0, dot), one.substr(dot + 1)), 0) << one;
    }
    EXPECT_EQ(rows("actor_keys", "account_id"), 1);
}

TEST_P(PrivateRows, go_with_their_parts_and_leave_those_of_others) {
    auto fill = [&](const Person& who, const Person& other) {
        who.follows(other);
        auto list = who.post("/api/v1/lists", {{"title", "friends"}}).id();
        EXPECT_EQ(who.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", other.id}}).status, 200);
        EXPECT_EQ(
            who.post(
                   "/api/v2/filters",
                   {{"title", "no"}, {"context[]", "home"}, {"keywords_attributes[][keyword]", "spam"}}
            )
                .status,
            200
        );
        auto status = other.status("@" + who.name + " between us", {{"visibility", "direct"}});
        EXPECT_EQ(who.post("/api/v1/statuses/" + status + "/bookmark").status, 200);
    };
    auto carl = w.local("carl");
    fill(alice, carl);
    fill(bob, carl);
    w.run_jobs();
    end();
    EXPECT_THAT(bob.get("/api/v1/lists").all("title"), ElementsAre("friends"));
    EXPECT_THAT(bob.get("/api/v2/filters").all("title"), ElementsAre("no"));
    EXPECT_EQ(bob.get("/api/v2/filters")["0.keywords.0.keyword"], "spam");
    EXPECT_EQ(bob.get("/api/v1/bookmarks").ids().size(), 1u);
    EXPECT_EQ(bob.get("/api/v1/conversations").ids().size(), 1u);
    auto count = [&](const std::string& table) {
        static std::deque<std::string> texts;
        static std::deque<db::Query<std::int64_t>> queries;
        auto& query =
            queries.emplace_back("test_rows", texts.emplace_back("SELECT count(*) FROM " + table).c_str());
        return w.read([&](db::Read& db) { return db.one(query); });
    };
    EXPECT_EQ(count("list_members"), 1);
    EXPECT_EQ(count("filter_keywords"), 1);
    EXPECT_EQ(count("account_conversation_statuses"), 3);  // of bob one, of carl both
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/hollo/reading.hpp"

namespace takeover::hollo {

namespace {

// Where a row is counted that does not come along; tables of other versions may lack.
struct Left {
    const char *what, *table, *where;
};
constexpr Left left[] = {
    {"reactions with an emoji, which become likes; of several to one post one stays", "reactions", ""},
    {"accounts besides the first of the one who signs in: they sign in as NAME@invalid with the same "
     "password",
     "account_owners",
     "OFFSET 1"},
    {"accounts whose list of followers is hidden from now on, since that of whom they follow was",
     "account_owners",
     "WHERE NOT following_list_public"},
    {"accounts that have moved, whose apps are told that their login is disabled until the move is taken "
     "back",
     "account_owners",
     "o WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = o.id AND a.successor_id IS NOT NULL)"},
    {"second factors whose codes are not of six digits, each for 30 seconds, by SHA-1",
     "totps",
     "WHERE algorithm <> 'SHA1' OR digits <> 6 OR period <> 30"},
    {"uploads that no post shows", "media", "WHERE post_id IS NULL"},
    {"sign-ins of apps that were not finished", "access_grants", "WHERE revoked IS NULL"},
    {"imports that were not finished", "import_jobs", "WHERE status IN ('pending', 'processing')"},
    {"collections of answers elsewhere that were to be fetched",
     "remote_reply_scrape_jobs",
     "WHERE status IN ('pending', 'processing')"},
    {"deliveries and other work that waited", "fedify_message_v2", ""},
};

}  // namespace

std::vector<Loss> losses_of(db::Foreign& db) {
    std::vector<Loss> out;
    for (const auto& one : left) {
        if (db.columns_of(one.table).empty()) continue;
        const auto rows = db.count("(SELECT 1 FROM " + std::string(one.table) + " " + one.where + ") y");
        if (rows > 0) out.push_back({one.what, rows});
    }
    out.push_back({"what allows quotes of posts here under its address of before", 0});
    out.push_back({"colours of people's pages, and readings of Hanja in new posts", 0});
    return out;
}

}  // namespace takeover::hollo

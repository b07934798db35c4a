// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/filters/filter.hpp"

#include "base/json.hpp"
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "social/accounts/account.hpp"

#include <algorithm>

namespace filters {

const db::Query<Filter> filters_of_account{
    "filters_of_account",
    "SELECT id, title, context, expires_at, filter_action FROM filters WHERE account_id = $1 ORDER BY id"
};

std::vector<Filter> filters_of(db::Read& db, AccountId account) {
    return db.all(filters_of_account, account);
}

const db::Query<Keyword> filter_keywords_of_account{
    "filter_keywords_of_account",
    R"(SELECT k.id, k.filter_id, k.keyword, k.whole_word FROM filters f JOIN filter_keywords k ON k.filter_id = f.id
       WHERE f.account_id = $1 ORDER BY k.id)"
};

std::vector<Keyword> keywords_of(db::Read& db, AccountId account) {
    return db.all(filter_keywords_of_account, account);
}

const db::Query<FilteredStatus> filter_statuses_of_account{
    "filter_statuses_of_account",
    R"(SELECT x.id, x.filter_id, x.status_id FROM filters f JOIN filter_statuses x ON x.filter_id = f.id
       WHERE f.account_id = $1 ORDER BY x.id)"
};

std::vector<FilteredStatus> statuses_of(db::Read& db, AccountId account) {
    return db.all(filter_statuses_of_account, account);
}

const db::Query<Filter> filter_by_id{
    "filter_by_id",
    "SELECT id, title, context, expires_at, filter_action FROM filters WHERE id = $1 AND account_id = $2"
};

Filter filter(db::Read& db, AccountId me, FilterId id) { return db.one(filter_by_id, id, me); }

const db::Query<Keyword> filter_keyword_by_id{
    "filter_keyword_by_id",
    R"(SELECT k.id, k.filter_id, k.keyword, k.whole_word FROM filter_keywords k JOIN filters f ON f.id = k.filter_id
       WHERE k.id = $1 AND f.account_id = $2)"
};

Keyword keyword(db::Read& db, AccountId me, KeywordId id) { return db.one(filter_keyword_by_id, id, me); }

const db::Query<FilteredStatus> filter_status_by_id{
    "filter_status_by_id",
    R"(SELECT x.id, x.filter_id, x.status_id FROM filter_statuses x JOIN filters f ON f.id = x.filter_id
       WHERE x.id = $1 AND f.account_id = $2)"
};

FilteredStatus filtered_status(db::Read& db, AccountId me, FilteredStatusId id) {
    return db.one(filter_status_by_id, id, me);
}

const db::Query<Keyword> keywords_in_filter{
    "keywords_in_filter",
    "SELECT id, filter_id, keyword, whole_word FROM filter_keywords WHERE filter_id = $1 ORDER BY id"
};

std::vector<Keyword> keywords_in(db::Read& db, AccountId me, FilterId id) {
    filter(db, me, id);
    return db.all(keywords_in_filter, id);
}

const db::Query<FilteredStatus> statuses_in_filter{
    "statuses_in_filter",
    "SELECT id, filter_id, status_id FROM filter_statuses WHERE filter_id = $1 ORDER BY id"
};

std::vector<FilteredStatus> statuses_in(db::Read& db, AccountId me, FilterId id) {
    filter(db, me, id);
    return db.all(statuses_in_filter, id);
}

namespace {

// The limits of the API, and of the total per account, which keep matching cheap.
constexpr std::size_t most_title = 256, most_keyword = 512;
constexpr std::int64_t most_filters = 500, most_keywords = 2000, most_statuses = 5000;

void check_text(std::string_view name, std::string_view text, std::size_t most) {
    std::string problem = "Validation failed: " + std::string(name);
    if (base::text::is_blank(text)) throw base::Invalid(problem + " can't be blank");
    if (base::text::graphemes(text) > most)
        throw base::Invalid(problem + " is too long (maximum is " + std::to_string(most) + " characters)");
}

std::string context_json(std::vector<Context> context) {
    if (context.empty()) throw base::Invalid("Validation failed: Context can't be blank");
    std::vector<Context> once;
    for (auto one : context)
        if (std::ranges::find(once, one) == once.end()) once.push_back(one);
    return base::json::to_string(once);
}

void changed(db::Write& db, AccountId me) {
    accounts::touch_relations(db, me);
    db.announce({"user:" + std::to_string(me.value), "filters_changed", ""});
}

}  // namespace

struct Amounts {
    std::int64_t filters = 0, keywords = 0, statuses = 0;
};
DESCRIBE(Amounts, filters, keywords, statuses)

const db::Query<Amounts> amounts_of_filters{
    "amounts_of_filters",
    R"(SELECT (SELECT CAST(count(*) AS BIGINT) FROM filters WHERE account_id = $1) AS filters,
              (SELECT CAST(count(*) AS BIGINT) FROM filters f JOIN filter_keywords k ON k.filter_id = f.id
               WHERE f.account_id = $1) AS keywords,
              (SELECT CAST(count(*) AS BIGINT) FROM filters f JOIN filter_statuses x ON x.filter_id = f.id
               WHERE f.account_id = $1) AS statuses)"
};

namespace {

void check_amounts(db::Read& db, AccountId me) {
    auto amounts = db.one(amounts_of_filters, me);
    if (amounts.filters > most_filters || amounts.keywords > most_keywords ||
        amounts.statuses > most_statuses)
        throw base::Invalid("Validation failed: You have reached the maximum number of filters");
}

}  // namespace

const db::Command insert_filter_keyword{
    "insert_filter_keyword",
    "INSERT INTO filter_keywords (id, filter_id, keyword, whole_word) VALUES ($1, $2, $3, $4)"
};
const db::Command update_filter_keyword{
    "update_filter_keyword",
    R"(UPDATE filter_keywords SET keyword = COALESCE(CAST($3 AS TEXT), keyword),
           whole_word = COALESCE(CAST($4 AS BOOLEAN), whole_word) WHERE id = $1 AND filter_id = $2)"
};
const db::Command delete_filter_keyword{
    "delete_filter_keyword", "DELETE FROM filter_keywords WHERE id = $1 AND filter_id = $2"
};

namespace {

void apply(db::Write& db, FilterId filter, const KeywordChange& change) {
    if (change.destroy) {
        if (change.id && db.run(delete_filter_keyword, change.id, filter) == 0) throw base::NotFound();
        return;
    }
    // Keyboards of phones append a blank to what they suggest.
    std::optional<std::string> keyword;
    if (change.keyword) keyword = base::text::trimmed(*change.keyword);
    if (keyword || !change.id) check_text("Keyword", keyword.value_or(""), most_keyword);
    if (change.id) {
        if (db.run(update_filter_keyword, change.id, filter, keyword, change.whole_word) == 0)
            throw base::NotFound();
        return;
    }
    auto id = db.new_id<KeywordId>();
    db.run(insert_filter_keyword, id, filter, *keyword, change.whole_word.value_or(true));
}

}  // namespace

const db::Command insert_filter{
    "insert_filter",
    R"(INSERT INTO filters (id, account_id, title, context, filter_action, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6))"
};

FilterId create(db::Write& db, AccountId me, const Changes& wanted) {
    auto title = wanted.title.value_or("");
    check_text("Title", title, most_title);
    auto context = context_json(wanted.context.value_or(std::vector<Context>{}));
    auto id = db.new_id<FilterId>();
    db.run(insert_filter, id, me, title, context, wanted.action.value_or(Action::warn), wanted.expires_at);
    for (const auto& one : wanted.keywords) apply(db, id, one);
    check_amounts(db, me);
    changed(db, me);
    return id;
}

const db::Command update_filter{
    "update_filter",
    "UPDATE filters SET title = $2, context = $3, filter_action = $4, expires_at = $5 WHERE id = $1"
};

void change(db::Write& db, AccountId me, FilterId id, const Changes& wanted) {
    auto now = filter(db, me, id);
    if (wanted.title) check_text("Title", *wanted.title, most_title);
    db.run(
        update_filter,
        id,
        wanted.title.value_or(now.title),
        wanted.context ? context_json(*wanted.context) : now.context,
        wanted.action.value_or(now.filter_action),
        wanted.sets_expiry ? wanted.expires_at : now.expires_at
    );
    for (const auto& one : wanted.keywords) apply(db, id, one);
    check_amounts(db, me);
    changed(db, me);
}

const db::Command delete_filter{"delete_filter", "DELETE FROM filters WHERE id = $1"};
const db::Command delete_keywords_of_filter{
    "delete_keywords_of_filter", "DELETE FROM filter_keywords WHERE filter_id = $1"
};
const db::Command delete_statuses_of_filter{
    "delete_statuses_of_filter", "DELETE FROM filter_statuses WHERE filter_id = $1"
};

void remove(db::Write& db, AccountId me, FilterId id) {
    filter(db, me, id);
    db.run(delete_filter, id);
    db.run(delete_keywords_of_filter, id);
    db.run(delete_statuses_of_filter, id);
    changed(db, me);
}

const db::Query<KeywordId> newest_keyword{
    "newest_keyword", "SELECT id FROM filter_keywords WHERE filter_id = $1 ORDER BY id DESC LIMIT 1"
};

KeywordId add_keyword(db::Write& db, AccountId me, FilterId id, const KeywordChange& wanted) {
    filter(db, me, id);
    apply(db, id, wanted);
    check_amounts(db, me);
    changed(db, me);
    return db.one(newest_keyword, id);
}

void change_keyword(db::Write& db, AccountId me, const KeywordChange& wanted) {
    apply(db, keyword(db, me, wanted.id).filter_id, wanted);
    changed(db, me);
}

void remove_keyword(db::Write& db, AccountId me, KeywordId id) {
    apply(db, keyword(db, me, id).filter_id, {id, {}, {}, true});
    changed(db, me);
}

const db::Command insert_filter_status{
    "insert_filter_status",
    R"(INSERT INTO filter_statuses (id, filter_id, status_id) VALUES ($1, $2, $3)
       ON CONFLICT (filter_id, status_id) DO NOTHING)"
};

FilteredStatusId add_status(db::Write& db, AccountId me, FilterId id, StatusId status) {
    filter(db, me, id);
    auto made = db.new_id<FilteredStatusId>();
    if (db.run(insert_filter_status, made, id, status) == 0)
        throw base::Invalid("Validation failed: Status has already been taken");
    check_amounts(db, me);
    changed(db, me);
    return made;
}

const db::Command delete_filter_status{"delete_filter_status", "DELETE FROM filter_statuses WHERE id = $1"};

void remove_status(db::Write& db, AccountId me, FilteredStatusId id) {
    filtered_status(db, me, id);
    db.run(delete_filter_status, id);
    changed(db, me);
}

const db::Command drop_own_filter_keywords{
    "drop_own_filter_keywords",
    R"(DELETE FROM filter_keywords WHERE id IN (SELECT x.id FROM filter_keywords x JOIN filters w ON w.id = x.filter_id
           WHERE w.account_id = $1 ORDER BY x.id LIMIT $2))"
};

const db::Command drop_own_filter_statuses{
    "drop_own_filter_statuses",
    R"(DELETE FROM filter_statuses WHERE id IN (SELECT x.id FROM filter_statuses x JOIN filters w ON w.id = x.filter_id
           WHERE w.account_id = $1 ORDER BY x.id LIMIT $2))"
};

const db::Command drop_own_filters{
    "drop_own_filters",
    R"(DELETE FROM filters WHERE account_id = $1 AND id IN (
           SELECT id FROM filters WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

}  // namespace filters

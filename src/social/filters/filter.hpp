// SPDX-License-Identifier: AGPL-3.0-or-later
// Filters: what an account wants to be warned about or not to see. A filter matches by its keywords, or lists
// single statuses. Nothing is removed here: the API returns which filters match and the client acts
// (behaviours: 11.16).
#pragma once
#include "db/session.hpp"

namespace filters {

using base::AccountId;
using base::StatusId;
using base::Time;
using FilterId = base::Id<struct FilterTag>;
using KeywordId = base::Id<struct FilterKeywordTag>;
using FilteredStatusId = base::Id<struct FilteredStatusTag>;

BOOST_DEFINE_ENUM_CLASS(Context, home, notifications, public_, thread, account)
BOOST_DEFINE_ENUM_CLASS(Action, warn, hide, blur)

struct Filter {
    FilterId id;
    std::string title, context;  // context: JSON, an array of Context
    std::optional<Time> expires_at;
    Action filter_action = Action::warn;
};
DESCRIBE(Filter, id, title, context, expires_at, filter_action)

struct Keyword {
    KeywordId id;
    FilterId filter_id;
    std::string keyword;
    bool whole_word = true;
};
DESCRIBE(Keyword, id, filter_id, keyword, whole_word)

struct FilteredStatus {
    FilteredStatusId id;
    FilterId filter_id;
    StatusId status_id;
};
DESCRIBE(FilteredStatus, id, filter_id, status_id)

// Of one account, by id. Expired filters are included, but match nothing (matching.hpp).
std::vector<Filter> filters_of(db::Read&, AccountId);
std::vector<Keyword> keywords_of(db::Read&, AccountId);
std::vector<FilteredStatus> statuses_of(db::Read&, AccountId);

// They throw NotFound, also for somebody else's.
Filter filter(db::Read&, AccountId me, FilterId);
Keyword keyword(db::Read&, AccountId me, KeywordId);
FilteredStatus filtered_status(db::Read&, AccountId me, FilteredStatusId);
std::vector<Keyword> keywords_in(db::Read&, AccountId me, FilterId);
std::vector<FilteredStatus> statuses_in(db::Read&, AccountId me, FilterId);

// changes; each increases the account's relations_version and notifies its streams

struct KeywordChange {
    KeywordId id;  // 0: a new one
    std::optional<std::string> keyword;
    std::optional<bool> whole_word;
    bool destroy = false;
};
// Values that are not given stay unchanged.
struct Changes {
    std::optional<std::string> title;
    std::optional<std::vector<Context>> context;
    std::optional<Action> action;
    bool sets_expiry = false;
    std::optional<Time> expires_at;  // none: never
    std::vector<KeywordChange> keywords;
};

FilterId create(db::Write&, AccountId me, const Changes&);
void change(db::Write&, AccountId me, FilterId, const Changes&);
void remove(db::Write&, AccountId me, FilterId);

KeywordId add_keyword(db::Write&, AccountId me, FilterId, const KeywordChange&);
void change_keyword(db::Write&, AccountId me, const KeywordChange&);
void remove_keyword(db::Write&, AccountId me, KeywordId);

// The caller has checked that the status is visible to this account.
FilteredStatusId add_status(db::Write&, AccountId me, FilterId, StatusId);
void remove_status(db::Write&, AccountId me, FilteredStatusId);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_filter_keywords;
extern const db::Command drop_own_filter_statuses;
extern const db::Command drop_own_filters;

}  // namespace filters

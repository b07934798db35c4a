// SPDX-License-Identifier: AGPL-3.0-or-later
// Filters, API v1: each keyword of a filter appears as a filter of its own, with the keyword's id.
#include "http/route.hpp"
#include "social/filters/expiry_api.hpp"
#include "social/filters/filter_entity.hpp"

#include <algorithm>

namespace filters {
namespace {

using http::Viewer;

struct ById {
    KeywordId id;
};
DESCRIBE(ById, id)

std::vector<V1Filter> index(db::Read& db, const Viewer& me) {
    std::vector<V1Filter> out;
    auto all = filters_of(db, me.account);
    for (const auto& keyword : keywords_of(db, me.account))
        out.push_back(v1_entity(*std::ranges::find(all, keyword.filter_id, &Filter::id), keyword));
    return out;
}

V1Filter show(db::Read& db, const Viewer& me, const ById& path) {
    auto one = keyword(db, me.account, path.id);
    return v1_entity(filter(db, me.account, one.filter_id), one);
}

struct Form {
    std::optional<std::string> phrase;
    std::optional<std::vector<Context>> context;
    std::optional<bool> irreversible, whole_word;
    std::optional<http::TextOrNull> expires_in;
};
DESCRIBE(Form, phrase, context, irreversible, whole_word, expires_in)

Changes changes_of(const Form& form, Time now) {
    Changes changes;
    changes.title = form.phrase;
    changes.context = form.context;
    if (form.irreversible) changes.action = *form.irreversible ? Action::hide : Action::warn;
    set_expiry(changes, form.expires_in, now);
    return changes;
}

KeywordId begin(db::Write& db, const Viewer& me, const Form& form) {
    auto changes = changes_of(form, db.now());
    changes.title = form.phrase.value_or("");
    changes.keywords.push_back({{}, form.phrase.value_or(""), form.whole_word, false});
    return keywords_in(db, me.account, create(db, me.account, changes)).at(0).id;
}

bool changes_filter(const Filter& now, const Changes& changes) {
    return (changes.context && base::json::to_string(*changes.context) != now.context) ||
           (changes.action && *changes.action != now.filter_action) ||
           (changes.sets_expiry && changes.expires_at != now.expires_at);
}

KeywordId update(db::Write& db, const Viewer& me, const ById& path, const Form& form) {
    auto one = keyword(db, me.account, path.id);
    auto changes = changes_of(form, db.now());
    bool alone = keywords_in(db, me.account, one.filter_id).size() == 1;
    if (!alone) {
        if (changes_filter(filter(db, me.account, one.filter_id), changes))
            throw base::Invalid(
                "Validation failed: This filter has several keywords; only a newer app can change all of it"
            );
        changes.title.reset();  // the title also applies to the other keywords
    }
    changes.keywords.push_back({path.id, form.phrase, form.whole_word, false});
    change(db, me.account, one.filter_id, changes);
    return path.id;
}

void destroy(db::Write& db, const Viewer& me, const ById& path) { remove_keyword(db, me.account, path.id); }

constexpr std::int64_t since = 1668384000;

// clang-format off
constexpr http::Route table[] = {
    http::get<index>          ("/api/v1/filters",     "read:filters").deprecated(since),
    http::post<begin, show>   ("/api/v1/filters",     "write:filters").deprecated(since),
    http::get<show>           ("/api/v1/filters/:id", "read:filters").deprecated(since),
    http::put<update, show>   ("/api/v1/filters/:id", "write:filters").deprecated(since),
    http::patch<update, show> ("/api/v1/filters/:id", "write:filters").deprecated(since),
    http::del<destroy>        ("/api/v1/filters/:id", "write:filters").deprecated(since),
};
// clang-format on

}  // namespace

std::span<const http::Route> v1_routes() { return table; }

}  // namespace filters

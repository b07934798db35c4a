// SPDX-License-Identifier: AGPL-3.0-or-later
// Filters, API v2. Adding a status needs to check visibility and is in
// statuses/render/filtered_statuses_api.cpp.
#include "http/route.hpp"
#include "social/filters/expiry_api.hpp"
#include "social/filters/filter_entity.hpp"

namespace filters {
namespace {

using http::Viewer;

struct ById {
    FilterId id;
};
DESCRIBE(ById, id)

std::vector<WholeFilter> index(db::Read& db, const Viewer& me) {
    return entities(filters_of(db, me.account), keywords_of(db, me.account), statuses_of(db, me.account));
}

WholeFilter show(db::Read& db, const Viewer& me, const ById& path) {
    auto one = filter(db, me.account, path.id);
    return entities({one}, keywords_in(db, me.account, path.id), statuses_in(db, me.account, path.id))[0];
}

struct KeywordAttributes {
    base::Id<struct FilterKeywordTag> id;
    std::optional<std::string> keyword;
    std::optional<bool> whole_word;
    bool _destroy = false;
};
DESCRIBE(KeywordAttributes, id, keyword, whole_word, _destroy)

struct Form {
    std::optional<std::string> title;
    std::optional<std::vector<Context>> context;
    std::optional<Action> filter_action;
    std::optional<http::TextOrNull> expires_in;
    std::vector<KeywordAttributes> keywords_attributes;
};
DESCRIBE(Form, title, context, filter_action, expires_in, keywords_attributes)

Changes changes_of(const Form& form, Time now) {
    Changes changes{form.title, form.context, form.filter_action, false, {}, {}};
    set_expiry(changes, form.expires_in, now);
    for (const auto& k : form.keywords_attributes)
        changes.keywords.push_back({k.id, k.keyword, k.whole_word, k._destroy});
    return changes;
}

FilterId begin(db::Write& db, const Viewer& me, const Form& form) {
    return create(db, me.account, changes_of(form, db.now()));
}

FilterId update(db::Write& db, const Viewer& me, const ById& path, const Form& form) {
    change(db, me.account, path.id, changes_of(form, db.now()));
    return path.id;
}

void destroy(db::Write& db, const Viewer& me, const ById& path) { remove(db, me.account, path.id); }

std::vector<FilterKeyword> keywords(db::Read& db, const Viewer& me, const ById& path) {
    return entities(keywords_in(db, me.account, path.id));
}

struct KeywordPath {
    KeywordId id;
};
DESCRIBE(KeywordPath, id)

struct StatusPath {
    FilteredStatusId id;
};
DESCRIBE(StatusPath, id)

// A part of a filter, a keyword or a status, by its own id.
template <auto Find, class Path>
auto show_part(db::Read& db, const Viewer& me, const Path& path) {
    return entity(Find(db, me.account, path.id));
}
template <auto Remove, class Path>
void destroy_part(db::Write& db, const Viewer& me, const Path& path) {
    Remove(db, me.account, path.id);
}
constexpr auto show_keyword = &show_part<keyword, KeywordPath>;
constexpr auto show_status = &show_part<filtered_status, StatusPath>;
constexpr auto destroy_keyword = &destroy_part<remove_keyword, KeywordPath>;
constexpr auto destroy_status = &destroy_part<remove_status, StatusPath>;

struct KeywordForm {
    std::optional<std::string> keyword;
    std::optional<bool> whole_word;
};
DESCRIBE(KeywordForm, keyword, whole_word)

KeywordId begin_keyword(db::Write& db, const Viewer& me, const ById& path, const KeywordForm& form) {
    return add_keyword(db, me.account, path.id, {{}, form.keyword, form.whole_word, false});
}

KeywordId update_keyword(db::Write& db, const Viewer& me, const KeywordPath& path, const KeywordForm& form) {
    change_keyword(db, me.account, {path.id, form.keyword, form.whole_word, false});
    return path.id;
}

std::vector<FilterStatus> filtered(db::Read& db, const Viewer& me, const ById& path) {
    return entities(statuses_in(db, me.account, path.id));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                         ("/api/v2/filters",              "read:filters"),
    http::post<begin, show>                  ("/api/v2/filters",              "write:filters"),
    http::get<show>                          ("/api/v2/filters/:id",          "read:filters"),
    http::put<update, show>                  ("/api/v2/filters/:id",          "write:filters"),
    http::patch<update, show>                ("/api/v2/filters/:id",          "write:filters"),
    http::del<destroy>                       ("/api/v2/filters/:id",          "write:filters"),
    http::get<keywords>                      ("/api/v2/filters/:id/keywords", "read:filters"),
    http::post<begin_keyword, show_keyword>  ("/api/v2/filters/:id/keywords", "write:filters"),
    http::get<show_keyword>                  ("/api/v2/filters/keywords/:id", "read:filters"),
    http::put<update_keyword, show_keyword>  ("/api/v2/filters/keywords/:id", "write:filters"),
    http::patch<update_keyword, show_keyword>("/api/v2/filters/keywords/:id", "write:filters"),
    http::del<destroy_keyword>               ("/api/v2/filters/keywords/:id", "write:filters"),
    http::get<filtered>                      ("/api/v2/filters/:id/statuses", "read:filters"),
    http::get<show_status>                   ("/api/v2/filters/statuses/:id", "read:filters"),
    http::del<destroy_status>                ("/api/v2/filters/statuses/:id", "write:filters"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace filters

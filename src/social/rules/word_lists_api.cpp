// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of words, domains and hashtags for rules.
#include "http/route.hpp"
#include "social/rules/word_list.hpp"

namespace rules {
namespace {

using http::Viewer;

std::vector<WordList> index(db::Read& db, const Viewer&) { return word_lists(db); }

struct ById {
    WordListId id;
};
DESCRIBE(ById, id)

WordList show(db::Read& db, const Viewer&, const ById& path) { return word_list(db, path.id); }

http::Response file(db::Read& db, const Viewer&, const ById& path) {
    http::Response out;
    out.content_type = "text/csv; charset=utf-8";
    out.headers.emplace_back(
        "Content-Disposition", "attachment; filename=\"words-" + std::to_string(path.id.value) + ".csv\""
    );
    out.body = entries_of(db, path.id);
    return out;
}

struct ListForm {
    std::string name, entries;
    WordListKind kind = WordListKind::words;
};
DESCRIBE(ListForm, name, entries, kind)

ReadWordList read(db::Read&, const Viewer&, const ListForm& form) {
    return read_word_list(form.kind, form.entries);
}

WordListId create(db::Write& db, const Viewer& me, const ListForm& form, const ReadWordList& list) {
    return add_word_list(db, accounts::actor(db, me.account), form.name, list);
}

struct ChangeForm {
    WordListId id;
    std::string entries;
    std::optional<WordListKind> kind;
};
DESCRIBE(ChangeForm, id, entries, kind)

ReadWordList reread(db::Read& db, const Viewer&, const ChangeForm& form) {
    return read_word_list(form.kind.value_or(word_list(db, form.id).kind), form.entries);
}

WordListId change(db::Write& db, const Viewer& me, const ChangeForm& form, const ReadWordList& list) {
    change_word_list(db, accounts::actor(db, me.account), form.id, list);
    return form.id;
}

void destroy(db::Write& db, const Viewer& me, const ById& path) {
    remove_word_list(db, accounts::actor(db, me.account), path.id);
}

constexpr std::uint64_t largest_form = 2 * largest_word_list;

// clang-format off
constexpr http::Route table[] = {
    http::get<index>               ("/api/dunlin/v1/moderation/word_lists",         "admin:read:domain_blocks"),
    http::post<read, create, show> ("/api/dunlin/v1/moderation/word_lists",         "admin:write:domain_blocks").body_limit(largest_form),
    http::get<show>                ("/api/dunlin/v1/moderation/word_lists/:id",     "admin:read:domain_blocks"),
    http::get<file>                ("/api/dunlin/v1/moderation/word_lists/:id/entries.csv", "admin:read:domain_blocks").answering("string"),
    http::put<reread, change, show>("/api/dunlin/v1/moderation/word_lists/:id",     "admin:write:domain_blocks").body_limit(largest_form),
    http::del<destroy>             ("/api/dunlin/v1/moderation/word_lists/:id",     "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> word_list_routes() { return table; }

}  // namespace rules

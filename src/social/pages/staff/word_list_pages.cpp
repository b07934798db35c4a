// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of words, domains and hashtags that rules about posts have in common.
#include "social/oauth/pages/visitor.hpp"
#include "social/pages/staff/sheet.hpp"
#include "social/rules/word_list.hpp"

#include <algorithm>

namespace pages {
namespace {

using rules::WordListId, rules::WordListKind;

const std::string lists_path = address_of(words_part);

struct KindName {
    WordListKind kind;
    std::string_view name;
};
constexpr KindName kinds[] = {
    {WordListKind::words, "Words and phrases"},
    {WordListKind::domains, "Domains that links lead to"},
    {WordListKind::hashtags, "Hashtags"},
};

struct ListForm {
    std::string name, entries, authenticity_token;
    WordListKind kind = WordListKind::words;
};
DESCRIBE(ListForm, name, entries, authenticity_token, kind)

Field kind_field(WordListKind chosen) {
    Field out{Field::Kind::list, "kind", "Of what", std::string(base::word(chosen))};
    for (const auto& one : kinds) out.options.push_back({std::string(base::word(one.kind)), one.name});
    return out;
}

Field entries_field(const std::string& given) {
    return {Field::Kind::area, "entries", "Entries", given, true, "One in each line"};
}

http::Response lists_page(
    db::Read& db, const http::Request& request, const Member& who, const ListForm& given,
    std::string_view problem = {}
) {
    Panel panel;
    panel.rows.emplace();
    for (const auto& one : rules::word_lists(db)) {
        Row row{one.name, lists_path + "/" + std::to_string(one.id.value)};
        row.states.push_back(std::ranges::find(kinds, one.kind, &KindName::kind)->name);
        row.hint = day_of(one.updated_at);
        row.facts.push_back({"Entries", std::to_string(one.size)});
        panel.rows->push_back(std::move(row));
    }
    Panel adding{"Add"};
    adding.forms.push_back(
        {lists_path,
         "Save",
         {{Field::Kind::line, "name", "Name", given.name, true},
          kind_field(given.kind),
          entries_field(given.entries)}}
    );
    return sheet(db, request, who, words_part, "Lists of words", {panel, adding}, problem);
}

http::Response list(db::Read& db, const http::Request& request) {
    auto who = member(db, request, words_part.any_of);
    return who.answer() ? *who.answer() : lists_page(db, request, who, {});
}

http::Response list_page(
    db::Read& db, const http::Request& request, const Member& who, WordListId id, const ListForm& given,
    std::string_view problem = {}
) {
    auto known = rules::word_list(db, id);
    auto where = lists_path + "/" + std::to_string(id.value);
    Panel panel;
    panel.facts = {{"Name", known.name}, {"Entries", std::to_string(known.size)}};
    panel.forms = {
        {where, "Save", {kind_field(given.kind), entries_field(given.entries)}},
        {where + "/remove", "Remove", {}, {}, "negative"}
    };
    return sheet(db, request, who, words_part, "A list of words", {panel}, problem);
}

http::Response look(db::Read& db, const http::Request& request, const One<WordListId>& path) {
    auto who = member(db, request, words_part.any_of);
    if (who.answer()) return *who.answer();
    auto known = rules::word_list(db, path.id);
    return list_page(db, request, who, path.id, {known.name, rules::entries_of(db, path.id), {}, known.kind});
}

// Long ones take time to read, which the writer has not.
struct Read {
    std::optional<http::Response> answer;
    rules::ReadWordList list;
};

Read read_new(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, words_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    try {
        return {{}, rules::read_word_list(form.kind, form.entries)};
    } catch (const base::Invalid& refused) {
        return {lists_page(db, request, who, form, sentence_of(refused)), {}};
    }
}

http::Response add(db::Write& db, const http::Request& request, const ListForm& form, const Read& read) {
    if (read.answer) return *read.answer;
    auto who = member(db, request, words_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return lists_page(db, request, who, form, why); };
    return tried(lists_path, added, refused, [&] {
        rules::add_word_list(db, who.actor, form.name, read.list);
    });
}

struct ById {
    WordListId id;
};
DESCRIBE(ById, id)

Read reread(db::Read& db, const http::Request& request, const ById& path, const ListForm& form) {
    auto who = member(db, request, words_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    try {
        return {{}, rules::read_word_list(form.kind, form.entries)};
    } catch (const base::Invalid& refused) {
        return {list_page(db, request, who, path.id, form, sentence_of(refused)), {}};
    }
}

http::Response change(
    db::Write& db, const http::Request& request, const ById& path, const ListForm& form, const Read& read
) {
    if (read.answer) return *read.answer;
    auto who = member(db, request, words_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return list_page(db, request, who, path.id, form, why); };
    return tried(lists_path, saved, refused, [&] {
        rules::change_word_list(db, who.actor, path.id, read.list);
    });
}

http::Response remove(db::Write& db, const http::Request& request, const One<WordListId>& form) {
    auto who = member(db, request, words_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return lists_page(db, request, who, {}, why); };
    return tried(lists_path, removed, refused, [&] { rules::remove_word_list(db, who.actor, form.id); });
}

// Most letters of most languages take three bytes in a list, and nine in a form.
constexpr std::uint64_t largest_form = 3 * rules::largest_word_list + (64 << 10);

// clang-format off
constexpr http::Route table[] = {
    http::get<list>           ("/settings/moderation/words"),
    http::post<read_new, add> ("/settings/moderation/words").body_limit(largest_form).files_of(oauth::is_signed_in),
    http::get<look>           ("/settings/moderation/words/:id"),
    http::post<reread, change>("/settings/moderation/words/:id").body_limit(largest_form).files_of(oauth::is_signed_in),
    http::post<remove>        ("/settings/moderation/words/:id/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> word_list_pages() { return table; }

}  // namespace pages

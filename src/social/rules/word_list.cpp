// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/word_list.hpp"

#include "base/text/blank.hpp"
#include "social/moderation/audit.hpp"

#include <algorithm>
#include <unordered_set>

namespace rules {

#define LISTS "SELECT id, name, kind, size, created_at, updated_at FROM word_lists "

const db::Query<WordList> all_word_lists{"all_word_lists", LISTS "ORDER BY name"};
const db::Query<WordList> word_list_by_id{"word_list_by_id", LISTS "WHERE id = $1"};
const db::Query<WordList> word_list_named{"word_list_named", LISTS "WHERE name = $1"};
struct Sum {
    std::int64_t lists = 0, entries = 0;
};
DESCRIBE(Sum, lists, entries)
const db::Query<Sum> sum_of_other_word_lists{
    "sum_of_other_word_lists",
    R"(SELECT count(*) AS lists, CAST(coalesce(sum(size), 0) AS BIGINT) AS entries FROM word_lists WHERE id <> $1)"
};
const db::Query<std::string> entries_of_word_list{
    "entries_of_word_list", "SELECT entries FROM word_lists WHERE id = $1"
};
const db::Command insert_word_list{
    "insert_word_list",
    R"(INSERT INTO word_lists (id, name, kind, entries, size, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6))"
};
const db::Command update_word_list{
    "update_word_list",
    "UPDATE word_lists SET kind = $2, entries = $3, size = $4, updated_at = $5 WHERE id = $1"
};
const db::Command delete_word_list{"delete_word_list", "DELETE FROM word_lists WHERE id = $1"};

namespace {

constexpr std::size_t longest_name = 50;

FieldId field_of(WordListKind kind) {
    switch (kind) {
        case WordListKind::words: return FieldId::text;
        case WordListKind::domains: return FieldId::link_domain;
        case WordListKind::hashtags: break;
    }
    return FieldId::hashtag;
}

std::vector<Condition*> conditions(Definition& rule) {
    std::vector<Condition*> out;
    for (auto& one : rule.all_of) out.push_back(&one);
    for (auto& one : rule.none_of) out.push_back(&one);
    return out;
}

bool uses(const Definition& rule, const std::string& name) {
    auto names = [&](const Condition& one) { return std::ranges::find(one.lists, name) != one.lists.end(); };
    return std::ranges::any_of(rule.all_of, names) || std::ranges::any_of(rule.none_of, names);
}

std::vector<Rule> rules_with(db::Read& db, const std::string& name) {
    auto out = rules_saying(db, "lists");
    std::erase_if(out, [&](const Rule& one) { return !uses(read_definition(one.definition), name); });
    return out;
}

void note(db::Write& db, const accounts::Actor& who, std::string_view action, const WordList& list) {
    move_rules_version(db);
    moderation::log(
        db,
        who,
        action,
        {"WordList", list.id.value, list.name},
        "{\"size\":" + std::to_string(list.size) + "}"
    );
}

// All entries stand in the memory of every node.
Sum require_room(db::Read& db, WordListId id, const ReadWordList& read) {
    auto others = db.one(sum_of_other_word_lists, id);
    if (others.entries + read.size > most_entries_in_all)
        throw base::Invalid(
            "All lists of words would have more than " + std::to_string(most_entries_in_all) + " entries"
        );
    return others;
}

template <class F>
void each_line(std::string_view text, const F& f) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        f(line, number);
    }
}

}  // namespace

std::vector<WordList> word_lists(db::Read& db) { return db.all(all_word_lists); }
WordList word_list(db::Read& db, WordListId id) { return db.one(word_list_by_id, id); }
std::string entries_of(db::Read& db, WordListId id) { return db.one(entries_of_word_list, id); }

ReadWordList read_word_list(WordListKind kind, std::string_view text) {
    if (text.size() > largest_word_list) throw base::Invalid("The list is larger than 4 MB");
    ReadWordList out{kind, {}, 0};
    std::unordered_set<std::string> known;
    each_line(text, [&](std::string_view line, std::size_t number) {
        auto entry = base::text::trimmed(line.substr(0, line.find(',')));
        if (entry.empty() || entry.starts_with("# ")) return;
        std::string one;
        try {
            one = spelled_value(field_of(kind), std::string(entry));
        } catch (const base::Invalid& why) {
            throw base::Invalid("Line " + std::to_string(number) + ": " + why.what());
        }
        if (!known.insert(one).second) return;
        if (known.size() > most_entries)
            throw base::Invalid("The list has more than " + std::to_string(most_entries) + " entries");
        out.entries += one + "\n";
    });
    out.size = std::ssize(known);
    if (out.size == 0) throw base::Invalid("There is nothing in the list");
    return out;
}

WordListId add_word_list(
    db::Write& db, const accounts::Actor& who, const std::string& name, const ReadWordList& read
) {
    accounts::require(who, accounts::permission::manage_blocks);
    if (base::text::is_blank(name)) throw base::Invalid("Validation failed: Name can't be blank");
    if (name.size() > longest_name)
        throw base::Invalid("Validation failed: Name is too long (maximum is 50 characters)");
    if (db.maybe(word_list_named, name))
        throw base::Invalid("Validation failed: Name has already been taken");
    if (require_room(db, {}, read).lists >= most_word_lists)
        throw base::Invalid("There are too many lists of words");
    auto id = db.new_id<WordListId>();
    db.run(insert_word_list, id, name, read.kind, read.entries, read.size, db.now());
    note(db, who, "create", word_list(db, id));
    return id;
}

void change_word_list(db::Write& db, const accounts::Actor& who, WordListId id, const ReadWordList& read) {
    accounts::require(who, accounts::permission::manage_blocks);
    auto known = word_list(db, id);
    const auto used = rules_with(db, known.name);
    for (const auto& one : used)
        if (reaches_accounts(db, read_definition(one.definition)))
            accounts::require(who, accounts::permission::manage_users);
    if (known.kind != read.kind && !used.empty())
        throw base::Invalid("A rule uses this list: its kind cannot change");
    require_room(db, id, read);
    db.run(update_word_list, id, read.kind, read.entries, read.size, db.now());
    note(db, who, "update", word_list(db, id));
}

void remove_word_list(db::Write& db, const accounts::Actor& who, WordListId id) {
    accounts::require(who, accounts::permission::manage_blocks);
    auto known = word_list(db, id);
    if (auto used = rules_with(db, known.name); !used.empty())
        throw base::Invalid("The rule " + used[0].name + " uses this list");
    db.run(delete_word_list, id);
    note(db, who, "destroy", known);
}

void require_lists(db::Read& db, const Definition& given) {
    auto rule = given;
    for (const auto* one : conditions(rule))
        for (const auto& name : one->lists) {
            auto list = db.maybe(word_list_named, name);
            if (!list) throw base::Invalid("This rule cannot be used: there is no list \"" + name + "\"");
            if (field_of(list->kind) != one->field)
                throw base::Invalid(
                    "This rule cannot be used: the list \"" + name + "\" is of " +
                    std::string(base::word(list->kind))
                );
        }
}

Definition with_lists(db::Read& db, Definition rule) {
    for (auto* one : conditions(rule))
        for (const auto& name : one->lists) {
            auto list = db.maybe(word_list_named, name);
            if (!list || field_of(list->kind) != one->field) continue;
            each_line(entries_of(db, list->id), [&](std::string_view line, std::size_t) {
                one->values.emplace_back(line);
            });
        }
    return rule;
}

}  // namespace rules

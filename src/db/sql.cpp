// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/sql.hpp"

#include "base/text/join.hpp"

#include <deque>
#include <mutex>
#include <string>
#include <utility>

namespace db {

namespace {

struct List {
    std::mutex mutex;  // constants inside functions may be initialized on any thread
    const Sql* first = nullptr;
    unsigned count = 0;
    std::deque<std::string> texts;  // of statements that had to be rewritten
};

List& list() {
    static List everything;
    return everything;
}

// Keeps the text until the program ends, as the constants need.
const char* kept(std::string text) {
    std::lock_guard lock(list().mutex);
    return list().texts.emplace_back(std::move(text)).c_str();
}

// Writes `before` and `after` around the parameter of each `word($1)`.
void replace_calls(
    std::string& text, std::string_view word, std::string_view before, std::string_view after
) {
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at)) {
        auto end = text.find(')', at + word.size());
        auto parameter = text.substr(at + word.size(), end - at - word.size());
        text.replace(at, end + 1 - at, std::string(before) + parameter + std::string(after));
    }
}

const char* for_sqlite(std::string_view both) {
    std::string text(both);
    replace_calls(text, "IN LIST(", "IN (SELECT value FROM list(", "))");
    for (auto locks : {" FOR UPDATE SKIP LOCKED", " FOR UPDATE"}) base::text::replace_all(text, locks, "");
    return text == both ? both.data() : kept(std::move(text));
}

const char* for_postgres(std::string_view both) {
    std::string text(both);
    replace_calls(text, "NOT IN LIST(", "<> ALL(", ")");
    replace_calls(text, "IN LIST(", "= ANY(", ")");
    return text == both ? both.data() : kept(std::move(text));
}

bool only_looks(std::string_view text) {
    for (auto word :
         {"INSERT", "UPDATE", "DELETE", "SHARE", "advisory", "nextval", "setval", "set_config", "notify("})
        if (text.find(word) != text.npos) return false;
    return true;
}

}  // namespace

Sql::Sql(const char* its_name, const char* both, Columns its_columns)
    : Sql(its_name, for_sqlite(both), for_postgres(both), its_columns) {}

Sql::Sql(const char* its_name, const char* sqlite_text, const char* postgres_text, Columns its_columns)
    : name(its_name),
      sqlite(sqlite_text),
      postgres(postgres_text),
      only_looks(!postgres_text || db::only_looks(postgres_text)),
      columns(its_columns) {
    auto& all_of_them = list();
    std::lock_guard lock(all_of_them.mutex);
    number = all_of_them.count++;
    next = std::exchange(all_of_them.first, this);
}

const Sql* Sql::all() {
    std::lock_guard lock(list().mutex);
    return list().first;
}

unsigned Sql::count() {
    std::lock_guard lock(list().mutex);
    return list().count;
}

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/sql.hpp"

#include <mutex>
#include <utility>

namespace db {

namespace {

struct List {
    std::mutex mutex;  // constants inside functions may come to life on any thread
    const Sql* first = nullptr;
    unsigned count = 0;
};

List& list() {
    static List everything;
    return everything;
}

}  // namespace

Sql::Sql(
    const char* its_name, const char* sqlite_text, const char* postgres_text,
    void (*its_columns)(std::vector<std::string_view>&)
)
    : name(its_name), sqlite(sqlite_text), postgres(postgres_text), columns(its_columns) {
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

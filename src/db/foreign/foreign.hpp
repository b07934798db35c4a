// SPDX-License-Identifier: AGPL-3.0-or-later
// The database of another program, read as of one moment and never written. A row is a described struct whose
// members are named like the columns; its first member identifies the row in error reports.
//
//     struct Fave { std::string id, account_id; base::Time created_at; };
//     DESCRIBE(Fave, id, account_id, created_at)
//     source.each<Fave>("status_faves", "WHERE id > $1 ORDER BY id", {after}, [&](Fave fave) { … }, refuse);
//
// Texts come as the other program wrote them. The struct holds only valid UTF-8 without NUL and of bounded
// length; any other row is refused.
#pragma once
#include "base/describe.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace db {

// The database cannot be opened or read. The text says why and contains no secret from its address.
struct Unreadable : std::runtime_error {
    using runtime_error::runtime_error;
};

// A value does not fit the type of its column.
struct BadValue : std::runtime_error {
    using runtime_error::runtime_error;
};

// Longest text that is read, in bytes. No program writes longer ones, and the limit bounds memory.
constexpr std::size_t longest_foreign_text = 1'000'000;

// A list in one column: JSON or a PostgreSQL array.
struct ForeignList {
    std::vector<std::string> items;
};

class Foreign {
public:
    using Column = std::optional<std::string_view>;
    using Row = std::vector<Column>;  // views are valid during the call
    using Refuse = std::function<void(const std::string& row, const std::string& why)>;

    virtual ~Foreign() = default;
    virtual bool is_postgres() const = 0;
    // Passes rows as texts. On PostgreSQL no other query may run meanwhile.
    virtual void
    run(const std::string& sql, const std::vector<std::string>& parameters,
        const std::function<void(const Row&)>&) = 0;

    // Empty if there is no such table. Queried once and cached, because the snapshot does not change.
    const std::vector<std::string>& columns_of(const std::string& table);
    std::int64_t count(const std::string& table, const std::string& where = "");

    // The number of rows, including refused ones, and the first column of the last one.
    struct Seen {
        std::int64_t rows = 0;
        std::string last;
    };
    template <base::Described T>
    Seen each(
        const std::string& table, const std::string& rest, const std::vector<std::string>& parameters,
        const std::function<void(T)>& f, const Refuse& refuse
    ) {
        Seen seen;
        run("SELECT " + select_list<T>() + " FROM " + table + " " + rest, parameters, [&](const Row& row) {
            ++seen.rows;
            seen.last = row.front().value_or("");
            T out;
            try {
                std::size_t at = 0;
                base::for_each_member<T>([&](auto member) {
                    read(row[at], out.*member.pointer, member.name);
                    ++at;
                });
            } catch (const BadValue& bad) {
                return refuse(shown(row.front()), bad.what());
            }
            f(std::move(out));
        });
        return seen;
    }

    // A member of T that `table` has no column for; nullopt if it has all of them.
    template <base::Described T>
    std::optional<std::string> missing_column(const std::string& table) {
        const auto& there = columns_of(table);
        std::optional<std::string> missing;
        base::for_each_member<T>([&](auto member) {
            const std::string name(base::wire_name(member.name));
            if (!missing && std::ranges::find(there, name) == there.end()) missing = name;
        });
        return missing;
    }

    // A text that is safe to show and store, whatever the column contains.
    static std::string shown(Column);

private:
    template <class M>
    static std::string expression(std::string_view name) {
        const auto column = "\"" + std::string(base::wire_name(name)) + "\"";
        if constexpr (std::same_as<M, std::string> || std::same_as<M, std::optional<std::string>> ||
                      std::same_as<M, ForeignList>)
            return "substr(CAST(" + column + " AS TEXT), 1, " + std::to_string(longest_foreign_text + 1) +
                   ")";
        else return "CAST(" + column + " AS TEXT)";
    }
    template <base::Described T>
    static std::string select_list() {
        std::string out;
        base::for_each_member<T>([&](auto member) {
            using M = std::remove_cvref_t<decltype(std::declval<T>().*member.pointer)>;
            out += (out.empty() ? "" : ", ") + expression<M>(member.name);
        });
        return out;
    }

    std::unordered_map<std::string, std::vector<std::string>> columns_;

    static void read(const Column&, std::string&, std::string_view name);
    static void read(const Column&, bool&, std::string_view name);
    static void read(const Column&, std::int64_t&, std::string_view name);
    static void read(const Column&, double&, std::string_view name);
    static void read(const Column&, base::Time&, std::string_view name);
    static void read(const Column&, ForeignList&, std::string_view name);
    template <class M>
    static void read(const Column& from, std::optional<M>& out, std::string_view name) {
        if (from) read(from, out.emplace(), name);
    }
};

// Takes "sqlite:FILE" or "postgres://…". Throws Unreadable; for a dump, the message says how to load it.
std::unique_ptr<Foreign> open_foreign(const std::string& source);

std::unique_ptr<Foreign> open_foreign_sqlite(const std::string& file);
std::unique_ptr<Foreign> open_foreign_postgres(const std::string& url);

// Parsers for the contents of one column.

// 2026-11-22 13:04:52.13479+00:00; UTC if there is no offset.
std::optional<base::Time> foreign_time(std::string_view);
// nullopt if it is neither JSON nor an array.
std::optional<std::vector<std::string>> foreign_list(std::string_view);

}  // namespace db

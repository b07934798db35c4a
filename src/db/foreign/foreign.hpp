// SPDX-License-Identifier: AGPL-3.0-or-later
// The database of another program, read as it stood at one moment and never written. A row is a described struct whose members
// are named as the columns; its first member is what names the row when something is wrong with it.
//
//     struct Fave { std::string id, account_id; base::Time created_at; };
//     DESCRIBE(Fave, id, account_id, created_at)
//     source.each<Fave>("status_faves", "WHERE id > $1 ORDER BY id", {after}, [&](Fave fave) { … }, refuse);
//
// Texts come as the other program wrote them: who reads a struct gets valid UTF-8 without NUL, of bounded length, or the row is
// refused.
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

// The database cannot be opened or read; the text says why, without any secret of its address.
struct Unreadable : std::runtime_error {
    using runtime_error::runtime_error;
};

// A value that is not what its column is to hold.
struct BadValue : std::runtime_error {
    using runtime_error::runtime_error;
};

// More than this of one text is not read: no program writes it, and what is not read fills no memory.
constexpr std::size_t longest_foreign_text = 1'000'000;

// A list in one column: JSON, or an array of PostgreSQL.
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
    // Rows as texts. On PostgreSQL nothing else may be asked meanwhile.
    virtual void
    run(const std::string& sql, const std::vector<std::string>& parameters,
        const std::function<void(const Row&)>&) = 0;

    // Empty: there is no such table. Asked once: what is read stands as it was at one moment.
    const std::vector<std::string>& columns_of(const std::string& table);
    std::int64_t count(const std::string& table, const std::string& where = "");

    // How many rows there were, also of those refused, and what the last one began with.
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

    // What T reads that `table` does not have; nothing: it has all.
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

    // A text that may be shown and stored, whatever it holds.
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

// "sqlite:FILE" or "postgres://…". Throws Unreadable; of a dump with the way to make a database of it.
std::unique_ptr<Foreign> open_foreign(const std::string& source);

std::unique_ptr<Foreign> open_foreign_sqlite(const std::string& file);
std::unique_ptr<Foreign> open_foreign_postgres(const std::string& url);

// What is read out of one column.

// 2026-11-22 13:04:52.13479+00:00, in UTC where no offset is told.
std::optional<base::Time> foreign_time(std::string_view);
// Nothing: it is neither JSON nor an array.
std::optional<std::vector<std::string>> foreign_list(std::string_view);

}  // namespace db

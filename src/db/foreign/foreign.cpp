// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/foreign/foreign.hpp"

#include "base/json_read.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace db {

namespace {

// The first bytes of a file, or, for a directory that pg_dump wrote, of its table of contents.
std::string beginning_of(std::filesystem::path file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) file /= "toc.dat";
    if (!std::filesystem::is_regular_file(file, ignored)) return {};
    std::string head(100, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    return head;
}

// The command that loads a dump into a database; empty if the file is not a dump.
std::string way_to_load(const std::string& file, const std::string& head) {
    if (head.starts_with("PGDMP")) return "pg_restore -O -x -d former " + file;
    if (head.starts_with("\x1f\x8b")) return "gunzip -c " + file + " | psql -q -d former";
    return head.find("PostgreSQL database dump") == head.npos ? "" : "psql -q -d former -f " + file;
}

}  // namespace

std::unique_ptr<Foreign> open_foreign(const std::string& source) {
    constexpr std::string_view sqlite = "sqlite:", dump = "dump:";
    if (source.starts_with("postgres://") || source.starts_with("postgresql://"))
        return open_foreign_postgres(source);
    const bool named = source.starts_with(sqlite);
    const auto file = source.substr(named ? sqlite.size() : source.starts_with(dump) ? dump.size() : 0);
    const auto head = beginning_of(file);
    if (const auto load = way_to_load(file, head); !load.empty())
        throw Unreadable(
            file + " is a dump. Make a database of it, with `createdb former` and `" + load +
            "`, and write postgres:///former; it is only read, and can be dropped afterwards"
        );
    if (named) return open_foreign_sqlite(file);
    if (head.starts_with("SQLite format 3")) throw Unreadable("Write " + std::string(sqlite) + file);
    throw Unreadable("The source is sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE");
}

const std::vector<std::string>& Foreign::columns_of(const std::string& table) {
    const auto known = columns_.find(table);
    if (known != columns_.end()) return known->second;
    std::vector<std::string> out;
    const char* sql = is_postgres()
                          ? "SELECT column_name FROM information_schema.columns WHERE table_name = $1 "
                            "AND table_schema = ANY (current_schemas(false)) ORDER BY ordinal_position"
                          : "SELECT name FROM pragma_table_info($1)";
    run(sql, {table}, [&](const Row& row) { out.emplace_back(row[0].value_or("")); });
    return columns_.emplace(table, std::move(out)).first->second;
}

std::int64_t Foreign::count(const std::string& table, const std::string& where) {
    std::int64_t n = 0;
    run("SELECT CAST(count(*) AS TEXT) FROM " + table + " " + where, {}, [&](const Row& row) {
        read(row[0], n, "count");
    });
    return n;
}

std::string Foreign::shown(Column text) {
    constexpr std::size_t longest = 200;
    if (!text) return "";
    auto clean = base::text::clean_utf8(text->substr(0, longest));
    return clean;
}

namespace {

[[noreturn]] void bad(std::string_view name, const char* what) {
    throw BadValue(std::string(base::wire_name(name)) + " " + what);
}

void check(std::string_view text, std::string_view name) {
    if (text.size() > longest_foreign_text) bad(name, "is longer than a million bytes");
    if (text.find('\0') != text.npos) bad(name, "holds a NUL");
    if (!base::text::valid_utf8(text)) bad(name, "is no UTF-8");
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number n{};
    const auto end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, n);
    if (error != std::errc{} || at != end) return std::nullopt;
    return n;
}

}  // namespace

void Foreign::read(const Column& from, std::string& out, std::string_view name) {
    if (!from) return out.clear();
    check(*from, name);
    out = *from;
}

void Foreign::read(const Column& from, bool& out, std::string_view) {
    out = from && (*from == "1" || *from == "t" || *from == "true");
}

void Foreign::read(const Column& from, std::int64_t& out, std::string_view name) {
    out = 0;
    if (!from) return;
    auto whole = number<std::int64_t>(*from);
    if (!whole) bad(name, "is no whole number");
    out = *whole;
}

void Foreign::read(const Column& from, double& out, std::string_view name) {
    out = 0;
    if (!from) return;
    auto real = number<double>(*from);
    if (!real) bad(name, "is no number");
    out = *real;
}

void Foreign::read(const Column& from, base::Time& out, std::string_view name) {
    auto time = from ? foreign_time(*from) : std::nullopt;
    if (!time) bad(name, "is no time");
    out = *time;
}

void Foreign::read(const Column& from, ForeignList& out, std::string_view name) {
    out.items.clear();
    if (!from) return;
    check(*from, name);
    auto items = foreign_list(*from);
    if (!items) bad(name, "is no list");
    out.items = *std::move(items);
}

std::optional<base::Time> foreign_time(std::string_view text) {
    std::string iso(text.substr(0, 64));
    if (iso.size() > 10 && iso[10] == ' ') iso[10] = 'T';
    // Completes a whole-hour offset such as +00, as PostgreSQL writes it.
    if (iso.size() > 13 && (iso[iso.size() - 3] == '+' || iso[iso.size() - 3] == '-')) iso += ":00";
    return base::parse_time(iso);
}

namespace {

// {a,"b c",NULL}
std::optional<std::vector<std::string>> array(std::string_view text) {
    std::vector<std::string> out;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        std::string item;
        std::size_t at = 0;
        if (text.front() == '"') {
            for (at = 1; at < text.size() && text[at] != '"'; ++at) {
                if (text[at] == '\\') ++at;
                if (at < text.size()) item += text[at];
            }
            if (at >= text.size()) return std::nullopt;
            ++at;
        } else {
            at = std::min(text.find(','), text.size());
            item = text.substr(0, at);
            if (item == "NULL") item.clear();
        }
        if (at < text.size() && text[at] != ',') return std::nullopt;
        out.push_back(std::move(item));
        text.remove_prefix(std::min(at + 1, text.size()));
    }
    return out;
}

}  // namespace

std::optional<std::vector<std::string>> foreign_list(std::string_view text) {
    if (text.empty() || text == "null") return std::vector<std::string>{};
    if (text.starts_with('{') && text.ends_with('}')) return array(text);
    try {
        const auto value = base::json::parse(text);
        std::vector<std::string> out;
        for (const auto& item : value.as_array()) {
            if (item.is_string()) out.emplace_back(std::string_view(item.get_string()));
            else out.push_back(boost::json::serialize(item));
        }
        return out;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace db

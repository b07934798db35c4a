// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/lines.hpp"

#include "base/errors.hpp"
#include "base/text/blank.hpp"
#include "base/text/host.hpp"
#include "base/text/languages.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <array>

namespace transfer {

namespace {

constexpr std::string_view address = "Account address", boosts = "Show boosts",
                           notices = "Notify on new posts", languages = "Languages",
                           hidden = "Hide notifications", list_name = "List name", domain = "#domain",
                           uri = "#uri";

std::vector<std::string_view> columns(Kind kind) {
    switch (kind) {
        case Kind::following: return {address, boosts, notices, languages};
        case Kind::lists: return {list_name, address};
        case Kind::muting: return {address, hidden};
        case Kind::blocking: return {address};
        case Kind::domain_blocking: return {domain};
        case Kind::bookmarks: return {uri};
    }
    return {};
}

bool has_heading(Kind kind) { return kind == Kind::following || kind == Kind::muting; }

bool is_false(std::string_view said) {
    const auto text = base::text::ascii_lowered(said);
    return text == "false" || text == "f" || text == "0" || text == "no";
}

std::vector<std::string> known_ones(std::string_view list) {
    std::vector<std::string> out;
    while (!list.empty()) {
        auto end = std::min(list.find(','), list.size());
        auto code = base::text::trimmed(list.substr(0, end), " \t");
        if (base::text::known_language(code)) out.emplace_back(code);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return out;
}

// However a program of tables wrote it back.
std::string named(std::string_view cell) {
    return base::text::ascii_lowered(base::text::trimmed(cell, " \t"));
}

// The cells of a row by the names of their columns.
class Cells {
public:
    Cells(Kind kind, const Row& first) {
        for (auto name : columns(kind)) names_.push_back(named(name));
        Row heading;
        for (const auto& cell : first) heading.push_back(named(cell));
        has_heading_ = std::ranges::any_of(heading, [&](const auto& name) {
            return std::ranges::find(names_, name) != names_.end();
        });
        if (has_heading_) names_ = std::move(heading);
    }
    bool has_heading() const { return has_heading_; }
    // Empty where there is none.
    std::string of(const Row& row, std::string_view name) const {
        auto at = static_cast<std::size_t>(std::ranges::find(names_, named(name)) - names_.begin());
        return at < row.size() && at < names_.size() ? std::string(base::text::trimmed(row[at], " \t"))
                                                     : std::string();
    }
    bool is(const Row& row, std::string_view name, bool otherwise) const {
        const auto text = of(row, name);
        return text.empty() ? otherwise : !is_false(text);
    }

private:
    Row names_;
    bool has_heading_ = false;
};

std::string handle(std::string text) {
    if (text.starts_with("acct:")) text.erase(0, 5);
    if (text.starts_with('@')) text.erase(0, 1);
    return text;
}

std::string what_of(Kind kind, const Cells& cells, const Row& row) {
    if (kind == Kind::domain_blocking) return cells.of(row, domain);
    if (kind == Kind::bookmarks) return cells.of(row, uri);
    return handle(cells.of(row, address));
}

// Whether it can be one at all; names of people here may lack their server, and look like any word.
bool looks_like_one(Kind kind, const std::string& what) {
    if (kind == Kind::bookmarks) return what.starts_with("https://") || what.starts_with("http://");
    if (kind == Kind::domain_blocking) return base::text::normalized_domain(what).has_value();
    return what.find('@') != what.npos;
}

}  // namespace

std::vector<Line> read_lines(Kind kind, std::string_view csv, bool overwrite) {
    // Addresses of posts stand alone in their lines, and may hold what is a separator elsewhere.
    auto rows = read_csv(csv, most_lines + 2, kind == Kind::bookmarks ? ',' : base::text::csv_separator(csv));
    std::vector<Line> out;
    if (!rows.empty()) {
        const Cells cells(kind, rows[0]);
        if (overwrite && !cells.has_heading() && !looks_like_one(kind, what_of(kind, cells, rows[0])))
            throw base::Invalid("The first line of the file names no column that is known here");
        for (auto row = rows.begin() + cells.has_heading(); row != rows.end(); ++row) {
            Line line;
            line.what = what_of(kind, cells, *row);
            line.list = kind == Kind::lists ? cells.of(*row, list_name) : "";
            if (line.what.empty() || (kind == Kind::lists && line.list.empty())) continue;
            line.reblogs = cells.is(*row, boosts, true);
            line.notify = cells.is(*row, notices, false);
            line.hide_notifications = cells.is(*row, hidden, true);
            line.languages = known_ones(cells.of(*row, languages));
            out.push_back(std::move(line));
        }
    }
    if (out.empty()) throw base::Invalid("There is nothing of this kind in the file");
    static_assert(most_lines == 20'000);
    if (out.size() > most_lines) throw base::Invalid("The file has more than 20,000 lines");
    return out;
}

std::string heading(Kind kind) {
    if (!has_heading(kind)) return {};
    const auto names = columns(kind);
    return csv_line({names.begin(), names.end()});
}

std::string csv_of(Kind kind, const Line& line) {
    auto yes = [](bool is) { return is ? "true" : "false"; };
    switch (kind) {
        case Kind::following: {
            std::string codes;
            for (const auto& code : line.languages) codes += (codes.empty() ? "" : ", ") + code;
            return csv_line({line.what, yes(line.reblogs), yes(line.notify), codes});
        }
        case Kind::lists: return csv_line({line.list, line.what});
        case Kind::muting: return csv_line({line.what, yes(line.hide_notifications)});
        case Kind::blocking:
        case Kind::domain_blocking:
        case Kind::bookmarks: break;
    }
    return csv_line({line.what});
}

std::string file_name(Kind kind) {
    switch (kind) {
        case Kind::following: return "following_accounts.csv";
        case Kind::lists: return "lists.csv";
        case Kind::muting: return "muted_accounts.csv";
        case Kind::blocking: return "blocked_accounts.csv";
        case Kind::domain_blocking: return "blocked_domains.csv";
        case Kind::bookmarks: return "bookmarks.csv";
    }
    return {};
}

}  // namespace transfer

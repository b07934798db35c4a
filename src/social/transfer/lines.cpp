// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/lines.hpp"

#include "base/errors.hpp"
#include "base/text/languages.hpp"

#include <algorithm>
#include <array>
#include <optional>

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

std::string trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t";
    auto begin = text.find_first_not_of(blank);
    if (begin == text.npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(blank) - begin + 1));
}

bool is_false(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return text == "false" || text == "f" || text == "0" || text == "no";
}

std::vector<std::string> known_ones(std::string_view list) {
    std::vector<std::string> out;
    while (!list.empty()) {
        auto end = std::min(list.find(','), list.size());
        auto code = trimmed(list.substr(0, end));
        if (base::text::known_language(code)) out.push_back(std::move(code));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return out;
}

// The cells of a row by the names of their columns.
class Cells {
public:
    Cells(Kind kind, const Row& first) : names_(columns(kind)) {
        std::vector<std::string_view> named(first.begin(), first.end());
        const bool names_them = std::ranges::any_of(named, [&](auto name) {
            return std::ranges::find(names_, name) != names_.end();
        });
        if (!names_them) return;
        heading_ = first;
        names_.assign(heading_.begin(), heading_.end());
    }
    bool has_heading() const { return !heading_.empty(); }
    std::optional<std::string> of(const Row& row, std::string_view name) const {
        auto at = static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
        if (at >= row.size() || at >= names_.size()) return std::nullopt;
        return trimmed(row[at]);
    }

private:
    std::vector<std::string_view> names_;
    Row heading_;
};

std::string handle(std::string text) {
    if (text.starts_with("acct:")) text.erase(0, 5);
    if (text.starts_with('@')) text.erase(0, 1);
    return text;
}

}  // namespace

std::vector<Line> read_lines(Kind kind, std::string_view csv) {
    auto rows = read_csv(csv, most_lines + 2);
    std::vector<Line> out;
    if (!rows.empty()) {
        const Cells cells(kind, rows[0]);
        for (auto row = rows.begin() + cells.has_heading(); row != rows.end(); ++row) {
            auto cell = [&](std::string_view name) { return cells.of(*row, name); };
            Line line;
            if (kind == Kind::domain_blocking) line.what = cell(domain).value_or("");
            else if (kind == Kind::bookmarks) line.what = cell(uri).value_or("");
            else line.what = handle(cell(address).value_or(""));
            line.list = kind == Kind::lists ? cell(list_name).value_or("") : "";
            if (line.what.empty() || (kind == Kind::lists && line.list.empty())) continue;
            line.reblogs = !is_false(cell(boosts).value_or("true"));
            line.notify = !is_false(cell(notices).value_or("false"));
            line.hide_notifications = !is_false(cell(hidden).value_or("true"));
            line.languages = known_ones(cell(languages).value_or(""));
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

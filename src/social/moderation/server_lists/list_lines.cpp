// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/server_lists/list_lines.hpp"

#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "base/text/csv.hpp"
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <boost/json/value.hpp>
#include <unordered_set>

namespace moderation {

namespace {

using base::text::CsvRow;
using instance::ListRule, instance::Severity;

constexpr std::string_view blanks = " \t\r";
constexpr std::array<std::string_view, 6> columns{
    "#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate"
};

std::string shown(const std::string& text) {
    constexpr std::size_t longest = 256;
    return text.size() <= longest ? base::text::clean_utf8(text)
                                  : base::text::clean_utf8(text.substr(0, longest)) + "…";
}

bool is_true(std::string_view text) {
    const auto word = base::text::ascii_lowered(text);
    return word == "true" || word == "t" || word == "1" || word == "yes";
}

// What a line says, before it is looked at.
struct Said {
    std::int64_t line = 0;
    std::string domain, severity;
    bool reject_media = false, reject_reports = false, obfuscate = false;
    std::string comment;
};

class Taking {
public:
    Taking(ListFormat format, Severity otherwise, std::string_view own) : otherwise_(otherwise), own_(own) {
        list_.format = format;
    }

    void take(const Said& said) {
        if (++lines_ > most_list_lines) throw base::Invalid("The list has more than 20,000 lines");
        if (auto problem = take_rule(said); !problem.empty())
            list_.refused.push_back({said.line, shown(said.domain), problem});
    }
    ServerList done() {
        if (lines_ == 0) throw base::Invalid("There is nothing new in the list");
        return std::move(list_);
    }

private:
    std::string take_rule(const Said& said) {
        if (said.domain.find('*') != std::string::npos) return "A part of the name is hidden";
        const auto domain = base::text::normalized_domain(said.domain);
        if (!domain) return "It is not a valid domain name";
        if (instance::is_within(own_, *domain)) return "It is this server, or one above it";
        ListRule rule{*domain, otherwise_, said.reject_media, said.reject_reports, said.obfuscate, {}};
        const auto word = base::text::ascii_lowered(said.severity);
        if (word == "silence" || word == "limit") rule.severity = Severity::silence;
        else if (word == "suspend") rule.severity = Severity::suspend;
        else if (word == "noop" || word == "none") rule.severity = Severity::noop;
        else if (!word.empty()) return "Its severity is none of silence, suspend and noop";
        if (!said.comment.empty()) rule.public_comment = base::text::clean_utf8(said.comment);
        if (!known_.insert(*domain).second) return "It is in the list already";
        list_.rules.push_back(std::move(rule));
        return {};
    }

    Severity otherwise_;
    std::string own_;
    ServerList list_;
    std::size_t lines_ = 0;
    std::unordered_set<std::string> known_;
};

// ---- CSV ----

std::string named(std::string_view cell) {
    auto name = base::text::ascii_lowered(base::text::trimmed(cell, blanks));
    return name.starts_with('#') ? name : "#" + name;
}

bool names_columns(const CsvRow& row) {
    return std::ranges::any_of(row, [](const auto& cell) { return named(cell) == columns[0]; });
}

std::vector<CsvRow> rows_of(std::string_view text) {
    try {
        return base::text::read_csv(text, most_list_lines + 2);
    } catch (const base::Invalid&) {
        throw base::Invalid("The list cannot be read");
    }
}

void read_rows(std::string_view text, Taking& out) {
    const auto rows = rows_of(text);
    CsvRow names(columns.begin(), columns.end());
    std::size_t at = 0;
    if (!rows.empty() && names_columns(rows[0])) {
        names = rows[at++];
        for (auto& name : names) name = named(name);
    }
    for (; at < rows.size(); ++at) {
        auto cell = [&](std::size_t column) {
            const auto place =
                static_cast<std::size_t>(std::ranges::find(names, columns[column]) - names.begin());
            return place < rows[at].size() ? std::string(base::text::trimmed(rows[at][place], blanks))
                                           : std::string();
        };
        Said said{static_cast<std::int64_t>(at) + 1, cell(0), cell(1)};
        said.reject_media = is_true(cell(2));
        said.reject_reports = is_true(cell(3));
        said.comment = cell(4);
        said.obfuscate = is_true(cell(5));
        out.take(said);
    }
}

// ---- one domain a line ----

void read_text(std::string_view text, Taking& out) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!base::text::valid_utf8(text)) throw base::Invalid("The list cannot be read");
    for (std::int64_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto word = base::text::trimmed(line.substr(0, line.find('#')), blanks);
        if (!word.empty()) out.take({number, std::string(word)});
    }
}

// ---- JSON ----

std::string text_of(const boost::json::object& entry, const char* name) {
    const auto* value = entry.if_contains(name);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

void read_json(std::string_view text, Taking& out) {
    boost::json::value all;
    try {
        all = base::json::parse(text);
    } catch (const std::exception&) {
        throw base::Invalid("The list cannot be read");
    }
    if (!all.is_array()) throw base::Invalid("The list cannot be read");
    std::int64_t number = 0;
    for (const auto& one : all.as_array()) {
        ++number;
        if (one.is_string()) {
            out.take({number, std::string(one.as_string())});
        } else if (one.is_object()) {
            const auto& entry = one.as_object();
            Said said{number, text_of(entry, "domain"), text_of(entry, "severity")};
            said.comment = text_of(entry, "comment");
            out.take(said);
        } else {
            out.take({number, {}});
        }
    }
}

ListFormat format_of(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return ListFormat::text;
    if (text[first] == '[' || text[first] == '{') return ListFormat::json;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = base::text::trimmed(text.substr(0, end), blanks);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (named(line.substr(0, line.find(','))) == columns[0]) return ListFormat::csv;
        if (line.empty() || line.starts_with('#')) continue;
        return line.find(',') == line.npos ? ListFormat::text : ListFormat::csv;
    }
    return ListFormat::text;
}

}  // namespace

ServerList read_server_list(std::string_view text, Severity otherwise, std::string_view own) {
    Taking out(format_of(text), otherwise, own);
    switch (format_of(text)) {
        case ListFormat::csv: read_rows(text, out); break;
        case ListFormat::text: read_text(text, out); break;
        case ListFormat::json: read_json(text, out); break;
    }
    return out.done();
}

std::string server_list_csv(const std::vector<ListRule>& rules) {
    auto yes = [](bool is) { return std::string(is ? "true" : "false"); };
    auto out = base::text::csv_line({columns.begin(), columns.end()});
    for (const auto& one : rules) {
        if (one.severity == Severity::noop && !one.reject_media && !one.reject_reports) continue;
        out += base::text::csv_line(
            {one.domain,
             std::string(base::word(one.severity)),
             yes(one.reject_media),
             yes(one.reject_reports),
             one.public_comment.value_or(""),
             yes(one.obfuscate)}
        );
    }
    return out;
}

}  // namespace moderation

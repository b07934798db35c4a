// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/csv.hpp"

#include "base/errors.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <utility>

namespace base::text {

std::string csv_line(const CsvRow& row) {
    std::string out;
    for (const auto& cell : row) {
        if (&cell != &row.front()) out += ',';
        if (cell.find_first_of(",\"\r\n") == cell.npos) {
            out += cell;
            continue;
        }
        out += '"';
        for (char c : cell) out.append(c == '"' ? 2 : 1, c);
        out += '"';
    }
    return out + "\n";
}

namespace {

class Reader {
public:
    Reader(std::string_view text, std::size_t most, char separator)
        : text_(text), most_(most), separator_(separator), ends_{separator, '\r', '\n'} {}

    std::vector<CsvRow> read() {
        while (at_ < text_.size() && rows_.size() < most_) cell();
        if (rows_.size() < most_) end_row();
        return std::move(rows_);
    }

private:
    void cell() {
        if (text_[at_] == '"') quoted();
        auto end = std::min(text_.find_first_of(ends_, at_), text_.size());
        cell_ += text_.substr(at_, end - at_);
        at_ = end;
        row_.push_back(std::exchange(cell_, {}));
        if (at_ == text_.size()) return;
        const char c = text_[at_++];
        if (c == separator_) {
            if (at_ == text_.size()) row_.emplace_back();
            return;
        }
        if (c == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
        end_row();
    }
    void quoted() {
        for (++at_;; ++at_) {
            if (at_ >= text_.size()) throw Invalid("A quotation mark in the file does not end");
            if (text_[at_] != '"') cell_ += text_[at_];
            else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') cell_ += text_[++at_];
            else return void(++at_);
        }
    }
    void end_row() {
        auto row = std::exchange(row_, {});
        if (row.empty() || (row.size() == 1 && row[0].empty())) return;
        rows_.push_back(std::move(row));
    }

    std::string_view text_;
    std::size_t most_, at_ = 0;
    char separator_;
    std::string ends_;  // characters that end a cell
    std::vector<CsvRow> rows_;
    CsvRow row_;
    std::string cell_;
};

}  // namespace

std::vector<CsvRow> read_csv(std::string_view text, std::size_t most, char separator) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!valid_utf8(text) || text.find('\0') != text.npos) throw Invalid("The file is no text in UTF-8");
    return Reader(text, most, separator).read();
}

// A comma decides at once, because titles and addresses may contain the other two.
char csv_separator(std::string_view text) {
    bool quoted = false, semicolon = false, tab = false, begun = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        else if (quoted) continue;
        else if (c == ',') return ',';
        else if (begun && (c == '\r' || c == '\n')) break;
        semicolon = semicolon || c == ';';
        tab = tab || c == '\t';
        begun = begun || (c != '\r' && c != '\n');
    }
    return semicolon ? ';' : tab ? '\t' : ',';
}

std::vector<std::string> listed(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(", \t\r\n"), text.size());
        if (end > 0) names.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

}  // namespace base::text

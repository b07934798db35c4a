// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/dump.hpp"

#include "base/json.hpp"
#include "base/json_read.hpp"

namespace db::portable {

namespace {

constexpr std::int64_t format = 1;
constexpr std::string_view end_of_rows = "\\.\n";
constexpr std::size_t longest_line = std::size_t{1} << 30;

struct DumpBegin {
    std::int64_t dunlin_dump = 0;
    std::string migration;
};
DESCRIBE(DumpBegin, dunlin_dump, migration)

struct ColumnLine {
    std::string name, type;
};
DESCRIBE(ColumnLine, name, type)

struct TableBegin {
    std::string table;
    std::vector<ColumnLine> columns;
    std::int64_t rows = 0;
};
DESCRIBE(TableBegin, table, columns, rows)

struct DumpEnd {
    std::int64_t tables = 0, all_rows = 0;
};
DESCRIBE(DumpEnd, tables, all_rows)

template <class T>
std::string line_of(const T& value) {
    return base::json::to_string(value) + "\n";
}

// Names are inserted into statements.
bool is_name(std::string_view text) {
    return !text.empty() && text.size() < 64 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}

}  // namespace

std::string last_migration(Store& store) {
    return store.ask("SELECT name FROM schema_migrations ORDER BY name DESC LIMIT 1").at(0).at(0);
}

std::vector<Tallied> write_dump(
    Store& store, const std::function<void(std::string_view)>& out, const Progress& progress
) {
    out(line_of(DumpBegin{format, last_migration(store)}));
    std::vector<Tallied> all;
    DumpEnd end;
    for (const auto& table : store.tables()) {
        TableBegin begin{table.name, {}, store.count(table)};
        for (const auto& column : table.columns)
            begin.columns.push_back({column.name, std::string(word_of(column.type))});
        out(line_of(begin));
        Tally sum(table.name, begin.rows, progress);
        store.read(table, [&](std::string_view row) {
            sum.add(row);
            out(row);
        });
        all.push_back(sum.end());
        out(end_of_rows);
        out(line_of(all.back()));
        ++end.tables;
        end.all_rows += all.back().rows;
    }
    out(line_of(end));
    return all;
}

DumpReader::DumpReader(std::function<std::string_view()> more) : more_(std::move(more)) {
    DumpBegin begin;
    try {
        begin = base::json::read<DumpBegin>(line());
    } catch (const std::exception&) {
        throw BrokenDump("This is no portable dump of Dunlin");
    }
    if (begin.dunlin_dump != format)
        throw BrokenDump(
            "This dump has the format " + std::to_string(begin.dunlin_dump) +
            ", which this program does not know"
        );
    migration_ = begin.migration;
}

void DumpReader::broken(const std::string& how) const {
    throw BrokenDump("The dump is damaged at line " + std::to_string(lines_) + ": " + how);
}

// Valid until the next call.
std::string_view DumpReader::line() {
    const bool whole_before = partial_.ends_with('\n');
    if (whole_before) partial_.clear();
    ++lines_;
    for (;;) {
        const auto end = piece_.find('\n');
        if (end != piece_.npos) {
            const auto found = piece_.substr(0, end + 1);
            piece_.remove_prefix(end + 1);
            if (partial_.empty()) return found;
            partial_ += found;
            return partial_;
        }
        partial_ += piece_;
        if (partial_.size() > longest_line) broken("a line does not end");
        piece_ = more_();
        if (piece_.empty()) broken("it breaks off");
    }
}

std::optional<DumpReader::Head> DumpReader::next_table() {
    const std::string text(line());
    TableBegin begin;
    DumpEnd end;
    try {
        begin = base::json::read<TableBegin>(text);
        end = base::json::read<DumpEnd>(text);
    } catch (const std::exception&) {
        broken("a table should begin here");
    }
    if (begin.table.empty()) {
        if (end.tables != tables_ || end.all_rows != all_rows_) broken("tables or rows are missing");
        return std::nullopt;
    }
    head_ = Head{};
    head_->table.name = begin.table;
    head_->rows = begin.rows;
    for (const auto& column : begin.columns) {
        if (!is_name(column.name)) broken("a column is called " + column.name);
        head_->table.columns.push_back({column.name, type_called(column.type)});
    }
    if (!is_name(begin.table)) broken("a table is called " + begin.table);
    return head_;
}

Tallied DumpReader::rows(const Progress& progress, const Take& take) {
    Tally sum(head_->table.name, head_->rows, progress);
    for (auto row = line(); row != end_of_rows; row = line()) {
        sum.add(row);
        take(row);
    }
    const auto found = sum.end();
    Tallied wanted;
    try {
        wanted = base::json::read<Tallied>(line());
    } catch (const std::exception&) {
        broken("the sum of a table should stand here");
    }
    if (wanted != found || wanted.rows != head_->rows)
        broken("the rows of " + found.table + " are not those that were written");
    ++tables_;
    all_rows_ += found.rows;
    return found;
}

}  // namespace db::portable

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/copying/copying.hpp"

#include "server/nodes/node_rows.hpp"

namespace server {

std::string name_of(const Config& config) {
    if (!config.postgres()) return config.database_file().string();
    auto url = config.database;
    const auto begin = url.find("://");
    const auto at = url.find('@');
    const auto colon = begin == url.npos ? url.npos : url.find(':', begin + 3);
    if (at != url.npos && colon < at) url.replace(colon + 1, at - colon - 1, "***");
    return url;
}

std::int64_t rows_of(const std::vector<db::portable::Tallied>& tables) {
    std::int64_t all = 0;
    for (const auto& one : tables) all += one.rows;
    return all;
}

Alone::Alone(const Config& config) {
    if (!config.postgres()) lock_.emplace(config);
}

void Alone::check(CliContext& cli) const {
    if (!lock_) cli.read([](db::Read& db) { return need_no_node(db), 0; });
}

db::portable::Progress CopyNotes::progress() {
    return [this](const std::string& table, std::int64_t rows, std::int64_t of) { tell(table, rows, of); };
}

void CopyNotes::tell(const std::string& table, std::int64_t rows, std::int64_t of) {
    using std::chrono::steady_clock;
    constexpr std::chrono::seconds often{2};
    if (table != table_) {
        before_ += in_table_;
        table_ = table;
    }
    in_table_ = rows;
    const auto now = steady_clock::now();
    if (now - told_ < often) return;
    told_ = now;
    const auto seconds = std::chrono::duration<double>(now - begun_).count();
    print_note(
        table + ": " + std::to_string(rows) + (of > 0 ? " of " + std::to_string(of) : "") + " rows " + done_ +
        "; " + std::to_string(static_cast<std::int64_t>(static_cast<double>(before_ + rows) / seconds)) +
        " rows a second"
    );
}

}  // namespace server

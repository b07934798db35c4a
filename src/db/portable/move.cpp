// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/move.hpp"

#include <algorithm>

namespace db::portable {

Move::Move(const Options& from, const Options& to, base::Time now)
    : noting_(open_store(from, Mode::write)),
      source_(open_store(from, Mode::read)),
      target_(to, last_migration(*source_), now),
      changes_(*noting_, source_->tables()) {}

Move::~Move() {
    if (!noted_) return;
    noting_->roll_back();
    stopped_ = false;
    end();
}

// Triggers can be removed only while nobody reads the table, this program included. If that fails, what
// remains is inactive once its time is over, and the next run removes it.
void Move::end() noexcept {
    source_->roll_back();
    try {
        if (!stopped_) changes_.stop_writing();
        changes_.end();
    } catch (const std::exception&) {
        noting_->roll_back();
    }
    noted_ = stopped_ = false;
}

void Move::copy(const Progress& progress) {
    noted_ = true;
    changes_.begin();
    source_->look_anew();
    const Progress told = [&](const std::string& table, std::int64_t rows, std::int64_t of) {
        constexpr std::int64_t seldom = 1 << 20;
        if (rows % seldom == 0) changes_.prolong();
        if (progress) progress(table, rows, of);
    };
    for (const auto& table : source_->tables()) {
        changes_.prolong();
        moved_.push_back({table.name, portable::copy(*source_, table, target_.store(), told).rows});
    }
    target_.build();
    changes_.prolong();
}

void Move::stop_writing() {
    changes_.stop_writing();
    stopped_ = true;
    changes_.prolong();  // fails unless all changes up to here were recorded for this run
}

// Deletes the changed rows in the target and copies them again, except those that no longer exist.
std::int64_t Move::catch_up(const Table& table) {
    auto& to = target_.store();
    const auto key = key_columns(table);
    std::string columns;
    for (const auto& one : key)
        columns += (columns.empty() ? "" : ", ") + listed({one.name}) + " " + std::string(word_of(one.type));
    to.run("CREATE TEMPORARY TABLE moved_keys (" + columns + ")");
    std::int64_t changed = 0;
    to.begin_rows("moved_keys", key);
    source_->read(Changes::keys(table), key, [&](std::string_view row) {
        to.add_row(row);
        ++changed;
    });
    to.end_rows();
    if (changed > 0) {
        const auto those =
            "(" + listed(table.key) + ") IN (SELECT " + listed(table.key) + " FROM moved_keys)";
        to.run("DELETE FROM " + table.name + " WHERE " + those);
        Tally wanted(table.name, 0, {}), found(table.name, 0, {});
        to.begin_rows(table.name, table.columns);
        source_->read(changes_.rows(table), table.columns, [&](std::string_view row) {
            wanted.add(row);
            to.add_row(row);
        });
        to.end_rows();
        to.read(
            "SELECT " + listed(names_of(table.columns)) + " FROM " + table.name + " WHERE " + those +
                (table.only.empty() ? "" : " AND " + table.only) + to.ordered(key),
            table.columns,
            [&](std::string_view row) { found.add(row); }
        );
        require_same(wanted.end(), found.end());
    }
    to.run("DROP TABLE moved_keys");
    return changed;
}

std::vector<Moved> Move::finish(base::Time now) {
    source_->look_anew();
    const auto tables = source_->tables();
    for (auto& moved : moved_) {
        const auto& table = *std::ranges::find(tables, moved.table, &Table::name);
        moved.changed = catch_up(table);
        if (moved.changed == 0) continue;
        moved.rows = source_->count(table);
        if (const auto there = target_.store().count(table); there != moved.rows)
            throw Failure(
                "the table " + table.name + " has " + std::to_string(moved.rows) + " rows and in the copy " +
                std::to_string(there)
            );
    }
    target_.finish(now);
    end();
    return moved_;
}

std::vector<Difference> compare(const Options& here, const Options& there, const Progress& progress) {
    const auto a = open_store(here, Mode::read), b = open_store(there, Mode::read);
    a->look_anew();
    b->look_anew();
    std::vector<Difference> all;
    for (const auto& carried : carried_tables()) {
        const auto table = a->describe(carried), other = b->describe(carried);
        Difference one;
        if (table) one.here = tally(*a, *table, progress);
        if (other) one.there = tally(*b, *other, progress);
        if (one.here != one.there) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace db::portable

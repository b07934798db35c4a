// SPDX-License-Identifier: AGPL-3.0-or-later
// The rules of a list come into force, and go when it is undone: thousands would keep the writer too long at once.
#include "base/json_read.hpp"
#include "jobs/turn.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/moderation/server_lists/batch.hpp"

#include <algorithm>

namespace moderation {

namespace {

using instance::ListRule;

constexpr std::size_t rules_of_chunk = 1000, rules_at_once = 50;

}  // namespace

const db::Command insert_list_lines{
    "insert_list_lines", "INSERT INTO list_lines (batch_id, lines) VALUES ($1, $2)"
};
const db::Command delete_list_lines{"delete_list_lines", "DELETE FROM list_lines WHERE batch_id = $1"};
const db::Query<std::string> lines_of_list{
    "lines_of_list", "SELECT lines FROM list_lines WHERE batch_id = $1"
};

void keep_lines(db::Write& db, ListBatchId id, const std::string& lines) {
    db.run(insert_list_lines, id, lines);
}

void drop_lines(db::Write& db, ListBatchId id) { db.run(delete_list_lines, id); }

namespace {

struct LinesChunk {
    std::vector<ListRule> rules;
    bool is_last = false;
    std::optional<std::string> suspended;  // one of all that it suspends
};

LinesChunk lines_chunk(db::Read& db, const ListGoesOn& e) {
    const auto all = base::json::read<std::vector<ListRule>>(db.one(lines_of_list, e.batch));
    const auto begin = std::min(static_cast<std::size_t>(e.line), all.size());
    const auto end = std::min(begin + rules_of_chunk, all.size());
    auto at = [&](std::size_t line) { return all.begin() + static_cast<std::ptrdiff_t>(line); };
    LinesChunk out{{at(begin), at(end)}, end == all.size(), {}};
    const auto suspended = std::ranges::find(all, instance::Severity::suspend, &ListRule::severity);
    if (suspended != all.end()) out.suspended = suspended->domain;
    return out;
}

}  // namespace

jobs::Change put_in_force(db::Read& db, const ListGoesOn& e) {
    return [e, chunk = lines_chunk(db, e)](db::Write& db) {
        if (!is_at(db, e)) return;
        const jobs::Turn turn;
        const std::span all(chunk.rules);
        std::size_t done = 0;
        while (done < all.size()) {
            const auto some = all.subspan(done, std::min(rules_at_once, all.size() - done));
            instance::add_list_rules(db, e.batch, some);
            done += some.size();
            if (turn.over()) break;
        }
        if (done < all.size() || !chunk.is_last) {
            auto next = e;
            next.line += std::ssize(all.first(done));
            return db.emit(next);
        }
        drop_lines(db, e.batch);
        // Which is named does not matter: all that waits for others is looked through.
        if (chunk.suspended) db.emit(federation::StoppingContinued{*chunk.suspended, {}});
        begin_step(db, e.batch, ListStep::marking);
    };
}

jobs::Change lift(db::Read& db, const ListGoesOn& e) {
    constexpr int limit = rules_of_chunk;
    return [e, all = instance::domains_in_force(db, e.batch, e.domain, limit)](db::Write& db) {
        if (!is_at(db, e)) return;
        const jobs::Turn turn;
        auto next = e;
        for (auto from = all.begin(); from != all.end();) {
            const auto size = std::min<std::ptrdiff_t>(rules_at_once, all.end() - from);
            const std::vector<std::string> some(from, from + size);
            instance::end_list_rules(db, e.batch, some);
            from += size;
            next.domain = some.back();
            if (turn.over() && from != all.end()) return db.emit(next);
        }
        if (std::ssize(all) == limit) db.emit(next);
        else begin_step(db, e.batch, ListStep::unmarking);
    };
}

}  // namespace moderation

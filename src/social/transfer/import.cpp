// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/import.hpp"

#include "base/json.hpp"
#include "base/json_read.hpp"

#include <algorithm>

namespace transfer {

#define IMPORTS \
    "SELECT id, account_id, kind, overwrite, state, total, done, failed, created_at, ended_at FROM imports "

constexpr int shown = 10;

const db::Query<Import> imports_by_account{
    "imports_by_account", IMPORTS "WHERE account_id = $1 ORDER BY id DESC LIMIT $2"
};
const db::Query<Import> import_by_id{"import_by_id", IMPORTS "WHERE id = $1"};

std::vector<Import> imports_of(db::Read& db, AccountId account) {
    return db.all(imports_by_account, account, shown);
}

std::optional<Import> find_import(db::Read& db, ImportId id) { return db.maybe(import_by_id, id); }

Import import_of(db::Read& db, AccountId account, ImportId id) {
    auto found = find_import(db, id);
    if (!found || found->account_id != account) throw base::NotFound();
    return *std::move(found);
}

const db::Command insert_import{
    "insert_import",
    R"(INSERT INTO imports (id, account_id, kind, overwrite, total, created_at) VALUES ($1, $2, $3, $4, $5, $6))"
};
const db::Command insert_import_chunk{
    "insert_import_chunk", "INSERT INTO import_chunks (import_id, number, lines) VALUES ($1, $2, $3)"
};
const db::Command delete_import{"delete_import", "DELETE FROM imports WHERE id = $1"};
const db::Command delete_import_chunks{
    "delete_import_chunks", "DELETE FROM import_chunks WHERE import_id = $1"
};

namespace {

void forget(db::Write& db, ImportId id) {
    db.run(delete_import_chunks, id);
    db.run(delete_import, id);
}

}  // namespace

Prepared prepared(const std::vector<Line>& lines) {
    Prepared out{std::ssize(lines), {}};
    for (std::size_t at = 0; at < lines.size(); at += lines_of_chunk) {
        const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end =
            lines.begin() + static_cast<std::ptrdiff_t>(std::min(at + lines_of_chunk, lines.size()));
        out.chunks.push_back(base::json::to_string(std::vector<Line>(begin, end)));
    }
    return out;
}

ImportId begin_import(db::Write& db, AccountId account, Kind kind, bool overwrite, const Prepared& lines) {
    auto others = imports_of(db, account);
    for (const auto& other : others)
        if (other.state == ImportState::running && other.kind == kind)
            throw base::Invalid("Another file of this kind is still being gone through");
    if (others.size() >= shown && others.back().state != ImportState::running) forget(db, others.back().id);
    const auto id = db.new_id<ImportId>();
    db.run(insert_import, id, account, kind, overwrite, lines.total, db.now());
    std::int64_t number = 0;
    for (const auto& chunk : lines.chunks) db.run(insert_import_chunk, id, number++, chunk);
    db.emit(ImportGoesOn{id});
    return id;
}

const db::Command end_running_import{
    "end_running_import", "UPDATE imports SET state = $2, ended_at = $3 WHERE id = $1 AND state = 'running'"
};
const db::Command delete_sound_chunks{
    "delete_sound_chunks", "DELETE FROM import_chunks WHERE import_id = $1 AND failed = 0"
};

void end_import(db::Write& db, ImportId id, ImportState state) {
    if (db.run(end_running_import, id, state, db.now()) > 0) db.run(delete_sound_chunks, id);
}

void stop_import(db::Write& db, AccountId account, ImportId id) {
    import_of(db, account, id);
    end_import(db, id, ImportState::stopped);
}

namespace {

Import ended_import(db::Read& db, AccountId account, ImportId id) {
    auto found = import_of(db, account, id);
    if (found.state == ImportState::running) throw base::Invalid("It is still being gone through");
    return found;
}

}  // namespace

Prepared prepared_again(db::Read& db, AccountId account, ImportId id) {
    ended_import(db, account, id);
    auto lines = failed_lines(db, id, static_cast<int>(most_lines));
    if (lines.empty()) throw base::Invalid("There is nothing left to try again");
    for (auto& line : lines) line.problem.clear();
    return prepared(lines);
}

ImportId try_again(db::Write& db, AccountId account, ImportId id, const Prepared& lines) {
    const auto again = begin_import(db, account, ended_import(db, account, id).kind, false, lines);
    forget(db, id);
    return again;
}

const db::Query<std::string> import_chunk{
    "import_chunk", "SELECT lines FROM import_chunks WHERE import_id = $1 AND number = $2"
};
const db::Query<std::string> import_chunks_of{
    "import_chunks_of", "SELECT lines FROM import_chunks WHERE import_id = $1 ORDER BY number"
};
const db::Query<std::string> failed_chunks_of{
    "failed_chunks_of",
    "SELECT lines FROM import_chunks WHERE import_id = $1 AND failed > 0 ORDER BY number LIMIT $2"
};

std::vector<Line> chunk_of(db::Read& db, ImportId id, std::int64_t number) {
    auto found = db.maybe(import_chunk, id, number);
    return found ? base::json::read<std::vector<Line>>(*found) : std::vector<Line>{};
}

std::vector<Line> all_lines(db::Read& db, ImportId id) {
    std::vector<Line> out;
    for (const auto& lines : db.all(import_chunks_of, id))
        for (auto& line : base::json::read<std::vector<Line>>(lines)) out.push_back(std::move(line));
    return out;
}

// Each chunk that is counted has one at least.
std::vector<Line> failed_lines(db::Read& db, ImportId id, int most) {
    std::vector<Line> out;
    for (const auto& lines : db.all(failed_chunks_of, id, most))
        for (auto& line : base::json::read<std::vector<Line>>(lines))
            if (!line.problem.empty() && std::ssize(out) < most) out.push_back(std::move(line));
    return out;
}

std::string failed_csv(db::Read& db, const Import& import) {
    std::string out = heading(import.kind);
    for (const auto& line : failed_lines(db, import.id, static_cast<int>(most_lines)))
        out += csv_of(import.kind, line);
    return out;
}

const db::Query<ImportId> imports_ended_before{
    "imports_ended_before",
    "SELECT id FROM imports WHERE ended_at IS NOT NULL AND ended_at < $1 ORDER BY ended_at LIMIT 5"
};

void purge_imports(db::Write& db) {
    for (auto id : db.all(imports_ended_before, db.now().plus_seconds(-kept_seconds))) forget(db, id);
}

const db::Command drop_own_import_chunks{
    "drop_own_import_chunks",
    R"(DELETE FROM import_chunks WHERE (import_id, number) IN (
           SELECT c.import_id, c.number FROM import_chunks c JOIN imports i ON i.id = c.import_id
           WHERE i.account_id = $1 ORDER BY c.import_id, c.number LIMIT $2))"
};
const db::Command drop_own_imports{
    "drop_own_imports",
    "DELETE FROM imports WHERE id IN (SELECT id FROM imports WHERE account_id = $1 ORDER BY id LIMIT $2)"
};

}  // namespace transfer

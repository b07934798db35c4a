// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies another server's database into an empty one of ours, in chunks that are each written whole: a copy that was cut off goes
// on behind the last chunk and ends with the same rows where the source is still the same. Nothing reacts to what is written, so
// nobody is told anything. A copy made once more begins anew, with the numbers that were given before
// (docs/decisions/0048-taking-over.md).
#pragma once
#include "base/json.hpp"
#include "takeover/source.hpp"

namespace takeover {

struct Progress {
    std::string step;
    std::int64_t done = 0, total = 0;
};

struct Refused {
    std::string kind, former, reason;
};
DESCRIBE(Refused, kind, former, reason)

struct Count {
    std::string what;
    std::int64_t there = 0, here = 0;
};
DESCRIBE(Count, what, there, here)

struct Takeover {
    std::int64_t id = 0;
    std::string source, version, state, step, position;
    std::int64_t rows_done = 0, rows_total = 0;
    Time started_at;
    std::optional<Time> finished_at;
};
DESCRIBE(Takeover, id, source, version, state, step, position, rows_done, rows_total, started_at, finished_at)

std::optional<Takeover> current(db::Read&);
std::vector<Refused> refusals(db::Read&, int limit);
std::int64_t refusal_count(db::Read&);

struct Target {
    db::Connection& connection;
    // What is emitted in the end alone reacts: what was copied is to be indexed, and to fill home timelines.
    const db::Context& context;
};

// Throws Unsuitable: a database that is in use, or that another server was copied into; before anything is written.
void copy(
    const Target&, Source&, const Files&, const Choice&, const std::function<void(const Progress&)>& progress
);

// What the source has and what is here. Those that differ are explained by refusals, or the copy is not whole.
std::vector<Count> compare_counts(const Target&, Source&);

// The copy is all there is from now on: it cannot be made again.
void finish(const Target&);

}  // namespace takeover

// SPDX-License-Identifier: AGPL-3.0-or-later
// What goes to other servers: everything that is due, with its inbox, as if it had been delivered.
#pragma once
#include "social/federation/delivery/queue.hpp"
#include "world.hpp"

struct Sent {
    std::string inbox;
    Answer activity;  // its members by their way: ["object.id"]

    std::string operator[](std::string_view way) const { return activity[way]; }
    std::string line() const { return activity["type"] + " " + inbox; }
};

inline std::vector<Sent> sent(World& w) {
    w.run_jobs();
    std::vector<Sent> out;
    for (;;) {
        auto work = w.write([](db::Write& db) { return federation::exchange(db, {}, {100, 100}, {}); });
        if (work.batches.empty()) return out;
        federation::Report report;
        for (auto& batch : work.batches) {
            report.finished.push_back(batch.host);
            for (auto& one : batch.deliveries) {
                auto all = w.read([&](db::Read& db) { return federation::bodies(db, {one.activity}); });
                out.push_back({one.inbox.substr(8), {200, all[one.activity], {}}});
                report.outcomes.push_back({one, batch.host, federation::Verdict::delivered});
            }
        }
        w.write([&](db::Write& db) { federation::exchange(db, report, {}, {}); });
    }
}

// "Type inbox" of each.
inline std::vector<std::string> sent_lines(World& w) {
    std::vector<std::string> out;
    for (const auto& one : sent(w)) out.push_back(one.line());
    return out;
}

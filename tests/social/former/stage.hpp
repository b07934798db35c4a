// SPDX-License-Identifier: AGPL-3.0-or-later
// A site that took the place of another: what that one called people and posts, written as it would have been copied.
#pragma once
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "social/federation/stage.hpp"
#include "social/former/former.hpp"

namespace former_test {

inline const db::Command test_name_account{
    "test_name_account", "UPDATE accounts SET uri = $2, version = version + 1 WHERE id = $1"
};
inline const db::Command test_name_status{
    "test_name_status", "UPDATE statuses SET uri = $2, version = version + 1 WHERE id = $1"
};
inline const db::Command test_name_key{
    "test_name_key", "UPDATE actor_keys SET id = $2 WHERE account_id = $1"
};
inline const db::Command test_former_id{
    "test_former_id", "INSERT INTO former_ids (kind, former, id) VALUES ($1, $2, $3)"
};
inline const db::Command test_former_path{
    "test_former_path", "INSERT INTO former_paths (path, kind, id, target) VALUES ($1, $2, $3, $4)"
};
inline const db::Command test_takeover{
    "test_takeover",
    "INSERT INTO takeovers (id, source, state, started_at, finished_at) VALUES (1, $1, 'finished', 1, 2)"
};

inline constexpr const char* ulid = "01HQ5Y3ZK8W9V6T4R2P0N8M6J4";  // of February 2024
inline constexpr const char* uuid = "018dcbe1-fe68-7c3e-9a55-2f4c7b1d0e63";
inline constexpr const char* flake = "AfE3nTz8uJ1xkQ2bWm";

struct TookOver : stage::Federated {
    TookOver() {
        w.write([](db::Write& db) { db.run(test_takeover, "gotosocial"); });
        w.write([](db::Write& db) { db.run(test_former_id, "app", "none", std::int64_t{0}); });
        read_past();
    }
    ~TookOver() override { former::use_past({}); }
    TookOver(const TookOver&) = delete;

    void read_past() {
        former::use_past(w.read([](db::Read& db) { return former::read_past(db); }));
    }

    void name(const Person& who, const std::string& path, const std::string& key) {
        w.write([&](db::Write& db) {
            db.run(test_name_account, remote::number(who), url(path));
            db.run(test_name_key, remote::number(who), url(path + key));
        });
    }
    void name(const std::string& status, const std::string& path, const std::string& id = {}) {
        w.write([&](db::Write& db) {
            db.run(test_name_status, remote::status(status), url(path));
            if (!id.empty()) db.run(test_former_id, "status", id, remote::status(status));
        });
    }
    void path(
        const std::string& one, const std::string& kind, std::int64_t id, const std::string& target = {}
    ) {
        w.write([&](db::Write& db) {
            db.run(test_former_path, one, kind, id, target.empty() ? std::nullopt : std::optional(target));
        });
    }
};

}  // namespace former_test

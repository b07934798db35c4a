// SPDX-License-Identifier: AGPL-3.0-or-later
// People and statuses of other servers, put straight into the database of a World.
#pragma once
#include "social/statuses/remote/remote.hpp"
#include "world.hpp"

#include <gtest/gtest.h>

namespace remote {

inline accounts::RemoteAccount account(const std::string& name, const std::string& domain = "far.example") {
    accounts::RemoteAccount out;
    out.uri = "https://" + domain + "/users/" + name;
    out.url = "https://" + domain + "/@" + name;
    out.username = name;
    out.domain = domain;
    out.display_name = "The " + name;
    out.published = base::Time{1'500'000'000'000};
    return out;
}

inline base::AccountId stored(World& w, const accounts::RemoteAccount& account) {
    return w.write([&](db::Write& db) { return accounts::store_remote(db, account); });
}

inline base::AccountId somebody(
    World& w, const std::string& name, const std::string& domain = "far.example"
) {
    return stored(w, account(name, domain));
}

inline statuses::RemoteStatus note(
    World& w, base::AccountId author, const std::string& name, const std::string& html = "<p>hello</p>"
) {
    statuses::RemoteStatus out;
    out.uri = "https://far.example/notes/" + name;
    out.url = "https://far.example/@x/" + name;
    out.author = author;
    out.html = statuses::RemoteHtml(html);
    out.visibility = statuses::Visibility::public_;
    out.published = w.now();
    out.delivered = true;
    return out;
}

// Its id, or empty when it was not taken.
inline std::string stored(World& w, const statuses::RemoteStatus& status) {
    auto made = w.write([&](db::Write& db) { return statuses::store_remote(db, status); });
    return made ? std::to_string(made->id.value) : "";
}

inline std::string text(base::AccountId id) { return std::to_string(id.value); }
inline base::AccountId number(const Person& p) { return {std::stoll(p.id)}; }
inline base::StatusId status(const std::string& id) { return {std::stoll(id)}; }

// Somebody here follows somebody there, as if it had been accepted.
inline const db::Command test_follow{
    "test_follow", R"(INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4))"
};
inline void follows(World& w, const Person& who, base::AccountId whom) {
    w.write([&](db::Write& db) {
        db.run(test_follow, db.new_id<base::FollowId>(), number(who), whom, db.now());
        accounts::count_follow(db, number(who), whom, 1);
        accounts::touch_relations(db, number(who));
    });
    w.changed();
    w.happened();
}

}  // namespace remote
